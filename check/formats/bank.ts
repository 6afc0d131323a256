/**
 * A Jepsen bank log, as EDN or JSON. `:f :read` returns the balances of all accounts (`:value {0 10, 1 20}`, or a
 * vector of balances in the order of the accounts). `:f :transfer` moves an amount between two of them (`:value {:from
 * 0 :to 1 :amount 5}`). A balance is an integer, or nil if the account had none. Only an ok read has balances.
 */
import { TXN_OUTCOMES, TXN_STATUS } from '../../core/index.ts';
import type { Note } from '../../core/index.ts';
import type { BankHistory, BankRead } from '../bank/bank-history.ts';
import { asItems, asMap, get, printEdn } from './elle/edn.ts';
import type { EdnValue } from './elle/edn.ts';
import { expected, readElleOperations } from './elle/operations.ts';
import type { ElleOperation } from './elle/operations.ts';
import { head, lineOf, onlyFile } from './format.ts';
import type { HistoryFile, HistoryFormat } from './format.ts';

const EDN = /^[[(]?\s*(#[\w.]+\s*)?\{\s*:/;
const JSON_TEXT = /^\[?\s*\{\s*"/;

export const bank: HistoryFormat = {
  name: 'bank',
  title: 'Jepsen bank EDN (:transfer, and :read of all balances)',
  detect: (files) =>
    EDN.test(head(files)) &&
    (/:f\s+:transfer\b/.test(head(files)) || (/:f\s+:read\b/.test(head(files)) && /:value\s+\{/.test(head(files)))),
  read: (files) => ({ kind: 'bank', history: readBank(onlyFile(files, 'bank'), false) }),
};

export const bankJson: HistoryFormat = {
  name: 'bank-json',
  title: 'Jepsen bank JSON (transfer, and read of all balances)',
  detect: (files) =>
    JSON_TEXT.test(head(files)) &&
    (/"f"\s*:\s*"transfer"/.test(head(files)) || (/"f"\s*:\s*"read"/.test(head(files)) && /"value"\s*:\s*\{/.test(head(files)))),
  read: (files) => ({ kind: 'bank', history: readBank(onlyFile(files, 'bank-json'), true) }),
};

function readBank(file: HistoryFile, json: boolean): BankHistory {
  const reads: BankRead[] = [];
  const transfers = { committed: 0, aborted: 0, unknown: 0 };
  let unanswered = 0;
  for (const operation of readElleOperations(file, json)) {
    const { f, status, completed, at, name } = operation;
    if (f === 'transfer') {
      checkTransfer(file, operation);
      transfers[TXN_OUTCOMES[status]]++;
    } else if (f !== 'read') {
      throw expected(file, at, `an operation :f :${f}`, ':f :read or :f :transfer: nothing else keeps the sum of the balances');
    } else if (status === TXN_STATUS.committed) {
      if (completed === undefined) unanswered++;
      else reads.push({ name, at, balances: balancesOf(file, at, completed) });
    }
  }
  const notes: Note[] = unanswered === 0 ? [] : [{ code: 'reads-without-balances', data: { reads: unanswered } }];
  return { reads, transfers, notes, lineOf: ({ at }) => lineOf(file.bytes, at) };
}

function checkTransfer(file: HistoryFile, { at, invoked, completed }: ElleOperation): void {
  const value = invoked ?? completed ?? null;
  const map = asMap(value);
  if (map === undefined || ['from', 'to', 'amount'].some((name) => get(map, name) === undefined))
    throw expected(file, at, `a transfer of :value ${printEdn(value).slice(0, 40)}`, '{:from ACCOUNT, :to ACCOUNT, :amount N}');
}

function balancesOf(file: HistoryFile, at: number, value: EdnValue): BankRead['balances'] {
  const map = asMap(value);
  const entries: readonly (readonly [EdnValue, EdnValue])[] | undefined =
    map === undefined
      ? asItems(value)?.map((balance, i) => [i, balance] as const)
      : Array.from({ length: map.items.length / 2 }, (_, i) => [map.items[2 * i], map.items[2 * i + 1]] as const);
  if (entries === undefined)
    throw expected(file, at, `a read of :value ${printEdn(value).slice(0, 40)}`, 'a map of account to balance, or a vector of balances');
  return entries.map(([account, balance]) => ({
    account: typeof account === 'string' ? account : printEdn(account),
    balance: balance === null ? undefined : integer(file, at, balance),
  }));
}

function integer(file: HistoryFile, at: number, value: EdnValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw expected(file, at, `a balance of ${printEdn(value).slice(0, 40)}`, 'an integer, or nil');
}
