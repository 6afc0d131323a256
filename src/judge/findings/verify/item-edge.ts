/**
 * Checks edges by rows that were read or written, and edges by order alone. Returns undefined if the edge follows,
 * otherwise the reason why not.
 */
import type { Step } from './certified.ts';
import type { Facts } from './facts.ts';
import { isCommitted } from './versions.ts';
import type { Row } from './versions.ts';

/** Checks which transaction wrote the version that was read, and which one replaced it. */
export function itemEdge(
  facts: Facts,
  rows: ReadonlyMap<string, Row>,
  { rel, from, to, row: name, table, fromStatement, toStatement }: Step,
): string | undefined {
  const row = rows.get(name ?? '');
  if (!row || row.table !== table) return 'the certificate has no such row';
  const [source, target] = [facts.statementAt(fromStatement), facts.statementAt(toStatement)];
  if ((source?.txn ?? 0) !== from || target?.txn !== to) return 'the statements are not of these transactions';
  const writer = (key: string): unknown => facts.byWrite.get(key);
  for (const v of rel === 'ww' ? row.versions.values() : [])
    if (v.next && v.next.txn === to && v.txn === from && writer(v.key) === source && writer(v.next.key) === target) return undefined;
  for (const { stmt, at } of rel === 'ww' ? [] : row.readings) {
    const v = at === undefined ? undefined : row.versions.get(at)!;
    if (!isCommitted(v) || v.txn === stmt.txn) continue;
    if (rel === 'wr' && stmt === target && v.txn === from && writer(v.key) === source) return undefined;
    if (rel === 'rw' && stmt === source && v.next && v.next.txn === to && v.next.txn !== v.txn && writer(v.next.key) === target)
      return undefined;
  }
  return `no list of row ${name} shows it undisputed`;
}

/** Checks that one comes after the other, in a session or by the clock. */
export function orderEdge({ txns }: Facts, { rel, from, to }: Step): string | undefined {
  const [a, b] = [txns.get(from), txns.get(to)];
  if (!a || !b || a.begin === null || b.begin === null) return 'the transactions are not both known';
  if (rel === 'rt') return a.end !== null && a.end < b.begin ? undefined : 'the commit was not acknowledged before the other began';
  return rel === 'so' && a.session === b.session && a.outcome === 'committed' && a.begin < b.begin
    ? undefined
    : 'they are not one after the other in a session';
}
