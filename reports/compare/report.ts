/** What a comparison of several servers holds, ready to be written: where the same programs in the same orders went otherwise. */
import type { ExploreExample, Level, OwnSetting, PromiseVerdict } from '../../core/index.ts';

export interface ComparedTarget {
  /** Without credentials. */
  readonly name: string;
  /** As the server names itself. */
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a server that we started differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
}

/** What some of the servers did alike, each of them each time. */
export interface CompareVariant {
  /** Places of these in the report's list. */
  readonly targets: readonly number[];
  /** In a few words: how the transactions ended. */
  readonly ends: string;
  /** No serial order gives it: what that is to the vendor. Absent: some serial order does. */
  readonly verdict?: PromiseVerdict;
  /** Where that is said. */
  readonly says?: string;
  readonly source?: string;
  /** On the first of them. */
  readonly example: ExploreExample;
}

export interface CompareLine {
  /** `outcome`: what was answered and left, or who came to nothing; `waits`: that alike, and one server let somebody wait. */
  readonly kind: 'outcome' | 'waits';
  /** The skeleton of its programs. */
  readonly skeleton: string;
  readonly programs: number;
  readonly orders: number;
  /** What else the example's program is made of. */
  readonly made: Readonly<Record<string, string>>;
  /** Sessions, from 1, in the order in which they were to step. */
  readonly order: readonly number[];
  /** At least two. */
  readonly variants: readonly CompareVariant[];
  /** Places of targets that did not do alike each time. */
  readonly varies: readonly number[];
  readonly command: string;
}

export interface CompareLevel {
  readonly level: Level;
  /** Held against each other. */
  readonly programs: number;
  readonly orders: number;
  /** Why others were not, with their number. */
  readonly notCompared: Readonly<Record<string, number>>;
  readonly lines: readonly CompareLine[];
  /** Orders that differed once and not each time again. */
  readonly unconfirmed: number;
  /** Orders that differed and were not tried again. */
  readonly untried: number;
}

export interface CompareReport {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly seed: string;
  readonly targets: readonly ComparedTarget[];
  /** Forms that not all of them have. */
  readonly lacking: readonly string[];
  readonly levels: readonly CompareLevel[];
  readonly endedEarly?: string;
}
