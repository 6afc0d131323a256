/**
 * The serial orders in which the committed transactions of a round run again. The first is the order that their own reads
 * and writes show, which under snapshots may differ from the order of commits. Then come the order of their commits,
 * session after session, and the commits backwards. So of any two transactions each comes first once.
 */
import { TXN_STATUS } from '../../../core/base/index.ts';
import { REL } from '../../../core/level/index.ts';
import type { SerialOrderName } from '../../../core/level/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import type { DependencyGraph, History } from '../../../core/history/index.ts';

export interface SerialOrder {
  readonly name: SerialOrderName;
  /** Transaction ids. */
  readonly ids: readonly number[];
  /** Without this order nothing is proven. The others are further chances for the transactions to break an invariant. */
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
    { name: 'dependencies', ids: shown, needed: true },
    { name: 'commits', ids: committed, needed: true },
    { name: 'sessions', ids: planned, needed: false },
    { name: 'commits-reversed', ids: [...committed].reverse(), needed: false },
  ];
  // Readers know the order of commits. If both orders are the same, that name is used.
  const differ = String(shown) === String(committed) ? orders.slice(1) : orders;
  return differ.filter(({ ids }, n) => differ.findIndex((other) => String(other.ids) === String(ids)) === n);
}

const DEPENDENCIES = REL.ww | REL.wr | REL.rw | REL.wrp | REL.rwp;

/**
 * Takes transactions whose predecessors have all been taken, the first to commit first. If a cycle leaves none, it takes
 * the first to commit.
 */
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
