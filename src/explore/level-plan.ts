/** What an exploration of one level is given. */
import type { Anomaly, Dialect, DialectLevel, Judgement, Random } from '../../core/index.ts';
import type { Orders } from './explore-program.ts';
import type { Source } from './source.ts';

export interface LevelPlan {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** Each namespace begins so. */
  readonly namespace: string;
  readonly source: Source;
  readonly workers: number;
  readonly orders: Orders;
  readonly random: Random;
  readonly judge: (anomaly: Anomaly) => Judgement;
  readonly enough: (programs: number) => boolean;
  /** Ends it: what was found and not tried again is not reported. */
  readonly signal: AbortSignal;
  readonly commandFor: (program: number) => string;
  readonly heard: (sums: { readonly programs: number; readonly orders: number; readonly found: number }) => void;
  /** So many families of what was found have been tried again in fresh worlds. */
  readonly tried?: (sums: { readonly families: number; readonly of: number }) => void;
}
