/**
 * Finds the statements of a program's outcomes that saw no single state. Only outcomes that no serial order explains are
 * examined, because in the others each statement saw the state after some of the transactions. The runs are limited to a
 * share of the program's orders, and what was omitted is counted.
 */
import type { Program } from '../../core/program/index.ts';
import type { UncheckedStatement } from '../../core/verdict/index.ts';
import { addCounts } from '../judge/tally/add-counts.ts';
import type { ProgramRunner } from './program-runner.ts';
import { mixedSnapshotOf } from './single-run-violation.ts';
import type { FoundViolation } from './single-run-violation.ts';
import { SingleStates } from './oracles/single-state.ts';
import type { Judged } from './oracles/single-state.ts';
import type { Played } from './play.ts';

type UncheckedCounts = Readonly<Partial<Record<UncheckedStatement, number>>>;

export interface StatementCounts {
  /** Number of statements that were checked, whatever the answer. */
  readonly judged: number;
  /** Number of statements without an answer, by reason. */
  readonly unjudged: UncheckedCounts;
}

export const NO_STATEMENTS: StatementCounts = { judged: 0, unjudged: {} };

const LEAST_RUNS = 6;
/** Largest share of the program's orders. */
const SHARE = 1 / 8;

export async function mixedSnapshotsIn(
  runner: ProgramRunner,
  program: Program,
  found: readonly { readonly played: Played }[],
  orders: number,
): Promise<{ readonly mixedSnapshots: readonly FoundViolation[]; readonly statements: StatementCounts }> {
  const states = new SingleStates(runner, program);
  const most = Math.max(LEAST_RUNS, orders * SHARE);
  const mixedSnapshots: FoundViolation[] = [];
  let unjudged: UncheckedCounts = {};
  let judged = 0;
  for (const { played } of found) {
    for (const site of states.sitesOf(played)) {
      const answer: Judged = states.runs >= most ? { unjudged: 'enough-runs' } : await states.judge(played, site);
      if (answer === 'one state') judged++;
      else if ('unjudged' in answer) unjudged = addCounts(unjudged, { [answer.unjudged]: 1 });
      else {
        judged++;
        mixedSnapshots.push({ violation: mixedSnapshotOf(answer), played });
      }
    }
  }
  return { mixedSnapshots, statements: { judged, unjudged } };
}

/** Sums the counts of all programs. */
export function statementsOf(programs: readonly { readonly statements: StatementCounts }[]): StatementCounts {
  return {
    judged: programs.reduce((sum, { statements }) => sum + statements.judged, 0),
    unjudged: programs.reduce((sum: UncheckedCounts, { statements }) => addCounts(sum, statements.unjudged), {}),
  };
}
