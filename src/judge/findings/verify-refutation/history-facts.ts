/**
 * What a history tells by itself, and what it tells once something is assumed: whose version a read returned, who counts
 * as committed. Nothing is taken from the program that found the violation; a value is looked for in the whole history.
 */
import { KV_INITIAL, OP, TXN_STATUS } from '../../../../core/index.ts';
import type { KvHistory } from '../../../../core/index.ts';

/** The cases that lead to where we are. */
export interface Assumed {
  /** `first second`: of two writers of a key the one before the other. */
  readonly orders: ReadonlySet<string>;
  /** Operation of a read: who wrote what it returned. */
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

  /** Earlier in the same session: transactions are numbered session by session. */
  inSession(first: number, second: number): boolean {
    const { sessionStart, sessionCount } = this.history;
    let session = 0;
    while (session + 1 < sessionCount && sessionStart[session + 1]! <= second) session++;
    return first < second && first >= sessionStart[session]!;
  }

  /** The operation at a place of a transaction, where it is a read that shows what others wrote; else why it is none. */
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
   * Everybody from whom a read may be: who left this value in the key and did not abort, and the initial transaction. What
   * a transaction overwrote itself, or wrote and undid, no level lets others read.
   */
  possible(op: number, reader: number, { outcomes }: Assumed): readonly number[] {
    const { history } = this;
    if (history.kind[op] === OP.readInitial) return [KV_INITIAL];
    const writers = this.whoLeft(op).filter((t) => t !== reader && this.mayHaveCommitted(t, outcomes));
    const zero = history.initial === 'zero' && history.valueLow[op] === 0 && (history.valueHigh?.[op] ?? 0) === 0;
    const certain = writers.some((t) => history.status[t] === TXN_STATUS.committed || outcomes.get(t) === true);
    return zero && !certain ? [KV_INITIAL, ...writers] : writers;
  }

  /** Who wrote what a read returned, KV_INITIAL: nobody before; a text: why that is not known. */
  source(op: number, reader: number, assumed: Assumed): number | string {
    const chosen = assumed.writers.get(op);
    if (chosen !== undefined) return chosen;
    const [one, ...others] = this.possible(op, reader, assumed);
    if (one === undefined) return `nobody from whom ${this.name(reader)} may have read it wrote this value`;
    if (others.length === 0) return one;
    return `${this.name(reader)} may have read this value from ${[one, ...others].map((t) => this.name(t)).join(' or ')}, and the case does not say from whom`;
  }

  /** Did a read of one transaction return what another left? Of those below an operation, where one is given. */
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
   * Did a read of one transaction return a value that the other wrote, which without the other nobody can have left? Then the
   * other committed; or else somebody read what no level lets anybody read, and every level is violated all the more.
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

  /** Does it take part? One of unknown outcome does if it is assumed to have committed, or one that takes part shows that it did. */
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

  /** The latest; undefined: there is none. */
  private ownWriteBefore(t: number, read: number): number | undefined {
    const { opStart, kind } = this.history;
    for (let op = read - 1; op >= opStart[t]!; op--) if (kind[op] === OP.write && this.sameKey(op, read)) return op;
    return undefined;
  }

  /** Whose last write of the key has the value. One walk over the history for each value that is asked for. */
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
