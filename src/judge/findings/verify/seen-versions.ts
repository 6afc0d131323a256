/** Finds the versions of a row that a statement with a condition can have met: the returned one, or all that it may have passed over. */
import { LOCKING } from './certified.ts';
import type { Cert, Predicate, Stmt } from './certified.ts';
import { firstWrite } from './chain.ts';
import { tablesOf } from './facts.ts';
import type { Facts } from './facts.ts';
import { isCommitted } from './versions.ts';
import type { Row, Version } from './versions.ts';

/** A statement that evaluated every row of the table, with the facts about this row. Undefined is the row before its birth. */
export interface View {
  facts: Facts;
  row: Row;
  chain: readonly Version[];
  stmt: Stmt;
  replied: number;
  own: readonly Stmt[];
  reads: readonly Predicate[];
  match: (read: Predicate, v: Version | undefined) => boolean | undefined;
}

/**
 * True if two versions of the row may have met the condition. At READ COMMITTED a statement that waited for a lock
 * evaluates the row again. Only the last evaluation counts if it alone shows, or passes over, rows of the table that the
 * statement locks.
 */
export function mayHaveLookedTwice(view: View): boolean {
  const { row, stmt, reads } = view;
  const alone = reads.length === 1 && !reads[0]!.beside && !reads[0]!.conditional;
  const returned = row.readings.filter((each) => each.stmt === stmt);
  const last =
    returned.length === 0
      ? LOCKING.test(stmt.kind)
      : returned.some(({ role }) => (LOCKING.test(stmt.kind) && stmt.table === undefined) || role !== 'read');
  return changedMeanwhile(view) && !(alone && last);
}

/** True if another transaction may have changed the row while a statement ran that would evaluate it again. */
function changedMeanwhile({ facts: { cert, txns }, facts, row, chain, stmt, replied }: View): boolean {
  const locks = (LOCKING.test(stmt.kind) && tablesOf(stmt)?.includes(row.table) !== false) || stmt.locks?.includes(row.table) === true;
  if (cert.level !== 'read-committed' || !locks) return false;
  return chain.some((v) => {
    const write = firstWrite(facts, row, v);
    return write && write.txn !== stmt.txn && write.sent <= replied && !((txns.get(write.txn)?.end ?? Infinity) < stmt.sent);
  });
}

/** Returns the version that the statement returned, or all that it can have seen and not returned. A text says why neither is certain. */
export function seenVersions(view: View): readonly (Version | undefined)[] | string {
  const { row, stmt, reads, match } = view;
  const returned = row.readings.filter((each) => each.stmt === stmt);
  if (returned.length === 0) return unreturned(view);
  const seen = [...new Set(returned.map(({ at }) => at))].map((at) => (at === undefined ? undefined : row.versions.get(at)));
  if (seen.length !== 1 || !isCommitted(seen[0])) return 'the version that was returned is not certain';
  return reads.every((read) => !read.beside && match(read, seen[0]) === false)
    ? 'what the server said of the condition contradicts the result'
    : seen;
}

function unreturned(view: View): readonly (Version | undefined)[] | string {
  const { facts, row, own, reads, match } = view;
  const hidden = own.some(
    (each) =>
      ['delete', 'insert', 'merge', 'with'].includes(each.kind) &&
      (each.incomplete || each.seen.some(([role, table]) => role === 'delete' && takesAlong(facts.cert, table, row.table))),
  );
  const sent = hidden ? HIDDEN : sentVersions(view, false);
  if (typeof sent === 'string') return sent;
  if (changedMeanwhile(view) && sent.filter((v) => reads.some((read) => match(read, v) !== false)).length > 1)
    return 'a scan of the newest state may have passed by it, from one place of an index to another';
  return sent.filter((v) => !reads.some((read) => match(read, v) === true));
}

/**
 * For a key probe that met a row: returns the versions that may hold the key. If none may, the probe met another row, and
 * all are returned.
 */
export function metVersions(view: View): readonly (Version | undefined)[] | string {
  const sent = sentVersions(view, true);
  const holding = typeof sent === 'string' ? [] : sent.filter((v) => view.match(view.reads[0]!, v) !== false);
  return holding.length > 0 ? holding : sent;
}

const HIDDEN = 'a version that no list shows may have been seen';

/** Returns all versions that were sent before the reply. `own`: includes the statement's own writes. */
function sentVersions({ facts, row, chain, stmt, replied }: View, own: boolean): readonly (Version | undefined)[] | string {
  const undone = row.undone.some(
    (each) => each.sent <= replied && (each.txn === stmt.txn || (facts.txns.get(each.txn)?.over ?? Infinity) >= stmt.sent),
  );
  if (undone) return HIDDEN;
  const late = (each: Stmt | undefined): boolean => (each?.sent ?? 0) > replied;
  const end = chain.findIndex((v) => late(firstWrite(facts, row, v)));
  const reach = chain.slice(0, end < 0 ? undefined : end).filter((v) => own || firstWrite(facts, row, v) !== stmt);
  const writer = (v: Version): Stmt | undefined => facts.byWrite.get(v.key);
  const passing = [...row.versions.values()].filter(
    (v) => isCommitted(v) && !chain.includes(v) && (own || writer(v) !== stmt) && !late(writer(v)),
  );
  return [...(row.birth.startsWith('0.') ? [] : [undefined]), ...reach, ...passing];
}

/** Tells whether deleting a row of the one table can remove rows of the other. */
function takesAlong({ references }: Cert, deleted: string, table: string): boolean {
  if (references === undefined) return true;
  const keys = references.filter(({ onDelete }) => onDelete === 'cascade');
  const reached = new Set([deleted]);
  for (const from of reached) for (const each of keys) if (each.parent === from) reached.add(each.table);
  return keys.some((each) => each.table === table && reached.has(each.parent));
}

/** Tells whether an action can change columns of the table's rows. */
export function isChangedByActions({ references }: Cert, table: string): boolean {
  const changes = (action: string): boolean => action !== 'no action' && action !== 'cascade';
  return references?.some((each) => each.table === table && (each.onUpdate !== 'no action' || changes(each.onDelete))) !== false;
}
