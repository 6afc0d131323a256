/**
 * The facts of a history by itself and under assumptions: whose version a read returned, and who counts as committed.
 * They do not depend on the program that found the violation. A value is looked up in the whole history.
 */
import { KV_INITIAL, OP, TXN_STATUS } from '../../../../core/index.ts';
import type { KvHistory } from '../../../../core/index.ts';

/** The assumptions of the cases that lead to the present one. */
export interface Assumed {
  /** `first second`: of two writers of a key, the first comes before the second. */
  readonly orders: ReadonlySet<string>;
  /** For each read operation, the assumed writer of its value. */
  readonly writers: ReadonlyMap<number, number>;
  readonly outcomes: ReadonlyMap<number, boolean>;
}

export const NOTHING_ASSUMED: Assumed = { orders: new Set(), writers: new Map(), outcomes: new Map() };

export class HistoryFacts {
  readonly history: KvHistory;
  private readonly leaving = new Map<string, readonly number[]>();

  constructor(history: KvHistory) {
    this.history = history;
  }

  has(t: number): boolean {
    return t >= 0 && t < this.history.txnCount;
  }

  name(t: number): string {
    return t === KV_INITIAL ? 'the initial transaction' : `transaction ${(this.has(t) ? this.history.txnName?.(t) : undefined) ?? t}`;
  }

  /** True if the first comes earlier in the same session. Transactions are numbered session by session. */
  inSession(first: number, second: number): boolean {
    const { sessionStart, sessionCount } = this.history;
    let session = 0;
    while (session + 1 < sessionCount && sessionStart[session + 1]! <= second) session++;
    return first < second && first >= sessionStart[session]!;
  }

  /**
   * Returns the operation at a position of a transaction if it is a read that shows other transactions' writes, otherwise
   * the reason why not.
   */
  readAt(t: number, place: number | undefined): number | string {
    const { opStart, opEnd, kind } = this.history;
    const op = place === undefined ? -1 : opStart[t]! + place;
    if (place === undefined || place < 0 || op >= opEnd[t]!) return `${this.name(t)} has no operation ${place ?? 'that is named'}`;
    if (kind[op] === OP.write) return `operation ${place} of ${this.name(t)} is a write, no read`;
    return this.ownWriteBefore(t, op) === undefined ? op : `${this.name(t)} had written the key itself before operation ${place}`;
  }

  writes(t: number, op: number): boolean {
    const { opStart, opEnd, kind } = this.history;
    for (let own = opStart[t]!; own < opEnd[t]!; own++) if (kind[own] === OP.write && this.sameKey(own, op)) return true;
    return false;
  }

  writeSameKey(a: number, b: number): boolean {
    const { opStart, opEnd, kind } = this.history;
    for (let op = opStart[a]!; op < opEnd[a]!; op++) if (kind[op] === OP.write && this.writes(b, op)) return true;
    return false;
  }

  /**
   * Returns all possible writers for a read: transactions that left this value in the key and did not abort, and the
   * initial transaction. No level lets others read a value that its transaction overwrote itself or undid.
   */
  possible(op: number, reader: number, { outcomes }: Assumed): readonly number[] {
    const { history } = this;
    if (history.kind[op] === OP.readInitial) return [KV_INITIAL];
    const writers = this.whoLeft(op).filter((t) => t !== reader && this.mayHaveCommitted(t, outcomes));
    const zero = history.initial === 'zero' && history.valueLow[op] === 0 && (history.valueHigh?.[op] ?? 0) === 0;
    const certain = writers.some((t) => history.status[t] === TXN_STATUS.committed || outcomes.get(t) === true);
    return zero && !certain ? [KV_INITIAL, ...writers] : writers;
  }

  /** Returns the writer of what a read returned; KV_INITIAL if no transaction wrote it. A text says why the writer is not known. */
  source(op: number, reader: number, assumed: Assumed): number | string {
    const chosen = assumed.writers.get(op);
    if (chosen !== undefined) return chosen;
    const [one, ...others] = this.possible(op, reader, assumed);
    if (one === undefined) return `nobody from whom ${this.name(reader)} may have read it wrote this value`;
    if (others.length === 0) return one;
    return `${this.name(reader)} may have read this value from ${[one, ...others].map((t) => this.name(t)).join(' or ')}, and the case does not say from whom`;
  }

