/**
 * dbcop's histories (Biswas and Enea, OOPSLA 2019). The binary form is bincode: little-endian, and counts, strings and
 * vectors by length. The JSON form is
 * `[[{events:[{Write:{variable,version}}|{Read:{variable,version|null}}],committed}]]`, bare or under `data`. Variables
 * begin at 0, and a version of null is the initial one. Events that did not succeed are left out. Every length is
 * compared with the bytes that are left, so a cut file never passes.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { operationsOf } from '../threads/op-span.ts';
import { asItems, asMap, get, printEdn } from './elle/edn.ts';
import type { EdnValue } from './elle/edn.ts';
import { readEdn } from './elle/read-edn.ts';
import { formatError, head, lineOf, onlyFile } from './format.ts';
import type { HistoryFile, HistoryFormat, TransactionHistory } from './format.ts';
import { assertNilApart, assertNoStrayZero } from './implicit-zero.ts';

export const dbcop: HistoryFormat = {
  name: 'dbcop',
  title: 'dbcop bincode',
  detect: (files) => files.length === 1 && (files[0].name.endsWith('.bincode') || looksLikeBincode(files[0].bytes)),
  read: (files) => ({ kind: 'kv', history: readBincode(onlyFile(files, 'dbcop')) }),
  write: (history) => [{ name: 'history.bincode', bytes: writeBincode(registers(history)) }],
};

export const dbcopJson: HistoryFormat = {
  name: 'dbcop-json',
  title: 'dbcop JSON',
  detect: (files) => /^(\{\s*"(params|info|start|end|data)"\s*:|\[\s*(\[\s*)*(\{\s*"(events|committed)"\s*:|\]))/.test(head(files)),
  read: (files) => ({ kind: 'kv', history: readJson(onlyFile(files, 'dbcop-json')) }),
  write: (history) => [{ name: 'history.json', bytes: new TextEncoder().encode(writeJson(registers(history))) }],
};

function registers(history: TransactionHistory): KvHistory {
  if (history.kind === 'kv') return history.history;
  throw new UsageError('dbcop: got a list-append history, expected reads and writes of registers');
}

/** Tests for five small counts, then a string whose length fits. */
function looksLikeBincode(bytes: Uint8Array): boolean {
  if (bytes.length < 72) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 1; i < 6; i++) if (view.getUint32(8 * i + 4, true) !== 0) return false;
  return view.getUint32(40, true) < bytes.length;
}

function readBincode(file: HistoryFile): KvHistory {
  const { bytes, name } = file;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const builder = new KvHistoryBuilder('zero');
  let at = 0;
  const need = (count: number, what: string): void => {
    if (at + count > bytes.length)
      throw formatError({ file: name, byte: at }, `${bytes.length - at} bytes to the end of the file`, `${what} (is the file cut off?)`);
  };
  const u64 = (what: string): bigint => {
    need(8, `${what}, 8 bytes`);
    at += 8;
    return view.getBigUint64(at - 8, true);
  };
  const flag = (what: string): boolean => {
    need(1, `${what}, 1 byte`);
    if (bytes[at] > 1) throw formatError({ file: name, byte: at }, String(bytes[at]), `${what}: 0 or 1`);
    return bytes[at++] === 1;
  };
  /** Reads a length and compares it with the bytes that are left: each item takes at least `least` bytes. */
  const length = (what: string, least: number): number => {
    const from = at;
    const n = u64(`the number of ${what}`);
    if (n * BigInt(least) > BigInt(bytes.length - at))
      throw formatError(
        { file: name, byte: from },
        `${n} ${what} with ${bytes.length - at} bytes left`,
        `at most ${Math.floor((bytes.length - at) / least)} (is the file cut off?)`,
      );
    return Number(n);
  };
  for (const what of ['id', 'n_node', 'n_var', 'n_txn', 'n_evt']) u64(what);
  for (const what of ['info', 'start', 'end']) {
    const n = length(`bytes of ${what}`, 1);
    at += n;
  }
  const sessions = length('sessions', 8);
  for (let s = 0; s < sessions; s++) {
    const session = builder.session(String(s));
    const txns = length('transactions', 9);
    for (let t = 0; t < txns; t++) {
      const txn = builder.txn(session, `${s}.${t}`);
      const events = length('events', 18);
      for (let e = 0; e < events; e++) {
        const write = flag('is-write');
        const variable = BigInt.asIntN(64, u64('variable'));
        const value = BigInt.asIntN(64, u64('value'));
        if (flag('success')) builder.op(txn, write ? OP.write : OP.read, variable, value);
      }
      if (!flag('success')) builder.setStatus(txn, TXN_STATUS.aborted);
    }
  }
  if (at !== bytes.length) throw formatError({ file: name, byte: at }, `${bytes.length - at} more bytes`, 'the end of the file');
  return builder.finish();
}

