/**
 * Infers dependencies of registers that were written whole and never instrumented. Each observation names the one
 * version that a statement read or made, and no list tells which version came before it. The versions are ordered by
 * overwrites of what was read (the mini-transaction paper, 3.2). A transaction that read version v of a row and then
 * wrote the row made a later version than v, though perhaps not the next one.
 *
 *   wr  the writer of a version -> its reader
 *   ww  the writer of v -> a transaction that read v and then wrote the row
 *   rw  the reader of v -> a transaction that read v and then wrote the row: between them there may be further versions
 *   rw  the reader of the initial version -> a transaction that wrote the row without having read it: all versions follow that one
 *
 * If two transactions read one version and both overwrite it, the second has lost an update. It is not known which one
 * was second, so the graph has no edge between them. `lost` holds only these pairs, in the order of their commits.
 * O(operations), except for versions that many transactions read and many overwrote.
 */
import { NONE, REL, ROLE, TXN_STATUS } from '../core/index.ts';
import type { DependencyGraph, History } from '../core/index.ts';
import { buildCsr } from '../graph/index.ts';
import type { Csr } from '../graph/index.ts';
import { EdgeColumns } from './edges/edges.ts';
import type { Edge } from './edges/edges.ts';
import { addTransactionOrder } from './edges/transaction-order.ts';
import { WRITE_OUTCOME, indexWriters } from './versions/writers.ts';
import type { Writers } from './versions/writers.ts';

export interface RegisterDependencies {
  readonly graph: DependencyGraph;
  /** The pairs that lost an update, with no transaction in two of them. The order within a pair is assumed. */
  readonly lost: DependencyGraph | undefined;
  /** The number of versions that more than one transaction overwrote. */
  readonly diverged: number;
}

/** The number of pairs kept of one history. */
const MOST_LOST = 50;
/**
 * The limit for the readers of a row's initial version times its blind writers. Beyond it they get no edges, which
 * loses cycles and invents none.
 */
const MOST_INITIAL = 250_000;

export function inferRegisters(history: History): RegisterDependencies {
  const writers = indexWriters(history);
  const upgraded = upgrade(history, writers);
  const access = accessesOf(history, writers);
  const versions = history.statements.count + history.rows.count;
  const overwrites = buildCsr(versions, access.overwritten, access.overwritten);
  const edges = new EdgeColumns(history);
  for (let i = 0; i < access.version.length; i++) addReading(history, writers, access, overwrites, i, edges);
  addInitialReadings(history, access, edges);
  for (let i = 0; i < access.overwritten.length; i++) {
    const edge = between(history, access.overwritten[i], access.overwriter[i], access.overwrittenRow[i]);
    if (edge.from !== edge.to && (edge.from === 0 || writers.committed(edge.from)))
      edges.add({ ...edge, rel: REL.ww, fromStatement: writeOf(history, access.overwritten[i]), toStatement: access.overwriter[i] });
  }
  const chain = addTransactionOrder(history, (txn) => writers.committed(txn), edges);
  const { lost, diverged } = lostPairs(history, access, overwrites, upgraded);
  return { graph: graphOf(history, edges, chain, upgraded), lost, diverged };
}

/**
 * The versions read from outside, and those overwritten after having been read. They are numbered as in `versionOf`.
 */
interface Accesses {
  readonly version: readonly number[];
  readonly row: readonly number[];
  readonly reading: readonly number[];
  readonly overwritten: readonly number[];
  readonly overwrittenRow: readonly number[];
  /** The last write of the row by the transaction that overwrote it. */
  readonly overwriter: readonly number[];
  /** The read before each overwrite. */
  readonly basis: readonly number[];
  /** The last writes of a row by transactions that had read no version of it, and their rows. */
  readonly blind: readonly number[];
  readonly blindRow: readonly number[];
}

