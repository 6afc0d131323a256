/** The input of an exploration of one level, and the part of it that trying findings again needs. */
import type { Program } from '../../core/program/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Judgement, PromiseVerdict } from '../../core/level/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { Anomaly, ExploreFamily } from '../../core/verdict/index.ts';
import type { ExploredProgram, ExploreOptions, Orders } from './explore-program.ts';
import type { PairsPlan } from './pair-matrix/pair-work.ts';
import type { RacingRunner } from './race.ts';
import type { Source } from './source.ts';

export interface FamiliesPlan {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** The processes of the server, if Anomalist started it. Only their children are ever stopped for moments. */
  readonly processes?: readonly number[];
  /** Prefix of each namespace. */
  readonly namespace: string;
  readonly source: Pick<Source, 'nameOf'>;
  readonly workers: number;
  readonly judge: (anomaly: Anomaly) => Judgement;
  /** Ends the exploration. Findings that were not tried again are not reported. */
  readonly signal: AbortSignal;
  readonly commandFor: (program: Program) => string;
  /** Called with the number of families that have been tried again in fresh fixtures. */
  readonly tried?: (sums: { readonly families: number; readonly of: number }) => void;
  /** Most families of differences that are tried again, by verdict; absent: all. */
  readonly most?: Readonly<Record<PromiseVerdict, number>>;
  /** Milliseconds to make a family's example smaller; absent: the catalogue's programs are small already. */
  readonly reduceMs?: Readonly<Record<PromiseVerdict, number>>;
}

export interface LevelPlan extends FamiliesPlan {
  readonly source: Source;
  readonly orders: Orders;
  /** The pair matrix comes before the programs. Absent: it is no part of the exploration. */
  readonly pairs?: PairsPlan;
  readonly random: Random;
  readonly enough: (programs: number) => boolean;
  /** Explores one program. Absent: its orders are run (explore-program.ts). */
  readonly exploreOne?: (runner: RacingRunner, program: Program, options: ExploreOptions) => Promise<ExploredProgram>;
  /** Called with each program that was run, in the order in which they end. */
  readonly ended?: (explored: ExploredProgram) => void;
  /**
   * Called with each family that is confirmed while programs still run. Absent: families are confirmed at the end alone,
   * and no connections are taken for it before.
   */
  readonly told?: (family: ExploreFamily) => void;
  readonly heard: (sums: { readonly programs: number; readonly orders: number; readonly found: number }) => void;
}
