/**
 * Elle's workloads, as EDN or JSON. list-append (`[:append k v]`, `[:r k [v*]]`) becomes a list history, rw-register
 * (`[:w k v]`, `[:r k v]`) a register history. A read's value counts only in an ok event. The writes of an :info or
 * unfinished transaction may or may not have happened. An event may name its transaction's level as `:isolation`.
 */
import { OP, TXN_OUTCOMES, TXN_STATUS, UsageError, isLevel, kvKey, kvValue } from '../../../core/index.ts';
import type { KvHistory, Level } from '../../../core/index.ts';
import { KvHistoryBuilder } from '../../kv/kv-history-builder.ts';
import { asItems, printEdn, word } from './edn.ts';
import type { EdnValue } from './edn.ts';
import { expected, readElleOperations, sessionName } from './operations.ts';
import type { ElleOperation } from './operations.ts';
import { eventsInOrder } from './event-order.ts';
import type { TimedTxn } from './event-order.ts';
import { head, onlyFile } from '../format.ts';
import type { HistoryFile, HistoryFormat, ParsedHistory, TransactionHistory } from '../format.ts';
import { keysLeftAtZero } from '../implicit-zero.ts';
import { Numbering } from './key-names.ts';
import type { ListHistory, ListOp, ListTxn } from '../list-history.ts';

interface Micro {
  readonly f: 'append' | 'w' | 'r';
  readonly key: EdnValue;
  readonly value: EdnValue;
  /** The value of a read is a result, and not the open value of the invocation. */
  readonly known: boolean;
}

interface ElleTxn extends ElleOperation {
  readonly micros: readonly Micro[];
}

