/**
 * Writes large plume-text histories for the benchmark: transactions executed one after another against a map, each by
 * a random session, half reads and half writes, unique values. The history is serializable in the order of the file.
 */
import fs from 'node:fs';

export interface KvFileOptions {
  readonly transactions: number;
  readonly operations: number;
  readonly sessions: number;
  readonly keys: number;
  /** `hot`: four of five operations are of a tenth of the keys. */
  readonly distribution: 'uniform' | 'zipf' | 'hot';
  /** `time`: lines in order of execution; `session`: one session after another. */
  readonly order: 'time' | 'session';
  /** `counter`: 1, 2, 3, ...; `wide`: 16 digits without a pattern. */
  readonly values: 'counter' | 'wide';
  readonly seed: number;
  /** Mini-transactions: one or two keys, each read and then perhaps written; `operations` is not used. */
  readonly mini?: boolean;
  /** A write skew at the end. */
  readonly skew?: boolean;
  /** A lost update at the end. */
  readonly lost?: boolean;
}

export function writeKvFile(path: string, options: KvFileOptions): void {
  const fd = fs.openSync(path, 'w');
  writeKv(fd, options);
  fs.closeSync(fd);
}

/** To a file or a pipe; lines in order of execution are written as they are made. */
export function writeKv(fd: number, options: KvFileOptions): void {
  const { transactions, operations, sessions, keys } = options;
  const next = xorshift(options.seed);
  const pick = PICKS[options.distribution](keys, next);
  const store = new Int32Array(keys);
  const sessionOf = Uint16Array.from({ length: transactions }, () => Math.floor(next() * sessions));
  const outputs = options.order === 'time' ? [new Text()] : Array.from({ length: sessions }, () => new Text());
  const value = options.values === 'wide' ? wide : (x: number): number => x;
  let counter = 0;
  for (let t = 0; t < transactions; t++) {
    const session = sessionOf[t] ?? 0;
    const text = outputs[options.order === 'time' ? 0 : session] as Text;
    const mini = options.mini === true ? miniKeys(pick, next) : undefined;
    for (let i = 0; i < (mini?.length ?? operations); i++) {
      if (mini !== undefined) {
        const key = mini[i] as number;
        text.line(false, key + 1, value(store[key] ?? 0), session + 1, t + 1);
        if (next() < 0.5) continue;
        store[key] = ++counter;
        text.line(true, key + 1, value(counter), session + 1, t + 1);
        continue;
      }
      const key = pick();
      const write = next() < 0.5;
      if (write) store[key] = ++counter;
      text.line(write, key + 1, value(store[key] ?? 0), session + 1, t + 1);
    }
    if (options.order === 'time' && text.length > 1 << 20) text.flush(fd);
  }
  if (options.skew === true) writeSkew(outputs[0] as Text, options, counter);
  if (options.lost === true) writeLost(outputs[0] as Text, options, counter);
  for (const text of outputs) text.flush(fd);
}

/** Two transactions that read both of two new keys, and write one each: no serial order explains them. */
function writeSkew(text: Text, { keys, transactions }: KvFileOptions, counter: number): void {
  for (const session of [1, 2]) {
    for (const key of [keys + 1, keys + 2]) text.line(false, key, 0, session, transactions + session);
    text.line(true, keys + session, counter + session, session, transactions + session);
  }
}

/** Two transactions that read a new key and write it: whichever is second loses the other's update. */
function writeLost(text: Text, { keys, transactions }: KvFileOptions, counter: number): void {
  for (const session of [1, 2]) {
    text.line(false, keys + 3, 0, session, transactions + 2 + session);
    text.line(true, keys + 3, counter + 2 + session, session, transactions + 2 + session);
  }
}

const PICKS: Readonly<Record<KvFileOptions['distribution'], (keys: number, next: () => number) => () => number>> = {
  uniform: (keys, next) => () => Math.floor(next() * keys),
  zipf,
  hot: (keys, next) => () => (next() < 0.8 ? Math.floor((next() * keys) / 10) : Math.floor(next() * keys)),
};

function miniKeys(pick: () => number, next: () => number): readonly number[] {
  const first = pick();
  const second = pick();
  return first === second || next() < 0.5 ? [first] : [first, second];
}

/** Bytes that grow; numbers are written digit by digit. */
class Text {
  length = 0;
  private bytes = new Uint8Array(1 << 16);

  line(write: boolean, key: number, value: number, session: number, txn: number): void {
    if (this.length + 96 > this.bytes.length) {
      const wider = new Uint8Array(this.bytes.length * 2);
      wider.set(this.bytes);
      this.bytes = wider;
    }
    this.bytes[this.length++] = write ? 119 : 114;
    this.bytes[this.length++] = 40;
    this.number(key, 44);
    this.number(value, 44);
    this.number(session, 44);
    this.number(txn, 41);
    this.bytes[this.length++] = 10;
  }

  flush(fd: number): void {
    for (let done = 0; done < this.length;) done += fs.writeSync(fd, this.bytes, done, this.length - done);
    this.length = 0;
  }

  private number(x: number, end: number): void {
    let digits = 1;
    for (let limit = 10; x >= limit; limit *= 10) digits++;
    for (let i = this.length + digits - 1; i >= this.length; i--) {
      const rest = Math.floor(x / 10);
      this.bytes[i] = 48 + (x - rest * 10);
      x = rest;
    }
    this.length += digits;
    this.bytes[this.length++] = end;
  }
}

/** A permutation-like spread of the counter over 16 digits; 0 stays the initial value. */
function wide(x: number): number {
  return x === 0 ? 0 : 1e15 + ((x * 7919) % 6700417) * 1e9 + x;
}

function xorshift(seed: number): () => number {
  let a = seed | 0 || 1;
  return () => {
    a ^= a << 13;
    a ^= a >>> 17;
    a ^= a << 5;
    return (a >>> 0) / 4294967296;
  };
}

/** Inverse of the cumulative distribution with exponent 0.99, by binary search. */
function zipf(keys: number, next: () => number): () => number {
  const cumulative = new Float64Array(keys);
  let sum = 0;
  for (let k = 0; k < keys; k++) cumulative[k] = sum += 1 / (k + 1) ** 0.99;
  return () => {
    const target = next() * sum;
    let low = 0;
    let high = keys - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
