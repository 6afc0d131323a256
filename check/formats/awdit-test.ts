/**
 * AWDIT's `test` text. A line of = separates sessions, a line of - transactions. Operations are lines `r KEY VALUE` and
 * `w KEY VALUE`. There are no initial values, and everything is committed. The format has no terminator: a file cut at
 * the end of a line, or inside the digits of its last line, cannot be told from a whole one.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { operationsOf } from '../threads/op-span.ts';
import { formatError, head, onlyFile, withoutMark } from './format.ts';
import type { HistoryFile, HistoryFormat } from './format.ts';
import { keysLeftAtZero } from './implicit-zero.ts';

export const awditTest: HistoryFormat = {
  name: 'test',
  title: 'AWDIT test (r/w KEY VALUE, --- between transactions, === between sessions)',
  detect: (files) => /^[rw][ \t]+-?\d+[ \t]+-?\d+[ \t]*\r?(\n|$)/.test(head(files).replace(/^((-+|=+)[ \t]*\r?\n\s*)+/, '')),
  read: (files) => ({ kind: 'kv', history: readTest(onlyFile(files, 'test')) }),
  write: (history) => {
    if (history.kind !== 'kv') throw new UsageError('test: got a list-append history, expected reads and writes of registers');
    return [{ name: 'history.txt', bytes: new TextEncoder().encode(writeTest(history.history)) }];
  },
};

function readTest(file: HistoryFile): KvHistory {
  const builder = new KvHistoryBuilder('none');
  const bytes = withoutMark(file.bytes);
  let session = 0;
  let txn = -1;
  let txnNumber = 0;
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    let end = bytes.indexOf(10, at);
    if (end < 0) end = bytes.length;
    line++;
    const text = latin1(bytes, at, end).trim();
    at = end + 1;
    if (text === '') continue;
    if (/^=+$/.test(text) || /^-+$/.test(text)) {
      if (text[0] === '=') session++;
      txn = -1;
      continue;
    }
    const match = /^([rw])[ \t]+(-?\d{1,19})[ \t]+(-?\d{1,19})$/.exec(text);
    const key = match === null ? undefined : int64(match[2]);
    const value = match === null ? undefined : int64(match[3]);
    if (match === null || key === undefined || value === undefined) {
      throw formatError(
        { file: file.name, line },
        JSON.stringify(text.slice(0, 40)),
        '"r KEY VALUE" or "w KEY VALUE" with signed 64-bit integers, or a line of - or =',
      );
    }
    if (txn < 0) txn = builder.txn(builder.session(String(session)), String(txnNumber++));
    if (match[1] === 'r') builder.read(txn, key, value);
    else builder.write(txn, key, value);
  }
  return builder.finish();
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]);
  return text;
}

function int64(text: string): number | bigint | undefined {
  if (text.length < 16) return Number(text);
  const big = BigInt(text);
  return BigInt.asIntN(64, big) === big ? big : undefined;
}

function writeTest(history: KvHistory): string {
  const lines: string[] = [];
  const zero = history.initial === 'zero' ? implicitZero(history) : undefined;
  if (zero !== undefined)
    throw new UsageError(
      `test: key ${zero} is read as its implicit initial 0, and the format has no initial values (a transaction that writes them would have no place before all others)`,
    );
  for (let s = 0; s < history.sessionCount; s++) {
    if (s > 0) lines.push('=====');
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      if (history.status[t] !== TXN_STATUS.committed)
        throw new UsageError(`test: transaction ${history.txnName?.(t) ?? t} is not committed, and the format has only committed ones`);
      if (t > history.sessionStart[s]) lines.push('-----');
      for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
        if (history.kind[op] === OP.readInitial)
          throw new UsageError('test: the history reads initial values, which the format does not have');
        lines.push(`${history.kind[op] === OP.write ? 'w' : 'r'} ${kvKey(history, op)} ${kvValue(history, op)}`);
      }
    }
  }
  return lines.join('\n') + '\n';
}

/** Returns a key whose implicit initial 0 some transaction reads. */
function implicitZero(history: KvHistory): bigint | undefined {
  const left = keysLeftAtZero(history);
  for (const op of operationsOf(history)) {
    if (history.kind[op] === OP.read && kvValue(history, op) === 0n && !left.has(kvKey(history, op))) return kvKey(history, op);
  }
  return undefined;
}
