/**
 * A family holds the programs that show one thing, the vendor's verdict on it, and the whole run of one of them. An
 * explore.json holds families, and a finding of a program has one.
 */
import type { AnomalyClass, Shape, Level, SingleRunViolationKind, PromiseSource, PromiseVerdict } from '../level/index.ts';
import type { ResultRow } from '../dialect/index.ts';
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
  /** The number of the attempt, from 2, where the server refused the transaction before. Absent: the first one. */
  readonly attempt?: number;
  readonly sql: string;
  readonly state: 'replies' | 'waits' | 'replies late';
  /** The reply in words: rows, a count, an error. It is empty while the statement waits. */
  readonly reply: string;
}

/** It is a case of the corpus. */
export interface KnownInCorpus {
  /** `corpus/explored/...` */
  readonly file: string;
  /** So many of the programs are made as that case says. */
  readonly programs: number;
}

/** One serial order, and where its answers differ from those of the run. */
export interface ExploreAnswer {
  /** Sessions from 1. */
  readonly order: readonly number[];
  readonly differs: readonly string[];
}

/**
 * The answers of one run, and those of every serial order of the transactions that it committed. They prove without a server that
 * no serial order explains the run (`anomalist verify`).
 */
export interface OutcomeCertificate {
  /** The transactions by session, each with its last attempt. */
  readonly transactions: readonly OutcomeTxn[];
  readonly left: readonly OutcomeTable[];
  readonly orders: readonly OutcomeOrder[];
  /** The orders were put together from transactions that ran alone. Absent: each order was run. */
  readonly fromSingleRuns?: true;
}

export interface OutcomeTxn {
  /** From 1. */
  readonly session: number;
  readonly end: 'committed' | 'aborted';
  /** One for each statement, without BEGIN and without its end. */
  readonly replies: readonly OutcomeReply[];
}

export interface OutcomeReply {
  readonly rows: readonly ResultRow[];
  readonly affected: number;
  readonly error?: { readonly class: string; readonly code: string };
}

export interface OutcomeTable {
  readonly table: string;
  readonly rows: readonly ResultRow[];
}

export interface OutcomeOrder {
  /** Sessions from 1, and in this order their answers. */
  readonly order: readonly number[];
  readonly transactions: readonly OutcomeTxn[];
  readonly left: readonly OutcomeTable[];
}

/** One run of a program that shows what its family shows. */
export interface ExploreExample {
  readonly program: number;
  readonly made: Readonly<Record<string, string>>;
  /** The statements that make the tables and their rows by hand, in one session. */
  readonly setup: readonly string[];
  /** The statements that every session of the program sends first. */
  readonly sessions: readonly string[];
  /** The statement that BEGIN stands for in the lines. */
  readonly begin: { readonly level: Level; readonly sql: string };
  readonly start: readonly string[];
  readonly lines: readonly ExploredLine[];
  readonly left: readonly string[];
  /** The invariants that the final rows break and that every serial order keeps. */
  readonly breaks: readonly string[];
  /** The transactions' names by session, where they have any. */
  readonly transactions: readonly string[];
  readonly answers: readonly ExploreAnswer[];
  /** The run was repeated in a new fixture: `times` of `of` runs showed it. */
  readonly times: number;
  readonly of: number;
  /** Its sessions raced, and it was repeated by racing again: `of` counts rounds. Absent: the lines are an order that repeats it. */
  readonly raced?: true;
  /** The command that runs this program alone. */
  readonly command: string;
  /** The same run step by step, as reproductions are written from it; absent: an older tool wrote it. */
  readonly plain?: PlainRun;
  /** The program with the order of its steps, packed (src/explore/packed-program.ts): a replay begins with it. */
  readonly case?: string;
  /** Present where no serial order gives the outcome. Absent in files from before 28 November 2026, 08:00. */
  readonly certificate?: OutcomeCertificate;
}

/** The anomaly that the example's order showed with the probes of `run`. */
export interface ExploreClass {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly explanation: string;
  /** The edges of the cycle, in words. */
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
  /** The run contradicts itself. Then there is no class. */
  readonly breach?: SingleRunViolationKind;
  /** The contradictions of such a run, a line each. */
  readonly seen?: readonly string[];
  /** The classes that the outcome alone allows. */
  readonly oneOf: readonly AnomalyClass[];
  readonly verdict: PromiseVerdict;
  readonly says: string;
  readonly source: string;
  /** The document in full; absent: no document speaks of it, or an older tool wrote the family. */
  readonly document?: PromiseSource;
  /** Programs that show it; of the first the example was confirmed. */
  readonly programs: number;
  /** The other forms of these programs, each with the number of programs. */
  readonly forms: Readonly<Record<string, number>>;
  readonly known?: KnownInCorpus;
  /** The `--known` file has it. */
  readonly accepted?: true;
  readonly example: ExploreExample;
}