function accessesOf(history: History, writers: Writers): Accesses {
  const { observations, statements } = history;
  const result = {
    version: [] as number[],
    row: [] as number[],
    reading: [] as number[],
    overwritten: [] as number[],
    overwrittenRow: [] as number[],
    overwriter: [] as number[],
    basis: [] as number[],
    blind: [] as number[],
    blindRow: [] as number[],
  };
  const txnOf = (o: number): number => statements.txn[observations.statement[o]];
  const order: number[] = [];
  for (let o = 0; o < observations.count; o++) if (writers.committed(txnOf(o))) order.push(o);
  order.sort((a, b) => txnOf(a) - txnOf(b) || observations.row[a] - observations.row[b] || a - b);
  const replaced = new Uint8Array(statements.count); // writes that their own transaction overwrote
  for (let i = 1; i < order.length; i++) {
    const [a, b] = [order[i - 1], order[i]];
    if (txnOf(a) !== txnOf(b) || observations.row[a] !== observations.row[b]) continue;
    // An own read between two writes does not separate them.
    if (observations.role[b] === ROLE.write)
      for (let j = i - 1; j >= 0 && txnOf(order[j]) === txnOf(b) && observations.row[order[j]] === observations.row[b]; j--)
        if (observations.role[order[j]] === ROLE.write) replaced[observations.statement[order[j]]] = 1;
  }
  let basis = NONE;
  let read = NONE;
  let wrote = false;
  for (let i = 0; i < order.length; i++) {
    const o = order[i];
    if (i === 0 || txnOf(order[i - 1]) !== txnOf(o) || observations.row[order[i - 1]] !== observations.row[o]) {
      basis = NONE;
      wrote = false;
    }
    const s = observations.statement[o];
    if (observations.role[o] === ROLE.write) {
      wrote = true;
      if (replaced[s] === 1) continue;
      if (basis === NONE) {
        result.blind.push(s);
        result.blindRow.push(observations.row[o]);
        continue;
      }
      result.overwritten.push(basis);
      result.overwrittenRow.push(observations.row[o]);
      result.overwriter.push(s);
      result.basis.push(read);
      continue;
    }
    const v = versionOf(history, writers, o);
    // A version that is aborted, intermediate or the reader's own creates no dependency.
    if (v === NONE || wrote || (v < statements.count && replaced[v] === 1)) continue;
    result.version.push(v);
    result.row.push(observations.row[o]);
    result.reading.push(s);
    [basis, read] = [v, s];
  }
  return result;
}

/**
 * Identifies a version. A number below the count of statements is the statement that wrote it. A number from there on
 * is the row whose initial version it is.
 */
function versionOf(history: History, writers: Writers, o: number): number {
  const { observations, entries, statements } = history;
  const e = observations.start[o];
  if (observations.length[o] === 0) return NONE;
  if (entries.txn[e] === 0) return statements.count + observations.row[o];
  if (writers.writeOutcome(entries.txn[e], entries.seq[e], undefined) !== WRITE_OUTCOME.committed) return NONE;
  return writers.statement(entries.txn[e], entries.seq[e]);
}

function writeOf({ statements }: History, version: number): number {
  return version < statements.count ? version : NONE;
}

/**
 * Returns the edge from the writer of a version to the transaction of a statement that read it or wrote the row later.
 */
function between(history: History, version: number, statement: number, row: number): Omit<Edge, 'rel' | 'fromStatement' | 'toStatement'> {
  const { statements } = history;
  const initial = version >= statements.count;
  const from = initial ? 0 : statements.txn[version];
  const seq = initial ? 0 : statements.seq[version];
  const to = statements.txn[statement];
  return {
    from,
    to,
    row,
    fromTxn: from,
    fromSeq: seq,
    toTxn: statements.seq[statement] === NONE ? from : to,
    toSeq: statements.seq[statement] === NONE ? seq : statements.seq[statement],
    observation: NONE,
  };
}

/** Draws wr, and rw to every transaction that overwrote the version read. */
function addReading(history: History, writers: Writers, access: Accesses, overwrites: Csr, i: number, edges: EdgeColumns): void {
  const { statements } = history;
  const v = access.version[i];
  const s = access.reading[i];
  const reader = statements.txn[s];
  const read = between(history, v, s, access.row[i]);
  if (read.from === reader) return;
  if (read.from === 0 || writers.committed(read.from))
    edges.add({ ...read, rel: REL.wr, fromStatement: writeOf(history, v), toStatement: s });
  for (let e = overwrites.starts[v]; e < overwrites.starts[v + 1]; e++)
    if (statements.txn[access.overwriter[overwrites.order[e]]] === reader) {
      // The transaction's own write may stand before or after those of the others.
      return;
    }
  for (let e = overwrites.starts[v]; e < overwrites.starts[v + 1]; e++) {
    const w = access.overwriter[overwrites.order[e]];
    edges.add({ ...antiEdge(history, read, w), from: reader, fromStatement: s });
  }
}

