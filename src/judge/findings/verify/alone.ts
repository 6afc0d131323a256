/** Checks the anomalies that are no cycles, each on the lists that the first statement saw. */
import type { Claim, Stmt } from './certified.ts';
import type { Facts } from './facts.ts';
import { isCommitted } from './versions.ts';
import type { Reading, Row, Version } from './versions.ts';

interface Case {
  facts: Facts;
  claim: Claim;
  row: Row;
  readings: readonly Reading[];
  all: readonly Version[];
  stmt: Stmt;
  second: Stmt | undefined;
  reader: number;
  writer: number | undefined;
}

/** Returns the reason why it does not follow; undefined if it does. */
export function alone(facts: Facts, rows: ReadonlyMap<string, Row>, claim: Claim): string | undefined {
  const row = rows.get(claim.row?.row ?? '');
  const [stmt, second] = claim.statements.map((index) => facts.statementAt(index));
  const [reader, writer] = claim.transactions;
  if (claim.class === 'status-mismatch')
    return stmt?.txn === reader && isContradicted(facts, stmt!) ? undefined : 'the record of the statement does not show it';
  const readings = row?.readings.filter((each) => each.stmt === stmt) ?? [];
  if (!row || row.table !== claim.row?.table || !stmt || stmt.txn !== reader || readings.length === 0)
    return 'the row, the statement and the transaction do not fit';
  const about: Case = { facts, claim, row, readings, all: [...row.versions.values()], stmt, second, reader, writer };
  return Object.hasOwn(PROOFS, claim.class) && PROOFS[claim.class]!(about) ? undefined : `no list of row ${row.name} shows it`;
}

/** True if the protocol contradicts the reply. The status after a statement that succeeds is known. */
function isContradicted({ txns }: Facts, { txn, kind, status, statusMismatch: seen }: Stmt): boolean {
  const after = /^(commit|rollback)$/.test(kind) || txns.get(txn)?.autocommit ? 'outside' : 'inside';
  return !!seen && seen.reported !== seen.expected && (status !== 'ok' || seen.expected === after);
}

/** Every class without a cycle that a row shows, with its proof. A test compares them with the classes of the core. */
export const PROOFS: Readonly<Record<string, (about: Case) => boolean>> = {
  G1a: ({ row, readings, reader, writer }) =>
    writer !== reader && readings.some((r) => found(row, r).some((v) => v.txn === writer && v.outcome === 'aborted')),
  'thin-air': ({ row, readings, writer }) => readings.some((r) => found(row, r).some((v) => v.txn === writer && v.outcome === 'thin air')),
  G1b: ({ facts: { cert }, row, readings, all, reader, writer }) =>
    writer !== reader &&
    readings.some((r) => {
      const last = found(row, r).at(-1);
      return (
        last?.txn === writer &&
        isCommitted(last) &&
        all.some((v) => v.txn === writer && isCommitted(v) && v.seq > last.seq && (!v.dead || cert.instrument !== 'paper'))
      );
    }),
  internal: (about) =>
    about.claim.transactions.length === 1 && about.readings.some((r) => readsItsFuture(about, r) || missesItsOwn(about, r)),
  'duplicate-write': ({ row, readings }) => row.twice && readings.some(({ keys }) => new Set(keys).size < keys.length),
  fork: ({ claim, row, all }) =>
    !row.twice &&
    all.some((v) => v.after.size > 1 || v.before.size > 1) &&
    claim.transactions.every((id) => row.readings.some((each) => each.stmt.txn === id) || all.some(({ txn }) => txn === id)),
};

function found(row: Row, { role, keys }: Reading): Version[] {
  return (role === 'write' ? keys.slice(0, -1) : keys).map((key) => row.versions.get(key)!);
}

/** True if the reader saw its own write that was undone, or that comes later. */
function readsItsFuture({ facts, row, reader, stmt }: Case, r: Reading): boolean {
  return found(row, r).some(
    (v) => v.txn === reader && (v.outcome === 'aborted' || (isCommitted(v) && !v.dead && facts.byWrite.get(v.key)!.number > stmt.number)),
  );
}

/** True if the reader missed its own last write, although the list reaches back to its place. */
function missesItsOwn({ facts: { cert, byWrite }, row, all, stmt, second, reader }: Case, r: Reading): boolean {
  const ofReader = (v: Version): boolean => v.txn === reader && isCommitted(v);
  const certainlyOlder = (own: Version): boolean =>
    r.whole || all.reduce<Version | undefined>((v) => (v === own ? v : v?.next), found(row, r).at(-1)) === own;
  return all.some(
    (v) =>
      ofReader(v) &&
      byWrite.get(v.key) === second &&
      second!.number < stmt.number &&
      !r.keys.includes(v.key) &&
      (v.dead ? cert.instrument !== 'paper' : certainlyOlder(v)) &&
      !all.some((w) => ofReader(w) && w.seq > v.seq && byWrite.get(w.key)!.number < stmt.number),
  );
}
