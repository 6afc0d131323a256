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

/**
 * List histories that nothing has executed: of each key some order of its appends is taken, and a read returns a part of it
 * from the beginning that has what its transaction appended before, and nothing that it appends later. Most lists are short,
 * so that many appends stand in none.
 */
export function randomLists({ mostTxns = 5 }: { readonly mostTxns?: number } = {}): fc.Arbitrary<ListHistory> {
  const op = fc.record({ key: fc.constantFrom('0', '1', '2'), read: fc.boolean(), lot: fc.nat({ max: 99 }) });
  const txn = fc.record({
    ops: fc.array(op, { minLength: 1, maxLength: 4, size: 'max' }),
    session: fc.nat({ max: 3 }),
    outcome: fc.nat({ max: 19 }).map((lot): ListTxn['outcome'] => (lot === 0 ? 'aborted' : lot < 3 ? 'unknown' : 'committed')),
    pause: fc.nat({ max: 5 }),
  });
  const chains = fc.array(fc.nat({ max: 999 }), { minLength: 24, maxLength: 24 });
  return fc.tuple(fc.array(txn, { minLength: 2, maxLength: mostTxns, size: 'max' }), chains, fc.nat({ max: 2 })).map(withChains);
}

type Drawn = Pick<ListTxn, 'session' | 'outcome'> & {
  readonly pause: number;
  readonly ops: readonly { readonly key: string; readonly read: boolean; readonly lot: number }[];
};

function withChains([drawn, lots, length]: readonly [readonly Drawn[], readonly number[], number]): ListHistory {
  let element = 0;
  const planned = drawn.map((txn) => ({ ...txn, ops: txn.ops.map((op) => ({ ...op, element: op.read ? undefined : String(++element) })) }));
  const all = planned.flatMap(({ ops }, t) => ops.flatMap(({ key, element: of }) => (of === undefined ? [] : [{ key, of, t }])));
  const chain = (key: string): readonly string[] => {
    const counted = all.filter((each) => each.key === key && planned[each.t]!.outcome !== 'aborted');
    const shuffled = counted.toSorted(
      (a, b) => lots[Number(a.of) % lots.length]! - lots[Number(b.of) % lots.length]! || Number(a.of) - Number(b.of),
    );
    // those of one transaction in the order of its statements
    return shuffled.map(
      ({ t }, i) => counted.filter((each) => each.t === t)[shuffled.slice(0, i).filter((each) => each.t === t).length]!.of,
    );
  };
  const chains = new Map(['0', '1', '2'].map((key) => [key, chain(key)]));
  let clock = 0;
  const ends = new Map<number, number>();
  const transactions = planned.map(({ session, outcome, pause, ops }): ListTxn => {
    const beginAt = Math.max((ends.get(session) ?? -1) + 1, clock - pause);
    const endAt = Math.max(beginAt, clock) + 1 + (pause % 2);
    clock = endAt + 1;
    ends.set(session, endAt);
    return {
      session,
      outcome,
      beginAt,
      endAt: outcome === 'unknown' ? Infinity : endAt,
      ops: ops.map((op, i) => (op.element === undefined ? readOf(op, i) : { kind: 'append', key: op.key, element: op.element })),
    };
    function readOf({ key, lot }: Drawn['ops'][number], i: number): ListOp {
      if (outcome !== 'committed') return { kind: 'read', key, elements: undefined };
      const list = chains.get(key) ?? [];
      const mine = (part: typeof ops): readonly number[] =>
        part.flatMap((each) => (each.key === key && each.element !== undefined ? [list.indexOf(each.element)] : []));
      const least = Math.max(0, ...mine(ops.slice(0, i)).map((at) => at + 1));
      const most = Math.min(list.length, ...mine(ops.slice(i)));
      const wanted = lot % (length + 1 + (lot % 7 === 0 ? list.length : 0));
      return { kind: 'read', key, elements: list.slice(0, Math.max(least, Math.min(most, wanted))) };
    }
  });
  return { transactions, sessionName: undefined, txnName: undefined, notes: [] };
}
