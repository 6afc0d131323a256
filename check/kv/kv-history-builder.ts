/**
 * Fills a KvHistory from sessions, transactions and operations in any order of the file. Transactions are grouped by
 * session in order of first appearance, operations by transaction in order of arrival. Amortised O(1) per operation.
 * Formats of many millions of operations write the columns themselves (formats/plume/).
 */
import { OP, TXN_STATUS, float64, int32, uint8 } from '../../core/index.ts';
import type { KvHistory, Level, Note } from '../../core/index.ts';

export type Int64 = number | bigint;

export class KvHistoryBuilder {
  private readonly sessionNames: string[] = [];
  private readonly sessionIds = new Map<string, number>();
  private readonly txnSession = int32();
  private readonly txnStatus = uint8();
  private readonly txnNames: (string | undefined)[] = [];
  private readonly txnIds: (number | undefined)[] = [];
  private readonly levels: (Level | undefined)[] = [];
  private readonly beginAt = float64();
  private readonly endAt = float64();
  private timed = false;
  private levelled = false;
  private readonly opTxn = int32();
  private readonly kind = uint8();
  private readonly keyLow = int32();
  private readonly keyHigh = int32();
  private readonly valueLow = int32();
  private readonly valueHigh = int32();
  private readonly notes: Note[] = [];
  private readonly initial: 'zero' | 'none';

  constructor(initial: 'zero' | 'none') {
    this.initial = initial;
  }

  /** Returns the session of this name, made on first use. Sessions are numbered in order of first use. */
  session(name: string): number {
    let id = this.sessionIds.get(name);
    if (id === undefined) {
      id = this.sessionNames.length;
      this.sessionNames.push(name);
      this.sessionIds.set(name, id);
    }
    return id;
  }

  /**
   * Adds a transaction at the end of its session, with its id if it is of a round. Returns a handle for the calls
   * below, which is not its final index.
   */
  txn(session: number, name?: string, status: number = TXN_STATUS.committed, id?: number): number {
    this.txnIds.push(id);
    this.txnNames.push(name);
    this.txnStatus.push(status);
    this.beginAt.push(Number.NaN);
    this.endAt.push(Number.NaN);
    return this.txnSession.push(session);
  }

  setStatus(txn: number, status: number): void {
    this.txnStatus.set(txn, status);
  }

  /** Sets invocation and completion in nanoseconds, NaN where one is not known. */
  setTimes(txn: number, beginAt: number, endAt: number): void {
    this.beginAt.set(txn, beginAt);
    this.endAt.set(txn, endAt);
    this.timed = true;
  }

  /** Sets the level that the transaction runs at according to the file. */
  setLevel(txn: number, level: Level): void {
    this.levels[txn] = level;
    this.levelled = true;
  }

  write(txn: number, key: Int64, value: Int64): void {
    this.op(txn, OP.write, key, value);
  }

  read(txn: number, key: Int64, value: Int64): void {
    this.op(txn, OP.read, key, value);
  }

  /** Adds a read that returned nothing: the initial version, whatever `initial` says. */
  readInitial(txn: number, key: Int64): void {
    this.op(txn, OP.readInitial, key, 0);
  }

  op(txn: number, kind: number, key: Int64, value: Int64): void {
    this.opHalves(txn, kind, low(key), high(key), low(value), high(value));
  }

  opHalves(txn: number, kind: number, keyLow: number, keyHigh: number, valueLow: number, valueHigh: number): void {
    this.opTxn.push(txn);
    this.kind.push(kind);
    this.keyLow.push(keyLow);
    this.keyHigh.push(keyHigh);
    this.valueLow.push(valueLow);
    this.valueHigh.push(valueHigh);
  }

  /** Adds a note about the file, to be shown as a warning. */
  note(note: Note): void {
    this.notes.push(note);
  }

  finish(): KvHistory {
    const txnCount = this.txnSession.length;
    const opCount = this.opTxn.length;
    const txnSession = this.txnSession.done();
    const opTxn = this.opTxn.done();
    const sessionStart = starts(txnSession, this.sessionNames.length);
    const indexOf = positions(txnSession, sessionStart);
    const fileOrder = new Uint32Array(txnCount);
    for (let handle = 0; handle < txnCount; handle++) fileOrder[handle] = indexOf[handle];
    for (let i = 0; i < opCount; i++) opTxn[i] = indexOf[opTxn[i]];
    const opBounds = starts(opTxn, txnCount);
    const place = positions(opTxn, opBounds);
    const handleOf = new Uint32Array(txnCount);
    for (let handle = 0; handle < txnCount; handle++) handleOf[indexOf[handle]] = handle;
    const { sessionNames, txnNames, txnIds, levels } = this;
    const keyLow = permuted(this.keyLow.done(), place);
    const keyHigh = permuted(this.keyHigh.done(), place);
    const valueLow = permuted(this.valueLow.done(), place);
    const valueHigh = permuted(this.valueHigh.done(), place);
    const kind = new Uint8Array(opCount);
    for (let i = 0; i < opCount; i++) kind[place[i]] = this.kind.get(i);
    const status = Uint8Array.from(handleOf, (handle) => this.txnStatus.get(handle));
    const times = (column: { get(i: number): number }): Float64Array => Float64Array.from(handleOf, (handle) => column.get(handle));
    return {
      sessionCount: sessionNames.length,
      txnCount,
      opCount,
      sessionStart,
      opStart: opBounds.subarray(0, txnCount),
      opEnd: opBounds.subarray(1),
      status,
      kind,
      keyLow,
      keyHigh: signOnly(keyLow, keyHigh) ? undefined : keyHigh,
      valueLow,
      valueHigh: signOnly(valueLow, valueHigh) ? undefined : valueHigh,
      initial: this.initial,
      beginAt: this.timed ? times(this.beginAt) : undefined,
      endAt: this.timed ? times(this.endAt) : undefined,
      fileOrder,
      sessionName: (session) => sessionNames[session] ?? String(session),
      txnName: (txn) => txnNames[handleOf[txn]] ?? String(txn),
      txnId: (txn) => txnIds[handleOf[txn]],
      ...(this.levelled && { level: (txn: number) => levels[handleOf[txn]] }),
      notes: this.notes,
    };
  }
}

/** The first half of a counting sort: bucket b has items result[b] .. result[b + 1]. */
function starts(bucketOf: Int32Array, buckets: number): Uint32Array {
  const start = new Uint32Array(buckets + 1);
  for (let i = 0; i < bucketOf.length; i++) start[bucketOf[i] + 1]++;
  for (let b = 0; b < buckets; b++) start[b + 1] += start[b];
  return start;
}

/** The second half: the place of each item, stable. */
function positions(bucketOf: Int32Array, start: Uint32Array): Uint32Array {
  const next = start.slice();
  const place = new Uint32Array(bucketOf.length);
  for (let i = 0; i < bucketOf.length; i++) place[i] = next[bucketOf[i]]++;
  return place;
}

function permuted(column: Int32Array, place: Uint32Array): Int32Array {
  const result = new Int32Array(column.length);
  for (let i = 0; i < column.length; i++) result[place[i]] = column[i];
  return result;
}

function signOnly(low: Int32Array, high: Int32Array): boolean {
  for (let i = 0; i < low.length; i++) if (high[i] !== low[i] >> 31) return false;
  return true;
}

function low(value: Int64): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value | 0 : Number(BigInt.asIntN(32, BigInt(value)));
}

function high(value: Int64): number {
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? Math.floor(value / 4294967296) | 0
    : Number(BigInt.asIntN(32, BigInt(value) >> 32n));
}
