/**
 * Checks each edge of a cycle from the history and from the case's assumptions. Returns undefined if the edge follows,
 * otherwise the reason why not.
 */
import { KV_INITIAL } from '../../../../core/index.ts';
import type { KvCaseEdge } from '../../../../core/index.ts';
import { SEES } from './levels.ts';
import type { LevelOf, Reading } from './levels.ts';
import type { Assumed, HistoryFacts } from './history-facts.ts';

export interface About {
  readonly facts: HistoryFacts;
  readonly level: LevelOf;
  readonly assumed: Assumed;
  /** The transactions of the refutation. */
  readonly among: readonly number[];
}

type Rule = (about: About, edge: KvCaseEdge) => string | undefined;

export function whyNot(about: About, edge: KvCaseEdge): string | undefined {
  if (edge.from === edge.to) return 'it leads to where it begins';
  return RULES[edge.rel](about, edge);
}

const RULES: Readonly<Record<KvCaseEdge['rel'], Rule>> = {
  so: ({ facts }, { from, to }) => (facts.inSession(from, to) ? undefined : 'they are not one after the other in a session'),
  rt: ({ facts, level }, { from, to }) => {
    if (!level.strict) return 'the level says nothing of real time';
    const [end, begin] = [facts.history.endAt?.[from], facts.history.beginAt?.[to]];
    return end !== undefined && begin !== undefined && end < begin ? undefined : 'the first had not ended before the second began';
  },
  wr: ({ facts, assumed }, { from, to, read }) => {
    const source = sourceOf(facts, assumed, to, read);
    return source === from ? undefined : typeof source === 'string' ? source : `${facts.name(to)} read it from ${facts.name(source)}`;
  },
  rw: overwritten,
  ww: (about, edge) => (edge.reader === undefined ? assumedOrder(about, edge) : demandedOrder(about, edge, edge.reader)),
};

function sourceOf(facts: HistoryFacts, assumed: Assumed, reader: number, read: number | undefined): number | string {
  const op = facts.readAt(reader, read);
  return typeof op === 'string' ? op : facts.source(op, reader, assumed);
}

/**
 * The reader of a version comes before a transaction that overwrites it. At a weaker level this holds only for a read of
 * the initial version.
 */
function overwritten({ facts, level, assumed, among }: About, { from, to, read }: KvCaseEdge): string | undefined {
  const op = facts.readAt(from, read);
  if (typeof op === 'string') return op;
  const source = facts.source(op, from, assumed);
  if (typeof source === 'string') return source;
  if (!facts.writes(to, op)) return `${facts.name(to)} does not write the key`;
  const reading = level.reading(from);
  if (isWeak(reading)) {
    if (source !== KV_INITIAL) return `${facts.name(from)}, at ${reading}, need not come before who overwrites what it read`;
    return SEES[reading](facts, { writer: to, reader: from, op, assumed, among })
      ? undefined
      : `${facts.name(from)}, at ${reading}, has not seen ${facts.name(to)}`;
  }
  if (source === KV_INITIAL || assumed.orders.has(`${source} ${to}`)) return undefined;
  return source === to
    ? `${facts.name(to)} wrote what was read`
    : `the case does not say that ${facts.name(source)} came before ${facts.name(to)}`;
}

function assumedOrder({ facts, assumed }: About, { from, to }: KvCaseEdge): string | undefined {
  return assumed.orders.has(`${from} ${to}`) ? undefined : `the case does not say that ${facts.name(from)} came before ${facts.name(to)}`;
}

/** A transaction that the reader had seen before the read wrote the key no later than the transaction whose write was read. */
function demandedOrder({ facts, level, assumed, among }: About, { from, to, read }: KvCaseEdge, reader: number): string | undefined {
  if (!among.includes(reader)) return `${facts.name(reader)}, whose read demands it, is none of the refutation's`;
  const op = facts.readAt(reader, read);
  if (typeof op === 'string') return op;
  const reading = level.reading(reader);
  if (!isWeak(reading)) return `${facts.name(reader)} is at no level that demands it of writers`;
  if (!facts.counts(reader, assumed)) return `${facts.name(reader)} did not commit`;
  const source = facts.source(op, reader, assumed);
  if (typeof source === 'string') return source;
  if (source !== to) return `${facts.name(reader)} read it from ${facts.name(source)}`;
  if (!facts.writes(from, op)) return `${facts.name(from)} does not write the key`;
  return SEES[reading](facts, { writer: from, reader, op, assumed, among })
    ? undefined
    : `${facts.name(reader)}, at ${reading}, has not seen ${facts.name(from)}`;
}

function isWeak(reading: Reading | undefined): reading is keyof typeof SEES {
  return reading !== undefined && Object.hasOwn(SEES, reading);
}
