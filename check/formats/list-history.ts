/**
 * A list-append history (Kingsbury and Alvaro, Elle, VLDB 2020): transactions append unique elements to lists and read
 * whole lists, so every read shows the order of the versions before it. `listAppendToEvents` turns it into the events
 * of our own history file: a key is a row, an append a write, a list read a write list. So infer/ and the cycle search
 * answer it, and no second implementation of the same inference exists.
 */
import { UsageError, listEntry, rowId } from '../../core/index.ts';
import type { HistoryEvent, Level, RoundEvent, TxnOutcome } from '../../core/index.ts';

export type ListOp =
  | { readonly kind: 'append'; readonly key: string; readonly element: string }
  /** No elements: the read's result is not known. */
  | { readonly kind: 'read'; readonly key: string; readonly elements: readonly string[] | undefined };

export interface ListTxn {
  readonly session: number;
  readonly outcome: TxnOutcome;
  /** Real-time order: any numbers that grow. Infinity: completion not seen. */
  readonly beginAt: number;
  readonly endAt: number;
  readonly ops: readonly ListOp[];
}

export interface ListHistory {
  readonly transactions: readonly ListTxn[];
  readonly sessionName: ((session: number) => string) | undefined;
  /** The file's own name of transaction i. */
  readonly txnName: ((txn: number) => string) | undefined;
  readonly notes: readonly string[];
}

export interface ListEvents {
  readonly round: RoundEvent;
  /** In order; transaction i of the list history has id i + 1. */
  readonly events: readonly HistoryEvent[];
  /** The row id of each key. */
  readonly rows: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

const TABLE = 'lists';

export function listAppendToEvents(history: ListHistory, level: Level = 'serializable'): ListEvents {
  const rows = new Map<string, string>();
  const row = (key: string): string => {
    let rid = rows.get(key);
    if (rid === undefined) rows.set(key, (rid = rowId(0, 0, rows.size)));
    return rid;
  };
  const writers = entriesOf(history);
  const notes = [...history.notes];
  /** An element that nobody appended, or that a list shows twice in a row, gets the id of a transaction that is not there. */
  let strangers = history.transactions.length + 1;
  const listText = (key: string, elements: readonly string[], reader: number): string => {
    let text = listEntry(0, 0);
    let before: string | undefined;
    for (const element of elements) {
      const entry = writers.get(slot(key, element));
      if (entry === undefined) notes.push(`transaction ${reader}: element ${element} of list ${key} was never appended`);
      else if (element === before) notes.push(`transaction ${reader}: element ${element} stands twice in a row in list ${key}; its second place is shown as a write from nowhere`);
      text += entry === undefined || element === before ? listEntry(strangers++, 1) : listEntry(entry.txn, entry.seq);
      before = element;
    }
    return text;
  };

  const lastWrites = soleUnread(history);
  const writtenList = (key: string, element: string, entry: string, txn: number): string => {
    const last = lastWrites.get(key);
    return last?.element === element ? listText(key, last.before, txn) + entry : entry;
  };
  const timed: { at: number; order: number; event: HistoryEvent }[] = [];
  const emit = (at: number, event: HistoryEvent): void => void timed.push({ at, order: timed.length, event });
  let last = 0;
  for (const txn of history.transactions) last = Math.max(last, txn.beginAt, Number.isFinite(txn.endAt) ? txn.endAt : 0);
  history.transactions.forEach((txn, index) => {
    const t = index + 1;
    const s = txn.session;
    const at = txn.beginAt;
    const end = Number.isFinite(txn.endAt) ? txn.endAt : last + 1;
    let n = 0;
    let seq = 0;
    emit(at, { e: 'invoke', s, t, n, k: 'begin', at, sql: 'begin' });
    emit(at, { e: 'ok', s, t, n, at });
    for (const op of txn.ops) {
      n++;
      if (op.kind === 'append') {
        seq++;
        emit(at, { e: 'invoke', s, t, n, k: 'update', at, sql: `append ${op.key} ${op.element}`, seq, table: TABLE });
        emit(at, { e: 'ok', s, t, n, at, rows: 1, w: [TABLE, row(op.key), writtenList(op.key, op.element, listEntry(t, seq), t)] });
      } else {
        emit(at, { e: 'invoke', s, t, n, k: 'select', at, sql: `read ${op.key}`, reads: 'exact' });
        if (op.elements !== undefined) emit(at, { e: 'ok', s, t, n, at, rows: 1, r: [TABLE, row(op.key), listText(op.key, op.elements, t)] });
      }
    }
    n++;
    emit(end, { e: 'invoke', s, t, n, k: txn.outcome === 'aborted' ? 'rollback' : 'commit', at: end, sql: txn.outcome === 'aborted' ? 'rollback' : 'commit' });
    if (txn.outcome !== 'unknown') emit(end, { e: 'ok', s, t, n, at: end, ...(txn.outcome === 'committed' ? { tag: 'commit' as const } : {}) });
    emit(end, { e: 'end', s, t, at: end, outcome: txn.outcome });
  });
  timed.sort((a, b) => a.at - b.at || a.order - b.order);
  const events = timed.map((row) => row.event);
  events.push({ e: 'close', round: 1, at: last + 2, complete: true });
  const sessions = new Set(history.transactions.map((txn) => txn.session)).size;
  const round: RoundEvent = {
    e: 'round', round: 1, seed: '', dialect: 'elle', server: 'list-append history', level, mode: 'stress', instrument: 'exact',
    sessions, endpoints: [], tables: [TABLE], configuration: {},
  };
  return { round, events, rows, notes };
}

/**
 * Lists only grow, so a committed element that the longest list read of its key does not show came after all of it. When
 * there is just one, its place is known though nobody read it; with more, their order among themselves is not.
 */
function soleUnread(history: ListHistory): ReadonlyMap<string, { readonly element: string; readonly before: readonly string[] }> {
  const longest = new Map<string, readonly string[]>();
  const appended = new Map<string, string[]>();
  for (const txn of history.transactions) {
    if (txn.outcome !== 'committed') continue;
    for (const op of txn.ops) {
      if (op.kind === 'append') {
        const list = appended.get(op.key);
        if (list === undefined) appended.set(op.key, [op.element]);
        else list.push(op.element);
      } else if (op.elements !== undefined && op.elements.length > (longest.get(op.key)?.length ?? -1)) longest.set(op.key, op.elements);
    }
  }
  const result = new Map<string, { element: string; before: readonly string[] }>();
  for (const [key, elements] of appended) {
    const before = longest.get(key) ?? [];
    const shown = new Set(before);
    const unread = elements.filter((element) => !shown.has(element));
    if (unread.length === 1) result.set(key, { element: unread[0], before });
  }
  return result;
}

function slot(key: string, element: string): string {
  return `${key}\n${element}`;
}

/** Who appended each element: transaction id and write number. */
function entriesOf(history: ListHistory): Map<string, { txn: number; seq: number }> {
  const writers = new Map<string, { txn: number; seq: number }>();
  history.transactions.forEach((txn, index) => {
    let seq = 0;
    for (const op of txn.ops) {
      if (op.kind !== 'append') continue;
      seq++;
      const at = slot(op.key, op.element);
      const first = writers.get(at);
      if (first !== undefined) {
        throw new UsageError(`element ${op.element} was appended to list ${op.key} twice, by transactions ${first.txn} and ${index + 1}: elements must be unique per list`);
      }
      writers.set(at, { txn: index + 1, seq });
    }
  });
  return writers;
}
