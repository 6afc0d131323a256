/**
 * Draws the wrp and rwp edges of one predicate read on one row. It starts from the places of the row's chain in which
 * the read can have seen the row:
 *
 *   rwp  reader -> the writer of a later version that changed the match: certain for all that come after the last
 *        version that can have been seen
 *   wrp  the writer of the last change up to the version seen -> reader: certain if the versions that can have been seen
 *        form one run without a change in it
 */
import { NONE, REL } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import type { EdgeColumns } from './edges.ts';
import { MATCH, matchOf } from '../unobserved/matches.ts';
import type { RowChains } from '../versions/chains.ts';
import type { SeenPlaces } from './seen-rows.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Writers } from '../versions/writers.ts';

/** Whether a condition matches at each version of a row. Place 0 is the unborn version. */
interface MatchedChain {
  /** The first place that the row ever had. An initial row was never unborn. */
  readonly lowest: number;
  readonly length: number;
  readonly at: (place: number) => number;
  readonly status: (place: number) => number;
}

export class MatchChanges {
  /** The number of edges drawn. */
  wrp = 0;
  rwp = 0;
  private readonly history: History;
  private readonly order: VersionOrder;
  private readonly chains: RowChains;
  private readonly writers: Writers;
  private readonly numberOf: Int32Array;
  private readonly edges: EdgeColumns;

  constructor(history: History, order: VersionOrder, chains: RowChains, writers: Writers, numberOf: Int32Array, edges: EdgeColumns) {
    this.history = history;
    this.order = order;
    this.chains = chains;
    this.writers = writers;
    this.numberOf = numberOf;
    this.edges = edges;
  }

  /** Draws the edges of predicate read p of statement s. Returns false if some may be missing. */
  add(s: number, p: number, seen: SeenPlaces): boolean {
    const chain = this.chainOf(p, seen.row);
    this.addWrp(s, chain, seen);
    this.addRwp(s, chain, seen);
    return sameThroughout(chain, seen.low, seen.high);
  }

  private chainOf(p: number, row: number): MatchedChain {
    const { chains, order, numberOf } = this;
    const { predicates, rows } = this.history;
    const from = chains.starts[row];
    const at = (place: number): number => chains.versions[from + place - 1];
    return {
      lowest: rows.birthTxn[row] === 0 ? 1 : 0,
      length: chains.starts[row + 1] - from,
      at,
      status: (place) => (place === 0 ? MATCH.no : matchOf(predicates, p, order, numberOf, at(place))),
    };
  }

  private addWrp(s: number, chain: MatchedChain, { row, low, high }: SeenPlaces): void {
    const { order, writers } = this;
    const reader = this.history.statements.txn[s];
    const v = lastChange(chain, low, high);
    if (v === NONE || order.txn[v] === reader) return;
    this.wrp++;
    this.edges.add({
      from: order.txn[v],
      to: reader,
      rel: REL.wrp,
      row,
      observation: NONE,
      fromStatement: writers.statement(order.txn[v], order.seq[v]),
      toStatement: s,
      fromTxn: order.txn[v],
      fromSeq: order.seq[v],
      toTxn: order.txn[v],
      toSeq: order.seq[v],
    });
  }

  private addRwp(s: number, { length, at, status }: MatchedChain, { row, first, last }: SeenPlaces): void {
    const { order, writers } = this;
    const reader = this.history.statements.txn[s];
    const seen = last === 0 ? NONE : at(last);
    for (let place = last + 1; place <= length; place++) {
      const before = status(place - 1);
      const after = status(place);
      if (before === after || before === MATCH.unknown || after === MATCH.unknown) continue;
      const w = at(place);
      if (order.txn[w] === reader) continue;
      this.rwp++;
      this.edges.add({
        from: reader,
        to: order.txn[w],
        rel: REL.rwp,
        row,
        observation: first === last && place === last + 1 && seen !== NONE ? order.shownBy[seen] : NONE,
        fromStatement: s,
        toStatement: writers.statement(order.txn[w], order.seq[w]),
        fromTxn: seen === NONE ? NONE : order.txn[seen],
        fromSeq: seen === NONE ? NONE : order.seq[seen],
        toTxn: order.txn[w],
        toSeq: order.seq[w],
      });
    }
  }
}

/**
 * Returns the version that made the last change up to the run from `low` to `high`. It is NONE if that is not known, or
 * if no version did.
 */
function lastChange({ lowest, at, status }: MatchedChain, low: number, high: number): number {
  const match = status(low);
  for (let place = low; place <= high; place++) if (status(place) !== match) return NONE;
  if (match === MATCH.unknown) return NONE;
  let run = low;
  while (run > lowest && status(run - 1) === match) run--;
  if (run === 0) return NONE;
  // The initial state itself changed the match of an initial version that matches.
  const changed = run === lowest ? match === MATCH.yes : status(run - 1) !== MATCH.unknown;
  return changed ? at(run) : NONE;
}

/**
 * Tells whether every version is known to match or not, and none from `low` to `high` changes the match. The
 * dependencies are then drawn whichever of these versions was seen.
 */
function sameThroughout({ status, lowest, length }: MatchedChain, low: number, high: number): boolean {
  for (let place = lowest; place <= length; place++) if (status(place) === MATCH.unknown) return false;
  for (let place = low + 1; place <= high; place++) if (status(place) !== status(low)) return false;
  return true;
}
