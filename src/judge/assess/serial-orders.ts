/**
 * The orders in which the committed transactions of a round are run again, one after the other: first the one that their
 * own reads and writes show (under snapshots that need not be the order of commits), then the order of their commits, then
 * session after session, then the commits backwards, so that of any two transactions each has been the first once.
 */
import { REL, TXN_STATUS } from '../../../core/index.ts';
import type { DependencyGraph, History, TestCase } from '../../../core/index.ts';

export interface SerialOrder {
  /** As in: in ... */
  readonly words: string;
  /** Transaction ids. */
  readonly ids: readonly number[];
  /** Without it nothing is proven; the others are further chances for the transactions to break an invariant. */
  readonly needed: boolean;
}

export function serialOrders({ transactions }: History, testCase: TestCase, graph?: DependencyGraph): readonly SerialOrder[] {
  const indexOf = new Map<number, number>();
  for (let t = 1; t < transactions.count; t++) if (transactions.status[t] === TXN_STATUS.committed) indexOf.set(transactions.id[t]!, t);
  const planned = testCase.sessions.flatMap((session) => session.transactions.map(({ id }) => id)).filter((id) => indexOf.has(id));
  const endOf = (id: number): number => transactions.endAt[indexOf.get(id)!]!;
  const committed = [...planned].sort((a, b) => endOf(a) - endOf(b));
  const shown =
    graph === undefined
      ? committed
      : inDependencyOrder(
          committed.map((id) => indexOf.get(id)!),
          graph,
        ).map((t) => transactions.id[t]!);
  const orders: SerialOrder[] = [
    { words: 'the order that their reads and writes show', ids: shown, needed: true },
    { words: 'the order of their commits', ids: committed, needed: true },
    { words: 'the order of the sessions, one after the other', ids: planned, needed: false },
    { words: 'the reverse order of their commits', ids: [...committed].reverse(), needed: false },
  ];
  // The order of commits is the one that a reader knows: where two are the same, it names them.
  const differ = String(shown) === String(committed) ? orders.slice(1) : orders;
  return differ.filter(({ ids }, n) => differ.findIndex((other) => String(other.ids) === String(ids)) === n);
}

const DEPENDENCIES = REL.ww | REL.wr | REL.rw | REL.wrp | REL.rwp;

/** Of those whose predecessors have all been taken, the first to commit; where a cycle leaves none, the first to commit. */
function inDependencyOrder(committed: readonly number[], { starts, targets, rels }: DependencyGraph): number[] {
  const left = new Set(committed);
  const before = new Map(committed.map((t) => [t, 0]));
  const follow = (t: number, step: number): void => {
    for (let e = starts[t]!; e < starts[t + 1]!; e++) {
      const target = targets[e]!;
      if ((rels[e]! & DEPENDENCIES) !== 0 && target !== t && before.has(target)) before.set(target, before.get(target)! + step);
    }
  };
  for (const t of committed) follow(t, 1);
  const order: number[] = [];
  while (left.size > 0) {
    const [first] = left;
    const next = [...left].find((t) => before.get(t) === 0) ?? first!;
    left.delete(next);
    follow(next, -1);
    order.push(next);
  }
  return order;
}
