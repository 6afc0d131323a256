/**
 * Proves READ UNCOMMITTED and READ COMMITTED for a round whose values repeat. The levels forbid bad reads, which the
 * key-value checkers find, and cycles of ww, or of wr and ww. Versions in the order in which their commits were
 * acknowledged have no cycle of ww. They have none with wr if each read can have seen a transaction that stands before
 * its reader in that order. If it cannot (the writer's reply came late, or it had not committed), another order may do,
 * and the stronger levels search for one.
 */
import { TXN_STATUS } from '../../../../core/index.ts';
import type { Level, LevelAnswer } from '../../../../core/index.ts';
import type { ObservedKeyValues } from './history.ts';
import { spelt } from './named-writes.ts';

const UNNAMED = 'values repeat, and by the order of the commits not every read is of a value that had been committed';

/** Answers levels that have no known violation. */
export function plainLevels(observed: ObservedKeyValues): readonly LevelAnswer[] {
  const behind: Level = 'read-committed';
  return [
    { level: 'read-uncommitted', answer: true },
    readsBehindCommits(observed) ? { level: behind, answer: true } : { level: behind, answer: 'unknown', reason: UNNAMED },
  ];
}

/** True if two committed transactions accessed one object and at least one of them wrote it, even if no value says which came first. */
export function meets({ history: { statements, transactions }, accesses }: Pick<ObservedKeyValues, 'history' | 'accesses'>): boolean {
  const users = new Map<number, { readonly first: number; readonly write: boolean; readonly more: boolean }>();
  return accesses.some(({ statement, key, write }) => {
    const t = statements.txn[statement]!;
    if (transactions.status[t] !== TXN_STATUS.committed) return false;
    const { first, write: written, more } = users.get(key) ?? { first: t, write: false, more: false };
    const now = { first, write: write || written, more: more || first !== t };
    users.set(key, now);
    return now.more && now.write;
  });
}

function readsBehindCommits({ history: { statements, transactions }, accesses }: ObservedKeyValues): boolean {
  const committed = accesses.filter(({ statement }) => transactions.status[statements.txn[statement]!] === TXN_STATUS.committed);
  const left = new Map<string, { readonly key: number; readonly value: string | undefined; readonly at: number }>();
  for (const { statement, key, value, write } of committed) {
    const t = statements.txn[statement]!;
    if (write) left.set(`${t} ${key}`, { key, value, at: transactions.endAt[t]! });
  }
  const first = new Map<string, number>();
  for (const { key, value, at } of left.values()) {
    const name = spelt(key, value);
    first.set(name, Math.min(first.get(name) ?? Number.POSITIVE_INFINITY, at));
  }
  const own = new Set<string>();
  return committed.every(({ statement, key, value, write }) => {
    const t = statements.txn[statement]!;
    if (write) own.add(`${t} ${key}`);
    if (write || value === '0' || own.has(`${t} ${key}`)) return true;
    return (first.get(spelt(key, value)) ?? Number.POSITIVE_INFINITY) < transactions.endAt[t]!;
  });
}
