/**
 * finding-<n>.json: one finding with all that it rests on (statements with their results and row versions, the cycle,
 * the setup), enough to judge it, or to replay it, without the rest of the run.
 */
import type { Report, Reporter } from '../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

const FINDING_FORMAT = 'anomalist-finding';
const FINDING_VERSION = 1;

export const findingReporter: Reporter = (report, sink) => {
  for (const numbered of numberedFindings(report)) sink.write(findingFile(numbered.n), `${JSON.stringify(findingJson(report, numbered), null, 2)}\n`);
};

export function findingFile(n: number): string {
  return `finding-${n}.json`;
}

function findingJson(report: Report, { n, finding }: NumberedFinding): object {
  const { replay, anomaly, judgement, bareReplay, ...rest } = finding;
  const level = report.levels.find((candidate) => candidate.target === finding.target && candidate.level === finding.level);
  return {
    format: FINDING_FORMAT,
    version: FINDING_VERSION,
    replay,
    n,
    verdict: judgement.verdict,
    promise: judgement.row ?? null,
    anomaly,
    bareReplay: bareReplay ?? null,
    ...rest,
    run: {
      tool: report.tool,
      runId: report.runId,
      seed: report.seed,
      command: report.command,
      mode: report.mode,
      instrument: report.instrument,
      server: level?.server ?? null,
      configuration: level?.configuration ?? null,
    },
  };
}
