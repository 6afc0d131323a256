/**
 * Lightweight transactions as the mini-transaction paper logs them. They are Jepsen EDN with `:f :write :value [k v]`
 * (insert if not exists) and `:f :cas :value [k [old new]]`. `:f :read :value [k v]` is accepted too. One operation is
 * one transaction: a write alone, a read and a write, or a read. A log of a single register names no key (`:write` of
 * 2, `:cas` of [1 4]). If no operation names a key, they all use key 0. `:time` is nanoseconds. If some event has no
 * time, or all have the same, the order of the events is the time.
 */
import { OP, TXN_STATUS, UsageError, kvKey, kvValue } from '../../core/index.ts';
import type { KvHistory } from '../../core/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { asItems, printEdn } from './elle/edn.ts';
import type { EdnValue } from './elle/edn.ts';
import { expected, readElleOperations, sessionName } from './elle/operations.ts';
import type { ElleOperation } from './elle/operations.ts';
import { eventsInOrder } from './elle/event-order.ts';
import { head, onlyFile } from './format.ts';
import type { HistoryFile, HistoryFormat } from './format.ts';
import { Numbering } from './elle/key-names.ts';

type Lwt =
  | { readonly kind: 'write' | 'read'; readonly key: EdnValue; readonly value: EdnValue }
  | { readonly kind: 'cas'; readonly key: EdnValue; readonly old: EdnValue; readonly value: EdnValue };