  /** Tells whether a read of one transaction returned what another left. `below`: only reads before this operation. */
  readFrom(reader: number, writer: number, assumed: Assumed, below: number = Infinity): boolean {
    const { opStart, opEnd, kind } = this.history;
    for (let op = opStart[reader]!; op < Math.min(opEnd[reader]!, below); op++) {
      if (kind[op] === OP.write || typeof this.readAt(reader, op - opStart[reader]!) === 'string') continue;
      for (let made = opStart[writer]!; made < opEnd[writer]!; made++)
        if (kind[made] === OP.write && this.sameKey(made, op) && this.sameValue(made, op) && this.source(op, reader, assumed) === writer)
          return true;
    }
    return false;
  }

  /**
   * Tells whether a read of one transaction returned a value of the other that nobody else can have left. Then the other
   * committed. Otherwise a transaction read a value that no level lets it read, and every level is violated all the more.
   */
  private showsCommitted(reader: number, writer: number, assumed: Assumed): boolean {
    const { opStart, opEnd, kind } = this.history;
    const without: Assumed = { ...assumed, outcomes: new Map([...assumed.outcomes, [writer, false]]) };
    for (let op = opStart[reader]!; op < opEnd[reader]!; op++) {
      if (kind[op] === OP.write || !this.wroteValue(writer, op)) continue;
      if (assumed.writers.get(op) === writer) return true;
      const own = this.ownWriteBefore(reader, op);
      if (own === undefined ? this.possible(op, reader, without).length === 0 : !this.sameValue(own, op)) return true;
    }
    return false;
  }

  /**
   * Tells whether the transaction takes part. One of unknown outcome does if it is assumed to have committed, or if one
   * that takes part shows that it did.
   */
  counts(t: number, assumed: Assumed, asked: Set<number> = new Set()): boolean {
    const { status, txnCount } = this.history;
    const outcome = assumed.outcomes.get(t);
    if (status[t] !== TXN_STATUS.unknown || outcome !== undefined) return status[t] === TXN_STATUS.committed || outcome === true;
    asked.add(t);
    for (let reader = 0; reader < txnCount; reader++)
      if (
        !asked.has(reader) &&
        status[reader] !== TXN_STATUS.aborted &&
        this.showsCommitted(reader, t, assumed) &&
        this.counts(reader, assumed, asked)
      )
        return true;
    return false;
  }

  private mayHaveCommitted(t: number, outcomes: Assumed['outcomes']): boolean {
    const status = this.history.status[t];
    return status === TXN_STATUS.committed || (status === TXN_STATUS.unknown && outcomes.get(t) !== false);
  }

  private wroteValue(t: number, read: number): boolean {
    const { opStart, opEnd, kind } = this.history;
    for (let op = opStart[t]!; op < opEnd[t]!; op++)
      if (kind[op] === OP.write && this.sameKey(op, read) && this.sameValue(op, read)) return true;
    return false;
  }

  /** Returns the latest own write before the read; undefined if there is none. */
  private ownWriteBefore(t: number, read: number): number | undefined {
    const { opStart, kind } = this.history;
    for (let op = read - 1; op >= opStart[t]!; op--) if (kind[op] === OP.write && this.sameKey(op, read)) return op;
    return undefined;
  }

  /** Returns the transactions whose last write of the key has the value. Each value that is asked for takes one walk over the history. */
  private whoLeft(read: number): readonly number[] {
    const { keyLow, keyHigh, valueLow, valueHigh, txnCount, opStart, opEnd, kind } = this.history;
    const asked = `${keyLow[read]} ${keyHigh?.[read]} ${valueLow[read]} ${valueHigh?.[read]}`;
    const known = this.leaving.get(asked);
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let t = 0; t < txnCount; t++) {
      let last = -1;
      for (let op = opStart[t]!; op < opEnd[t]!; op++) if (kind[op] === OP.write && this.sameKey(op, read)) last = op;
      if (last >= 0 && this.sameValue(last, read)) found.push(t);
    }
    this.leaving.set(asked, found);
    return found;
  }

  private sameKey(a: number, b: number): boolean {
    const { keyLow, keyHigh } = this.history;
    return keyLow[a] === keyLow[b] && (keyHigh === undefined || keyHigh[a] === keyHigh[b]);
  }

  private sameValue(a: number, b: number): boolean {
    const { valueLow, valueHigh } = this.history;
    return valueLow[a] === valueLow[b] && (valueHigh === undefined || valueHigh[a] === valueHigh[b]);
  }
}
