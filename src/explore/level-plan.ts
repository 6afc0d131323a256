/** What an exploration of one level is given, and what trying its findings again needs of that. */
import type { Anomaly, Dialect, DialectLevel, Judgement, PromiseVerdict, Random } from '../../core/index.ts';
import type { ExploredProgram, Orders } from './explore-program.ts';
import type { Source } from './source.ts';

export interface FamiliesPlan {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** Each namespace begins so. */
  readonly namespace: string;
  readonly source: Pick<Source, 'nameOf'>;
  readonly workers: number;
  readonly judge: (anomaly: Anomaly) => Judgement;
  /** Ends it: what was found and not tried again is not reported. */
  readonly signal: AbortSignal;
  readonly commandFor: (program: number) => string;
  /** So many families of what was found have been tried again in fresh fixtures. */
  readonly tried?: (sums: { readonly families: number; readonly of: number }) => void;
  /** So many families of differences are tried again, by what they are to the vendor; absent: all. */
  readonly most?: Readonly<Record<PromiseVerdict, number>>;
  /** Milliseconds to make the example of a family smaller; absent: its programs are small from birth. */
  readonly reduceMs?: Readonly<Record<PromiseVerdict, number>>;
}

export interface LevelPlan extends FamiliesPlan {
  readonly source: Source;
  readonly orders: Orders;
  readonly random: Random;
  readonly enough: (programs: number) => boolean;
  /** Is told of each program that was run, in the order in which they end. */
  readonly ended?: (explored: ExploredProgram) => void;
  readonly heard: (sums: { readonly programs: number; readonly orders: number; readonly found: number }) => void;
}
