/**
 * Turns runs into transactions. It numbers sessions in order of appearance and transactions session by session. It
 * joins the runs of one transaction id, wherever they are, into one transaction. Ids are global, except that every run
 * with -1 is an aborted transaction of its own. Runs that are whole transactions keep their operations where the parser
 * put them.
 */
import { TXN_STATUS } from '../../../core/index-kv.ts';
import type { KvHistory, Note } from '../../../core/index.ts';
import { PairTable } from '../../../graph/index.ts';
import type { PlumeColumns } from './line.ts';

/** One parsed part of the file: columns [op, op + ops) and runs [run, run + runs). */
export interface PlumeStretch {
  readonly op: number;
  readonly ops: number;
  readonly run: number;
  readonly runs: number;
}

/** Plain data that threads can hand to each other. */
export interface PlumeParts {
  readonly history: Omit<KvHistory, 'sessionName' | 'txnName' | 'initial' | 'beginAt' | 'endAt'>;
  readonly sessionLow: Int32Array;
  readonly sessionHigh: Int32Array;
  readonly txnLow: Int32Array;
  readonly txnHigh: Int32Array;
}

type Memory = (bytes: number) => ArrayBuffer | SharedArrayBuffer;

interface Runs {
  readonly count: number;
  /** The place of run i in the parser's columns, and the end of its operations. */
  readonly place: Uint32Array;
  readonly end: Uint32Array;
  readonly session: Uint32Array;
  readonly sessions: PairTable;
  /** Transaction ids only grow, so each run is a transaction of its own. */
  readonly ascending: boolean;
}

export function assemblePlume(
  columns: PlumeColumns,
  stretches: readonly PlumeStretch[],
  wideKey: boolean,
  wideValue: boolean,
  memory: Memory,
): PlumeParts {
  const runs = listRuns(columns, stretches);
  const notes: Note[] = [];
  const group = runs.ascending ? undefined : sameTransaction(columns, runs, notes);
  const opCount = stretches.reduce((sum, stretch) => sum + stretch.ops, 0);
  const { txnLow, txnHigh, ...transactions } = numberTransactions(columns, runs, group, memory);
  let ops: Omit<PlumeColumns, 'runStart' | 'runSessionLow' | 'runSessionHigh' | 'runTxnLow' | 'runTxnHigh'> = columns;
  if (group !== undefined) ops = gather(columns, runs, group, transactions, opCount, wideKey, wideValue, memory);
  const history = {
    ...transactions,
    sessionCount: runs.sessions.size,
    opCount,
    kind: ops.kind,
    keyLow: ops.keyLow,
    keyHigh: wideKey ? ops.keyHigh : undefined,
    valueLow: ops.valueLow,
    valueHigh: wideValue ? ops.valueHigh : undefined,
    notes,
  };
  return { history, ...sessionNumbers(runs.sessions, memory), txnLow, txnHigh };
}

type Transactions = Pick<PlumeParts['history'], 'txnCount' | 'sessionStart' | 'status'> & Pick<PlumeParts, 'txnLow' | 'txnHigh'> & Bounds;

/**
 * Numbers the transactions by a counting sort of their first runs over sessions. A transaction of several runs gets its
 * bounds when its runs are gathered.
 */
