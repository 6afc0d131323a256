/**
 * Tells which versions of a row a statement can have seen, as far as its own reads and the times show. It saw a
 * returned row in the version returned. It can have seen another row in every version that was sent before the reply,
 * including those that their own transactions replaced (G1b). Nothing is known if an undone write can have been seen
 * (G1a), nor for a row without a complete chain (chains.ts).
 *
 * At READ COMMITTED a locking statement reads a row twice if it is changed meanwhile (PostgreSQL 13.2.1). Those rows
 * are judged only where the statement reads the table in no other way. The last read counts: it saw the version that
 * the statement locked, or one by which the row is not returned. An UPDATE and a DELETE lock only their own table. A
 * SELECT with a locking clause inside locks the tables that the clause reaches.
 */
import { LOOKING_AGAIN, NONE, ROLE } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { Csr } from '../../graph/index.ts';
import type { Readings } from './readings.ts';
import type { RowChains } from './chains.ts';
import { undoneWrites } from './undone-writes.ts';
import type { UndoneWrites } from './undone-writes.ts';
import type { VersionOrder } from './order.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

/** Callers ask for the rows of one statement at a time: setStatement. */
export class PossibleVersions {
  /** The rows that the statement returned, each once. */
  readonly rows: number[] = [];
  private readonly history: History;
  private readonly readings: Readings;
  private readonly order: VersionOrder;
  private readonly writers: Writers;
  private readonly chains: RowChains;
  private readonly readingsOf: Csr;
  private readonly passing: Pick<Csr, 'starts' | 'order'>;
  private readonly undone: UndoneWrites;
  /** For each row: the last statement that returned it, the last that locked it, and the version returned. */
  private readonly seenBy: Int32Array;
  private readonly lockedBy: Int32Array;
  private readonly versionSeen: Int32Array;
  private byRow: Pick<Csr, 'starts' | 'order'> | undefined;
  private s = NONE;
  private locks = false;
  /** The statement locks the rows that it reads by its own condition. */
  private locksTarget = false;
  /** The tables that the statement locks. Undefined means all tables that it reads. */
  private targets: readonly string[] | undefined;

  constructor(history: History, readings: Readings, order: VersionOrder, writers: Writers, chains: RowChains) {
    const { observations, statements, rows } = history;
    this.history = history;
    this.readings = readings;
    this.order = order;
    this.writers = writers;
    this.chains = chains;
    const statementOf = new Int32Array(readings.count);
    for (let i = 0; i < readings.count; i++) statementOf[i] = observations.statement[readings.observation[i]];
    this.readingsOf = buildCsr(statements.count, statementOf, statementOf);
    this.passing = passingVersions(order, chains, rows.count);
    this.undone = undoneWrites(history, writers);
    this.seenBy = new Int32Array(rows.count).fill(NONE);
    this.lockedBy = new Int32Array(rows.count).fill(NONE);
    this.versionSeen = new Int32Array(rows.count);
  }

  setStatement(s: number): void {
    const { statements, round } = this.history;
    const kind = statements.kind[s];
    const all = LOOKING_AGAIN.has(kind) && statements.tables[s] === undefined;
    this.s = s;
    this.targets = all ? undefined : [...(LOOKING_AGAIN.has(kind) ? statements.tables[s]! : []), ...(statements.locks[s] ?? [])];
    this.locks = this.targets?.length !== 0 && round.level === 'read-committed';
    this.locksTarget = LOOKING_AGAIN.has(kind);
    this.rows.length = 0;
    for (let i = this.readingsOf.starts[s]; i < this.readingsOf.starts[s + 1]; i++) this.takeReading(this.readingsOf.order[i], all);
  }

  private takeReading(r: number, locksAll: boolean): void {
    const { readings, order, seenBy, versionSeen, s } = this;
    const { observations } = this.history;
    const o = readings.observation[r];
    const row = observations.row[o];
    const last = readings.end[r] - (readings.role[r] === ROLE.write ? 2 : 1);
    const v = last < observations.start[o] ? NONE : order.versionOf[last];
    if (seenBy[row] !== s) this.rows.push(row);
    versionSeen[row] = seenBy[row] === s && versionSeen[row] !== v ? NONE : v; // two versions of one row: neither is known to be the one
    seenBy[row] = s;
    if (locksAll || readings.role[r] !== ROLE.read) this.lockedBy[row] = s;
  }

  returned(row: number): boolean {
    return this.seenBy[row] === this.s;
  }

  /** Returns the version in which the statement returned a row, or NONE if it is not known. */
  version(row: number): number {
    return this.versionSeen[row];
  }

