/**
 * Which versions of a row a statement can have seen, as far as its own reads and the times tell. A row that it returned
 * it saw in the version returned. Of another row it can have seen every version that was sent before the reply, those
 * that their own transactions replaced included (G1b); nothing is said where a write that came to nothing can have been
 * seen (G1a), nor of a row without a complete chain (chains.ts).
 *
 * At READ COMMITTED a statement that locks looks twice at a row that is changed meanwhile (PostgreSQL 13.2.1): of such
 * rows is spoken only where the statement reads the table in no other way. Then the last look counts: it saw the version that
 * the statement locked, or else one by which the row is not returned. An UPDATE and a DELETE lock their own table alone, a
 * SELECT with a locking clause within it the tables that this reaches.
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

/** Of the rows of one statement at a time is spoken: setStatement. */
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
  /** Per row the last statement that returned it, that locked it, and the version returned. */
  private readonly seenBy: Int32Array;
  private readonly lockedBy: Int32Array;
  private readonly versionSeen: Int32Array;
  private byRow: Pick<Csr, 'starts' | 'order'> | undefined;
  private s = NONE;
  private locks = false;
  /** It locks the rows that it reads by its own condition. */
  private locksTarget = false;
  /** The tables that it locks; undefined: all that it reads. */
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
    versionSeen[row] = seenBy[row] === s && versionSeen[row] !== v ? NONE : v; // two versions of one row: neither
    seenBy[row] = s;
    if (locksAll || readings.role[r] !== ROLE.read) this.lockedBy[row] = s;
  }

  returned(row: number): boolean {
    return this.seenBy[row] === this.s;
  }

  /** The version in which it returned a row; NONE where it is not known. */
  version(row: number): number {
    return this.versionSeen[row];
  }

  /**
   * Into `out`: version numbers, NONE for the unborn one. False where nothing is said of the row. `alone`: the table is read in one
   * way. What was not returned after two looks the last look saw in one of these, if it saw it at all.
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

  /** The same of a row that the statement may have looked at twice: one of these it saw when it looked first. */
  listFirst(row: number, out: number[]): boolean {
    out.length = 0;
    return this.hasChain(row) && this.listSent(row, out);
  }

  /** Into `out`: all that a look of the statement's at the newest state can have met, what the statement itself wrote included. */
  listNewest(row: number, out: number[]): boolean {
    out.length = 0;
    return this.hasChain(row) && this.listSent(row, out, true);
  }

  /** Versions of a row in no order, but for those that came to nothing. */
  versionsOf(row: number): readonly number[] {
    this.byRow ??= versionsByRow(this.order, this.history.rows.count);
    return [...this.byRow.order.subarray(this.byRow.starts[row], this.byRow.starts[row + 1])];
  }

  /** May the statement have seen the row as a write left it that came to nothing? */
  mayBeUndone(row: number): boolean {
    return this.undone.near(this.s, row);
  }

  /** What was sent before the reply, and not by the statement itself. */
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

  /** May the statement have looked at the row twice? */
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

  /** The place in the row's chain that stands for a version: its transaction's, where that replaced it. NONE: there is none. */
  placeOf(row: number, v: number): number {
    if (v === NONE) return 0;
    const place = this.chains.place[v];
    return place === NONE ? this.placeOfTxn(row, this.order.txn[v]) : place;
  }

  /** The place of a transaction in a row's chain, NONE if it has none. */
  placeOfTxn(row: number, txn: number): number {
    const { chains, order } = this;
    for (let i = chains.starts[row]; i < chains.starts[row + 1]; i++)
      if (order.txn[chains.versions[i]] === txn) return i - chains.starts[row] + 1;
    return NONE;
  }
}

/** CSR over rows: committed versions that their own transactions replaced. */
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
