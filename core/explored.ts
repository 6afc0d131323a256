/**
 * What an exploration shows of one kind: the programs that show it, what it is to the vendor, and of one of them the run in
 * full. An explore.json holds these; a finding of a program has one of them.
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Level } from './level.ts';
import type { BreachKind, PromiseSource, PromiseVerdict } from './promise.ts';
import type { PlainRun } from './reproduction.ts';

/**
 * `serial orders`: none of them gives the outcome; `dependencies`: one of them gives the outcome, and none what was read and
 * written; `run`: what a run shows by itself.
 */
export type ExploreOracle = 'serial orders' | 'dependencies' | 'run';

/** A statement of a small program, in the order in which they were sent. */
export interface ExploredLine {
  /** From 1. */
  readonly session: number;
  /** Of its transaction, from 2, where the server refused it before: a transaction of its own. */
  readonly attempt?: number;
  readonly sql: string;
  readonly state: 'replies' | 'waits' | 'replies late';
  /** In words: rows, a count, an error; empty while it waits. */
  readonly reply: string;
}

/** It is a case of the corpus. */
export interface KnownInCorpus {
  /** `corpus/explored/...` */
  readonly file: string;
  /** So many of the programs are made as that case says. */
  readonly programs: number;
}

/** What one serial order would have answered where it differs from what happened. */
export interface ExploreAnswer {
  /** Sessions from 1. */
  readonly order: readonly number[];
  readonly differs: readonly string[];
}

/** One run of a program that shows what its family shows. */
export interface ExploreExample {
  readonly program: number;
  readonly made: Readonly<Record<string, string>>;
  /** By hand: makes the tables and their rows, in one session. */
  readonly setup: readonly string[];
  /** What every session of the program is told first. */
  readonly sessions: readonly string[];
  /** What BEGIN stands for in the lines. */
  readonly begin: { readonly level: Level; readonly sql: string };
  readonly start: readonly string[];
  readonly lines: readonly ExploredLine[];
  readonly left: readonly string[];
  /** Invariants that what is left breaks, and no serial order does. */
  readonly breaks: readonly string[];
  /** The transactions' names by session, where they have any. */
  readonly transactions: readonly string[];
  readonly answers: readonly ExploreAnswer[];
  /** Again in a world made anew: so many times of so many. */
  readonly times: number;
  readonly of: number;
  /** The command that runs this program alone. */
  readonly command: string;
  /** The same run step by step, as reproductions are written from it; absent: an older tool wrote it. */
  readonly plain?: PlainRun;
  /** The program with the order of its steps, packed (src/explore/packed-program.ts): a replay begins with it. */
  readonly case?: string;
}

/** The anomaly that the example's order showed with the probes of `run`. */
export interface ExploreClass {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly explanation: string;
  /** Of the cycle, each in words. */
  readonly edges: readonly string[];
  readonly times: number;
  readonly of: number;
}

/** Findings of one skeleton, one way of reading and one verdict. */
export interface ExploreFamily {
  readonly name: string;
  /** The same of every seed (src/explore/fingerprint.ts); absent: an older tool wrote it. */
  readonly fingerprint?: string;
  readonly oracle: ExploreOracle;
  readonly difference: string;
  readonly named?: ExploreClass;
  /** Why no class is named. */
  readonly unnamed?: string;
  /** The run shows it by itself; then there is no class. */
  readonly breach?: BreachKind;
  /** Of a breach, a line each. */
  readonly seen?: readonly string[];
  /** By the outcome alone it is one of these. */
  readonly oneOf: readonly AnomalyClass[];
  readonly verdict: PromiseVerdict;
  readonly says: string;
  readonly source: string;
  /** The document in full; absent: no document speaks of it, or an older tool wrote the family. */
  readonly document?: PromiseSource;
  /** Programs that show it; of the first the example was confirmed. */
  readonly programs: number;
  /** What else these are made of, each with the number of programs. */
  readonly forms: Readonly<Record<string, number>>;
  readonly known?: KnownInCorpus;
  /** The `--known` file has it. */
  readonly accepted?: true;
  readonly example: ExploreExample;
}
