/**
 * Places appends that stand in no list of their key in the dependency graph. Lists only grow, so these appends came
 * after all of the longest list, in an order that no read shows. An order of their transactions is a chain of versions:
 *
 *     the last writer -ww-> first -ww-> second ...        a reader of the longest list -rw-> first
 *
 * In every order, each of them came after the last writer, and a reader of the longest list did not see it. An edge to
 * each says that. It stands for an edge to the next version and on from there. A transaction that read the longest list
 * and comes first has only a ww edge to the next, which forbids no less.
 */
import { NONE, REL } from '../../core/index.ts';
import type { DependencyGraph } from '../../core/index.ts';
import type { LateAppends, ListStatement } from '../formats/late-appends.ts';
import { extended } from './extended.ts';
import type { MoreEdge, Place } from './extended.ts';

/** A transaction with appends of one key that no list shows: the first and the last of them. */
export interface Member {
  readonly txn: number;
  readonly first: Place;
  readonly last: Place;
}

export interface Tail {
  /** The number of the row in the history. */
  readonly row: number;
  /**
   * The writer of the longest list's last element. It is undefined if the list is empty, or if no transaction wrote
   * that element.
   */
  readonly last: Place | undefined;
  readonly readers: readonly Place[];
  readonly members: readonly Member[];
}

/** The number of edges to several appends. Omitting further ones loses only a shorter witness. */
const MOST_EDGES = 200_000;

export function tailsOf({ history }: DependencyGraph, late: readonly LateAppends[]): readonly Tail[] {
  const rows = new Map(history.rows.rid.map((rid, row) => [rid, row]));
  const index = new Map<number, number>();
  for (let t = 0; t < history.transactions.count; t++) index.set(history.transactions.id[t], t);
  const place = ({ txn, n, seq }: ListStatement): Place => ({ txn: index.get(txn) ?? NONE, n, seq });
  return late.map(({ row, last, readers, appends }): Tail => {
    const members = new Map<number, Member>();
    for (const append of appends.map(place))
      members.set(append.txn, { txn: append.txn, first: members.get(append.txn)?.first ?? append, last: append });
    return { row: rows.get(row) ?? NONE, last: last && place(last), readers: readers.map(place), members: [...members.values()] };
  });
}

/** Adds the edges that hold in every order. */
export function withTails(graph: DependencyGraph, tails: readonly Tail[]): DependencyGraph {
  let left = MOST_EDGES;
  const edges = tails.flatMap((tail): readonly MoreEdge[] => {
    left -= tail.members.length * (tail.readers.length + 1);
    return left < 0 ? [] : tail.members.flatMap((member) => before(tail, member));
  });
  return extended(graph, edges);
}

/** `orders` holds the members of each tail in order. */
export function withOrder(graph: DependencyGraph, tails: readonly Tail[], orders: readonly (readonly Member[])[]): DependencyGraph {
  const edges = tails.flatMap((tail, k): readonly MoreEdge[] => {
    const { row } = tail;
    const order = orders[k];
    const chain = order
      .slice(1)
      .map((next, i): MoreEdge => ({ rel: REL.ww, row, from: order[i].last, to: next.first, version: order[i].last }));
    return [...before(tail, order[0]), ...chain];
  });
  return extended(graph, edges);
}

/**
 * Returns the edges from the longest list's last writer and from its readers. A read of a version that its own writer
 * replaced is an intermediate read.
 */
function before({ row, last, readers }: Tail, { txn, first: to }: Member): readonly MoreEdge[] {
  if (last?.txn === txn) return [];
  const edge = (rel: number, from: Place): MoreEdge => ({ rel, row, from, to, version: last });
  const replaced = last === undefined ? [] : [edge(REL.ww, last)];
  return [...readers.filter((reader) => reader.txn !== txn).map((from) => edge(REL.rw, from)), ...replaced];
}
