/**
 * Collects the certain facts of a relational history, statement by statement: the versions (row, transaction, write
 * number) that were read and written. They come from the history and from the set of committed transactions, not from
 * the inferred edges, so that the two can be compared.
 *
 *   read r    the last entry of the list was read
 *   write w   the entry before the own one was read (none: a row's birth), the own one written
 *   delete d  the last entry was read, and the statement's own number is a dead version
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, int32, uint8 } from '../../core/index.ts';
import type { DependencyGraph, Growable, History } from '../../core/index.ts';
import { FirstOfPair, PairTable, buildCsr } from '../../graph/index.ts';

/** The outcome of a version's writer. */
export const WRITER = { unknown: 0, committed: 1, undone: 2, none: 3 } as const;

export class RowVersions {
  readonly row: Growable<Int32Array> = int32();
  readonly txn: Growable<Int32Array> = int32();
  readonly seq: Growable<Int32Array> = int32();
  /** The number of its (row, transaction). */
  readonly pair: Growable<Int32Array> = int32();
  /** The WRITER of each version. */
  readonly writer: Growable<Uint8Array> = uint8();
  /** The statement that wrote the version, or NONE. */
  readonly statement: Growable<Int32Array> = int32();
  /** 1 if its transaction was seen to read the version it replaced, or if there was none before. */
  readonly grounded: Growable<Uint8Array> = uint8();
  /** The reads in order of statements: the statement and the version. */
  readonly readStatement: Growable<Int32Array> = int32();
  readonly readVersion: Growable<Int32Array> = int32();
  /** 1 for each transaction that committed, or counts as committed. */
  readonly counts: Uint8Array;
  /** The number of reads that were left out because the list's cut front may hide an entry that they contradict. */
  unplaced = 0;
  private readonly history: History;
  private readonly rowTxn = new PairTable(1024);
  private readonly versions = new PairTable(1024);
  /** For each (row, transaction), the version of the highest number. */
  private readonly latest = int32();
  private readonly byWrite: FirstOfPair;

  constructor({ history, upgraded }: DependencyGraph) {
    this.history = history;
    const { transactions, statements } = history;
    this.byWrite = new FirstOfPair(statements.count, statements.txn, statements.seq);
    this.counts = Uint8Array.from(transactions.status, (status) => (status === TXN_STATUS.committed ? 1 : 0));
    for (const t of upgraded) this.counts[t] = 1;
    this.counts[0] = 0;
    this.readObservations();
  }

  get pairCount(): number {
    return this.rowTxn.size;
  }

  /** Returns the version's number, a new one if it has none yet. */
  version(row: number, txn: number, seq: number): number {
    const pair = this.rowTxn.add(row, txn);
    const id = this.versions.add(pair, seq);
    if (id < this.row.length) return id;
    if (pair === this.latest.length) this.latest.push(id);
    else if (seq > this.seq.get(this.latest.get(pair))) this.latest.set(pair, id);
    this.pair.push(pair);
    this.row.push(row);
    this.txn.push(txn);
    this.seq.push(seq);
    const statement = txn === 0 ? NONE : this.byWrite.find(txn, seq);
    this.statement.push(statement);
    this.writer.push(this.writeOutcome(row, txn, seq, statement));
    this.grounded.push(txn === 0 ? 1 : 0);
    return id;
  }

  private readObservations(): void {
    const { statements, observations, entries, transactions, round } = this.history;
    const bySource = buildCsr(statements.count, observations.statement, observations.statement);
    for (let s = 0; s < statements.count; s++) {
      const txn = statements.txn[s];
      if (this.counts[txn] === 0 || statements.status[s] !== STATEMENT_STATUS.ok) continue;
      if (statements.undone[s] === 1 && transactions.autocommit[txn] === 0) continue;
      const whole = statements.incomplete[s] === 0;
      for (let i = bySource.starts[s]; i < bySource.starts[s + 1]; i++) {
        const o = bySource.order[i];
        const row = observations.row[o];
        const start = observations.start[o];
        let last = start + observations.length[o] - 1;
        if (last < start) continue;
        const own = entries.txn[last] === txn && entries.seq[last] === statements.seq[s];
        const writes = own && whole && observations.role[o] === ROLE.write;
        if (own && whole && !writes) continue; // the cut list does not show the entry before
        if (own) last--;
        const read = last >= start && this.addRead(s, o, this.version(row, entries.txn[last], entries.seq[last]));
        // The paper's probe does not prove that the row was deleted.
        const deletes = whole && observations.role[o] === ROLE.delete && round.instrument !== 'paper';
        if (!writes && !deletes) continue;
        const written = this.version(row, txn, statements.seq[s]);
        const birth = last < start && observations.whole[o] === 1;
        if (read || birth) this.grounded.set(written, 1);
      }
    }
  }

  /** Returns false if the read is not certain. */
  private addRead(s: number, o: number, v: number): boolean {
    const { statements, observations } = this.history;
    if (this.writer.get(v) === WRITER.unknown) return false;
    if (observations.whole[o] === 0) {
      const own = this.rowTxn.find(observations.row[o], statements.txn[s]);
      if (own >= 0 && this.latest.get(own) !== v) {
        this.unplaced++;
        return false;
      }
    }
    this.readStatement.push(s);
    this.readVersion.push(v);
    return true;
  }

  private writeOutcome(row: number, txn: number, seq: number, s: number): number {
    const { complete, transactions, statements, rows } = this.history;
    if (txn === 0) return seq === 0 ? WRITER.committed : complete ? WRITER.none : WRITER.unknown;
    if (transactions.status[txn] === TXN_STATUS.aborted) return WRITER.undone;
    if (transactions.present[txn] === 0 || s === NONE) return complete ? WRITER.none : WRITER.unknown;
    const targets = statements.tables[s];
    const table = rows.table[row];
    if (complete && table !== '' && targets?.includes(table) === false) return WRITER.none;
    if (statements.undone[s] === 1 && transactions.autocommit[txn] === 0) return WRITER.undone;
    return this.counts[txn] === 1 ? WRITER.committed : WRITER.unknown;
  }
}
