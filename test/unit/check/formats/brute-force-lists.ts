/**
 * Levels of a list history by their definitions (Adya 1999, Bailis et al. 2013, Cerone and Gotsman 2016): does some order
 * of the appends that no list shows meet the level? Every order is tried, and of each the whole dependency graph is drawn.
 * Shares nothing with check/ and infer/. Exponential: for a few transactions with a few unread appends.
 */
import type { ListHistory, ListTxn } from '../../../../check/index.ts';

export const BRUTE_LEVELS = [
  'read-uncommitted',
  'read-committed',
  'monotonic-atomic-view',
  'cursor-stability',
  'consistent-view',
  'repeatable-read',
  'snapshot-isolation',
  'serializable',
  'strict-serializable',
] as const;
export type BruteLevel = (typeof BRUTE_LEVELS)[number];

/** Orders that are tried; a history with more is not answered. */
const MOST_ORDERS = 3_000;

interface Read {
  readonly txn: number;
  readonly op: number;
  readonly key: string;
  /** Length of the list, without what aborted transactions appended: the version that was read. */
  readonly length: number;
}

interface Shown {
  readonly reads: readonly Read[];
  /** Per key the transactions of the elements of the longest list, in order. */
  readonly chains: ReadonlyMap<string, readonly number[]>;
  /** Per key those that no list shows. */
  readonly unread: ReadonlyMap<string, readonly number[]>;
  readonly committed: readonly number[];
  /** An aborted or an intermediate read. */
  readonly dirty: boolean;
}

/** The levels that some order meets; undefined: there are too many orders. */
export function bruteForceLists({ transactions }: ListHistory): ReadonlySet<BruteLevel> | undefined {
  const shown = shownBy(transactions);
  if (shown === undefined) return new Set();
  const orders = ordersOf(shown);
  if (orders === undefined) return undefined;
  const met = new Set<BruteLevel>();
  for (const order of orders) for (const level of levelsOf(transactions, shown, order)) met.add(level);
  return met;
}

/** Undefined: no order of versions explains the lists, or a transaction does not see what it appended itself. */
function shownBy(transactions: readonly ListTxn[]): Shown | undefined {
  const writer = new Map<string, number>();
  transactions.forEach(({ ops }, t) => ops.forEach((op) => op.kind === 'append' && writer.set(`${op.key} ${op.element}`, t)));
  const reads: Read[] = [];
  const longest = new Map<string, readonly string[]>();
  const all: (readonly [string, readonly string[]])[] = [];
  let dirty = false;
  const lasts: (readonly [reader: number, key: string, element: string])[] = [];
  for (const [t, { outcome, ops }] of transactions.entries()) {
    if (outcome !== 'committed') continue;
    for (const [i, op] of ops.entries()) {
      if (op.kind === 'append' || op.elements === undefined) continue;
      const { key, elements } = op;
      if (new Set(elements).size < elements.length || elements.some((each) => !writer.has(`${key} ${each}`))) return undefined;
      const own = (mine: ListTxn['ops']): boolean => mine.some((each) => each.kind === 'append' && each.key === key);
      const mine = (part: ListTxn['ops']): readonly string[] =>
        part.flatMap((each) => (each.kind === 'append' && each.key === key ? [each.element] : []));
      if (own(ops.slice(0, i)) && mine(ops.slice(0, i)).some((each) => !elements.includes(each))) return undefined;
      if (mine(ops.slice(i)).some((each) => elements.includes(each))) return undefined;
      const kept = elements.filter((each) => transactions[writer.get(`${key} ${each}`)!]!.outcome !== 'aborted');
      dirty ||= kept.length < elements.length;
      reads.push({ txn: t, op: i, key, length: kept.length });
      all.push([key, kept]);
      if (kept.length > (longest.get(key)?.length ?? -1)) longest.set(key, kept);
      if (elements.length > 0) lasts.push([t, key, elements.at(-1)!]);
    }
  }
  if (all.some(([key, list]) => list.some((each, i) => longest.get(key)![i] !== each))) return undefined;
  const seen = new Set(all.flatMap(([key, list]) => list.map((each) => writer.get(`${key} ${each}`)!)));
  const committed = transactions.flatMap(({ outcome }, t) =>
    outcome === 'committed' || (outcome === 'unknown' && seen.has(t)) ? [t] : [],
  );
  const unread = new Map<string, number[]>();
  for (const t of committed)
    for (const op of transactions[t]!.ops)
      if (op.kind === 'append' && !(longest.get(op.key) ?? []).includes(op.element)) unread.set(op.key, [...(unread.get(op.key) ?? []), t]);
  for (const [reader, key, element] of lasts) {
    const t = writer.get(`${key} ${element}`)!;
    const appended = transactions[t]!.ops.flatMap((op) => (op.kind === 'append' && op.key === key ? [op.element] : []));
    dirty ||= t !== reader && appended.at(-1) !== element;
  }
  const chains = new Map([...longest].map(([key, list]) => [key, list.map((each) => writer.get(`${key} ${each}`)!)]));
  return { reads, chains, unread, committed, dirty };
}