  /**
   * Writes version numbers into `out`, NONE for the unborn version. Returns false if nothing is known about the row.
   * `alone` says that the table is read in one way. If the statement read a row twice and did not return it, the last
   * read saw one of these versions, or did not see the row at all.
   */
  list(row: number, out: number[], alone: boolean): boolean {
    out.length = 0;
    if (!this.hasChain(row)) return false;
    const returned = this.returned(row);
    if (!(alone && (returned ? this.lockedBy[row] === this.s : this.locksTarget)) && this.twice(row)) return false;
    if (!returned) return this.listSent(row, out);
    const v = this.versionSeen[row];
    if (v === NONE || this.order.writeOutcome[v] !== WRITE_OUTCOME.committed) return false;
    out.push(v);
    return true;
  }

  /** Does the same for a row that the statement may have read twice. The first read saw one of these versions. */
  listFirst(row: number, out: number[]): boolean {
    out.length = 0;
    return this.hasChain(row) && this.listSent(row, out);
  }

  /**
   * Writes into `out` all versions that a current read of the statement can have met, including those that the
   * statement itself wrote.
   */
  listNewest(row: number, out: number[]): boolean {
    out.length = 0;
    return this.hasChain(row) && this.listSent(row, out, true);
  }

  /** Returns the versions of a row in no order, without the undone ones. */
  versionsOf(row: number): readonly number[] {
    this.byRow ??= versionsByRow(this.order, this.history.rows.count);
    return [...this.byRow.order.subarray(this.byRow.starts[row], this.byRow.starts[row + 1])];
  }

  /** Tells whether the statement may have seen the row as an undone write left it. */
  mayBeUndone(row: number): boolean {
    return this.undone.near(this.s, row);
  }

  /**
   * Lists the versions that were sent before the reply. Those of the statement itself are included only if `own` is
   * set.
   */
  private listSent(row: number, out: number[], own = false): boolean {
    const { chains, passing, order, s } = this;
    if (this.undone.near(s, row)) return false;
    if (this.history.rows.birthTxn[row] !== 0) out.push(NONE); // the initial rows were never unborn while transactions ran
    for (let i = chains.starts[row]; i < chains.starts[row + 1] && !this.sentLater(chains.firstStatement[i]); i++) {
      if (own || chains.firstStatement[i] !== s) out.push(chains.versions[i]);
    }
    for (let i = passing.starts[row]; i < passing.starts[row + 1]; i++) {
      const v = passing.order[i];
      const writer = this.writers.statement(order.txn[v], order.seq[v]);
      if ((own || writer !== s) && !this.sentLater(writer)) out.push(v);
    }
    return true;
  }

  /** Tells whether the statement may have read the row twice. */
  twice(row: number): boolean {
    return this.locks && (this.targets === undefined || this.targets.includes(this.history.rows.table[row])) && this.changedMeanwhile(row);
  }

  private changedMeanwhile(row: number): boolean {
    const { chains, s } = this;
    const { statements, transactions } = this.history;
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++) {
      const writer = chains.firstStatement[i];
      if (writer === NONE || statements.txn[writer] === statements.txn[s]) continue;
      const over = transactions.endAt[statements.txn[writer]];
      if (statements.invokeAt[writer] <= statements.replyAt[s] && !(over < statements.invokeAt[s])) return true;
    }
    return false;
  }

  private sentLater(writer: number): boolean {
    const { statements } = this.history;
    return writer !== NONE && statements.invokeAt[writer] > statements.replyAt[this.s];
  }

  private hasChain(row: number): boolean {
    return this.chains.starts[row] < this.chains.starts[row + 1];
  }

  /**
   * Returns the place in the row's chain that stands for a version. If its transaction replaced it, that is the
   * transaction's place. NONE means that there is none.
   */
  placeOf(row: number, v: number): number {
    if (v === NONE) return 0;
    const place = this.chains.place[v];
    return place === NONE ? this.placeOfTxn(row, this.order.txn[v]) : place;
  }

  /** Returns the place of a transaction in a row's chain, or NONE. */
  placeOfTxn(row: number, txn: number): number {
    const { chains, order } = this;
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++)
      if (order.txn[chains.versions[i]] === txn) return i - chains.starts[row] + 1;
    return NONE;
  }
}

/** A CSR over rows: the committed versions that their own transactions replaced. */
function passingVersions(order: VersionOrder, chains: RowChains, rowCount: number): Pick<Csr, 'starts' | 'order'> {
  return byRow(order, rowCount, (v) => order.writeOutcome[v] === WRITE_OUTCOME.committed && chains.place[v] === NONE);
}

function versionsByRow(order: VersionOrder, rowCount: number): Pick<Csr, 'starts' | 'order'> {
  return byRow(order, rowCount, (v) => order.writeOutcome[v] !== WRITE_OUTCOME.aborted);
}

function byRow(order: VersionOrder, rowCount: number, takes: (v: number) => boolean): Pick<Csr, 'starts' | 'order'> {
  const versions: number[] = [];
  for (let v = 0; v < order.count; v++) if (takes(v)) versions.push(v);
  const csr = buildCsr(
    rowCount,
    Int32Array.from(versions, (v) => order.row[v]),
    Int32Array.from(versions, (v) => order.row[v]),
  );
  return { starts: csr.starts, order: csr.order.map((i) => versions[i]) };
}
