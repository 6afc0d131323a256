/**
 * Cobra's logs (Tan et al., OSDI 2020): a folder of *.log files, one a session. They hold big-endian records `S txn`,
 * `C txn`, `W wid key val`, `R wtxn wid key val` (a letter, then 8-byte integers). The value of a write is its wid.
 * Wids 0xbebeebee and 0xdeadbeef are the initial value. Wids 0x23332333 and 0x66666666 belong to Cobra's own garbage
 * collection and are left out. A log must end after a `C`: one that ends inside a record or an open transaction was
 * cut. A log cut between two transactions cannot be told from a whole one.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { formatError } from './format.ts';
import type { HistoryFile, HistoryFormat } from './format.ts';
import { keysLeftAtZero } from './implicit-zero.ts';

const INITIAL: readonly bigint[] = [0xbebeebeen, 0xdeadbeefn];
const COLLECTOR: readonly bigint[] = [0x23332333n, 0x66666666n];
/** The number of bytes after the letter. */
const LENGTH: Readonly<Record<string, number>> = { S: 8, C: 8, W: 24, R: 32 };

export const cobra: HistoryFormat = {
  name: 'cobra',
  title: 'Cobra logs (a folder of *.log, one a session)',
  detect: (files) =>
    files.length > 0 &&
    files.every((file) => file.name.endsWith('.log')) &&
    files.every(
      ({ bytes }) => bytes.length === 0 || (bytes[0] === 83 && bytes.length >= 9 && 'RWC'.includes(String.fromCharCode(bytes[9] ?? 67))),
    ),
  read: (files) => ({ kind: 'kv', history: readLogs(files) }),
  write: (history) => {
    if (history.kind !== 'kv') throw new UsageError('cobra: got a list-append history, expected reads and writes of registers');
    return writeLogs(history.history);
  },
};

function readLogs(files: readonly HistoryFile[]): KvHistory {
  const builder = new KvHistoryBuilder('none');
  let collected = 0;
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { bytes, name } = file;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const session = builder.session(name.replace(/^.*[/\\]/, '').replace(/\.log$/, ''));
    let txn = -1;
    let id = 0n;
    let at = 0;
    while (at < bytes.length) {
      const letter = String.fromCharCode(bytes[at]);
      const length = LENGTH[letter];
      if (length === undefined) throw formatError({ file: name, byte: at }, JSON.stringify(letter), 'a record: S, C, W or R');
      if (at + 1 + length > bytes.length)
        throw formatError(
          { file: name, byte: at },
          `the end of the file after ${bytes.length - at} bytes`,
          `a record ${letter} of ${length + 1} bytes (is the file cut off?)`,
        );
      const field = (i: number): bigint => view.getBigInt64(at + 1 + 8 * i);
      if (letter === 'S') {
        if (txn >= 0)
          throw formatError({ file: name, byte: at }, `the start of transaction ${field(0)} inside transaction ${id}`, `C ${id} first`);
        id = field(0);
        txn = builder.txn(session, String(id));
      } else if (txn < 0) {
        throw formatError({ file: name, byte: at }, `${letter} outside a transaction`, 'S, the start of a transaction');
      } else if (letter === 'C') {
        if (field(0) !== id)
          throw formatError({ file: name, byte: at }, `the commit of transaction ${field(0)}`, `the commit of ${id}, which is open`);
        txn = -1;
      } else {
        const wid = letter === 'W' ? field(0) : field(1);
        const key = letter === 'W' ? field(1) : field(2);
        if (COLLECTOR.includes(wid)) collected++;
        else if (letter === 'W') builder.write(txn, key, wid);
        else if (INITIAL.includes(wid)) builder.readInitial(txn, key);
        else builder.read(txn, key, wid);
      }
      at += 1 + length;
    }
    if (txn >= 0)
      throw formatError(
        { file: name, byte: at },
        `the end of the file inside transaction ${id}`,
        `C ${id}, its commit (is the file cut off?)`,
      );
  }
  if (collected > 0) builder.note({ code: 'collection-left-out', data: { operations: collected } });
  return builder.finish();
}

function writeLogs(history: KvHistory): readonly HistoryFile[] {
  const writer = writersOf(history);
  const left = keysLeftAtZero(history);
  const files: HistoryFile[] = [];
  for (let s = 0; s < history.sessionCount; s++) {
    let size = 0;
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      if (history.status[t] !== TXN_STATUS.committed)
        throw new UsageError(`cobra: transaction ${history.txnName?.(t) ?? t} is not committed, and the logs have only committed ones`);
      size += 18;
      for (let op = history.opStart[t]; op < history.opEnd[t]; op++) size += history.kind[op] === OP.write ? 25 : 33;
    }
    const bytes = new Uint8Array(size);
    const view = new DataView(bytes.buffer);
    let at = 0;
    const record = (letter: string, ...fields: readonly bigint[]): void => {
      bytes[at++] = letter.charCodeAt(0);
      for (const field of fields) {
        view.setBigInt64(at, field);
        at += 8;
      }
    };
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      const id = BigInt(t + 1);
      record('S', id);
      for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
        const key = kvKey(history, op);
        const value = kvValue(history, op);
        if (history.kind[op] === OP.write) {
          assertPlain(value);
          record('W', value, key, value);
          continue;
        }
        const from = writer.get(`${key} ${value}`);
        const initial = history.kind[op] === OP.readInitial || (history.initial === 'zero' && value === 0n && !left.has(key));
        if (initial) record('R', INITIAL[0], INITIAL[0], key, 0n);
        else {
          assertPlain(value);
          record('R', from ?? 0n, value, key, value);
        }
      }
      record('C', id);
    }
    files.push({ name: `S${String(s).padStart(5, '0')}.log`, bytes });
  }
  return files;
}

function assertPlain(value: bigint): void {
  if (INITIAL.includes(value) || COLLECTOR.includes(value))
    throw new UsageError(`cobra: the value ${value} is reserved in the logs; expected another value`);
}

function writersOf(history: KvHistory): ReadonlyMap<string, bigint> {
  const writer = new Map<string, bigint>();
  for (let t = 0; t < history.txnCount; t++) {
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      if (history.kind[op] === OP.write) writer.set(`${kvKey(history, op)} ${kvValue(history, op)}`, BigInt(t + 1));
    }
  }
  return writer;
}
