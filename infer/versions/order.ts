/**
 * The order of a row's versions, from the lists that committed transactions saw. Aborted entries are stripped first;
 * what stands side by side then is one link. An entry of unknown fate cuts the list in two: nothing is concluded across
 * it, nor across the gap between two windows. A link holds only if no list disagrees: its left end has no other
 * successor, its right end no other predecessor. Where lists disagree a committed write was lost: a fork.
 *
 *     ,0.0,3.1,5.1      ,0.0,3.1        one order          0.0 -> 3.1 -> 5.1
 *     ,0.0,3.1          ,0.0,5.1        a fork at 0.0      no link
 *     ,3.1,5.1  (cut)   ,8.1,9.2 (cut)  no common entry    two pieces, no order between them
 *
 * A delete installs the dead version: it follows the version that the delete removed.
 */
import { NONE, ROLE, int32, uint8 } from '../../core/index.ts';
import type { Cascade, Growable, History } from '../../core/index.ts';
import { KeyTable } from '../key-table.ts';
import type { Readings } from './readings.ts';
import { FATE } from './writers.ts';
import type { Writers } from './writers.ts';

export interface Disagreement {
  readonly kind: 'fork' | 'duplicate-write';
  /** The versions that two lists place differently; one for a duplicate. */
  readonly versions: readonly number[];
  readonly observations: readonly number[];
}

export interface VersionOrder {
  readonly count: number;
  readonly row: Int32Array;
  readonly txn: Int32Array;
  readonly seq: Int32Array;
  /** FATE. */
  readonly fate: Uint8Array;
  /** 1: installed by a delete. */
  readonly dead: Uint8Array;
  /** Certain direct successor and predecessor, NONE where there is none. */
  readonly next: Int32Array;
  readonly prev: Int32Array;
  /** The observation that shows a version followed by its successor. */
  readonly shownBy: Int32Array;
  /** The version that each entry of the history names, NONE where no reading uses it. */
  readonly versionOf: Int32Array;
  readonly disagreements: readonly Disagreement[];
  find(row: number, txn: number, seq: number): number;
}

interface Links {
  readonly next: Growable<Int32Array>;
  readonly prev: Growable<Int32Array>;
  readonly shownBy: Growable<Int32Array>;
  /** 1: two successors (next) or two predecessors (prev) were seen. */
  readonly badNext: Growable<Uint8Array>;
  readonly badPrev: Growable<Uint8Array>;
}

