/**
 * The truth about a run: the dependency edges that hold between its committed transactions, and the anomalies a checker
 * owes. Versions carry their true writers and parents, so nothing here looks at a write list.
 *
 *   ww  a committed version's parent was written by another transaction
 *   wr  a statement's item read (the version satisfied its FROM and WHERE) was written by another transaction
 *   rw  the child of a version that was read was written by another transaction
 *
 * Item reads exclude own versions: what follows an own version follows by ww already. Two sets: `owed`, what was
 * observed in full, and `allowed` beyond it:
 *   - true edges of statements that were observed in part, and of rows whose order was not observed;
 *   - reads of statements that a savepoint's rollback took back: the client saw them, but no committed effect rests on
 *     them in the database;
 *   - a foreign key's action writes untrackedStatesOf, so an observer takes the silent version for the one before it: the edge
 *     drawn stands for a path of the same row through ww edges, and is allowed;
 *   - a read of an aborted or an intermediate version is an anomaly by itself; edges that take it for the version
 *     before it (aborted) or for its writer's (intermediate) are allowed, not owed;
 *   - so is an rw that starts at a read of an own version.
 */
import type { RelName } from '../../core/level/index.ts';
import { debtsOf } from './debts.ts';
import type { Debt } from './debts.ts';
import { predicatesOf } from './predicates.ts';
import type { PredicateEdge } from './predicates.ts';
import { apparent, childrenOf, isIntermediate, rivalsOf, standIns } from './lineage.ts';
import type { Children } from './lineage.ts';
import type { ModelRun, TrueStatement } from './run-model.ts';
import type { Row, Version } from './store.ts';

/** `rel from to rid`, with transaction ids. */
export type EdgeKey = string;

export interface Truth {
  /** What must be drawn: the edges of reads observed in full, on rows whose order was observed. */
  readonly owed: ReadonlySet<EdgeKey>;
  readonly allowed: ReadonlySet<EdgeKey>;
  /** All true predicate dependencies; each may be drawn. */
  readonly predicates: readonly PredicateEdge[];
  /** Rows whose order cannot be observed. */
  readonly obscure: ReadonlySet<Row>;
  /** These are all true edges: every committed statement was observed in full, and the order of every row. */
  readonly complete: boolean;
  /** Each a set of classes of which one must be found, and why. */
  readonly debts: readonly Debt[];
  /** What a committed transaction saw at all, in statements that were taken back too: without it the class is a false one. */
  readonly seen: { readonly aborted: boolean; readonly intermediate: boolean; readonly forked: boolean };
}

export function edgeKey(rel: RelName, from: number, to: number, row: string): EdgeKey {
  return `${rel} ${from} ${to} ${row}`;
}

export function truthOf(run: ModelRun): Truth {
  const committed = (txn: number): boolean => run.transactions.get(txn)?.outcome === 'committed';
  const rows = run.database.tables.flatMap((table) => table.rows);
  const children = childrenOf(rows);
  const statements = run.statements.filter((statement) => committed(statement.txn));
  const obscure = obscureRows(rows, children, statements);
  const owed = new Set<EdgeKey>();
  const allowed = new Set<EdgeKey>();
  for (const [parent, versions] of children) {
    const edges = obscure.has(parent.row) ? allowed : owed;
    for (const version of versions) if (version.txn !== parent.txn) edges.add(edgeKey('ww', parent.txn, version.txn, parent.row.rid));
    for (const version of standIns(parent, children))
      if (version.txn !== parent.txn) allowed.add(edgeKey('ww', parent.txn, version.txn, parent.row.rid));
  }
  for (const [txn, versions] of externalReads(statements.filter(({ undone, full }) => !undone && full))) {
    for (const version of versions) if (!obscure.has(version.row)) readEdges(txn, version, children, owed, allowed);
  }
  for (const [txn, versions] of externalReads(statements)) {
    for (const version of versions) readEdges(txn, version, children, allowed, allowed);
  }
  for (const { txn, reads } of statements) {
    for (const version of reads) if (version.txn === txn) ownReadEdges(txn, version, children, allowed);
  }
  for (const key of owed) allowed.add(key);
  const { edges: predicates, allowed: predicated } = predicatesOf(run, children);
  for (const key of predicated) allowed.add(key);
  const everSeen = statements.flatMap(({ txn, reads }) => reads.filter((version) => version.txn !== txn));
  return {
    owed,
    allowed,
    predicates,
    obscure,
    complete: obscure.size === 0 && statements.every((statement) => statement.full),
    debts: debtsOf(run, externalReads(statements.filter((statement) => !statement.undone)), children),
    seen: {
      aborted: everSeen.some((version) => version.undone),
      intermediate: everSeen.some((version) => isIntermediate(version, children)),
      forked: rivalsOf(children).size > 0,
    },
  };
}

/** Rows whose order cannot be observed: a foreign key wrote untrackedStatesOf, a write's statement was not seen in full, or a write was lost. */
function obscureRows(rows: readonly Row[], children: Children, statements: readonly TrueStatement[]): Set<Row> {
  const full = new Set(statements.filter((s) => s.full).map((s) => `${s.txn}.${s.n}`));
  const obscure = new Set([...rivalsOf(children).keys()].map((version) => version.row));
  for (const row of rows) {
    const hidden = (v: Version): boolean => v.untracked || (v.txn !== 0 && !full.has(`${v.txn}.${v.statement}`));
    if (row.versions.some(hidden) || row.lost.some(hidden)) obscure.add(row);
  }
  return obscure;
}

function externalReads(statements: readonly TrueStatement[]): Map<number, Set<Version>> {
  const external = new Map<number, Set<Version>>();
  for (const { txn, reads } of statements) {
    for (const version of reads) {
      if (version.txn === txn) continue;
      const versions = external.get(txn);
      if (versions) versions.add(version);
      else external.set(txn, new Set([version]));
    }
  }
  return external;
}

function readEdges(reader: number, version: Version, children: Children, owed: Set<EdgeKey>, allowed: Set<EdgeKey>): void {
  const { rid } = version.row;
  const installed = !version.undone && !isIntermediate(version, children);
  const edges = installed ? owed : allowed;
  if (!version.undone) edges.add(edgeKey('wr', version.txn, reader, rid));
  for (const next of children.get(version) ?? [])
    if (next.txn !== reader && next.txn !== version.txn) edges.add(edgeKey('rw', reader, next.txn, rid));
  const seen = apparent(version);
  if (seen.txn !== reader) allowed.add(edgeKey('wr', seen.txn, reader, rid));
  // An intermediate version: what comes after its writer's last one comes after the reader too.
  for (let last: Version | undefined = seen; last; last = children.get(last)?.find((next) => next.txn === seen.txn)) {
    for (const next of standIns(last, children))
      if (next.txn !== reader && next.txn !== seen.txn) allowed.add(edgeKey('rw', reader, next.txn, rid));
  }
}

/** An own version that a foreign key's action wrote looks like the version before it. */
function ownReadEdges(txn: number, version: Version, children: Children, allowed: Set<EdgeKey>): void {
  const { rid } = version.row;
  const seen = version.untracked ? apparent(version) : version;
  if (seen.txn !== txn) allowed.add(edgeKey('wr', seen.txn, txn, rid));
  for (const of of [version, seen])
    for (const next of standIns(of, children)) if (next.txn !== txn) allowed.add(edgeKey('rw', txn, next.txn, rid));
}
