/** Writes the commands of a report as they are typed here, for its pages. Its other files name `anomalist`, for programs. */
import type { Report } from '../../core/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { typed } from './typed.ts';

export function typedReport(report: Report): Report {
  const { explored } = report;
  return {
    ...report,
    command: typed(report.command),
    findings: report.findings.map((each) => ({ ...each, replay: typed(each.replay) })),
    ...(report.listed && { listed: report.listed.map((each) => ({ ...each, replay: typed(each.replay) })) }),
    ...(explored && {
      explored: {
        ...explored,
        levels: explored.levels.map((level) => ({
          ...level,
          findings: level.findings.map((each) => ({ ...each, command: typed(each.command) })),
        })),
      },
    }),
  };
}

export function typedExploration(report: ExploreReport): ExploreReport {
  return {
    ...report,
    command: typed(report.command),
    levels: report.levels.map((level) => ({
      ...level,
      families: level.families.map((each) => ({ ...each, example: { ...each.example, command: typed(each.example.command) } })),
    })),
  };
}
