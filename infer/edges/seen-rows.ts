/**
 * In which versions a statement can have seen a row, as far as its predicate reads tell: possible.ts says what the times
 * and its other reads allow, and a version that satisfies one of its conditions would have been returned. Rows are asked
 * for one statement at a time, in ascending order (setStatement).
 */
import { NONE } from '../../core/index.ts';
import type { History, RowCombinations } from '../../core/index.ts';
import { MATCH, matchOf } from '../unobserved/matches.ts';
import { OwnActions } from './own-actions.ts';
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
  private readonly own: OwnActions;
  private s = NONE;

  constructor(history: History, order: VersionOrder, numberOf: Int32Array, possible: PossibleVersions) {
    const { row } = history.predicates;
    this.history = history;
    this.order = order;
    this.numberOf = numberOf;
    this.possible = possible;
    this.versionOf = new Int32Array(row.length).fill(NONE);
    for (let v = 0; v < order.count; v++) if (numberOf[v] !== NONE) this.versionOf[numberOf[v]] = v;
    this.inSet = new Int32Array(row.length).fill(NONE);
    this.own = new OwnActions(history);
  }

  setStatement(s: number): void {
    this.possible.setStatement(s);
    this.s = s;
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
  isProven({ tables, versions }: RowCombinations, certain: ReadonlyMap<string, readonly number[]>): boolean {
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
    if (this.mayBeGone(row)) return false;
    const moved = possible.twice(row) && candidates.filter((v) => predicateReads.some((p) => this.match(p, v) !== MATCH.no)).length > 1;
    let kept = 0;
    for (const v of candidates) if (!predicateReads.some((p) => this.match(p, v) === MATCH.yes)) candidates[kept++] = v;
    candidates.length = kept;
    this.leaveOlderThanOwn(row);
    // From one place of an index to another, both of which match, it may have been missed by a scan that reads the newest state.
    return !moved && (kept > 0 || !possible.twice(row));
  }

  /**
   * A transaction sees what it wrote itself (Adya 1999, 4.2: a history in which it does not is none): of the candidates none that
   * its own version replaced, unless nothing else explains what it saw.
   */
  private leaveOlderThanOwn(row: number): void {
    const { possible, candidates, order } = this;
    const reader = this.history.statements.txn[this.s];
    if (!candidates.some((v) => v !== NONE && order.txn[v] === reader)) return;
    const own = possible.placeOfTxn(row, reader);
    const later = candidates.filter((v) => possible.placeOf(row, v) >= own);
    if (own !== NONE) candidates.splice(0, candidates.length, ...later);
  }

  /**
   * A key was looked for and a row met that holds it: where each row of the table was seen. Undefined where it is not certain
   * which row that was: of all that can have been met, exactly one may hold the key.
   */
  meet(p: number, rows: readonly number[]): readonly SeenPlaces[] | undefined {
    const { candidates } = this;
    const places: SeenPlaces[] = [];
    let met = false;
    for (const row of rows) {
      if (!this.possible.listNewest(row, candidates)) {
        if (this.mayHold(p, row)) return undefined;
        continue; // it never held the key, whatever became of it
      }
      const holding = candidates.filter((v) => this.match(p, v) !== MATCH.no);
      if (holding.length > 0) {
        if (met) return undefined;
        met = true;
        candidates.splice(0, candidates.length, ...holding);
      }
      const at = this.places(row);
      if (at === undefined) return undefined;
      places.push(at);
    }
    return met ? places : undefined;
  }

  /** Of a row of which it is not known what can have been met: can that have held the key? */
  private mayHold(p: number, row: number): boolean {
    const { order, numberOf, possible } = this;
    if (possible.mayBeUndone(row)) return true;
    const versions = possible.versionsOf(row);
    if (versions.length === 0) return this.initiallyHeld(p, row);
    return versions.some((v) => (order.dead[v] === 0 && numberOf[v] === NONE) || this.match(p, v) !== MATCH.no);
  }

  /** A row that no list names is as it was at first. */
  private initiallyHeld(p: number, row: number): boolean {
    const { base, size, row: rowOf, matches } = this.history.predicates;
    const first = rowOf.subarray(base[p], base[p] + size[p]).indexOf(row);
    return first < 0 || matches[p]?.[first] !== '0';
  }

  /** Of rows that were looked at twice, what the first look saw: for that a subquery was read, and its reads are shown. */
  private seeFirst(row: number, predicateReads: readonly number[]): boolean {
    return this.possible.twice(row) && !this.mayBeGone(row)
      ? this.possible.listFirst(row, this.candidates)
      : this.see(row, predicateReads, false);
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
    // Given a version of the reader's own that no list shows, it was seen as what the reader made of it in the end.
    const { rows, statements } = this.history;
    const own = this.own.mayHaveChanged(this.s, rows.table[row]) ? possible.placeOfTxn(row, statements.txn[this.s]) : NONE;
    return { row, first, last, low: own === NONE ? first : Math.min(first, own), high: own === NONE ? last : Math.max(last, own) };
  }

  private match(p: number, v: number): number {
    return matchOf(this.history.predicates, p, this.order, this.numberOf, v);
  }

  /** By an own DELETE that took it along. */
  private mayBeGone(row: number): boolean {
    return this.own.mayHaveRemoved(this.s, this.history.rows.table[row]);
  }
}
