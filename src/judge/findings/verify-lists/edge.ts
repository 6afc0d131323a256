/** Derives each edge of a cycle from the lists that were read and the orders that the case assumes, or says why it does not follow. */
import type { ListRefutationEdge } from '../../../../core/index.ts';
import type { ListFacts, ReadList } from './list-facts.ts';

export interface About {
  readonly facts: ListFacts;
  /** The names have the form of `orderName`. */
  readonly orders: ReadonlySet<string>;
}

/** An edge that follows, with the facts that levels ask for beyond its relation. */
export interface DerivedEdge extends ListRefutationEdge {
  /** The list of the edge; so and rt have none. */
  readonly key?: string;
  /** A wr edge is direct if no committed append of another transaction stands behind `from`'s in the list that was read. */
  readonly direct?: boolean;
}

export function orderName(key: string, first: number, second: number): string {
  return `${first} ${second} ${key}`;
}

/** Returns a text if the edge does not follow. */
export function derivedEdge(about: About, edge: ListRefutationEdge): DerivedEdge | string {
  const { facts } = about;
  const { from, to, rel } = edge;
  if (from === to) return 'it leads to where it begins';
  const gone = facts.takesNoPart(from) ?? facts.takesNoPart(to);
  return gone ?? RULES[rel](about, edge);
}

type Rule = (about: About, edge: ListRefutationEdge) => DerivedEdge | string;

const RULES: Readonly<Record<ListRefutationEdge['rel'], Rule>> = {
  so: ({ facts }, edge) => {
    const [one, other] = [facts.txn(edge.from), facts.txn(edge.to)];
    return one?.outcome === 'committed' && one.session === other?.session && one.beginAt < other.beginAt
      ? { from: edge.from, to: edge.to, rel: 'so' }
      : 'they are not one after the other in a session';
  },
  rt: ({ facts }, edge) => {
    const [one, other] = [facts.txn(edge.from), facts.txn(edge.to)];
    return one?.outcome === 'committed' && other !== undefined && one.endAt < other.beginAt
      ? { from: edge.from, to: edge.to, rel: 'rt' }
      : 'the first had not ended before the second began';
  },
  wr: ({ facts }, edge) => {
    const list = listOf(facts, edge, edge.to);
    if (typeof list === 'string') return list;
    const { key, elements } = list;
    if (!facts.appends(edge.from, key).some((element) => elements.includes(element)))
      return `${facts.name(edge.to)} read a list without an append of ${facts.name(edge.from)}`;
    const last = elements.findLast((element) => !facts.aborted(key, element));
    return { ...edge, key, direct: last !== undefined && facts.appender(key, last) === edge.from };
  },
  rw: ({ facts }, edge) => {
    const list = listOf(facts, edge, edge.from);
    if (typeof list === 'string') return list;
    const { key, elements } = list;
    return facts.appends(edge.to, key).some((element) => !elements.includes(element))
      ? { ...edge, key }
      : `${facts.name(edge.to)} made no append that ${facts.name(edge.from)} did not see`;
  },
  ww: (about, edge) => {
    const { facts, orders } = about;
    const { key, from, to } = edge;
    if (key === undefined) return 'it names no list';
    if (edge.reader === undefined)
      return orders.has(orderName(key, from, to))
        ? edge
        : `the case does not say that ${facts.name(from)} appended to ${key} before ${facts.name(to)}`;
    const list = listOf(facts, edge, edge.reader);
    if (typeof list === 'string') return list;
    if (list.key !== key) return `the list that was read is ${list.key}`;
    return showsOrder(list, facts.appends(from, key), facts.appends(to, key))
      ? edge
      : `the list does not show an append of ${facts.name(from)} before one of ${facts.name(to)}`;
  },
};

/** The list that the edge names must be one that `reader` read. */
function listOf(facts: ListFacts, { reader, read }: ListRefutationEdge, expected: number): ReadList | string {
  if (reader === undefined || read === undefined) return 'it names no read';
  return reader === expected
    ? facts.readAt(reader, read)
    : `it is shown by a read of ${facts.name(expected)}, not of ${facts.name(reader)}`;
}

/** An append that the list does not show comes after all that it shows. */
function showsOrder({ elements }: ReadList, before: readonly string[], after: readonly string[]): boolean {
  const first = Math.min(...before.map((element) => elements.indexOf(element)).filter((i) => i >= 0));
  return first < Infinity && after.some((element) => !elements.includes(element) || elements.indexOf(element) > first);
}