/** Draws rw from the readers of a row's initial version that did not write the row to its blind writers. */
function addInitialReadings(
  history: History,
  { version, row, reading, overwritten, overwriter, blind, blindRow }: Accesses,
  edges: EdgeColumns,
): void {
  const { statements, rows } = history;
  const initial = statements.count;
  const writers = buildCsr(rows.count, blindRow, blind);
  const readers = buildCsr(
    rows.count,
    row.filter((_, i) => version[i] >= initial),
    version.flatMap((v, i) => (v >= initial ? [i] : [])),
  );
  const changed = new Set<string>();
  overwritten.forEach((v, i) => v >= initial && changed.add(`${statements.txn[overwriter[i]]} ${v}`));
  for (let r = 0; r < rows.count; r++) {
    const count = writers.starts[r + 1] - writers.starts[r];
    if (count * (readers.starts[r + 1] - readers.starts[r]) > MOST_INITIAL) continue;
    for (const i of readers.targets.subarray(readers.starts[r], readers.starts[r + 1])) {
      const s = reading[i];
      if (changed.has(`${statements.txn[s]} ${version[i]}`)) continue;
      const read = between(history, version[i], s, r);
      for (const w of writers.targets.subarray(writers.starts[r], writers.starts[r + 1])) {
        if (statements.txn[w] !== statements.txn[s])
          edges.add({ ...antiEdge(history, read, w), from: statements.txn[s], fromStatement: s });
      }
    }
  }
}

function antiEdge(
  { statements }: History,
  read: Pick<Edge, 'row' | 'fromTxn' | 'fromSeq'>,
  write: number,
): Omit<Edge, 'from' | 'fromStatement'> {
  return {
    ...read,
    to: statements.txn[write],
    rel: REL.rw,
    toStatement: write,
    toTxn: statements.txn[write],
    toSeq: statements.seq[write],
    observation: NONE,
  };
}

/** Pairs transactions in the order of their commits: one pair of a version, and no transaction twice. */
function lostPairs(
  history: History,
  { overwritten, overwrittenRow, overwriter, basis }: Accesses,
  overwrites: Csr,
  upgraded: readonly number[],
): { lost: DependencyGraph | undefined; diverged: number } {
  const { statements, transactions } = history;
  const edges = new EdgeColumns(history);
  const used = new Set<number>();
  let diverged = 0;
  let pairs = 0;
  for (let v = 0; v + 1 < overwrites.starts.length; v++) {
    if (overwrites.starts[v + 1] - overwrites.starts[v] < 2) continue;
    diverged++;
    if (pairs >= MOST_LOST) continue;
    const end = (i: number): number => transactions.endAt[statements.txn[overwriter[i]]];
    const [a, b] = [...overwrites.order.subarray(overwrites.starts[v], overwrites.starts[v + 1])]
      .filter((i) => !used.has(statements.txn[overwriter[i]]))
      .sort((i, j) => end(i) - end(j) || i - j);
    if (b === undefined) continue;
    const [first, second] = [overwriter[a], overwriter[b]];
    used.add(statements.txn[first]).add(statements.txn[second]);
    const row = overwrittenRow[b];
    const read = between(history, overwritten[b], second, row);
    edges.add({ ...antiEdge(history, read, first), from: statements.txn[second], fromStatement: basis[b] });
    edges.add({ ...between(history, first, second, row), rel: REL.ww, fromStatement: first, toStatement: second });
    pairs++;
  }
  return { lost: pairs === 0 ? undefined : graphOf(history, edges, 0, upgraded), diverged };
}

function graphOf(history: History, edges: EdgeColumns, chain: number, upgraded: readonly number[]): DependencyGraph {
  const txnCount = history.transactions.count;
  const { rels, evidence } = edges.finish();
  const csr = buildCsr(txnCount + chain, edges.from.done(), edges.to.done());
  return {
    history,
    nodeCount: txnCount + chain,
    txnCount,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => rels[i]),
    evidence: csr.order,
    edges: evidence,
    anomalies: [],
    upgraded,
  };
}

/** Marks a transaction as committed if a committed one read its write, unless dirty reads are allowed. */
function upgrade({ round, observations, statements, transactions, entries }: History, writers: Writers): readonly number[] {
  const upgraded: number[] = [];
  if (round.level === 'read-uncommitted' || !transactions.status.includes(TXN_STATUS.unknown)) return upgraded;
  for (let grew = true; grew;) {
    grew = false;
    for (let o = 0; o < observations.count; o++) {
      if (
        observations.role[o] !== ROLE.read ||
        observations.length[o] === 0 ||
        !writers.committed(statements.txn[observations.statement[o]])
      )
        continue;
      const e = observations.start[o];
      const t = entries.txn[e];
      if (t === 0 || writers.committed(t) || writers.writeOutcome(t, entries.seq[e], undefined) !== WRITE_OUTCOME.unknown) continue;
      writers.upgrade(t);
      upgraded.push(t);
      grew = true;
    }
  }
  return upgraded.sort((a, b) => a - b);
}
