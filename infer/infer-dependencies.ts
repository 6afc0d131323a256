/**
 * Turns a History into a DependencyGraph: Algorithm 1 of IsoRel (paper 003), on versions (row, transaction, write
 * number) instead of transaction ids. Soundness comes before completeness: an edge that is not certain is not drawn.
 *
 *   wr  the last entry of a list wrote what was read; an UPDATE or DELETE read the version before its own
 *   ww  neighbours in the version order (versions/order.ts), a delete after the version it removed
 *   rw  the reader of a version -> the writer of its direct successor
 *   wrp, rwp  edges/predicates.ts, absence included
 *   a row's end by ON DELETE CASCADE: versions/cascades.ts; reads that may be missing: unobserved/unobserved.ts
 *   so, rt  edges/transaction-order.ts
 *
 * The initial state (transaction 0) is the source of wr and ww edges. A read of a version that its transaction itself
 * replaced draws no rw edge: it is an intermediate read (G1b). O(entries), expected.
 */
import { NONE, REL, ROLE } from '../core/index.ts';
import type { Cascade, DependencyGraph, History } from '../core/index.ts';
import { buildCsr } from '../graph/index.ts';
import { findCascades } from './versions/cascades.ts';
import { EdgeColumns } from './edges/edges.ts';
import { UnobservedMarks, markSeen } from './unobserved/unobserved.ts';
import { findNonCycles } from './non-cycles.ts';
import { addPredicates } from './edges/predicates.ts';
import { selectReadings } from './versions/readings.ts';
import type { Readings } from './versions/readings.ts';
import { completeChains } from './versions/chains.ts';
import type { RowChains } from './versions/chains.ts';
import { addTransactionOrder } from './edges/transaction-order.ts';
import { orderVersions } from './versions/order.ts';
import type { VersionOrder } from './versions/order.ts';
import { WRITE_OUTCOME, indexWriters } from './versions/writers.ts';
import type { Writers } from './versions/writers.ts';

export function inferDependencies(history: History): DependencyGraph {
  const writers = indexWriters(history);
  const readings = selectReadings(history, writers);
  const { order, chains, cascades } = ordered(history, readings, writers);
  const edges = new EdgeColumns(history);
  addReads(history, readings, order, writers, edges);
  addWrites(order, writers, edges);
  const marks = history.round.objects === true ? undefined : new UnobservedMarks(history, writers);
  if (marks !== undefined) markSeen(history, readings, order, chains, writers, marks);
  const predicates = addPredicates(history, readings, order, chains, writers, edges, marks);
  const chain = addTransactionOrder(history, (txn) => writers.committed(txn), edges);

  const txnCount = history.transactions.count;
  const nodeCount = txnCount + chain;
  const { rels, evidence } = edges.finish();
  const csr = buildCsr(nodeCount, edges.from.done(), edges.to.done());
  return {
    history,
    nodeCount,
    txnCount,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => rels[i]),
    evidence: csr.order,
    edges: evidence,
    anomalies: findNonCycles(history, readings, order, writers),
    upgraded: readings.upgraded,
    predicates,
    ...(marks && { unobserved: marks.finish() }),
    cascades,
  };
}

/** Orders the versions of every row, including those that ON DELETE CASCADE ended. */
function ordered(
  history: History,
  readings: Readings,
  writers: Writers,
): { readonly order: VersionOrder; readonly chains: RowChains; readonly cascades: readonly Cascade[] } {
  const order = orderVersions(history, readings, writers);
  const chains = completeChains(history, readings, order, writers);
  const cascades = history.complete ? findCascades(history, order, chains, writers) : [];
  if (cascades.length === 0) return { order, chains, cascades };
  const whole = orderVersions(history, readings, writers, cascades);
  return { order: whole, chains: completeChains(history, readings, whole, writers), cascades };
}

/** Draws wr and rw, starting at the version that each reading found. */
function addReads(history: History, readings: Readings, order: VersionOrder, writers: Writers, edges: EdgeColumns): void {
  const { statements, observations } = history;
  for (let i = 0; i < readings.count; i++) {
    const o = readings.observation[i];
    const last = readings.end[i] - (readings.role[i] === ROLE.write ? 2 : 1);
    if (last < observations.start[o]) continue; // an insert: no version stood before it
    const v = order.versionOf[last];
    const statement = observations.statement[o];
    const reader = statements.txn[statement];
    if (order.writeOutcome[v] !== WRITE_OUTCOME.committed || order.txn[v] === reader) continue;
    const writer = order.txn[v];
    const row = order.row[v];
    edges.add({
      from: writer,
      to: reader,
      rel: REL.wr,
      row,
      observation: o,
      fromStatement: writers.statement(writer, order.seq[v]),
      toStatement: statement,
      fromTxn: writer,
      fromSeq: order.seq[v],
      toTxn: writer,
      toSeq: order.seq[v],
    });
    const w = order.next[v];
    if (w === NONE || order.txn[w] === writer || order.txn[w] === reader) continue;
    edges.add({
      from: reader,
      to: order.txn[w],
      rel: REL.rw,
      row,
      observation: order.shownBy[v],
      fromStatement: statement,
      toStatement: writers.statement(order.txn[w], order.seq[w]),
      fromTxn: writer,
      fromSeq: order.seq[v],
      toTxn: order.txn[w],
      toSeq: order.seq[w],
    });
  }
}

/** Draws ww from the links of the version order. */
function addWrites(order: VersionOrder, writers: Writers, edges: EdgeColumns): void {
  for (let v = 0; v < order.count; v++) {
    const w = order.next[v];
    if (w === NONE || order.txn[w] === order.txn[v]) continue;
    edges.add({
      from: order.txn[v],
      to: order.txn[w],
      rel: REL.ww,
      row: order.row[v],
      observation: order.shownBy[v],
      fromStatement: writers.statement(order.txn[v], order.seq[v]),
      toStatement: writers.statement(order.txn[w], order.seq[w]),
      fromTxn: order.txn[v],
      fromSeq: order.seq[v],
      toTxn: order.txn[w],
      toSeq: order.seq[w],
    });
  }
}
