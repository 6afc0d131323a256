/** Each edge of a cycle from the history and from what the case assumes; undefined if it follows, else why not. */
import { KV_INITIAL } from '../../../../core/index.ts';
import type { KvCaseEdge } from '../../../../core/index.ts';
import { SEES } from './levels.ts';
import type { LevelOf, Reading } from './levels.ts';
import type { Assumed, Told } from './told.ts';

export interface About {
  readonly told: Told;
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
  so: ({ told }, { from, to }) => (told.inSession(from, to) ? undefined : 'they are not one after the other in a session'),
  rt: ({ told, level }, { from, to }) => {
    if (!level.strict) return 'the level says nothing of real time';
    const [end, begin] = [told.history.endAt?.[from], told.history.beginAt?.[to]];
    return end !== undefined && begin !== undefined && end < begin ? undefined : 'the first had not ended before the second began';
  },
  wr: ({ told, assumed }, { from, to, read }) => {
    const source = sourceOf(told, assumed, to, read);
    return source === from ? undefined : typeof source === 'string' ? source : `${told.name(to)} read it from ${told.name(source)}`;
  },
  rw: overwritten,
  ww: (about, edge) => (edge.reader === undefined ? assumedOrder(about, edge) : demandedOrder(about, edge, edge.reader)),
};

function sourceOf(told: Told, assumed: Assumed, reader: number, read: number | undefined): number | string {
  const op = told.readAt(reader, read);
  return typeof op === 'string' ? op : told.source(op, reader, assumed);
}

/** Who read a version is before whoever replaces it; at a weaker level only nobody may be seen before the initial one. */
function overwritten({ told, level, assumed, among }: About, { from, to, read }: KvCaseEdge): string | undefined {
  const op = told.readAt(from, read);
  if (typeof op === 'string') return op;
  const source = told.source(op, from, assumed);
  if (typeof source === 'string') return source;
  if (!told.writes(to, op)) return `${told.name(to)} does not write the key`;
  const reading = level.reading(from);
  if (isWeak(reading)) {
    if (source !== KV_INITIAL) return `${told.name(from)}, at ${reading}, need not come before who overwrites what it read`;
    return SEES[reading](told, { writer: to, reader: from, op, assumed, among })
      ? undefined
      : `${told.name(from)}, at ${reading}, has not seen ${told.name(to)}`;
  }
  if (source === KV_INITIAL || assumed.orders.has(`${source} ${to}`)) return undefined;
  return source === to
    ? `${told.name(to)} wrote what was read`
    : `the case does not say that ${told.name(source)} came before ${told.name(to)}`;
}

function assumedOrder({ told, assumed }: About, { from, to }: KvCaseEdge): string | undefined {
  return assumed.orders.has(`${from} ${to}`) ? undefined : `the case does not say that ${told.name(from)} came before ${told.name(to)}`;
}

/** Who is seen before a read wrote its key no later than whoever wrote what was read. */
function demandedOrder({ told, level, assumed, among }: About, { from, to, read }: KvCaseEdge, reader: number): string | undefined {
  if (!among.includes(reader)) return `${told.name(reader)}, whose read demands it, is none of the refutation's`;
  const op = told.readAt(reader, read);
  if (typeof op === 'string') return op;
  const reading = level.reading(reader);
  if (!isWeak(reading)) return `${told.name(reader)} is at no level that demands it of writers`;
  if (!told.counts(reader, assumed)) return `${told.name(reader)} did not commit`;
  const source = told.source(op, reader, assumed);
  if (typeof source === 'string') return source;
  if (source !== to) return `${told.name(reader)} read it from ${told.name(source)}`;
  if (!told.writes(from, op)) return `${told.name(from)} does not write the key`;
  return SEES[reading](told, { writer: from, reader, op, assumed, among })
    ? undefined
    : `${told.name(reader)}, at ${reading}, has not seen ${told.name(from)}`;
}

function isWeak(reading: Reading | undefined): reading is keyof typeof SEES {
  return reading !== undefined && Object.hasOwn(SEES, reading);
}
