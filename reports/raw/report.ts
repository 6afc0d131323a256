/** What the steps of .spec files showed, sent as they are: one entry for each file. */
import type { ChangeRow, ErrorRow, Level, PromiseRow, PromiseVerdict } from '../../core/level/index.ts';
import type { OwnSetting } from '../../core/dialect/index.ts';
import type { NotCompared, Rate } from '../../core/verdict/index.ts';

export interface RawReport {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  /** The server's name for itself. */
  readonly server: string;
  readonly ownSettings?: readonly OwnSetting[];
  readonly seed: string;
  /** The level that was asked about. Absent: each file at the level of its own transactions. */
  readonly level?: Level;
  readonly specs: readonly RawSpec[];
  /** Why not everything was run. */
  readonly endedEarly?: string;
}

export interface RawSpec {
  readonly path: string;
  /** Why the file, or the rest of its orders, was not run. */
  readonly refused?: string;
  /** Orders of steps that were run. */
  readonly orders: number;
  /** Different outcomes of these: all replies, and the tables that were left. */
  readonly outcomes: number;
  /** Orders whose outcome was compared with every serial order of the committed transactions. */
  readonly compared: number;
  /** The levels of the orders that were compared. */
  readonly levels: readonly Level[];
  readonly notCompared: readonly RawNotCompared[];
  readonly differences: readonly RawDifference[];
}

/** Orders of steps that were not compared for one reason. */
export interface RawNotCompared {
  readonly reason: NotCompared;
  readonly orders: number;
  /** The first of these orders, by the names of its steps. */
  readonly permutation: readonly string[];
}

/**
 * `allowed`: the level allows outcomes that no serial order gives, and the answers alone do not tell whether this is one
 * of them. It is counted, and it is no finding.
 */
export type RawVerdict = PromiseVerdict | 'allowed';

/** An outcome that no serial order of its committed transactions gives. */
export interface RawDifference {
  readonly level: Level;
  readonly verdict: RawVerdict;
  /** The sentence of the vendor that decides. Absent: no document speaks of it. */
  readonly row?: PromiseRow | ErrorRow | ChangeRow;
  /** Why no row decides. */
  readonly says?: string;
  /** The words say what its outcome alone shows. */
  readonly kind: string;
  /** The first order that showed it, by the names of its steps. */
  readonly permutation: readonly string[];
  /** Orders that gave this outcome. */
  readonly orders: number;
  /** One sentence for each serial order, with its first result that differs. */
  readonly serialOrders: readonly string[];
  /** How often the same order of steps differed again. Absent: it is documented or allowed, so it was not repeated. */
  readonly rate?: Rate;
}
