/**
 * A list-append history (Kingsbury and Alvaro, Elle, VLDB 2020). Transactions append unique elements to lists and read
 * whole lists, so every read shows the order of the versions before it. `listAppendToEvents` turns it into the events
 * of our own history file: a key is a row, an append a write, and a list read a write list. infer/ and the cycle search
 * then answer it without a second implementation of the same inference.
 */
import { UsageError, listEntry, rowId } from '../../core/index.ts';
import type { HistoryEvent, Level, Note, RoundEvent, TxnOutcome } from '../../core/index.ts';
import type { LateAppends, ListStatement } from './late-appends.ts';

export type ListOp =
  | { readonly kind: 'append'; readonly key: string; readonly element: string }
  /** A read without elements has an unknown result. */
  | { readonly kind: 'read'; readonly key: string; readonly elements: readonly string[] | undefined };

export interface ListTxn {
  readonly session: number;
  readonly outcome: TxnOutcome;
  /** Real-time order, as any numbers that grow. Infinity means that no completion was seen. */
  readonly beginAt: number;
  readonly endAt: number;
  readonly ops: readonly ListOp[];
}

export interface ListHistory {
  readonly transactions: readonly ListTxn[];
  readonly sessionName: ((session: number) => string) | undefined;
  /** Returns the file's own name of transaction i. */
  readonly txnName: ((txn: number) => string) | undefined;
  readonly notes: readonly Note[];
}

export interface ListEvents {
  readonly round: RoundEvent;
  /** The events in order. Transaction i of the list history has id i + 1. */
  readonly events: readonly HistoryEvent[];
  /** The row id of each key. */
  readonly rows: ReadonlyMap<string, string>;
  /** The appends that no list shows. The events do not say where they stand. */
  readonly late: readonly LateAppends[];
  readonly notes: readonly Note[];
}

const TABLE = 'lists';

export function listAppendToEvents(history: ListHistory, level: Level = 'serializable'): ListEvents {
  const lists = new Lists(history);
  const events = new TimedEvents();
  const last = lastTime(history);
  history.transactions.forEach((txn, index) => emitTransaction(events, lists, txn, index + 1, last));
  return {
    round: roundOf(history, level),
    events: [...events.inOrder(), { e: 'close', round: 1, at: last + 2, complete: true }],
    rows: lists.rows,
    late: lists.late(),
    notes: lists.notes,
  };
}

/** The rows of keys and the write lists of elements. */
class Lists {
  readonly rows = new Map<string, string>();
  readonly notes: Note[];
  private readonly history: ListHistory;
  private readonly writers: ReadonlyMap<string, ListStatement>;
  private readonly unread: ReadonlyMap<string, Unread>;
  /**
   * The next number of a transaction that is not in the file. Elements of one list that nobody appended, or that stand
   * twice in a row, are writes of one such transaction.
   */
  private nextMissing: number;

  constructor(history: ListHistory) {
    this.history = history;
    this.notes = [...history.notes];
    this.writers = entriesOf(history);
    this.unread = unreadAppends(history, this.writers);
    this.nextMissing = history.transactions.length + 1;
  }

  row(key: string): string {
    let rid = this.rows.get(key);
    if (rid === undefined) this.rows.set(key, (rid = rowId(0, 0, this.rows.size)));
    return rid;
  }

  /** Returns the write list for the list that transaction `reader` read. */
  read(key: string, elements: readonly string[], reader: number): string {
    const entries = [listEntry(0, 0)];
    let before: string | undefined;
    let missing = 0;
    for (const element of elements) {
      const entry = this.writers.get(slot(key, element));
      const data = { transaction: reader, element, list: key };
      if (entry === undefined) this.notes.push({ code: 'element-never-appended', data });
      else if (element === before) this.notes.push({ code: 'element-twice', data });
      const known = entry !== undefined && element !== before;
      entries.push(known ? listEntry(entry.txn, entry.seq) : listEntry(this.nextMissing, ++missing));
      before = element;
    }
    if (missing > 0) this.nextMissing++;
    return entries.join('');
  }

  late(): readonly LateAppends[] {
    return lateAppends(this.history, this.unread, this.writers, (key) => this.row(key));
  }
}

/** Collects events in order of their times. Events of one time keep their order. */
class TimedEvents {
  private readonly timed: { readonly at: number; readonly order: number; readonly event: HistoryEvent }[] = [];

  emit(at: number, event: HistoryEvent): void {
    this.timed.push({ at, order: this.timed.length, event });
  }

  inOrder(): readonly HistoryEvent[] {
    return this.timed.sort((a, b) => a.at - b.at || a.order - b.order).map(({ event }) => event);
  }
}

function lastTime({ transactions }: ListHistory): number {
  let last = 0;
  for (const txn of transactions) last = Math.max(last, txn.beginAt, Number.isFinite(txn.endAt) ? txn.endAt : 0);
  return last;
}

