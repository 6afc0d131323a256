/**
 * Tells whether each transaction of a run may have read a snapshot of its own: for some order of commits, each has the
 * answers that it has after some of those before it. The final rows are not compared, so `false` is certain.
 */
import { replyKey } from '../../explore/outcome.ts';
import type { Spec } from './parse-spec.ts';
import type { SerialRun } from './spec-serial.ts';
import type { SpecTransaction } from './spec-transactions.ts';

/** Keys and triggers act on newer rows than a snapshot has, and an upsert looks up its key there. */
const BESIDE_SNAPSHOTS =
  /\b(references|foreign\s+key|trigger|on\s+conflict|on\s+duplicate|replace\s+into|insert\s+ignore|merge|unique|exclude)\b/i;

/** True if snapshots say nothing about the file. */
export function leavesSnapshots({ setup, sessions }: Pick<Spec, 'setup' | 'sessions'>): boolean {
  const steps = sessions.flatMap((session) => session.steps.map(({ sql }) => sql));
  return [...setup, ...sessions.flatMap((session) => session.setup ?? []), ...steps].some((sql) => BESIDE_SNAPSHOTS.test(sql));
}

/** `serial`: every serial order of the committed transactions. */
export function mayBeSnapshots(serial: readonly SerialRun[]): boolean {
  const alike = new Set<string>();
  for (const { order, replies } of serial)
    for (const [at, txn] of order.entries()) {
      const key = placeOf(order.slice(0, at), txn);
      if (txn.steps.every(({ reply }, i) => replyKey(reply) === replyKey(replies[at]![i]!))) alike.add(key);
    }
  return serial.some(({ order }) =>
    order.every((txn, at) =>
      Array.from({ length: at + 1 }, (_, prefix) => placeOf(order.slice(0, prefix), txn)).some((key) => alike.has(key)),
    ),
  );
}

function placeOf(before: readonly SpecTransaction[], txn: SpecTransaction): string {
  return [...before, txn].map(({ steps }) => steps[0]!.sent).join(' ');
}
