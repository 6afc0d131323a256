/**
 * Orders a row's versions by the lists that committed transactions saw. Aborted entries are removed first, and each
 * pair of neighbours that remains is one link. An entry of unknown outcome cuts the list in two: nothing is concluded
 * across it, nor across the gap between two windows. A link holds only if no list disagrees: its left end has no other
 * successor, its right end no other predecessor. Where lists disagree, a committed write was lost: a fork.
 *
 *     ,0.0,3.1,5.1      ,0.0,3.1        one order          0.0 -> 3.1 -> 5.1
 *     ,0.0,3.1          ,0.0,5.1        a fork at 0.0      no link
 *     ,3.1,5.1  (cut)   ,8.1,9.2 (cut)  no common entry    two pieces, no order between them
 *
 * A delete installs the dead version, which follows the version that the delete removed.
 */
import { NONE, ROLE, int32, uint8 } from '../../core/index.ts';
import type { Cascade, History } from '../../core/index.ts';
import { KeyTable } from '../key-table.ts';
import type { Readings } from './readings.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

export interface Disagreement {
  readonly kind: 'fork' | 'duplicate-write';
  /** The versions that two lists place differently, or the one that is a duplicate. */
  readonly versions: readonly number[];
  readonly observations: readonly number[];
}

export interface VersionOrder {
  readonly count: number;
  readonly row: Int32Array;
  readonly txn: Int32Array;
  readonly seq: Int32Array;
  /** The WRITE_OUTCOME of each version. */
  readonly writeOutcome: Uint8Array;
  /** 1 if a delete installed the version. */
  readonly dead: Uint8Array;
  /** The certain direct successor and predecessor, or NONE. */
  readonly next: Int32Array;
  readonly prev: Int32Array;
  /** The observation that shows a version followed by its successor. */
  readonly shownBy: Int32Array;
  /** The version that each entry of the history names, or NONE if no reading uses it. */
  readonly versionOf: Int32Array;
  readonly disagreements: readonly Disagreement[];
  find(row: number, txn: number, seq: number): number;
}

/** `cascades` are the rows that a foreign key's action removed, each with a statement that no list of the row names. */
export function orderVersions(history: History, readings: Readings, writers: Writers, cascades: readonly Cascade[] = []): VersionOrder {
  const { entries } = history;
  const seen = new SeenLists(history, readings, writers);
  const versionOf = new Int32Array(entries.count).fill(NONE);
  for (let i = 0; i < readings.count; i++) seen.list(i, versionOf);
  for (const cascade of cascades) seen.cascade(cascade);
  seen.linkUnprovenDeletes();
  return { ...seen.settle(), versionOf };
}

/** Collects the links that lists show. When all lists were read, it tells the disputed ones. */
class SeenLists {
  private readonly history: History;
  private readonly readings: Readings;
  private readonly writers: Writers;
  private readonly keys = new KeyTable();
  private readonly writeOutcome = uint8();
  private readonly dead = uint8();
  /** The last list that held each version. */
  private readonly lastList = int32();
  private readonly next = int32();
  private readonly prev = int32();
  private readonly shownBy = int32();
  /** 1 if two successors (next) or two predecessors (prev) were seen. */
  private readonly badNext = uint8();
  private readonly badPrev = uint8();
  private readonly disagreements: Disagreement[] = [];
  /** 1 if a list of the row names a write twice. */
  private readonly uncertainRow: Uint8Array;
  private readonly forkedRow: Uint8Array;
  /** Triples (version, dead version, observation) of deletes that are not proven. */
  private readonly unproven: number[] = [];

  constructor(history: History, readings: Readings, writers: Writers) {
    this.history = history;
    this.readings = readings;
    this.writers = writers;
    this.uncertainRow = new Uint8Array(history.rows.count);
    this.forkedRow = new Uint8Array(history.rows.count);
  }

  /** Takes in reading i, and writes the version of each of its entries into `versionOf`. */
  list(i: number, versionOf: Int32Array): void {
    const { readings, writeOutcome, lastList, uncertainRow } = this;
    const { observations, entries } = this.history;
    const o = readings.observation[i];
    const row = observations.row[o];
    let left = NONE;
    for (let e = observations.start[o]; e < readings.end[i]; e++) {
      const v = this.version(row, entries.txn[e], entries.seq[e]);
      versionOf[e] = v;
      if (lastList.get(v) === o && uncertainRow[row] === 0) {
        uncertainRow[row] = 1;
        this.disagreements.push({ kind: 'duplicate-write', versions: [v], observations: [o] });
      }
      lastList.set(v, o);
      const kind = writeOutcome.get(v);
      if (kind === WRITE_OUTCOME.aborted) continue;
      if (kind === WRITE_OUTCOME.committed && left !== NONE && left !== v) this.link(left, v, o);
      left = kind === WRITE_OUTCOME.committed ? v : NONE;
    }
    if (readings.role[i] === ROLE.delete) this.removed(row, left, o);
  }