/** `cascades`: rows that a foreign key's action removed, each by a statement that no list of the row names. */
export function orderVersions(history: History, readings: Readings, writers: Writers, cascades: readonly Cascade[] = []): VersionOrder {
  const { statements, observations, entries, rows } = history;
  const keys = new KeyTable();
  const fate = uint8();
  const dead = uint8();
  const lastList = int32();
  const links: Links = { next: int32(), prev: int32(), shownBy: int32(), badNext: uint8(), badPrev: uint8() };
  const versionOf = new Int32Array(entries.count).fill(NONE);
  const disagreements: Disagreement[] = [];
  const uncertainRow = new Uint8Array(rows.count);
  const forkedRow = new Uint8Array(rows.count);
  // The paper's probe before a DELETE can name a row that the DELETE then left alone: its dead versions only fill gaps.
  const weakDeletes = history.round.instrument === 'paper';
  const weak: number[] = []; // triples: version, dead version, observation

  const version = (row: number, txn: number, seq: number): number => {
    const v = keys.add(row, txn, seq);
    if (v < fate.length) return v;
    fate.push(writers.fate(txn, seq, rows.table[row]));
    dead.push(0);
    lastList.push(NONE);
    links.next.push(NONE);
    links.prev.push(NONE);
    links.shownBy.push(NONE);
    links.badNext.push(0);
    links.badPrev.push(0);
    return v;
  };
  const fork = (row: number, versions: readonly number[], shown: readonly number[]): void => {
    if (forkedRow[row] === 1) return;
    forkedRow[row] = 1;
    disagreements.push({ kind: 'fork', versions, observations: shown });
  };
  const link = (v: number, w: number, o: number): void => {
    const after = links.next.get(v);
    const before = links.prev.get(w);
    if (after === NONE) {
      links.next.set(v, w);
      links.shownBy.set(v, o);
    } else if (after !== w) {
      links.badNext.set(v, 1);
      fork(keys.a.get(v), [v, after, w], [links.shownBy.get(v), o]);
    }
    if (before === NONE) links.prev.set(w, v);
    else if (before !== v) {
      links.badPrev.set(w, 1);
      fork(keys.a.get(v), [before, v, w], [links.shownBy.get(before), o]);
    }
  };

  for (let i = 0; i < readings.count; i++) {
    const o = readings.observation[i];
    const row = observations.row[o];
    let left = NONE;
    for (let e = observations.start[o]; e < readings.end[i]; e++) {
      const v = version(row, entries.txn[e], entries.seq[e]);
      versionOf[e] = v;
      if (lastList.get(v) === o && uncertainRow[row] === 0) {
        uncertainRow[row] = 1;
        disagreements.push({ kind: 'duplicate-write', versions: [v], observations: [o] });
      }
      lastList.set(v, o);
      const kind = fate.get(v);
      if (kind === FATE.aborted) continue;
      if (kind === FATE.committed && left !== NONE && left !== v) link(left, v, o);
      left = kind === FATE.committed ? v : NONE;
    }
    if (readings.role[i] !== ROLE.delete) continue;
    const s = observations.statement[o];
    const grave = version(row, statements.txn[s], statements.seq[s]);
    dead.set(grave, 1);
    if (left === NONE || fate.get(grave) !== FATE.committed) continue;
    if (weakDeletes) weak.push(left, grave, o);
    else link(left, grave, o);
  }
  for (const { row, statement, lastTxn, lastSeq } of cascades) {
    const grave = version(row, statements.txn[statement], statements.seq[statement]);
    dead.set(grave, 1);
    link(version(row, lastTxn, lastSeq), grave, NONE);
  }
  linkWeak(links, weak);

  const order = settle(keys, links, uncertainRow, fork);
  return {
    count: keys.size,
    row: keys.a.done(),
    txn: keys.b.done(),
    seq: keys.c.done(),
    fate: fate.done(),
    dead: dead.done(),
    ...order,
    shownBy: links.shownBy.done(),
    versionOf,
    disagreements: disagreements.filter(({ kind, versions }) => kind !== 'fork' || uncertainRow[keys.a.get(versions[0])] === 0),
    find: (row, txn, seq) => keys.find(row, txn, seq),
  };
}

/** Dead versions of unproven deletes: linked where nothing else follows, and never the ground of a fork. */
function linkWeak(links: Links, weak: readonly number[]): void {
  const claimed = new Map<number, number>();
  for (let i = 0; i < weak.length; i += 3) claimed.set(weak[i], (claimed.get(weak[i]) ?? 0) + 1);
  for (let i = 0; i < weak.length; i += 3) {
    if (claimed.get(weak[i]) !== 1 || links.next.get(weak[i]) !== NONE || links.prev.get(weak[i + 1]) !== NONE) continue;
    links.next.set(weak[i], weak[i + 1]);
    links.prev.set(weak[i + 1], weak[i]);
    links.shownBy.set(weak[i], weak[i + 2]);
  }
}

/** Keeps the links that no list disputes; a ring of links is a fork as well. */
function settle(
  keys: KeyTable,
  links: Links,
  uncertainRow: Uint8Array,
  fork: (row: number, versions: readonly number[], shown: readonly number[]) => void,
): { next: Int32Array; prev: Int32Array } {
  const count = keys.size;
  const next = new Int32Array(count).fill(NONE);
  const prev = new Int32Array(count).fill(NONE);
  for (let v = 0; v < count; v++) {
    const w = links.next.get(v);
    if (w === NONE || links.badNext.get(v) === 1 || links.badPrev.get(w) === 1 || uncertainRow[keys.a.get(v)] === 1) continue;
    next[v] = w;
    prev[w] = v;
  }
  const reached = new Uint8Array(count);
  for (let v = 0; v < count; v++) {
    if (prev[v] === NONE) for (let w = v; w !== NONE; w = next[w]) reached[w] = 1;
  }
  for (let v = 0; v < count; v++) {
    if (reached[v] === 1) continue;
    fork(keys.a.get(v), [v, next[v]], [links.shownBy.get(prev[v]), links.shownBy.get(v)]);
    for (let w = v; w !== NONE; ) {
      const after: number = next[w];
      reached[w] = 1;
      next[w] = prev[w] = NONE;
      w = after;
    }
  }
  return { next, prev };
}
