/** What an exploration holds, ready to be written: what was enumerated at each level, and what no serial order explains. */
import type { Level, PromiseVerdict } from '../../core/index.ts';

export interface ExploreLine {
  /** From 1. */
  readonly session: number;
  readonly sql: string;
  readonly state: 'replies' | 'waits' | 'replies late';
  /** In words: rows, a count, an error; empty while it waits. */
  readonly reply: string;
}

/** What one serial order would have answered where it differs from what happened. */
export interface ExploreAnswer {
  /** Sessions from 1. */
  readonly order: readonly number[];
  readonly differs: readonly string[];
}

export interface ExploreFinding {
  readonly program: number;
  readonly made: Readonly<Record<string, string>>;
  /** By hand: makes the tables and their rows, in one session. */
  readonly setup: readonly string[];
  /** What every session of the program is told first, and what BEGIN stands for in it. */
  readonly sessions: readonly string[];
  readonly start: readonly string[];
  readonly lines: readonly ExploreLine[];
  readonly left: readonly string[];
  readonly answers: readonly ExploreAnswer[];
  /** Again in a world made anew: so many times of so many. */
  readonly times: number;
  readonly of: number;
  /** The command that runs this program alone. */
  readonly command: string;
}

/** Findings of one skeleton, one way of reading and one verdict. */
export interface ExploreFamily {
  readonly name: string;
  readonly difference: string;
  readonly verdict: PromiseVerdict;
  readonly says: string;
  readonly source: string;
  /** Programs that show it; of the first the example was confirmed. */
  readonly programs: number;
  /** What else these are made of, each with the number of programs. */
  readonly forms: Readonly<Record<string, number>>;
  readonly example: ExploreFinding;
}

export interface ExploreLevel {
  readonly level: Level;
  readonly programs: number;
  readonly whole: number;
  readonly sampled: number;
  readonly orders: number;
  /** Left out since they differ from one that was run by steps that commute; started and given up. */
  readonly cut: number;
  readonly seconds: number;
  readonly outcomes: number;
  /** Why programs were dropped, with how many. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly coverage: { readonly pairs: number; readonly covered: number };
  /** Differences that did not occur again, or whose serial orders do not answer alike twice. */
  readonly unconfirmed: number;
  /** Differences that nobody tried again, as it was ended or the server was gone. */
  readonly untried: number;
  readonly families: readonly ExploreFamily[];
  /** The server failed before the end. */
  readonly stopped?: string;
}

export interface ExploreReport {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  readonly seed: string;
  readonly workers: number;
  /** Forms that need what the DBMS lacks. */
  readonly lacking: readonly string[];
  readonly levels: readonly ExploreLevel[];
  readonly endedEarly?: string;
}
