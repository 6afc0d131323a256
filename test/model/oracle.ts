/**
 * The truth about a run: the dependency edges that hold between its committed transactions, and the anomalies a checker
 * owes. Versions carry their true writers and parents, so nothing here looks at a write list.
 *
 *   ww  a committed version's parent was written by another transaction
 *   wr  a statement's item read (the version satisfied its FROM and WHERE) was written by another transaction
 *   rw  the child of a version that was read was written by another transaction
 *
 * Item reads exclude own versions: what follows an own version follows by ww already. Two sets: `owed`, by the
 * definition and visible in principle, and `allowed` beyond it:
 *   - reads of statements that a savepoint's rollback took back: the client saw them, but no committed effect rests on
 *     them in the database;
 *   - a foreign key's action writes silently, so an observer takes the silent version for the one before it: the edge
 *     drawn stands for a path of the same row through ww edges, and is allowed;
 *   - a read of an aborted or an intermediate version is an anomaly by itself; edges that take it for the version
 *     before it (aborted) or for its writer's (intermediate) are allowed, not owed;
 *   - so is an rw that starts at a read of an own version.
 */
import type { RelName } from '../../core/index.ts';
import type { ModelRun, TrueStatement } from './run-model.ts';
import type { Row, Version } from './store.ts';

/** `rel from to rid`, with transaction ids. */
export type EdgeKey = string;

export interface Truth {
  readonly owed: ReadonlySet<EdgeKey>;
  readonly allowed: ReadonlySet<EdgeKey>;
  /** Every statement of every committed transaction was observed in full, no foreign key wrote silently, no row forked. */
  readonly complete: boolean;
  /** Each a set of classes of which one must be found, and why. */
  readonly debts: readonly Debt[];
  /** What a committed transaction saw at all, in statements that were taken back too: without it the class is a false one. */
  readonly seen: { readonly aborted: boolean; readonly intermediate: boolean; readonly forked: boolean };
}

export interface Debt {
  readonly name: 'aborted read' | 'intermediate read' | 'fork' | 'stale read' | 'fractured read';
  readonly classes: readonly string[];
  readonly because: string;
}

const SINGLE = ['G-single-item', 'G-single'];
const SINGLE_TIMED = [...SINGLE, ...SINGLE.map((c) => `${c}-session`), ...SINGLE.map((c) => `${c}-realtime`)];

export function edgeKey(rel: RelName, from: number, to: number, row: string): EdgeKey {
  return `${rel} ${from} ${to} ${row}`;
}

export function truthOf(run: ModelRun): Truth {
  const committed = (txn: number): boolean => run.transactions.get(txn)?.outcome === 'committed';
  const rows = run.database.tables.flatMap((table) => table.rows);
  const children = childrenOf(rows);
  const statements = run.statements.filter((statement) => committed(statement.txn));
  const owed = new Set<EdgeKey>();
  const allowed = new Set<EdgeKey>();
  for (const [parent, versions] of children) {
    for (const version of versions) {
      if (version.txn === parent.txn) continue;
      owed.add(edgeKey('ww', parent.txn, version.txn, parent.row.rid));
    }
    for (const version of standIns(parent, children)) {
      if (version.txn !== parent.txn) allowed.add(edgeKey('ww', parent.txn, version.txn, parent.row.rid));
    }
  }
  const external = externalReads(statements.filter((statement) => !statement.undone));
  for (const [txn, versions] of external) {
    for (const version of versions) readEdges(txn, version, children, owed, allowed);
  }
  for (const [txn, versions] of externalReads(statements)) {
    for (const version of versions) readEdges(txn, version, children, allowed, allowed);
  }
  for (const { txn, reads } of statements) {
    for (const version of reads) if (version.txn === txn) ownReadEdges(txn, version, children, allowed);
  }
  for (const key of owed) allowed.add(key);
  const forked = rivalsOf(children).size > 0;
  const everSeen = statements.flatMap(({ txn, reads }) => reads.filter((version) => version.txn !== txn));
  const silent = rows.some((row) => [...row.versions, ...row.lost].some((version) => version.silent));
  return {
    owed,
    allowed,
    complete: !silent && !forked && statements.every((statement) => statement.full),
    debts: debtsOf(run, external, children),
    seen: {
      aborted: everSeen.some((version) => version.undone),
      intermediate: everSeen.some((version) => isIntermediate(version, children)),
      forked,
    },
  };
}

type Children = ReadonlyMap<Version, readonly Version[]>;

/** Committed versions under the version that each replaced. */
function childrenOf(rows: readonly Row[]): Children {
  const children = new Map<Version, Version[]>();
  for (const row of rows) {
    for (const version of [...row.versions, ...row.lost]) {
      const { parent } = version;
      if (!parent) continue;
      const list = children.get(parent);
      if (list) list.push(version);
      else children.set(parent, [version]);
    }
  }
  return children;
}