function numberTransactions(columns: PlumeColumns, runs: Runs, group: Uint32Array | undefined, memory: Memory): Transactions {
  const u32 = (n: number): Uint32Array => new Uint32Array(memory(n * 4));
  const i32 = (n: number): Int32Array => new Int32Array(memory(n * 4));
  const { sessions } = runs;
  const sessionStart = u32(sessions.size + 1);
  let txnCount = 0;
  for (let r = 0; r < runs.count; r++) {
    if (group !== undefined && group[r] !== r) continue;
    sessionStart[runs.session[r] + 1]++;
    txnCount++;
  }
  for (let s = 0; s < sessions.size; s++) sessionStart[s + 1] += sessionStart[s];
  const next = sessionStart.slice();
  const opStart = u32(txnCount);
  const opEnd = u32(txnCount);
  const status = new Uint8Array(memory(txnCount));
  const fileOrder = u32(txnCount);
  const txnLow = i32(txnCount);
  const txnHigh = i32(txnCount);
  let appeared = 0;
  for (let r = 0; r < runs.count; r++) {
    if (group !== undefined && group[r] !== r) continue;
    const place = runs.place[r];
    const t = next[runs.session[r]]++;
    opStart[t] = columns.runStart[place];
    opEnd[t] = runs.end[r];
    const low = columns.runTxnLow[place];
    const high = columns.runTxnHigh[place];
    txnLow[t] = low;
    if (high !== 0) txnHigh[t] = high;
    status[t] = low === -1 && high === -1 ? TXN_STATUS.aborted : TXN_STATUS.committed;
    fileOrder[appeared++] = t;
  }
  return { txnCount, sessionStart, opStart, opEnd, status, fileOrder, txnLow, txnHigh };
}

function sessionNumbers(sessions: PairTable, memory: Memory): Pick<PlumeParts, 'sessionLow' | 'sessionHigh'> {
  const sessionLow = new Int32Array(memory(sessions.size * 4));
  const sessionHigh = new Int32Array(memory(sessions.size * 4));
  for (let s = 0; s < sessions.size; s++) {
    sessionLow[s] = sessions.lowOf(s);
    sessionHigh[s] = sessions.highOf(s);
  }
  return { sessionLow, sessionHigh };
}

/** Returns the history itself. Its names are functions, which threads cannot hand to each other. */
export function plumeHistory(parts: PlumeParts): KvHistory {
  const { sessionLow, sessionHigh, txnLow, txnHigh } = parts;
  return {
    ...parts.history,
    initial: 'zero',
    beginAt: undefined,
    endAt: undefined,
    sessionName: (session) => decimal(sessionLow[session], sessionHigh[session]),
    txnName: (txn) => decimal(txnLow[txn], txnHigh[txn]),
  };
}

function decimal(low: number, high: number): string {
  return String((BigInt(high) << 32n) | BigInt(low >>> 0));
}

function listRuns(columns: PlumeColumns, stretches: readonly PlumeStretch[]): Runs {
  const count = stretches.reduce((sum, stretch) => sum + stretch.runs, 0);
  const place = new Uint32Array(count);
  const end = new Uint32Array(count);
  const session = new Uint32Array(count);
  const sessions = new PairTable(256);
  const near = new Int32Array(1 << 16); // small session numbers need no hash
  let r = 0;
  let lastLow = 0;
  let lastHigh = 0;
  let last = -1;
  let id = -1;
  let ascending = true;
  for (const stretch of stretches) {
    for (let p = stretch.run; p < stretch.run + stretch.runs; p++) {
      const low = columns.runSessionLow[p];
      const high = columns.runSessionHigh[p];
      if (last < 0 || low !== lastLow || high !== lastHigh) {
        const small = high === 0 && low >>> 16 === 0;
        last = small ? near[low] - 1 : -1;
        if (last < 0) last = sessions.add(low, high);
        if (small) near[low] = last + 1;
        lastLow = low;
        lastHigh = high;
      }
      place[r] = p;
      const txn = columns.runTxnLow[p];
      if (txn > id && columns.runTxnHigh[p] === 0) id = txn;
      else if (txn !== -1 || columns.runTxnHigh[p] !== -1) ascending = false;
      end[r] = p + 1 < stretch.run + stretch.runs ? columns.runStart[p + 1] : stretch.op + stretch.ops;
      session[r++] = last;
    }
  }
  return { count, place, end, session, sessions, ascending };
}

/**
 * Returns for each run the first run of its transaction. The result is undefined if every run is a transaction of its
 * own.
 */