function writeBincode(history: KvHistory): Uint8Array {
  assertNoStrayZero(history, 'dbcop');
  assertNilApart(history, 'dbcop');
  let size = 5 * 8 + 3 * 8 + 8;
  for (let s = 0; s < history.sessionCount; s++) size += 8;
  for (let t = 0; t < history.txnCount; t++) size += 9 + 18 * (history.opEnd[t] - history.opStart[t]);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const u64 = (value: bigint | number): void => {
    view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
    at += 8;
  };
  const keys = new Set<bigint>();
  for (const op of operationsOf(history)) keys.add(kvKey(history, op));
  let longest = 0;
  for (let t = 0; t < history.txnCount; t++) longest = Math.max(longest, history.opEnd[t] - history.opStart[t]);
  let mostTxns = 0;
  for (let s = 0; s < history.sessionCount; s++) mostTxns = Math.max(mostTxns, history.sessionStart[s + 1] - history.sessionStart[s]);
  for (const count of [0, history.sessionCount, keys.size, mostTxns, longest, 0, 0, 0, history.sessionCount]) u64(count);
  for (let s = 0; s < history.sessionCount; s++) {
    u64(history.sessionStart[s + 1] - history.sessionStart[s]);
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      assertKnown(history, t);
      u64(history.opEnd[t] - history.opStart[t]);
      for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
        bytes[at++] = history.kind[op] === OP.write ? 1 : 0;
        u64(kvKey(history, op));
        u64(history.kind[op] === OP.readInitial ? 0n : kvValue(history, op));
        bytes[at++] = 1;
      }
      bytes[at++] = history.status[t] === TXN_STATUS.committed ? 1 : 0;
    }
  }
  return bytes;
}

function assertKnown(history: KvHistory, t: number): void {
  if (history.status[t] === TXN_STATUS.unknown)
    throw new UsageError(
      `dbcop: the outcome of transaction ${history.txnName?.(t) ?? t} is unknown, and the format has only committed and aborted ones`,
    );
}

function readJson(file: HistoryFile): KvHistory {
  const fail = (at: number, got: EdnValue | undefined, wanted: string): Error =>
    formatError(
      { file: file.name, line: lineOf(file.bytes, at), byte: at },
      got === undefined ? 'nothing' : printEdn(got).slice(0, 40),
      wanted,
    );
  const builder = new KvHistoryBuilder('zero');
  let seen = 0;
  readEdn(
    file.bytes,
    file.name,
    (value, at) => {
      if (seen++ > 0) throw fail(at, value, 'the end of the file');
      const wrapped = asMap(value);
      const sessions = asItems(wrapped === undefined ? value : get(wrapped, 'data'));
      if (sessions === undefined) throw fail(at, value, 'an array of sessions, or an object with one under "data"');
      sessions.forEach((list, s) => {
        const session = builder.session(String(s));
        const txns = asItems(list);
        if (txns === undefined) throw fail(at, list, `session ${s} as an array of transactions`);
        txns.forEach((item, t) => {
          const map = asMap(item);
          const events = map === undefined ? undefined : asItems(get(map, 'events'));
          const committed = map === undefined ? undefined : get(map, 'committed');
          if (events === undefined || typeof committed !== 'boolean')
            throw fail(at, item, `transaction ${t} of session ${s} as {"events":[...],"committed":true|false}`);
          const txn = builder.txn(session, `${s}.${t}`, committed ? TXN_STATUS.committed : TXN_STATUS.aborted);
          for (const event of events) {
            const kinds = asMap(event);
            const write = kinds === undefined ? undefined : asMap(get(kinds, 'Write'));
            const body = write ?? (kinds === undefined ? undefined : asMap(get(kinds, 'Read')));
            const variable = body === undefined ? undefined : get(body, 'variable');
            const version = body === undefined ? undefined : get(body, 'version');
            if (!isInt64(variable) || !(isInt64(version) || (version === null && write === undefined))) {
              throw fail(at, event, '{"Write":{"variable":N,"version":N}} or {"Read":{"variable":N,"version":N or null}}');
            }
            if (version === null) builder.readInitial(txn, variable);
            else builder.op(txn, write === undefined ? OP.read : OP.write, variable, version);
          }
        });
      });
    },
    true,
  );
  if (seen === 0) throw formatError({ file: file.name, byte: 0 }, 'nothing', 'an array of sessions');
  return builder.finish();
}

function isInt64(value: EdnValue | undefined): value is number | bigint {
  return (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value);
}

function writeJson(history: KvHistory): string {
  assertNoStrayZero(history, 'dbcop-json');
  const sessions: string[] = [];
  for (let s = 0; s < history.sessionCount; s++) {
    const txns: string[] = [];
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      assertKnown(history, t);
      const events: string[] = [];
      for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
        const version = history.kind[op] === OP.readInitial ? 'null' : String(kvValue(history, op));
        events.push(`{"${history.kind[op] === OP.write ? 'Write' : 'Read'}":{"variable":${kvKey(history, op)},"version":${version}}}`);
      }
      txns.push(`{"events":[${events.join(',')}],"committed":${history.status[t] === TXN_STATUS.committed}}`);
    }
    sessions.push(`[${txns.join(',\n')}]`);
  }
  return `[${sessions.join(',\n')}]\n`;
}