/** Versions that replaced the same one: a list can hold only one of them. */
function rivalsOf(children: Children): Map<Version, Version[]> {
  const rivals = new Map<Version, Version[]>();
  for (const [parent, versions] of children) {
    const seen = apparent(parent);
    const list = rivals.get(seen) ?? [];
    list.push(...versions.filter((version) => !version.silent));
    rivals.set(seen, list);
  }
  for (const [parent, list] of rivals) if (list.length < 2) rivals.delete(parent);
  return rivals;
}

/** What an observer can take for the direct successors of a version: its children, those of silent ones in their place. */
function standIns(version: Version, children: Children): Version[] {
  const result: Version[] = [];
  const open = [...(children.get(version) ?? [])];
  for (let next = open.pop(); next; next = open.pop()) {
    result.push(next);
    if (next.silent) open.push(...(children.get(next) ?? []));
  }
  return result;
}

/** The version whose list an observer of this one sees, as far as it counts: the nearest that is neither silent nor undone. */
function apparent(version: Version): Version {
  let v = version;
  while ((v.silent || v.undone) && v.parent) v = v.parent;
  return v;
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
  for (const next of children.get(version) ?? []) if (next.txn !== reader) edges.add(edgeKey('rw', reader, next.txn, rid));
  const seen = apparent(version);
  if (seen.txn !== reader) allowed.add(edgeKey('wr', seen.txn, reader, rid));
  // An intermediate version: what comes after its writer's last one comes after the reader too.
  for (let last: Version | undefined = seen; last; last = children.get(last)?.find((next) => next.txn === seen.txn)) {
    for (const next of standIns(last, children)) if (next.txn !== reader) allowed.add(edgeKey('rw', reader, next.txn, rid));
  }
}

/** An own version that a foreign key's action wrote looks like the version before it. */
function ownReadEdges(txn: number, version: Version, children: Children, allowed: Set<EdgeKey>): void {
  const { rid } = version.row;
  const seen = version.silent ? apparent(version) : version;
  if (seen.txn !== txn) allowed.add(edgeKey('wr', seen.txn, txn, rid));
  for (const of of [version, seen]) for (const next of standIns(of, children)) if (next.txn !== txn) allowed.add(edgeKey('rw', txn, next.txn, rid));
}

function isIntermediate(version: Version, children: Children): boolean {
  return (children.get(version) ?? []).some((next) => next.txn === version.txn && !next.silent);
}

function debtsOf(run: ModelRun, external: ReadonlyMap<number, ReadonlySet<Version>>, children: Children): Debt[] {
  const debts: Debt[] = [];
  const seenInFull = (version: Version): boolean => run.statements.some((s) => s.txn === version.txn && s.n === version.statement && s.full);
  const forked = new Set<Row>();
  for (const [parent, rivals] of rivalsOf(children)) {
    forked.add(parent.row);
    if (rivals.filter(seenInFull).length < 2) continue;
    debts.push({ name: 'fork', classes: ['fork'], because: `${parent.row.rid}: transactions ${rivals.map((v) => v.txn).join(' and ')} both replaced the version of ${parent.txn}` });
  }
  for (const [txn, versions] of external) {
    const seen = run.statements.filter((s) => s.txn === txn && s.full && !s.undone).flatMap((s) => s.reads);
    for (const version of versions) {
      if (!seen.includes(version)) continue;
      const because = `transaction ${txn} read ${version.row.rid} as ${version.txn} wrote it`;
      if (version.undone) {
        if (!version.silent) debts.push({ name: 'aborted read', classes: ['G1a'], because });
        continue;
      }
      if (isIntermediate(version, children)) {
        if (!version.silent) debts.push({ name: 'intermediate read', classes: ['G1b'], because });
        continue;
      }
      if (forked.has(version.row) || version.silent) continue;
      for (const later of descendants(version, txn, children)) {
        if (later.txn === txn || later.silent || !seenInFull(later)) continue;
        if (run.transactions.get(later.txn)!.endAt < run.transactions.get(txn)!.beginAt) {
          debts.push({ name: 'stale read', classes: SINGLE_TIMED, because: `${because}, after ${later.txn} had replaced it and committed` });
        }
        const other = [...versions].find((v) => v.txn === later.txn && !v.silent && !isIntermediate(v, children) && seen.includes(v));
        if (other) debts.push({ name: 'fractured read', classes: SINGLE, because: `${because}, and ${other.row.rid} as ${later.txn} wrote it, which had replaced the first` });
      }
    }
  }
  return debts;
}

/**
 * All later versions of the row that an rw edge and ww edges lead to: none behind a silent one (what an observer sees is
 * not certain then), none behind the reader's own.
 */
function descendants(version: Version, reader: number, children: Children): Version[] {
  const result: Version[] = [];
  const open = [...(children.get(version) ?? [])];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.silent || next.txn === reader) continue;
    result.push(next);
    open.push(...(children.get(next) ?? []));
  }
  return result;
}
