/**
 * The transactions of a stream that are not forgotten yet. Plume text is parsed into columns as it comes, and a part
 * from the front becomes a KvHistory. Forgotten transactions are removed from the columns, which then move together.
 * Before the first transaction there is room for one of our own, which wrote the versions that the forgotten ones left.
 *
 * O(bytes) to parse. Making a history or forgetting takes O(operations held).
 */
import { UsageError } from '../../core/index-kv.ts';
import type { KvHistory } from '../../core/index.ts';
import { assemblePlume, plumeHistory } from '../formats/plume/assemble.ts';
import { LEAST_LINE, SLACK, emptyCursor, plumeColumns, widerColumns } from '../formats/plume/columns.ts';
import { PlumeLineError, plumeLine } from '../formats/plume/line.ts';
import type { PlumeColumns, PlumeCursor } from '../formats/plume/line.ts';
import { plumeLines } from '../formats/plume/lines.ts';

/** The operations of held runs, in true 64-bit halves. */
export type HeldColumns = Readonly<PlumeColumns>;

/** The session and, if need be, the number of our own transaction. A file that has this number is refused. */
const OURS = { low: 0, high: -0x8000_0000 };
const FORGOTTEN = 'of what was forgotten';
/** The column index of the first held run. The one before is our own. */
const FIRST_RUN = 1;
const LEAST_CAPACITY = 1 << 14;

const memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);

