/**
 * In which versions a statement can have seen a row, as far as its predicate reads tell: possible.ts says what the times
 * and its other reads allow, and a version that satisfies one of its conditions would have been returned. Rows are asked
 * for one statement at a time, in ascending order (setStatement).
 */
import { NONE, ROLE } from '../../core/index.ts';
import type { History, Witnesses } from '../../core/index.ts';
import { MATCH, matchOf } from '../gaps/matches.ts';
import type { PossibleVersions } from '../versions/possible.ts';
import type { VersionOrder } from '../versions/order.ts';

/** Places in a row's chain, 0 for unborn. */
export interface SeenPlaces {
  readonly row: number;
  /** The first and the last version that can have been seen. */
  readonly first: number;
  readonly last: number;
  /** The same, with versions of the reader's own that no list shows. */
  readonly low: number;
  readonly high: number;
}

export class SeenRows {
  /** The versions that can have been seen of the row last asked for; NONE: unborn. */
  readonly candidates: number[] = [];
  private readonly history: History;
  private readonly order: VersionOrder;
  private readonly numberOf: Int32Array;
  private readonly possible: PossibleVersions;
  /** The version of each number that conditions use. */
  private readonly versionOf: Int32Array;
  /** Per number the last set of versions that held it. */
  private readonly inSet: Int32Array;
  private sets = 0;
  private readonly firstWrite: Int32Array;
  private readonly firstDelete: Int32Array;
  private s = NONE;
  /** Its transaction had deleted rows before: that may have taken others along, for its own eyes alone if it is lost at COMMIT. */
  private deleted = false;

  constructor(history: History, order: VersionOrder, numberOf: Int32Array, possible: PossibleVersions) {
    const { row } = history.predicates;
    this.history = history;
    this.order = order;
    this.numberOf = numberOf;
    this.possible = possible;
    this.versionOf = new Int32Array(row.length).fill(NONE);
    for (let v = 0; v < order.count; v++) if (numberOf[v] !== NONE) this.versionOf[numberOf[v]] = v;
    this.inSet = new Int32Array(row.length).fill(NONE);
    this.firstWrite = firstWrites(history);
    this.firstDelete = firstDeletes(history);
  }

  setStatement(s: number): void {
    this.possible.setStatement(s);
    this.s = s;
    this.deleted = this.comesAfter(this.firstDelete);
  }

  /** Where the table is read by these conditions alone, what was returned satisfies one of them. */
  contradict(table: string, predicateReads: readonly number[]): boolean {
    const { possible } = this;
    const { predicates, rows } = this.history;
    if (predicateReads.some((p) => predicates.beside[p] === 1)) return false;
    return possible.rows.some(
      (row) =>
        rows.table[row] === table &&
        possible.version(row) !== NONE &&
        predicateReads.every((p) => this.match(p, possible.version(row)) === MATCH.no),
    );
  }

  /**
   * Was one of the combinations of rows seen that a subquery is read for? One row at a time: whatever version of it was
   * seen is among them. `certain`: by table, the predicate reads that were made for certain.
   */
  isProven({ tables, versions }: Witnesses, certain: ReadonlyMap<string, readonly number[]>): boolean {
    const set = ++this.sets;
    if (tables.length === 1) for (const k of versions) this.inSet[k] = set;
    for (let i = 0; i < versions.length; i += tables.length) {
      if (tables.every((table, j) => this.isKnown(versions[i + j], certain.get(table) ?? [], tables.length === 1 ? set : NONE)))
        return true;
    }
    return false;
  }

  /** The version of this number was seen for certain, or one of the set if there is one. */
  private isKnown(k: number, predicateReads: readonly number[], set: number): boolean {
    const { candidates, numberOf, inSet, versionOf } = this;
    if (versionOf[k] === NONE || !this.seeFirst(this.history.predicates.row[k], predicateReads) || candidates.length === 0) return false;
    return set === NONE
      ? candidates.every((v) => v === versionOf[k])
      : candidates.every((v) => v !== NONE && numberOf[v] !== NONE && inSet[numberOf[v]] === set);
  }

  /**
   * Into `candidates`: the versions that can have been seen, by the conditions that would have returned the row too.
   * False where nothing is said of the row. `alone`: the table is read in one way.
   */
  see(row: number, predicateReads: readonly number[], alone: boolean): boolean {
    const { possible, candidates } = this;
    if (!possible.list(row, candidates, alone)) return false;
    if (possible.returned(row)) return true;
    if (this.deleted) return false;
    let kept = 0;
    for (const v of candidates) if (!predicateReads.some((p) => this.match(p, v) === MATCH.yes)) candidates[kept++] = v;
    candidates.length = kept;
    return true;
  }

  /** Of rows that were looked at twice, what the first look saw: for that a subquery was read, and its reads are shown. */
  private seeFirst(row: number, predicateReads: readonly number[]): boolean {
    return this.possible.twice(row) && !this.deleted ? this.possible.listFirst(row, this.candidates) : this.see(row, predicateReads, false);
  }

  /** Where the candidates stand in the row's chain; undefined if one of them has no place there. */
  places(row: number): SeenPlaces | undefined {
    const { possible, candidates } = this;
    let first = NONE;
    let last = NONE;
    for (const v of candidates) {
      const place = possible.placeOf(row, v);
      if (place === NONE) return undefined;
      if (first === NONE || place < first) first = place;
      if (place > last) last = place;
    }
    // After a write of the reader's own a foreign key's action may have given the row a version of the reader's that no
    // list shows: then it was seen as what the reader made of it in the end.
    const own = this.comesAfter(this.firstWrite) ? possible.placeOfTxn(row, this.history.statements.txn[this.s]) : NONE;
    return { row, first, last, low: own === NONE ? first : Math.min(first, own), high: own === NONE ? last : Math.max(last, own) };
  }

  private match(p: number, v: number): number {
    return matchOf(this.history.predicates, p, this.order, this.numberOf, v);
  }

  private comesAfter(firsts: Int32Array): boolean {
    const first = firsts[this.history.statements.txn[this.s]];
    return first !== NONE && first < this.s;
  }
}

/** Per transaction its first write that took effect. */
function firstWrites({ statements, transactions }: History): Int32Array {
  const first = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--)
    if (statements.seq[s] !== NONE && statements.undone[s] === 0) first[statements.txn[s]] = s;
  return first;
}

/** Per transaction its first statement that deleted rows, or may have (a REPLACE deletes too). */
function firstDeletes({ statements, transactions, observations }: History): Int32Array {
  const removed = new Uint8Array(statements.count);
  for (let o = 0; o < observations.count; o++) if (observations.role[o] === ROLE.delete) removed[observations.statement[o]] = 1;
  const first = new Int32Array(transactions.count).fill(NONE);
  for (let s = statements.count - 1; s >= 0; s--) {
    const canDelete = statements.kind[s] === 'delete' || statements.kind[s] === 'insert';
    if (canDelete && (removed[s] === 1 || statements.incomplete[s] === 1)) first[statements.txn[s]] = s;
  }
  return first;
}
