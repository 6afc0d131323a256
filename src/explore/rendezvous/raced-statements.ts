/**
 * Checks the plain reads of a raced run that no serial order explains. If every statement sees one state of the database,
 * each reply is one of some order of whole statements. A plain read with another reply saw parts of several states.
 *
 * Nothing is said where the orders may miss a reply: not all were run, a transaction failed, was refused or did not commit
 * (another one may fail in the order), or triggers or functions read by themselves. Statements that lock or write are not
 * checked, because they may wait between what they read and what they write.
 */
import { effectsOfStatement } from '../../../core/sql/index.ts';
import type { Program } from '../../../core/program/index.ts';
import type { StatementCounts } from '../mixed-snapshots.ts';
import { replyKey } from '../outcome.ts';
import type { Played } from '../play.ts';
import { replyText } from '../reply-text.ts';
import { mixedSnapshotOf } from '../single-run-violation.ts';
import type { SingleRunViolation } from '../single-run-violation.ts';
import type { StepOutcomes } from './step-outcomes.ts';

export interface RacedStatements extends StatementCounts {
  readonly violations: readonly SingleRunViolation[];
}

export function racedStatements(program: Program, played: Played, steps: StepOutcomes): RacedStatements {
  const sites = program.transactions.flatMap((transaction, session) =>
    transaction.steps.flatMap(({ plainRead }, step) => (plainRead ? [{ session, step }] : [])),
  );
  const why = unjudged(program, played, steps);
  if (why !== undefined) return { judged: 0, unjudged: sites.length > 0 ? { [why]: sites.length } : {}, violations: [] };
  const violations = sites.flatMap(({ session, step }) => {
    const reply = played.outcome.transactions[session]!.replies[step]!;
    if (steps.gives(session, step, replyKey(reply))) return [];
    const told = `session ${session + 1}, statement ${step + 1}: ${replyText(reply)}`;
    const seen = [told, `none of the ${steps.orders} orders of whole statements gives it this reply`];
    return [mixedSnapshotOf({ session, step, reading: 'plain', seen })];
  });
  return { judged: sites.length, unjudged: {}, violations };
}

function unjudged({ fixture, transactions }: Program, { outcome, begunAgain }: Played, { whole }: StepOutcomes): string | undefined {
  if (!whole) return 'not every order of whole statements was run';
  if (begunAgain !== undefined) return 'a transaction of its race was tried again';
  const ended = outcome.transactions.every(({ end, replies }, session) => {
    const { length } = transactions[session]!.steps;
    return end === 'committed' && replies.length === length && replies.every(({ error }) => error === undefined);
  });
  if (!ended) return 'a transaction of its race did not commit, or failed in part';
  const acting = transactions.some(({ steps }) =>
    steps.some(({ statement }) => {
      const { reads, writes } = effectsOfStatement(fixture, statement);
      return reads.size + writes.size > 0;
    }),
  );
  return acting ? 'triggers or functions look for themselves' : undefined;
}