export class StreamWindow {
  columns: HeldColumns;
  /** The first operation that is held. */
  private front: number;
  private readonly cursor: PlumeCursor;
  private capacity = LEAST_CAPACITY;
  private carry = new Uint8Array(0);
  /** The number of operations taken out so far, for line numbers. */
  private gone = 0;
  private ended = false;
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
    this.front = SLACK;
    this.columns = plumeColumns(this.capacity, memory);
    this.cursor = emptyCursor(this.front, FIRST_RUN);
  }

  /** Takes bytes that begin where those before ended. */
  push(bytes: Uint8Array): void {
    const all = this.carry.length === 0 ? bytes : joined(this.carry, bytes);
    const whole = all.lastIndexOf(10) + 1;
    this.reserve(whole);
    this.located(() => plumeLines(this.columns, this.cursor, all, 0, whole));
    this.carry = new Uint8Array(all.subarray(whole)); // a copy, because the caller may use its bytes again
  }

  /** No more bytes come. A last line without its end counts, and so does the last run. */
  end(): void {
    const rest = this.carry;
    this.carry = new Uint8Array(0);
    this.reserve(rest.length);
    this.located(() => plumeLine(this.columns, this.cursor, rest, 0, rest.length));
    this.ended = true;
  }

  /** The number of complete held runs (transactions). The last one may continue in the next bytes. */
  get runs(): number {
    return Math.max(0, this.cursor.run - FIRST_RUN - (this.ended ? 0 : 1));
  }

  /** Returns the first operation of held run i, or where the last one ends. */
  opStart(i: number): number {
    const run = FIRST_RUN + i;
    return run < this.cursor.run ? this.columns.runStart[run] : this.cursor.op;
  }

  /** Returns the column index of held run i. */
  run(i: number): number {
    return FIRST_RUN + i;
  }

  /**
   * Returns the first `runs` held runs, after one of our own with the writes at `past` (operations that lie in `from`).
   */
  history(runs: number, past: PastWrites): KvHistory {
    const count = past.count;
    this.makeRoom(count);
    const { columns, front } = this;
    const op = front - count;
    columns.kind.fill(1, op, front);
    columns.keyLow.set(past.keyLow.subarray(0, count), op);
    columns.keyHigh.set(past.keyHigh.subarray(0, count), op);
    columns.valueLow.set(past.valueLow.subarray(0, count), op);
    columns.valueHigh.set(past.valueHigh.subarray(0, count), op);
    const ours = count > 0 ? 1 : 0;
    this.nameOurs(runs, op);
    const stretch = { op, ops: this.opStart(runs) - op, run: FIRST_RUN - ours, runs: runs + ours };
    const { wideKey, wideValue } = this.cursor;
    const history = plumeHistory(assemblePlume(columns, [stretch], wideKey === 1, wideValue === 1, memory));
    if (ours === 0) return history;
    // Sessions are numbered as they appear, and the first transaction is our own.
    const { sessionName, txnName } = history;
    return {
      ...history,
      sessionName: (s) => (s === 0 ? FORGOTTEN : (sessionName?.(s) ?? String(s))),
      txnName: (t) => (t === 0 ? FORGOTTEN : (txnName?.(t) ?? String(t))),
    };
  }

  /** Keeps those of the first `keep.length` held runs that are marked, and all that come after. */
  forget(keep: Uint8Array): void {
    const { columns, cursor } = this;
    let op = this.front;
    let run = FIRST_RUN;
    const { op: lastOp, run: lastRun } = cursor;
    const runs = lastRun - FIRST_RUN;
    for (let i = 0, next = 0; i < runs; i = next) {
      const kept = i >= keep.length || keep[i] === 1;
      for (next = i + 1; next < runs && (next >= keep.length || keep[next] === 1) === kept;) next++;
      if (!kept) continue;
      const from = this.opStart(i);
      const to = this.opStart(next);
      for (const name of OPERATION_COLUMNS) columns[name].copyWithin(op, from, to);
      for (const name of RUN_COLUMNS) columns[name].copyWithin(run, FIRST_RUN + i, FIRST_RUN + next);
      for (let r = FIRST_RUN + i; r < FIRST_RUN + next; r++) columns.runStart[run++] = columns.runStart[r] - from + op;
      op += to - from;
    }
    // The parser writes high halves only where they are needed.
    columns.keyHigh.fill(0, op, lastOp);
    columns.valueHigh.fill(0, op, lastOp);
    columns.runSessionHigh.fill(0, run, lastRun);
    columns.runTxnHigh.fill(0, run, lastRun);
    this.gone += lastOp - op;
    cursor.op = op;
    cursor.run = run;
  }

  /**
   * Names our own transaction below all ids that are held, if that is no negative number. Ids that only grow are then
   * still recognised.
   */
  private nameOurs(runs: number, op: number): void {
    const { columns } = this;
    let least = Infinity;
    for (let run = FIRST_RUN; run < FIRST_RUN + runs; run++) {
      if (isOurs(columns.runSessionLow[run], columns.runSessionHigh[run]) || isOurs(columns.runTxnLow[run], columns.runTxnHigh[run]))
        throw new UsageError(
          `${this.file}: got ${-(2n ** 63n)} as a session or a transaction, expected another number: a check in windows reserves it for forgotten transactions`,
        );
      if (columns.runTxnHigh[run] === 0 && columns.runTxnLow[run] >= 0) least = Math.min(least, columns.runTxnLow[run]);
    }
    const ours = FIRST_RUN - 1;
    columns.runStart[ours] = op;
    columns.runSessionLow[ours] = OURS.low;
    columns.runSessionHigh[ours] = OURS.high;
    columns.runTxnLow[ours] = least > 0 && least < Infinity ? least - 1 : 0;
    columns.runTxnHigh[ours] = least > 0 && least < Infinity ? 0 : OURS.high;
  }

  private makeRoom(count: number): void {
    if (count <= this.front) return;
    const { cursor } = this;
    const by = count * 2 - this.front;
    const held = cursor.op - this.front;
    const from = this.front;
    this.front += by;
    cursor.op += by;
    this.reserve(0);
    const { columns } = this;
    for (const name of OPERATION_COLUMNS) columns[name].copyWithin(this.front, from, from + held);
    for (let run = FIRST_RUN; run < cursor.run; run++) columns.runStart[run] += by;
  }

  private reserve(bytes: number): void {
    const needed = this.cursor.op + Math.ceil(bytes / LEAST_LINE) + SLACK;
    if (needed <= this.capacity) return;
    this.capacity = Math.max(needed, this.capacity * 2);
    this.columns = widerColumns(this.columns, plumeColumns(this.capacity, memory));
  }

  private located(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof PlumeLineError)) throw error;
      const line = this.cursor.op - this.front + this.gone + this.cursor.emptyLines + 1;
      throw new UsageError(`${this.file}: line ${line}: got ${error.got}, expected ${error.expected}`);
    }
  }
}

/** The versions of forgotten transactions that a part reads, in the first `count` places. */
export interface PastWrites {
  readonly count: number;
  readonly keyLow: Int32Array;
  readonly keyHigh: Int32Array;
  readonly valueLow: Int32Array;
  readonly valueHigh: Int32Array;
}

const OPERATION_COLUMNS = ['kind', 'keyLow', 'keyHigh', 'valueLow', 'valueHigh'] as const;
const RUN_COLUMNS = ['runSessionLow', 'runSessionHigh', 'runTxnLow', 'runTxnHigh'] as const;

function isOurs(low: number, high: number): boolean {
  return high === OURS.high && low === OURS.low;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
