/**
 * What a run executes: a seed becomes a round's test case, and the round's history a verdict. The default, `relational`,
 * is random schemas and random statements, instrumented, judged by their dependency graph.
 */
import type { Capabilities, DependencyGraph, History, InstrumentMode, TestCase, Verdict } from '../../core/index.ts';
import { PLAIN_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import type { GivenOptions, Invariant } from '../../schema-gen/index.ts';
import { judgeHistory } from '../assess/graph.ts';

export interface Workload {
  /** The command line's words that choose it again; empty for the default. */
  readonly words: string;
  /** `none`: the statements run as they are, and what they return is all that is known. */
  readonly instrument: InstrumentMode;
  /** Queries that return no row of what a round leaves, while all is well. */
  readonly invariants?: readonly Invariant[];
  /** Percent of the sessions that may be inside a transaction at once; absent: all. */
  readonly concurrency?: number;
  /** The same seed gives the same case. */
  caseOf(seed: string): TestCase;
  judge(history: History, testCase: TestCase): WorkloadVerdict;
}

export interface WorkloadVerdict {
  readonly verdict: Verdict & {
    /** Contradictions between two checkers: defects of ours. */
    readonly defects: readonly string[];
  };
  /** Absent where the verdict rests on values alone. */
  readonly graph?: DependencyGraph;
  /** The round's history with what its values tell of row versions; absent where they were observed. */
  readonly observed?: History;
  /** The case as it ran, where statements were bound as they were sent. */
  readonly ran?: TestCase;
}

export interface RelationalOptions {
  readonly capabilities: Capabilities;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: 'exact' | 'paper';
  readonly sessions?: number;
}

/** A stress round of this size takes about a second: long enough to be busy, short enough to keep lists and graphs small. */
const STRESS_TRANSACTIONS = { min: 40, max: 80 };

export function relationalWorkload({ capabilities, mode, instrument, sessions }: RelationalOptions): Workload {
  const options: GivenOptions = {
    ...optionsFor(capabilities),
    // The paper's Table 1 has no row for the other shapes: a run of them would observe next to nothing.
    ...(instrument === 'paper' ? PLAIN_SHAPES : {}),
    mode,
    transactionsPerSession: STRESS_TRANSACTIONS,
    ...(sessions === undefined ? {} : { sessions: { min: sessions, max: sessions } }),
  };
  return { words: '', instrument, caseOf: (seed) => generateCase(seed, options), judge: (history) => judgeHistory(history) };
}
