/**
 * Finds the statements of a program's outcomes that saw no single state. Only outcomes that no serial order explains are
 * examined, because in the others each statement saw the state after some of the transactions. The runs are limited to a
 * share of the program's orders, and what was omitted is counted.
 */
import type { Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { mixedSnapshotOf } from './single-run-violation.ts';
import type { FoundViolation } from './single-run-violation.ts';
import { SingleStates } from './oracles/single-state.ts';
import type { Played } from './play.ts';

export interface StatementCounts {
  /** Number of statements that were checked, whatever the answer. */
  readonly judged: number;
  /** Number of statements without an answer, by reason. */
  readonly unjudged: Readonly<Record<string, number>>;
}

export const NO_STATEMENTS: StatementCounts = { judged: 0, unjudged: {} };

const LEAST_RUNS = 6;
/** Largest share of the program's orders. */
const SHARE = 1 / 8;
const LEFT_OUT = 'enough runs were spent on statements of its program';

export async function mixedSnapshotsIn(
  arena: Arena,
  program: Program,
  found: readonly { readonly played: Played }[],
  orders: number,
): Promise<{ readonly mixedSnapshots: readonly FoundViolation[]; readonly statements: StatementCounts }> {
  const states = new SingleStates(arena, program);
  const most = Math.max(LEAST_RUNS, orders * SHARE);
  const mixedSnapshots: FoundViolation[] = [];
  const unjudged: Record<string, number> = {};
  let judged = 0;
  for (const { played } of found) {
    for (const site of states.sitesOf(played)) {
      const answer = states.runs >= most ? { unjudged: LEFT_OUT } : await states.judge(played, site);
      if (answer === 'one state') judged++;
      else if ('unjudged' in answer) unjudged[answer.unjudged] = (unjudged[answer.unjudged] ?? 0) + 1;
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
  const unjudged: Record<string, number> = {};
  for (const { statements } of programs)
    for (const [why, count] of Object.entries(statements.unjudged)) unjudged[why] = (unjudged[why] ?? 0) + count;
  return { judged: programs.reduce((sum, { statements }) => sum + statements.judged, 0), unjudged };
}