  /** Links the delete of observation o to `left`, the version that it found. `left` is NONE if that is not known. */
  private removed(row: number, left: number, o: number): void {
    const { statements, observations, round } = this.history;
    const s = observations.statement[o];
    const death = this.version(row, statements.txn[s], statements.seq[s]);
    this.dead.set(death, 1);
    if (left === NONE || this.writeOutcome.get(death) !== WRITE_OUTCOME.committed) return;
    // The paper's probe before a DELETE can name a row that the DELETE then left alone. Its dead versions only fill
    // gaps.
    if (round.instrument === 'paper') this.unproven.push(left, death, o);
    else this.link(left, death, o);
  }

  cascade({ row, statement, lastTxn, lastSeq }: Cascade): void {
    const { statements } = this.history;
    const death = this.version(row, statements.txn[statement], statements.seq[statement]);
    this.dead.set(death, 1);
    // The statement names another table as the one that it writes, so the table is not compared.
    this.writeOutcome.set(death, this.writers.writeOutcome(statements.txn[statement], statements.seq[statement], undefined));
    this.link(this.version(row, lastTxn, lastSeq), death, NONE);
  }

  private version(row: number, txn: number, seq: number): number {
    const v = this.keys.add(row, txn, seq);
    if (v < this.writeOutcome.length) return v;
    this.writeOutcome.push(this.writers.writeOutcome(txn, seq, this.history.rows.table[row]));
    this.dead.push(0);
    this.lastList.push(NONE);
    this.next.push(NONE);
    this.prev.push(NONE);
    this.shownBy.push(NONE);
    this.badNext.push(0);
    this.badPrev.push(0);
    return v;
  }

  private link(v: number, w: number, o: number): void {
    const after = this.next.get(v);
    const before = this.prev.get(w);
    if (after === NONE) {
      this.next.set(v, w);
      this.shownBy.set(v, o);
    } else if (after !== w) {
      this.badNext.set(v, 1);
      this.fork([v, after, w], [this.shownBy.get(v), o], v);
    }
    if (before === NONE) this.prev.set(w, v);
    else if (before !== v) {
      this.badPrev.set(w, 1);
      this.fork([before, v, w], [this.shownBy.get(before), o], v);
    }
  }

  /** Records a fork on the row of version v. */
  private fork(versions: readonly number[], observations: readonly number[], v: number): void {
    const row = this.keys.a.get(v);
    if (this.forkedRow[row] === 1) return;
    this.forkedRow[row] = 1;
    this.disagreements.push({ kind: 'fork', versions, observations });
  }

  /**
   * Links the dead versions of unproven deletes where no other version follows. They are never the reason of a fork.
   */
  linkUnprovenDeletes(): void {
    const { unproven, next, prev, shownBy } = this;
    const claimed = new Map<number, number>();
    for (let i = 0; i < unproven.length; i += 3) claimed.set(unproven[i], (claimed.get(unproven[i]) ?? 0) + 1);
    for (let i = 0; i < unproven.length; i += 3) {
      const [v, death, o] = [unproven[i], unproven[i + 1], unproven[i + 2]];
      if (claimed.get(v) !== 1 || next.get(v) !== NONE || prev.get(death) !== NONE) continue;
      next.set(v, death);
      prev.set(death, v);
      shownBy.set(v, o);
    }
  }

  settle(): Omit<VersionOrder, 'versionOf'> {
    const { keys, uncertainRow } = this;
    const { next, prev } = this.undisputed();
    this.breakRings(next, prev);
    return {
      count: keys.size,
      row: keys.a.done(),
      txn: keys.b.done(),
      seq: keys.c.done(),
      writeOutcome: this.writeOutcome.done(),
      dead: this.dead.done(),
      next,
      prev,
      shownBy: this.shownBy.done(),
      disagreements: this.disagreements.filter(({ kind, versions }) => kind !== 'fork' || uncertainRow[keys.a.get(versions[0])] === 0),
      find: (row, txn, seq) => keys.find(row, txn, seq),
    };
  }

  /** Returns the links that no list disputes. */
  private undisputed(): { readonly next: Int32Array; readonly prev: Int32Array } {
    const { keys, badNext, badPrev, uncertainRow } = this;
    const next = new Int32Array(keys.size).fill(NONE);
    const prev = new Int32Array(keys.size).fill(NONE);
    for (let v = 0; v < keys.size; v++) {
      const w = this.next.get(v);
      if (w === NONE || badNext.get(v) === 1 || badPrev.get(w) === 1 || uncertainRow[keys.a.get(v)] === 1) continue;
      next[v] = w;
      prev[w] = v;
    }
    return { next, prev };
  }

  /** A ring of links is a fork as well. Its links are removed. */
  private breakRings(next: Int32Array, prev: Int32Array): void {
    const { shownBy } = this;
    const count = next.length;
    const reached = new Uint8Array(count);
    for (let v = 0; v < count; v++) {
      if (prev[v] === NONE) for (let w = v; w !== NONE; w = next[w]) reached[w] = 1;
    }
    for (let v = 0; v < count; v++) {
      if (reached[v] === 1) continue;
      this.fork([v, next[v]], [shownBy.get(prev[v]), shownBy.get(v)], v);
      for (let w = v; w !== NONE;) {
        const after: number = next[w];
        reached[w] = 1;
        next[w] = prev[w] = NONE;
        w = after;
      }
    }
  }
}