type Order = ReadonlyMap<string, readonly number[]>;

function ordersOf({ chains, unread }: Shown): readonly Order[] | undefined {
  let orders: Order[] = [new Map(chains)];
  for (const [key, txns] of unread) {
    const ways = [...permutations(txns)];
    if (orders.length * ways.length > MOST_ORDERS) return undefined;
    orders = orders.flatMap((order) => ways.map((way) => new Map([...order, [key, [...(chains.get(key) ?? []), ...way]]])));
  }
  return orders;
}

/** Of transactions; the elements of one are in the order of its statements. */
function* permutations(txns: readonly number[]): Generator<readonly number[]> {
  if (txns.length === 0) yield [];
  for (const first of new Set(txns)) {
    const at = txns.indexOf(first);
    for (const rest of permutations([...txns.slice(0, at), ...txns.slice(at + 1)])) yield [first, ...rest];
  }
}

type Relation = readonly (readonly boolean[])[];

function levelsOf(transactions: readonly ListTxn[], { reads, committed, dirty }: Shown, order: Order): readonly BruteLevel[] {
  const none = (): boolean[][] => transactions.map(() => transactions.map(() => false));
  const [ww, wr, rw] = [none(), none(), none()];
  for (const versions of order.values())
    versions.forEach((t, i) => {
      const next = versions[i + 1];
      if (next !== undefined && next !== t) ww[t]![next] = true;
    });
  for (const { txn, key, length } of reads) {
    const versions = order.get(key) ?? [];
    const [from, next] = [versions[length - 1], versions[length]];
    if (from !== undefined && from !== txn) wr[from]![txn] = true;
    if (next !== undefined && next !== txn) rw[txn]![next] = true;
  }
  const depends = closure(union(ww, wr));
  const met: BruteLevel[] = [];
  if (acyclic(closure(ww))) met.push('read-uncommitted');
  if (dirty || !acyclic(depends)) return met;
  met.push('read-committed');
  if (!vanishes(reads, order)) met.push('monotonic-atomic-view');
  if (!overwritesUnseen(reads, order)) met.push('cursor-stability');
  if (!transactions.some((_, r) => transactions.some((__, w) => rw[r]![w]! && depends[w]![r]!))) met.push('consistent-view');
  if (acyclic(closure(union(union(ww, wr), rw)))) met.push('repeatable-read', 'serializable');
  if (acyclic(closure(union(union(ww, wr), compose(union(ww, wr), rw))))) met.push('snapshot-isolation');
  if (acyclic(closure(union(union(union(ww, wr), rw), timed(transactions, committed))))) met.push('strict-serializable');
  return met;
}

/** A transaction sees another and afterwards, by this or another key, a version that the other had replaced. */
function vanishes(reads: readonly Read[], order: Order): boolean {
  return reads.some((later) =>
    reads.some((first) => {
      if (first.txn !== later.txn || first.op >= later.op) return false;
      const seen = order.get(first.key)?.[first.length - 1];
      return seen !== undefined && seen !== first.txn && (order.get(later.key) ?? []).slice(later.length).includes(seen);
    }),
  );
}

/** A transaction writes a key of which it read a version, and another wrote it in between. */
function overwritesUnseen(reads: readonly Read[], order: Order): boolean {
  return reads.some(({ txn, key, length }) => {
    const after = (order.get(key) ?? []).slice(length);
    return after.includes(txn) && after[0] !== txn;
  });
}

function timed(transactions: readonly ListTxn[], committed: readonly number[]): Relation {
  return transactions.map((a, s) =>
    transactions.map((b, t) => {
      if (s === t || !committed.includes(s) || !committed.includes(t) || a.outcome !== 'committed') return false;
      return (a.session === b.session && a.beginAt < b.beginAt) || a.endAt < b.beginAt;
    }),
  );
}

function union(a: Relation, b: Relation): Relation {
  return a.map((row, i) => row.map((each, j) => each || b[i]![j]!));
}

function compose(a: Relation, b: Relation): Relation {
  return a.map((row) => row.map((_, j) => row.some((each, k) => each && b[k]![j]!)));
}

function closure(relation: Relation): Relation {
  const all = relation.map((row) => [...row]);
  for (const k of all.keys()) for (const row of all) if (row[k]!) for (const j of all.keys()) row[j] ||= all[k]![j]!;
  return all;
}

function acyclic(closed: Relation): boolean {
  return closed.every((row, i) => !row[i]!);
}
