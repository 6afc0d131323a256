/**
 * Tells in which versions a statement can have seen a row, as far as its predicate reads show. possible.ts says what
 * the times and its other reads allow. A version that satisfies one of its conditions would have been returned. Callers
 * ask for the rows of one statement at a time, in ascending order (setStatement).
 */
import { NONE } from '../../core/index.ts';
import type { History, RowCombinations } from '../../core/index.ts';
import { MATCH, matchOf } from '../unobserved/matches.ts';
import { OwnActions } from './own-actions.ts';
import type { PossibleVersions } from '../versions/possible.ts';
import type { VersionOrder } from '../versions/order.ts';

/** Places in a row's chain. 0 is the unborn version. */
export interface SeenPlaces {
  readonly row: number;
  /** The first and the last version that can have been seen. */
  readonly first: number;
  readonly last: number;
  /** The same range, extended by versions of the reader's own that no list shows. */
  readonly low: number;
  readonly high: number;
}

export class SeenRows {
  /** The versions that can have been seen of the row last asked for. NONE is the unborn version. */
  readonly candidates: number[] = [];
  private readonly history: History;
  private readonly order: VersionOrder;
  private readonly numberOf: Int32Array;
  private readonly possible: PossibleVersions;
  /** The version behind each number that conditions use. */
  private readonly versionOf: Int32Array;
  /** The last set of versions that held each number. */
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

  /** Tells whether a returned row satisfies none of these conditions, although they alone read the table. */
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
   * Tells whether a combination of rows that the subquery is evaluated for was certainly seen. For a single row, any
   * version that was seen must be among the combinations. `certain` holds by table the predicate reads that certainly
   * took place.
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

  /** Tells whether the version of this number was certainly seen, or one of the set if there is a set. */
  private isKnown(k: number, predicateReads: readonly number[], set: number): boolean {
    const { candidates, numberOf, inSet, versionOf } = this;
    if (versionOf[k] === NONE || !this.seeFirst(this.history.predicates.row[k], predicateReads) || candidates.length === 0) return false;
    return set === NONE
      ? candidates.every((v) => v === versionOf[k])
      : candidates.every((v) => v !== NONE && numberOf[v] !== NONE && inSet[numberOf[v]] === set);
  }

  /**
   * Fills `candidates` with the versions that can have been seen. It leaves out those that a condition would have
   * returned. Returns false if nothing is known about the row. `alone` says that the table is read in one way.
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
    // If the row moved in an index from one matching place to another, a scan that reads the newest state may have
    // missed it.
    return !moved && (kept > 0 || !possible.twice(row));
  }

  /**
   * Leaves out the candidates that the transaction's own version replaced. A transaction sees what it wrote itself:
   * Adya 1999, 4.2 accepts no other history. They stay if nothing else explains what it saw.
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
   * Returns where each row of the table was seen by a key probe that met a row holding the key. The result is undefined
   * if it is not certain which row that was. Exactly one of the rows that can have been met may hold the key.
   */
  meet(p: number, rows: readonly number[]): readonly SeenPlaces[] | undefined {
    const { candidates } = this;
    const places: SeenPlaces[] = [];
    let met = false;
    for (const row of rows) {
      if (!this.possible.listNewest(row, candidates)) {
        if (this.mayHold(p, row)) return undefined;
        continue; // it never held the key, whatever happened to it
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

  /** Tells whether the row can have held the key if it is not known which of its versions can have been met. */
  private mayHold(p: number, row: number): boolean {
    const { order, numberOf, possible } = this;
    if (possible.mayBeUndone(row)) return true;
    const versions = possible.versionsOf(row);
    if (versions.length === 0) return this.initiallyHeld(p, row);
    return versions.some((v) => (order.dead[v] === 0 && numberOf[v] === NONE) || this.match(p, v) !== MATCH.no);
  }

  /** A row that no list names is still as it was at first. */
  private initiallyHeld(p: number, row: number): boolean {
    const { base, size, row: rowOf, matches } = this.history.predicates;
    const first = rowOf.subarray(base[p], base[p] + size[p]).indexOf(row);
    return first < 0 || matches[p]?.[first] !== '0';
  }

  /**
   * For a row that was read twice, finds the versions that the first read saw. The subquery was evaluated for these,
   * and its reads are shown.
   */
  private seeFirst(row: number, predicateReads: readonly number[]): boolean {
    return this.possible.twice(row) && !this.mayBeGone(row)
      ? this.possible.listFirst(row, this.candidates)
      : this.see(row, predicateReads, false);
  }

  /** Returns where the candidates stand in the row's chain, or undefined if one of them has no place there. */
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
    // A version of the reader's own that no list shows stands at the place of what the reader made of the row in the
    // end.
    const { rows, statements } = this.history;
    const own = this.own.mayHaveChanged(this.s, rows.table[row]) ? possible.placeOfTxn(row, statements.txn[this.s]) : NONE;
    return { row, first, last, low: own === NONE ? first : Math.min(first, own), high: own === NONE ? last : Math.max(last, own) };
  }

  private match(p: number, v: number): number {
    return matchOf(this.history.predicates, p, this.order, this.numberOf, v);
  }

  /** An own DELETE may have removed the row by a cascade. */
  private mayBeGone(row: number): boolean {
    return this.own.mayHaveRemoved(this.s, this.history.rows.table[row]);
  }
}
