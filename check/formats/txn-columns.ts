/**
 * Fills a KvHistory from formats that tell one transaction after another (all but plume). Operations stay in file
 * order; `finish` numbers the transactions session by session, as core/kv-history.ts asks, by one counting sort.
 */
import { float64, int32, uint32, uint8 } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';

export class TxnColumns {
  private readonly session = int32();
  private readonly start = uint32();
  private readonly end = uint32();
  private readonly status = uint8();
  private readonly beginAt = float64();
  private readonly endAt = float64();
  private readonly names: string[] = [];
  private readonly sessions: string[] = [];
  private readonly sessionIndex = new Map<string, number>();
  private readonly kind = uint8();
  private readonly keyLow = int32();
  private readonly keyHigh = int32();
  private readonly valueLow = int32();
  private readonly valueHigh = int32();
  private wideKeys = false;
  private wideValues = false;
  private timed = false;
  readonly notes: string[] = [];

  get txnCount(): number {
    return this.session.length;
  }

  get opCount(): number {
    return this.kind.length;
  }

  /** Opens a transaction; its operations follow, then `close`. Sessions are numbered as their names first occur. */
  open(session: string, name: string): void {
    let s = this.sessionIndex.get(session);
    if (s === undefined) this.sessionIndex.set(session, (s = this.sessions.push(session) - 1));
    this.session.push(s);
    this.names.push(name);
    this.start.push(this.kind.length);
  }

  op(kind: number, keyLow: number, keyHigh: number, valueLow: number, valueHigh: number): void {
    this.kind.push(kind);
    this.keyLow.push(keyLow);
    this.keyHigh.push(keyHigh);
    this.valueLow.push(valueLow);
    this.valueHigh.push(valueHigh);
    if (keyHigh !== keyLow >> 31) this.wideKeys = true;
    if (valueHigh !== valueLow >> 31) this.wideValues = true;
  }

  opBig(kind: number, key: bigint, value: bigint): void {
    this.op(kind, Number(BigInt.asIntN(32, key)), Number(BigInt.asIntN(32, key >> 32n)), Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
  }

  close(status: number, beginAt = Number.NaN, endAt = Number.NaN): void {
    this.end.push(this.kind.length);
    this.status.push(status);
    this.beginAt.push(beginAt);
    this.endAt.push(endAt);
    if (!Number.isNaN(beginAt)) this.timed = true;
  }

  finish(initial: 'zero' | 'none', keyName?: (low: number, high: number) => string): KvHistory {
    const n = this.session.length;
    const session = this.session.done();
    const sessionStart = new Uint32Array(this.sessions.length + 1);
    for (let t = 0; t < n; t++) sessionStart[session[t] + 1]++;
    for (let s = 0; s < this.sessions.length; s++) sessionStart[s + 1] += sessionStart[s];
    const next = sessionStart.slice();
    const place = new Uint32Array(n);
    for (let t = 0; t < n; t++) place[t] = next[session[t]]++;
    const order = new Uint32Array(n);
    for (let t = 0; t < n; t++) order[place[t]] = t;
    const { names, sessions } = this;
    return {
      sessionCount: sessions.length,
      txnCount: n,
      opCount: this.kind.length,
      sessionStart,
      opStart: permute(this.start.done(), place, new Uint32Array(n)),
      opEnd: permute(this.end.done(), place, new Uint32Array(n)),
      status: permute(this.status.done(), place, new Uint8Array(n)),
      kind: this.kind.done(),
      keyLow: this.keyLow.done(),
      keyHigh: this.wideKeys ? this.keyHigh.done() : undefined,
      valueLow: this.valueLow.done(),
      valueHigh: this.wideValues ? this.valueHigh.done() : undefined,
      initial,
      beginAt: this.timed ? permute(this.beginAt.done(), place, new Float64Array(n)) : undefined,
      endAt: this.timed ? permute(this.endAt.done(), place, new Float64Array(n)) : undefined,
      sessionName: (s) => sessions[s] ?? String(s),
      txnName: (t) => names[order[t]] ?? String(t),
      ...(keyName === undefined ? {} : { keyName }),
      notes: this.notes,
    };
  }
}

function permute<T extends Uint32Array | Uint8Array | Float64Array>(from: T, place: Uint32Array, to: T): T {
  for (let i = 0; i < place.length; i++) to[place[i]] = from[i];
  return to;
}

/** The signed 64-bit number of two columns; without a high half the low one is the number. */
export function joinHalves(low: number, high: number | undefined): bigint {
  return high === undefined ? BigInt(low) : (BigInt(high) << 32n) | BigInt(low >>> 0);
}

/** The key and value of an operation as decimal text. */
export function keyText(history: KvHistory, op: number): string {
  return String(history.keyHigh === undefined ? history.keyLow[op] : joinHalves(history.keyLow[op], history.keyHigh[op]));
}

export function valueText(history: KvHistory, op: number): string {
  return String(history.valueHigh === undefined ? history.valueLow[op] : joinHalves(history.valueLow[op], history.valueHigh[op]));
}