export const lwt: HistoryFormat = {
  name: 'lwt',
  title: 'lightweight transactions (EDN, :write and :cas)',
  detect: (files) => /^[[(]?\s*(#[\w.]+\s*)?\{\s*:/.test(head(files)) && /:f\s+:(write|cas)\b/.test(head(files)),
  read: (files) => ({ kind: 'kv', history: readLwt(onlyFile(files, 'lwt')), lightweight: true }),
  writesTimes: true,
  write: (history) => {
    if (history.kind !== 'kv') throw new UsageError('lwt: got a list-append history, expected lightweight transactions');
    return [{ name: 'history.edn', bytes: new TextEncoder().encode(writeLwt(history.history)) }];
  },
};

function readLwt(file: HistoryFile): KvHistory {
  const keys = new Numbering();
  const values = new Numbering();
  const operations = readOperations(file);
  for (const { op } of operations) {
    keys.see(op.key);
    if (op.value !== null) values.see(op.value);
    if (op.kind === 'cas' && op.old !== null) values.see(op.old);
  }
  const timed = areTimes(operations.map((row) => row.operation));
  const builder = new KvHistoryBuilder('none');
  const inserted = new Set<string>();
  for (const { operation, op } of operations) {
    if (op.kind === 'write' && operation.status === TXN_STATUS.committed) {
      const key = printEdn(op.key);
      if (inserted.has(key)) builder.note({ code: 'inserted-twice', data: { key } });
      inserted.add(key);
    }
    const txn = builder.txn(builder.session(sessionName(operation)), operation.name, operation.status);
    if (timed) builder.setTimes(txn, operation.invokedTime, operation.endAt === Infinity ? Infinity : operation.completedTime);
    else builder.setTimes(txn, operation.beginAt, operation.endAt);
    const key = keys.of(op.key);
    const read = (value: EdnValue): void => (value === null ? builder.readInitial(txn, key) : builder.read(txn, key, values.of(value)));
    if (op.kind === 'cas') read(op.old);
    if (op.kind === 'read') {
      // An answer without a value leaves the value of the invocation open.
      if (operation.status === TXN_STATUS.committed && operation.completed !== undefined) read(op.value);
    } else {
      builder.write(txn, key, values.of(op.value));
    }
  }
  const history = builder.finish();
  return keys.plain ? history : { ...history, keyName: (low) => keys.nameOf(low) };
}

interface Parsed {
  readonly operation: ElleOperation;
  readonly op: Lwt;
}

function readOperations(file: HistoryFile): readonly Parsed[] {
  const all = readElleOperations(file, false).map((operation) => {
    const source =
      operation.status === TXN_STATUS.committed ? (operation.completed ?? operation.invoked) : (operation.invoked ?? operation.completed);
    return { operation, value: source ?? null };
  });
  // In a log of several registers every operation names its own.
  const single = all.every(({ operation, value }) => parse(operation.f, value) === undefined || (operation.f === 'read' && value === null));
  return all.map(({ operation, value }) => {
    const op = single ? parseSingle(operation.f, value) : parse(operation.f, value);
    if (op === undefined)
      throw expected(
        file,
        operation.at,
        `:f :${operation.f} :value ${printEdn(value).slice(0, 40)}`,
        ':f :write :value [k v], :f :cas :value [k [old new]] or :f :read :value [k v]; of a single register all without the key',
      );
    return { operation, op };
  });
}

function areTimes(operations: readonly ElleOperation[]): boolean {
  const complete = operations.every(
    (row) => !Number.isNaN(row.invokedTime) && (row.endAt === Infinity || row.completedTime >= row.invokedTime),
  );
  return (
    complete &&
    operations.some(
      (row) => row.invokedTime !== operations[0].invokedTime || (row.endAt !== Infinity && row.completedTime !== row.invokedTime),
    )
  );
}

function parse(f: string | undefined, value: EdnValue): Lwt | undefined {
  const pair = asItems(value);
  if (pair === undefined || pair.length !== 2) return undefined;
  if (f === 'read') return { kind: 'read', key: pair[0], value: pair[1] };
  if (f === 'write') return pair[1] === null ? undefined : { kind: 'write', key: pair[0], value: pair[1] };
  const change = asItems(pair[1]);
  if (f !== 'cas' || change === undefined || change.length !== 2 || change[1] === null) return undefined;
  return { kind: 'cas', key: pair[0], old: change[0], value: change[1] };
}

/** Parses an operation on the one register of a log that names no key. */
function parseSingle(f: string | undefined, value: EdnValue): Lwt | undefined {
  const key = 0;
  const change = asItems(value);
  if (f === 'cas')
    return change?.length === 2 && isPlain(change[0]) && isPlain(change[1]) && change[1] !== null
      ? { kind: 'cas', key, old: change[0], value: change[1] }
      : undefined;
  if (!isPlain(value) || (f === 'write' && value === null)) return undefined;
  return f === 'read' || f === 'write' ? { kind: f, key, value } : undefined;
}

function isPlain(value: EdnValue): boolean {
  return asItems(value) === undefined;
}

function writeLwt(history: KvHistory): string {
  const { beginAt, endAt } = history;
  if (beginAt === undefined || endAt === undefined)
    throw new UsageError('lwt: the history has no times, and the format needs real-time order: expected begin and end times');
  if (history.keyName !== undefined)
    throw new UsageError('lwt: the history has keys that are no integers, and the format has only integers');
  const txns: { session: number; beginAt: number; endAt: number; status: number; text: string }[] = [];
  for (let s = 0; s < history.sessionCount; s++) {
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      const { f, value } = describe(history, t);
      txns.push({ session: s, beginAt: beginAt[t], endAt: endAt[t], status: history.status[t], text: `:f :${f}, :value ${value}` });
    }
  }
  return eventsInOrder(txns)
    .map(({ txn, invoke }, index) => {
      const type = invoke ? 'invoke' : ['info', 'ok', 'fail'][txn.status];
      return `{:index ${index}, :time ${index}, :type :${type}, :process ${txn.session}, ${txn.text}}\n`;
    })
    .join('');
}

function describe(history: KvHistory, t: number): { readonly f: string; readonly value: string } {
  const start = history.opStart[t];
  const count = history.opEnd[t] - start;
  const read = (op: number): string => (history.kind[op] === OP.readInitial ? 'nil' : String(kvValue(history, op)));
  const key = kvKey(history, start);
  if (count === 1 && history.kind[start] === OP.write) return { f: 'write', value: `[${key} ${kvValue(history, start)}]` };
  if (count === 1) return { f: 'read', value: `[${key} ${read(start)}]` };
  if (count === 2 && history.kind[start] !== OP.write && history.kind[start + 1] === OP.write && kvKey(history, start + 1) === key) {
    return { f: 'cas', value: `[${key} [${read(start)} ${kvValue(history, start + 1)}]]` };
  }
  throw new UsageError(
    `lwt: transaction ${history.txnName?.(t) ?? t} is no lightweight transaction (one write, one read, or a read and a write of one key)`,
  );
}
