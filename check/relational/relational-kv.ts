/**
 * Presents a relational history as a key-value history: a row is a key, and a version of it a unique value. The
 * checkers of registers (AWDIT, mini-transactions) can then repeat the answers of the cycle search by other means. The
 * initial version is 0. Writes that were undone stand in aborted transactions of their own, also those of a transaction
 * that committed.
 *
 * A transaction of unknown outcome that counts as committed has a session of its own, and so has one without a begin. A
 * later transaction of its session is not known to come after its commit.
 */
import { NONE, REL, ROLE, TXN_STATUS } from '../../core/index.ts';
import type { DependencyGraph, KvHistory } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { RowVersions, WRITER } from './row-versions.ts';

export interface RelationalKv {
  readonly history: KvHistory;
  /**
   * The same with a read before each write whose predecessor other transactions' lists show. Some checkers take the
   * order of versions from reads. It is the same object if all these reads were observed.
   */
  readonly ordered: KvHistory;
  /** The reason why the reads of `ordered` do not fix the order of all versions, if there is one. */
  readonly gap: string | undefined;
}

export function relationalKvHistory(graph: DependencyGraph): RelationalKv {
  const versions = new RowVersions(graph);
  const shown = linksShown(graph, versions);
  const history = build(graph, versions, []);
  const missing = shown.filter(([, after]) => versions.grounded.get(after) === 0);
  return { history, ordered: missing.length === 0 ? history : build(graph, versions, missing), gap: gapOf(graph, versions, shown) };
}

/**
 * A read of a row does not tell which version a later write of it replaced, because another transaction may have come
 * between. Each transaction's first version of a row therefore needs a predecessor that was seen.
 */
function gapOf({ history }: DependencyGraph, versions: RowVersions, shown: readonly (readonly [number, number])[]): string | undefined {
  const { rows, transactions, observations, round } = history;
  if (versions.unplaced > 0) return `${versions.unplaced} reads could not be placed, as the front of a list was cut off`;
  if (round.instrument === 'paper' && observations.role.includes(ROLE.delete))
    return 'probes before a DELETE do not prove that the row was deleted';
  const placed = Uint8Array.from(versions.grounded.done());
  for (const [, after] of shown) placed[after] = 1;
  const first = new Int32Array(versions.pairCount).fill(NONE);
  for (let v = 0; v < placed.length; v++) {
    const pair = versions.pair.get(v);
    if (versions.writer.get(v) === WRITER.committed && (first[pair] === NONE || versions.seq.get(v) < versions.seq.get(first[pair])))
      first[pair] = v;
  }
  for (const v of first) {
    if (v === NONE || placed[v] === 1) continue;
    const row = versions.row.get(v);
    const txn = transactions.id[versions.txn.get(v)];
    if (rows.birthTxn[row] === txn && rows.birthSeq[row] === versions.seq.get(v)) continue;
    return `what ${txn}.${versions.seq.get(v)} replaced of row ${rows.rid[row]} was not seen`;
  }
  return undefined;
}

/** Returns neighbours in the version order, (before, after), from the ww edges. Their versions become known by it. */
function linksShown(
  { history, edges, starts, txnCount, rels, evidence }: DependencyGraph,
  versions: RowVersions,
): (readonly [number, number])[] {
  const paper = history.round.instrument === 'paper';
  const links: (readonly [number, number])[] = [];
  for (let e = 0; e < starts[txnCount]; e++) {
    if (rels[e] !== REL.ww) continue;
    const i = evidence[e];
    if (paper && edges.toStatement[i] !== NONE && history.statements.kind[edges.toStatement[i]] === 'delete') continue;
    const before = versions.version(edges.row[i], edges.fromTxn[i], edges.fromSeq[i]);
    links.push([before, versions.version(edges.row[i], edges.toTxn[i], edges.toSeq[i])]);
  }
  return links;
}

/** Adds the transactions by their beginnings. Returns the builder's number of each, or NONE if it does not count. */
function addTransactions(builder: KvHistoryBuilder, { transactions }: DependencyGraph['history'], versions: RowVersions): Int32Array {
  const handle = new Int32Array(transactions.count).fill(NONE);
  const taking: number[] = [];
  for (let t = 1; t < transactions.count; t++) if (versions.counts[t] === 1) taking.push(t);
  const at = (t: number): number => (Number.isNaN(transactions.beginAt[t]) ? Infinity : transactions.beginAt[t]);
  taking.sort((a, b) => (at(a) === at(b) ? a - b : at(a) - at(b)));
  for (const t of taking) {
    const sure = transactions.status[t] === TXN_STATUS.committed && at(t) !== Infinity && transactions.present[t] === 1;
    const session = builder.session(sure ? String(transactions.session[t]) : `of T${transactions.id[t]} alone`);
    handle[t] = builder.txn(session, `T${transactions.id[t]}`, TXN_STATUS.committed, transactions.id[t]);
    if (at(t) !== Infinity) builder.setTimes(handle[t], transactions.beginAt[t], transactions.endAt[t]);
  }
  return handle;
}

function build({ history }: DependencyGraph, versions: RowVersions, links: readonly (readonly [number, number])[]): KvHistory {
  const { transactions, statements, rows } = history;
  const builder = new KvHistoryBuilder('zero');
  const handle = addTransactions(builder, history, versions);
  const undone = new Int32Array(transactions.count).fill(NONE);
  const value = (v: number): number => (versions.txn.get(v) === 0 && versions.seq.get(v) === 0 ? 0 : v + 1);
  const writeStatement = versions.statement.done();
  const written = Array.from(writeStatement.keys()).filter(
    (v) => writeStatement[v] !== NONE && versions.writer.get(v) !== WRITER.unknown && versions.writer.get(v) !== WRITER.none,
  );
  const byStatement = buildCsr(
    statements.count,
    written.map((v) => writeStatement[v]),
    written,
  );
  const extra = buildCsr(
    statements.count,
    links.map(([, after]) => writeStatement[after]),
    links.map(([before]) => before),
  );
  const readStatement = versions.readStatement.done();
  const readVersion = versions.readVersion.done();
  for (let s = 0, r = 0; s < statements.count; s++) {
    const txn = statements.txn[s];
    for (; r < readStatement.length && readStatement[r] === s; r++)
      builder.read(handle[txn], versions.row.get(readVersion[r]), value(readVersion[r]));
    for (let i = extra.starts[s]; i < extra.starts[s + 1]; i++)
      builder.read(handle[txn], versions.row.get(extra.targets[i]), value(extra.targets[i]));
    for (let i = byStatement.starts[s]; i < byStatement.starts[s + 1]; i++) {
      const v = byStatement.targets[i];
      let writer = handle[txn];
      if (versions.writer.get(v) === WRITER.undone) {
        if (undone[txn] === NONE)
          undone[txn] = builder.txn(
            builder.session('undone'),
            `T${transactions.id[txn]} (undone)`,
            TXN_STATUS.aborted,
            transactions.id[txn],
          );
        writer = undone[txn];
      }
      builder.write(writer, versions.row.get(v), value(v));
    }
  }
  return {
    ...builder.finish(),
    keyName: (low) => rows.rid[low] ?? String(low),
    valueName: (low) => (low === 0 ? '0' : `${transactions.id[versions.txn.get(low - 1)] ?? '?'}.${versions.seq.get(low - 1)}`),
  };
}
