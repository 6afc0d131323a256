/** List-append histories of executions: one transaction after another, or two at a time on snapshots, where the second to write a list is aborted. */
import * as fc from 'fast-check';
import type { ListHistory, ListOp, ListTxn } from '../../check/index.ts';

interface Planned {
  readonly ops: readonly { readonly key: string; readonly read: boolean }[];
  /** Its outcome is not known, though it took effect. */
  readonly lost: boolean;
}

export function executedLists(isolation: 'serial' | 'snapshot'): fc.Arbitrary<ListHistory> {
  const op = fc.record({ key: fc.constantFrom('x', 'y', 'z'), read: fc.nat({ max: 9 }).map((lot) => lot < 4) });
  const txn = fc.record({
    ops: fc.array(op, { minLength: 1, maxLength: 3, size: 'max' }),
    lost: fc.nat({ max: 9 }).map((lot) => lot === 9),
  });
  const atOnce = isolation === 'serial' ? 1 : 2;
  return fc
    .array(fc.array(txn, { minLength: 1, maxLength: atOnce, size: 'max' }), { minLength: 1, maxLength: 5, size: 'max' })
    .map(executed);
}

/** Those of one round begin together, each in a session of its own. */
function executed(rounds: readonly (readonly Planned[])[]): ListHistory {
  const state = new Map<string, readonly string[]>();
  const transactions: ListTxn[] = [];
  let element = 0;
  let clock = 0;
  for (const round of rounds) {
    const snapshot = new Map(state);
    const written = new Set<string>();
    const beginAt = clock++;
    for (const [session, { ops: plan, lost }] of round.entries()) {
      const own = new Map(snapshot);
      const appended: string[] = [];
      const ops = plan.map(({ key, read }): ListOp => {
        const list = own.get(key) ?? [];
        if (read) return { kind: 'read', key, elements: list };
        own.set(key, [...list, String(++element)]);
        appended.push(key);
        return { kind: 'append', key, element: String(element) };
      });
      const conflict = appended.some((key) => written.has(key));
      for (const key of conflict ? [] : appended) {
        written.add(key);
        state.set(key, own.get(key) ?? []);
      }
      const outcome = conflict ? 'aborted' : lost ? 'unknown' : 'committed';
      const logged = ops.map((each): ListOp => (each.kind === 'read' && outcome !== 'committed' ? { ...each, elements: undefined } : each));
      transactions.push({ session, outcome, beginAt, endAt: outcome === 'unknown' ? Infinity : clock++, ops: logged });
    }
  }
  return { transactions, sessionName: undefined, txnName: undefined, notes: [] };
}
