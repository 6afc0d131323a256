/**
 * Collects edge columns. There is one edge per (from, to, relation, row). If several statements show it, the plain
 * SELECT is kept, because the promise of a level treats locking reads apart. Next come the first read of a wr and the
 * last read of an rw. This choice makes the order of two reads of one transaction as plain as it can be.
 */
import { NONE, REL, int32, readPoint, uint16 } from '../../core/index.ts';
import type { EdgeEvidence, Growable, History } from '../../core/index.ts';
import { KeyTable } from '../key-table.ts';

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly rel: number;
  readonly row: number;
  readonly fromStatement: number;
  readonly toStatement: number;
  readonly fromTxn: number;
  readonly fromSeq: number;
  readonly toTxn: number;
  readonly toSeq: number;
  readonly observation: number;
}

export class EdgeColumns {
  readonly from: Growable<Int32Array> = int32();
  readonly to: Growable<Int32Array> = int32();
  private readonly history: History;
  private readonly known = new KeyTable();
  private readonly rel = uint16();
  private readonly columns = {
    row: int32(),
    fromStatement: int32(),
    toStatement: int32(),
    fromTxn: int32(),
    fromSeq: int32(),
    toTxn: int32(),
    toSeq: int32(),
    observation: int32(),
  };

  constructor(history: History) {
    this.history = history;
  }

  add(edge: Edge): void {
    const before = this.known.size;
    const id = this.known.add(edge.from, edge.to, edge.rel, edge.row);
    if (id === before) {
      this.from.push(edge.from);
      this.to.push(edge.to);
      this.rel.push(edge.rel);
      for (const column of Object.values(this.columns)) column.push(NONE);
    } else if (!this.better(id, edge)) return;
    this.columns.row.set(id, edge.row);
    this.columns.fromStatement.set(id, edge.fromStatement);
    this.columns.toStatement.set(id, edge.toStatement);
    this.columns.fromTxn.set(id, edge.fromTxn);
    this.columns.fromSeq.set(id, edge.fromSeq);
    this.columns.toTxn.set(id, edge.toTxn);
    this.columns.toSeq.set(id, edge.toSeq);
    this.columns.observation.set(id, edge.observation);
  }

  /** Adds an edge without a row, for session and real-time order. */
  addOrder(from: number, to: number, rel: number): void {
    this.add({
      from,
      to,
      rel,
      row: NONE,
      fromStatement: NONE,
      toStatement: NONE,
      fromTxn: NONE,
      fromSeq: NONE,
      toTxn: NONE,
      toSeq: NONE,
      observation: NONE,
    });
  }

  finish(): { rels: Uint16Array; evidence: EdgeEvidence } {
    const rels = this.rel.done();
    const { row, fromStatement, toStatement, fromTxn, fromSeq, toTxn, toSeq, observation } = this.columns;
    const evidence: EdgeEvidence = {
      count: rels.length,
      rel: rels,
      row: row.done(),
      fromStatement: fromStatement.done(),
      toStatement: toStatement.done(),
      fromTxn: fromTxn.done(),
      fromSeq: fromSeq.done(),
      toTxn: toTxn.done(),
      toSeq: toSeq.done(),
      observation: observation.done(),
    };
    return { rels, evidence };
  }

  private better(id: number, edge: Edge): boolean {
    if ((edge.rel & (REL.wr | REL.rw | REL.wrp | REL.rwp)) === 0) return false;
    const last = (edge.rel & (REL.rw | REL.rwp)) !== 0;
    const mine = last ? edge.fromStatement : edge.toStatement;
    const theirs = last ? this.columns.fromStatement.get(id) : this.columns.toStatement.get(id);
    const plain = this.plain(mine, edge.row);
    if (plain !== this.plain(theirs, edge.row)) return plain;
    return last ? mine > theirs : mine < theirs;
  }

  private plain(statement: number, row: number): boolean {
    const kind = this.history.statements.kind[statement];
    return (kind === 'select' || kind === 'final') && readPoint(this.history, statement, row) !== 'current';
  }
}
