/** The data of a comparison of several servers: the differences between runs of the same programs in the same orders. */
import type { ExploreExample, Level, OwnSetting, PromiseVerdict } from '../../core/index.ts';

export interface ComparedTarget {
  /** The name without credentials. */
  readonly name: string;
  /** The server as it names itself. */
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a started server differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
}

/** A behaviour that some of the servers share, each of them each time. */
export interface CompareVariant {
  /** Positions of these servers in the report's list. */
  readonly targets: readonly number[];
  /** The ends of the transactions in a few words. */
  readonly ends: string;
  /** The vendor's verdict, if no serial order gives the outcome. Absent: some serial order does. */
  readonly verdict?: PromiseVerdict;
  /** The document behind the verdict. */
  readonly says?: string;
  readonly source?: string;
  /** An example on the first of these servers. */
  readonly example: ExploreExample;
}

export interface CompareLine {
  /** `outcome`: replies, final rows or aborted transactions differ. `waits`: these are alike, and a session waited on one server. */
  readonly kind: 'outcome' | 'waits';
  /** The skeleton of its programs. */
  readonly skeleton: string;
  readonly programs: number;
  readonly orders: number;
  /** The other parts of the example's program. */
  readonly made: Readonly<Record<string, string>>;
  /** Sessions, from 1, in the order in which they should step. */
  readonly order: readonly number[];
  /** The variants, at least two. */
  readonly variants: readonly CompareVariant[];
  /** Positions of targets that did not behave alike each time. */
  readonly varies: readonly number[];
  readonly command: string;
}

export interface CompareLevel {
  readonly level: Level;
  /** Number of compared programs. */
  readonly programs: number;
  readonly orders: number;
  /** Number of programs or orders that were not compared, by reason. */
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
  /** Forms that some of the servers lack. */
  readonly lacking: readonly string[];
  readonly levels: readonly CompareLevel[];
  readonly endedEarly?: string;
}
