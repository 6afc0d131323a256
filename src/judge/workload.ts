/**
 * What a run executes: a seed becomes a round's test case, and the round's history a verdict.
 */
import type { DependencyGraph, History, InstrumentMode, Note, TestCase, Verdict } from '../../core/index.ts';
import type { FormPair, Invariant } from '../../schema-gen/index.ts';
import type { RoundObjects } from '../execute/index.ts';

export interface Workload {
  /** The command line's words that choose it again; empty for the default. */
  readonly words: string;
  /** `none`: the statements run as they are, and what they return is all that is known. */
  readonly instrument: InstrumentMode;
  /** Nothing is inferred of its rounds: their programs are judged by what they are told and what they leave (pipeline/outcomes.ts). */
  readonly outcomes?: true;
  /** Queries that return no row of what a round leaves, while all is well. */
  readonly invariants?: readonly Invariant[];
  /** What of a file is carried over as something else than it says. */
  readonly approximated?: readonly string[];
  /** Of a key-value workload. */
  readonly objects?: RoundObjects;
  /** Percent of the sessions that may be inside a transaction at once; absent: all. */
  readonly concurrency?: number;
  /** Pairs of forms of which it can draw programs (a seed may name some forms): what coverage counts. Absent: it draws no forms. */
  readonly pairs?: readonly FormPair[];
  /** The same seed gives the same case. */
  caseOf(seed: string): TestCase;
  assess(history: History, testCase: TestCase): WorkloadVerdict;
}

export interface WorkloadVerdict {
  readonly verdict: Verdict & {
    /** Contradictions between two checkers: defects of ours. */
    readonly defects: readonly Note<'checkers-disagree'>[];
  };
  /** Absent where the verdict rests on values alone. */
  readonly graph?: DependencyGraph;
  /** The round's history with what its values tell of row versions; absent where they were observed. */
  readonly observed?: History;
  /** The case as it ran, where statements were bound as they were sent. */
  readonly ran?: TestCase;
}
