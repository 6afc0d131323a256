/** The explore part of a run's report: the figures and the findings, each with the command that shows it. */
import type { ExploredLevel, ExploredPart } from '../../core/verdict/index.ts';
import type { ExploredPairs, ExploreReport } from './report.ts';
import { classText } from './text.ts';
import { worstFirst } from './worst-first.ts';

/** `page`: the page of the whole report. */
export function exploredPart({ of, levels, endedEarly }: ExploreReport, page: string): ExploredPart {
  return {
    ...(of !== undefined && { of }),
    levels: levels.map((level) => ({
      level: level.level,
      ...(level.rounds !== undefined && { rounds: level.rounds }),
      ...(level.unjudged !== undefined && { unjudged: level.unjudged }),
      ...(level.unjudgedData !== undefined && { unjudgedData: level.unjudgedData }),
      programs: level.programs,
      orders: level.orders,
      whole: level.whole,
      sampled: level.sampled,
      seconds: level.seconds,
      coverage: { pairs: level.coverage.pairs, covered: level.coverage.covered },
      ...(level.pairMatrix && { matrixPairs: matrixPart(level.pairMatrix) }),
      unconfirmed: level.unconfirmed + level.untried,
      findings: worstFirst(level).map(({ verdict, oracle, named, breach, name, fingerprint, programs, known, accepted, example }) => ({
        verdict,
        oracle,
        ...(named !== undefined && { class: classText(named) }),
        ...(breach !== undefined && { breach }),
        name,
        ...(fingerprint !== undefined && { fingerprint }),
        programs,
        ...(known !== undefined && { known }),
        ...(accepted !== undefined && { accepted }),
        command: example.command,
        lines: example.lines,
      })),
    })),
    page,
    ...(endedEarly !== undefined && { cutShort: endedEarly }),
  };
}

function matrixPart({ rounds, fixtures, askedFixtures }: ExploredPairs): NonNullable<ExploredLevel['matrixPairs']> {
  const sum = (of: 'run' | 'pairs'): number => rounds.reduce((total, round) => total + round[of], 0);
  return { run: sum('run'), chosen: sum('pairs'), fixtures, askedFixtures };
}