/** Adds all events of transaction t. Its operations happen when it begins, because their times are not known. */
function emitTransaction(events: TimedEvents, lists: Lists, txn: ListTxn, t: number, last: number): void {
  const { session: s, beginAt: at, outcome } = txn;
  const end = Number.isFinite(txn.endAt) ? txn.endAt : last + 1;
  let n = 0;
  let seq = 0;
  events.emit(at, { e: 'invoke', s, t, n, k: 'begin', at, sql: 'begin' });
  events.emit(at, { e: 'ok', s, t, n, at });
  for (const op of txn.ops) {
    n++;
    if (op.kind === 'append') {
      seq++;
      events.emit(at, { e: 'invoke', s, t, n, k: 'update', at, sql: `append ${op.key} ${op.element}`, seq, table: TABLE });
      events.emit(at, { e: 'ok', s, t, n, at, rows: 1, w: [TABLE, lists.row(op.key), listEntry(t, seq)] });
    } else {
      events.emit(at, { e: 'invoke', s, t, n, k: 'select', at, sql: `read ${op.key}`, reads: 'exact', locks: [] });
      if (op.elements !== undefined)
        events.emit(at, { e: 'ok', s, t, n, at, rows: 1, r: [TABLE, lists.row(op.key), lists.read(op.key, op.elements, t)] });
    }
  }
  n++;
  const k = outcome === 'aborted' ? 'rollback' : 'commit';
  events.emit(end, { e: 'invoke', s, t, n, k, at: end, sql: k });
  if (outcome !== 'unknown')
    events.emit(end, { e: 'ok', s, t, n, at: end, ...(outcome === 'committed' ? { tag: 'commit' as const } : {}) });
  events.emit(end, { e: 'end', s, t, at: end, outcome });
}

function roundOf({ transactions }: ListHistory, level: Level): RoundEvent {
  const sessions = new Set(transactions.map((txn) => txn.session)).size;
  return {
    e: 'round',
    round: 1,
    seed: '',
    dialect: 'elle',
    server: 'list-append history',
    level,
    mode: 'stress',
    instrument: 'exact',
    sessions,
    endpoints: [],
    tables: [TABLE],
    objects: true,
    configuration: {},
  };
}

/**
 * The end of a list: the longest list that was read, and the elements appended to it unread by transactions that count.
 */
interface Unread {
  readonly longest: readonly string[];
  readonly elements: readonly string[];
}

/**
 * Lists only grow, so an element that the longest list read of its key does not show came after all of it, if its
 * transaction counts. A transaction counts if it committed, or if its outcome is unknown and some element of it was
 * read. The order of these elements is not known (check/lists). Lists that are not prefixes of the longest allow no
 * conclusion about the order.
 */
function unreadAppends(history: ListHistory, writers: ReadonlyMap<string, ListStatement>): ReadonlyMap<string, Unread> {
  const longest = new Map<string, readonly string[]>();
  const lists: (readonly [key: string, elements: readonly string[]])[] = [];
  const observed = new Set<number>();
  for (const txn of history.transactions) {
    if (txn.outcome !== 'committed') continue;
    for (const op of txn.ops) {
      if (op.kind === 'append' || op.elements === undefined) continue;
      lists.push([op.key, op.elements]);
      if (op.elements.length > (longest.get(op.key)?.length ?? -1)) longest.set(op.key, op.elements);
      for (const element of op.elements) observed.add(writers.get(slot(op.key, element))?.txn ?? 0);
    }
  }
  const disputed = new Set(
    lists.filter(([key, elements]) => elements.some((element, i) => longest.get(key)?.[i] !== element)).map(([key]) => key),
  );
  const shown = new Map([...longest].map(([key, elements]) => [key, new Set(elements)]));
  const result = new Map<string, { longest: readonly string[]; elements: string[] }>();
  history.transactions.forEach((txn, index) => {
    if (txn.outcome !== 'committed' && !(txn.outcome === 'unknown' && observed.has(index + 1))) return;
    for (const op of txn.ops) {
      if (op.kind !== 'append' || disputed.has(op.key) || shown.get(op.key)?.has(op.element)) continue;
      const tail = result.get(op.key) ?? { longest: longest.get(op.key) ?? [], elements: [] };
      result.set(op.key, tail);
      tail.elements.push(op.element);
    }
  });
  return result;
}

function lateAppends(
  history: ListHistory,
  unread: ReadonlyMap<string, Unread>,
  writers: ReadonlyMap<string, ListStatement>,
  row: (key: string) => string,
): readonly LateAppends[] {
  const readers = new Map<string, Map<number, ListStatement>>();
  history.transactions.forEach((txn, index) => {
    if (txn.outcome !== 'committed') return;
    txn.ops.forEach((op, i) => {
      const tail = unread.get(op.key);
      if (op.kind === 'append' || tail === undefined || op.elements?.length !== tail.longest.length) return;
      const of = readers.get(op.key) ?? new Map<number, ListStatement>();
      readers.set(op.key, of.set(index + 1, { txn: index + 1, n: i + 1, seq: 0 }));
    });
  });
  return [...unread].map(([key, { longest, elements }]): LateAppends => ({
    row: row(key),
    last: writers.get(slot(key, longest[longest.length - 1] ?? '')),
    readers: [...(readers.get(key)?.values() ?? [])],
    appends: elements.flatMap((element) => writers.get(slot(key, element)) ?? []),
  }));
}

function slot(key: string, element: string): string {
  return `${key}\n${element}`;
}

/** Returns the transaction that appended each element. */
function entriesOf(history: ListHistory): Map<string, ListStatement> {
  const writers = new Map<string, ListStatement>();
  history.transactions.forEach((txn, index) => {
    let seq = 0;
    for (const [i, op] of txn.ops.entries()) {
      if (op.kind !== 'append') continue;
      seq++;
      const at = slot(op.key, op.element);
      const first = writers.get(at);
      if (first !== undefined) {
        throw new UsageError(
          `element ${op.element} was appended to list ${op.key} twice, by transactions ${first.txn} and ${index + 1}: elements must be unique per list`,
        );
      }
      writers.set(at, { txn: index + 1, n: i + 1, seq });
    }
  });
  return writers;
}