function sameTransaction(columns: PlumeColumns, runs: Runs, notes: Note[]): Uint32Array | undefined {
  const { runTxnLow, runTxnHigh } = columns;
  const { count, place } = runs;
  let least = Infinity;
  let most = -Infinity;
  let narrow = true;
  for (let r = 0; r < count; r++) {
    const low = runTxnLow[place[r]];
    const high = runTxnHigh[place[r]];
    if (low === -1 && high === -1) continue;
    if (high !== 0 || low < 0) narrow = false;
    if (low < least) least = low;
    if (low > most) most = low;
  }
  // Ids from a counter address a table directly.
  const direct = narrow && most >= least && most - least < 8 * count + 1024 ? new Int32Array(most - least + 1) : undefined;
  const table = direct === undefined && count > 0 ? new PairTable(count) : undefined;
  const firstOf = table === undefined ? undefined : new Uint32Array(count);
  let group: Uint32Array | undefined;
  let reused = 0;
  for (let r = 0; r < count; r++) {
    const low = runTxnLow[place[r]];
    const high = runTxnHigh[place[r]];
    let first = r;
    if (low !== -1 || high !== -1) {
      if (direct !== undefined) {
        if (direct[low - least] === 0) direct[low - least] = r + 1;
        first = direct[low - least] - 1;
      } else if (table !== undefined && firstOf !== undefined) {
        const before = table.size;
        const id = table.add(low, high);
        if (id === before) firstOf[id] = r;
        first = firstOf[id];
      }
    }
    if (first !== r && group === undefined) {
      group = new Uint32Array(count);
      for (let i = 0; i < r; i++) group[i] = i;
    }
    if (group !== undefined) group[r] = first;
    if (first !== r && runs.session[first] !== runs.session[r] && reused++ === 0) {
      const name = (s: number): string => decimal(runs.sessions.lowOf(s), runs.sessions.highOf(s));
      notes.push({
        code: 'transaction-id-reused',
        data: { transaction: decimal(low, high), sessions: [name(runs.session[first]), name(runs.session[r])] },
      });
    }
  }
  if (reused > 1) notes.push({ code: 'more-ids-reused', data: { stretches: reused } });
  return group;
}

interface Bounds {
  readonly fileOrder: Uint32Array;
  readonly opStart: Uint32Array;
  readonly opEnd: Uint32Array;
}

/** Copies the operations so that each transaction's are contiguous, in order of the file, and sets the bounds. */
function gather(
  columns: PlumeColumns,
  runs: Runs,
  group: Uint32Array,
  bounds: Bounds,
  opCount: number,
  wideKey: boolean,
  wideValue: boolean,
  memory: Memory,
): Omit<PlumeColumns, 'runStart' | 'runSessionLow' | 'runSessionHigh' | 'runTxnLow' | 'runTxnHigh'> {
  const { count, place, end } = runs;
  // `next` holds where the next operation of the transaction whose first run is r goes.
  const next = new Uint32Array(count);
  for (let r = 0; r < count; r++) next[group[r]] += end[r] - columns.runStart[place[r]];
  let sum = 0;
  let appeared = 0;
  for (let r = 0; r < count; r++) {
    if (group[r] !== r) continue;
    const t = bounds.fileOrder[appeared++];
    const length = next[r];
    bounds.opStart[t] = sum;
    bounds.opEnd[t] = sum + length;
    next[r] = sum;
    sum += length;
  }
  const i32 = (needed: boolean): Int32Array => new Int32Array(memory(needed ? opCount * 4 : 0));
  const result = {
    kind: new Uint8Array(memory(opCount)),
    keyLow: i32(true),
    keyHigh: i32(wideKey),
    valueLow: i32(true),
    valueHigh: i32(wideValue),
  };
  for (let r = 0; r < count; r++) {
    let to = next[group[r]];
    for (let from = columns.runStart[place[r]]; from < end[r]; from++, to++) {
      result.kind[to] = columns.kind[from];
      result.keyLow[to] = columns.keyLow[from];
      result.valueLow[to] = columns.valueLow[from];
      if (wideKey) result.keyHigh[to] = columns.keyHigh[from];
      if (wideValue) result.valueHigh[to] = columns.valueHigh[from];
    }
    next[group[r]] = to;
  }
  return result;
}
