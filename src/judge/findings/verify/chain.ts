/** The history of one row, where it is proven from its birth to its end. */
import type { Stmt } from './certified.ts';
import type { Facts } from './facts.ts';
import { isCommitted } from './versions.ts';
import type { Row, Version } from './versions.ts';

/** Returns the installed versions from birth to a proven end, one for each transaction; undefined if that is not proven. */
export function chainOf({ cert }: Facts, row: Row): Version[] | undefined {
  const all = [...row.versions.values()];
  const birth = row.versions.get(row.birth);
  if (!isCommitted(birth) || birth.prev || all.some(({ outcome }) => outcome === 'unknown' || outcome === 'thin air')) return undefined;
  const chain: Version[] = [];
  let [count, end] = [0, birth];
  for (let v: Version | undefined = birth; v; [end, v, count] = [v, v.next, count + 1]) {
    if (chain.at(-1)?.txn === v.txn) chain.pop();
    chain.push(v);
  }
  if (new Set(chain.map(({ txn }) => txn)).size < chain.length) return undefined;
  const finals = new Set(cert.statements.filter(({ kind, status }) => kind === 'final' && status === 'ok').map(({ txn }) => txn));
  const last = row.readings.filter(({ stmt, role }) => stmt.kind === 'final' && !stmt.incomplete && role === 'read');
  const seen = last.length === finals.size && last.every(({ at }) => at === end.key) && finals.size > 0;
  return count === all.filter(isCommitted).length && (end.dead || seen) ? chain : undefined;
}

/** Returns the first statement by which the transaction of a version wrote the row. */
export function firstWrite({ byWrite }: Facts, { versions }: Row, v: Version): Stmt | undefined {
  return [...versions.values()]
    .filter((each) => each.txn === v.txn && isCommitted(each))
    .sort((a, b) => a.seq - b.seq)
    .map(({ key }) => byWrite.get(key))[0];
}