export const elleEdn: HistoryFormat = {
  name: 'elle',
  title: 'Elle EDN (list-append and rw-register)',
  detect: (files) => /^[[(]?\s*(#[\w.]+\s*)?\{\s*:/.test(head(files)) && !/:f\s+:(write|cas)\b/.test(head(files)),
  read: (files) => readElle(files, false),
  writesTimes: true,
  writesLevels: true,
  write: (history) => [{ name: 'history.edn', bytes: new TextEncoder().encode(eventLines(history, EDN_WORDS).join('\n') + '\n') }],
};

export const elleJson: HistoryFormat = {
  name: 'elle-json',
  title: 'Elle JSON (list-append and rw-register)',
  detect: (files) => /^\[?\s*\{\s*"(index|type|process|f|time|value)"\s*:/.test(head(files)),
  read: (files) => readElle(files, true),
  writesTimes: true,
  writesLevels: true,
  write: (history) => [{ name: 'history.json', bytes: new TextEncoder().encode(`[${eventLines(history, JSON_WORDS).join(',\n')}]\n`) }],
};

function readElle(files: readonly HistoryFile[], json: boolean): ParsedHistory {
  const file = onlyFile(files, json ? 'elle-json' : 'elle');
  const txns: ElleTxn[] = readElleOperations(file, json).map((operation) => ({ ...operation, micros: micros(file, operation) }));
  const appends = txns.some((txn) =>
    txn.micros.some((m) => m.f === 'append' || (m.f === 'r' && m.known && asItems(m.value) !== undefined)),
  );
  const writes = txns.find((txn) => txn.micros.some((m) => m.f === 'w'));
  if (appends && writes !== undefined)
    throw expected(file, writes.at, 'a register write [:w k v] beside list appends', 'one workload: list-append or rw-register');
  return appends ? { kind: 'list', history: toLists(file, txns) } : { kind: 'kv', history: toRegisters(txns) };
}

function micros(file: HistoryFile, operation: ElleOperation): readonly Micro[] {
  const ok = operation.status === TXN_STATUS.committed;
  const source = ok ? (operation.completed ?? operation.invoked) : (operation.invoked ?? operation.completed);
  if (source === undefined || source === null) {
    // An operation on a lock or a queue is no transaction. It must not pass for one that did nothing.
    const { f } = operation;
    if (f !== undefined && f !== 'txn')
      throw expected(
        file,
        operation.at,
        `an operation :f :${f} without a transaction in :value`,
        ':f :txn with a vector of [:append k v], [:r k v] or [:w k v]',
      );
    return [];
  }
  const items = asItems(source);
  if (items === undefined)
    throw expected(file, operation.at, `:value ${printEdn(source).slice(0, 40)}`, 'a vector of [:append k v], [:r k v] or [:w k v]');
  return items.map((item) => {
    const parts = asItems(item);
    const f = word(parts?.[0]);
    if (parts === undefined || (parts.length !== 3 && !(f === 'r' && parts.length === 2)) || (f !== 'append' && f !== 'w' && f !== 'r')) {
      throw expected(file, operation.at, printEdn(item).slice(0, 40), '[:append k v], [:r k v] or [:w k v]');
    }
    const value = parts[2] ?? null;
    if (f !== 'r' && value === null) throw expected(file, operation.at, printEdn(item).slice(0, 40), 'a value to write');
    return { f, key: parts[1], value, known: ok && operation.completed !== undefined };
  });
}

function toLists(file: HistoryFile, txns: readonly ElleTxn[]): ListHistory {
  const sessions: string[] = [];
  const numbers = new Map<string, number>();
  const transactions = txns.map((txn): ListTxn => {
    let session = numbers.get(txn.process);
    if (session === undefined) numbers.set(txn.process, (session = sessions.push(txn.process) - 1));
    const ops = txn.micros.map((m): ListOp => {
      const key = printEdn(m.key);
      if (m.f === 'append') return { kind: 'append', key, element: printEdn(m.value) };
      if (!m.known) return { kind: 'read', key, elements: undefined };
      const elements = m.value === null ? [] : asItems(m.value);
      if (elements === undefined)
        throw expected(file, txn.at, `[:r ${key} ${printEdn(m.value).slice(0, 40)}]`, 'nil or a vector of elements');
      return { kind: 'read', key, elements: elements.map(printEdn) };
    });
    return { session, outcome: TXN_OUTCOMES[txn.status], beginAt: txn.beginAt, endAt: txn.endAt, ops };
  });
  return { transactions, sessionName: (s) => sessions[s] ?? String(s), txnName: (t) => txns[t]?.name ?? String(t), notes: [] };
}

function toRegisters(txns: readonly ElleTxn[]): KvHistory {
  const keys = new Numbering();
  const values = new Numbering();
  for (const txn of txns) {
    for (const m of txn.micros) {
      keys.see(m.key);
      if (m.value !== null) values.see(m.value);
    }
  }
  const builder = new KvHistoryBuilder('none');
  const others = new Set<string>();
  for (const txn of txns) {
    const t = builder.txn(builder.session(sessionName(txn)), txn.name, txn.status);
    builder.setTimes(t, txn.beginAt, txn.endAt);
    if (txn.isolation !== undefined && isLevel(txn.isolation)) builder.setLevel(t, txn.isolation);
    else if (txn.isolation !== undefined) others.add(txn.isolation);
    for (const m of txn.micros) {
      if (m.f === 'w') builder.write(t, keys.of(m.key), values.of(m.value));
      else if (m.known && m.value === null) builder.readInitial(t, keys.of(m.key));
      else if (m.known) builder.read(t, keys.of(m.key), values.of(m.value));
    }
  }
  if (others.size > 0) builder.note({ code: 'levels-not-known', data: { names: [...others].slice(0, 3) } });
  if (!values.plain) builder.note({ code: 'values-numbered', data: {} });
  const history = builder.finish();
  return keys.plain ? history : { ...history, keyName: (low) => keys.nameOf(low) };
}

/** Writes an event in one of the two languages. */
interface Words {
  event(index: number, type: string, process: string, value: string, level: Level | undefined): string;
  micro(f: string, key: string, value: string): string;
  vector(items: readonly string[]): string;
  readonly nil: string;
}

const EDN_WORDS: Words = {
  event: (index, type, process, value, level) =>
    `{:index ${index}, :time ${index}, :type :${type}, :process ${process}, :f :txn, :value ${value}${level === undefined ? '' : `, :isolation :${level}`}}`,
  micro: (f, key, value) => `[:${f} ${key} ${value}]`,
  vector: (items) => `[${items.join(' ')}]`,
  nil: 'nil',
};
const JSON_WORDS: Words = {
  event: (index, type, process, value, level) =>
    `{"index":${index},"time":${index},"type":"${type}","process":${process},"f":"txn","value":${value}${level === undefined ? '' : `,"isolation":"${level}"`}}`,
  micro: (f, key, value) => `["${f}",${jsonText(key)},${value.startsWith('[') ? value : jsonText(value)}]`,
  vector: (items) => `[${items.map((item) => (item.startsWith('[') ? item : jsonText(item))).join(',')}]`,
  nil: 'null',
};

/** Integers, strings and null stay. Other EDN (a keyword) becomes the string of its text. */
function jsonText(edn: string): string {
  return /^(-?\d+|null|".*")$/s.test(edn) ? edn : JSON.stringify(edn);
}

interface WrittenTxn extends TimedTxn {
  readonly status: number;
  readonly level?: Level | undefined;
  value(words: Words, withResults: boolean): string;
}

/**
 * Writes two events a transaction, in time order where there are times. Without times the n-th transactions of all
 * sessions overlap. The format cannot say "no real-time order", so STRICT has no meaning for the written file.
 */
function eventLines(history: TransactionHistory, words: Words): readonly string[] {
  const txns = history.kind === 'kv' ? registerTxns(history.history) : listTxns(history.history);
  return eventsInOrder(txns).map(({ txn, invoke }, index) => {
    const type = invoke ? 'invoke' : ['info', 'ok', 'fail'][txn.status];
    return words.event(index, type, String(txn.session), txn.value(words, !invoke && txn.status === TXN_STATUS.committed), txn.level);
  });
}

function registerTxns(history: KvHistory): readonly WrittenTxn[] {
  if (history.keyName !== undefined)
    throw new UsageError('elle: the history has keys that are no integers, and the format has only integers');
  const txns: WrittenTxn[] = [];
  const left = keysLeftAtZero(history);
  // Reads of the implicit 0 are written as nil, as Elle expects.
  const initialZero = (op: number): boolean =>
    history.initial === 'zero' && history.kind[op] === OP.read && kvValue(history, op) === 0n && !left.has(kvKey(history, op));
  for (let s = 0; s < history.sessionCount; s++) {
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      txns.push({
        session: s,
        status: history.status[t],
        level: history.level?.(t),
        beginAt: history.beginAt?.[t] ?? t - history.sessionStart[s],
        endAt: history.endAt?.[t] ?? t - history.sessionStart[s] + 1,
        value: (words, withResults) => {
          const items: string[] = [];
          for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
            const read = history.kind[op] !== OP.write;
            const nothing = history.kind[op] === OP.readInitial || (read && !withResults) || initialZero(op);
            items.push(words.micro(read ? 'r' : 'w', String(kvKey(history, op)), nothing ? words.nil : String(kvValue(history, op))));
          }
          return words.vector(items);
        },
      });
    }
  }
  return txns;
}

function listTxns(history: ListHistory): readonly WrittenTxn[] {
  return history.transactions.map((txn) => ({
    session: txn.session,
    status: TXN_OUTCOMES.indexOf(txn.outcome),
    beginAt: txn.beginAt,
    endAt: txn.endAt,
    value: (words, withResults) =>
      words.vector(
        txn.ops.map((op) =>
          op.kind === 'append'
            ? words.micro('append', op.key, op.element)
            : words.micro('r', op.key, withResults && op.elements !== undefined ? words.vector(op.elements) : words.nil),
        ),
      ),
  }));
}
