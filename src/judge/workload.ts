/** A workload: a seed becomes a round's test case, and the round's history a verdict. */
import type { DependencyGraph, History, InstrumentMode, Note, TestCase, Verdict } from '../../core/index.ts';
import type { FormPair, Invariant } from '../../schema-gen/index.ts';
import type { RoundObjects } from '../execute/index.ts';

export interface Workload {
  /** The command line's words that choose the workload again; empty for the default. */
  readonly words: string;
  /** `none`: the statements run unchanged, and only their results are known. */
  readonly instrument: InstrumentMode;
  /** No dependencies are inferred from its rounds. Their programs are judged by replies and final rows (pipeline/outcomes.ts). */
  readonly outcomes?: true;
  /** Queries that return no row after a round while they hold. */
  readonly invariants?: readonly Invariant[];
  /** Parts of a file that the workload only approximates. */
  readonly approximated?: readonly string[];
  /** Objects of a key-value workload. */
  readonly objects?: RoundObjects;
  /** Largest percentage of sessions inside a transaction at once; absent: all. */
  readonly concurrency?: number;
  /**
   * Pairs of forms from which the workload can draw programs (a seed may name some forms). Coverage counts them. Absent:
   * it draws no forms.
   */
  readonly pairs?: readonly FormPair[];
  /** The same seed gives the same case. */
  caseOf(seed: string): TestCase;
  assess(history: History, testCase: TestCase): WorkloadVerdict;
}

export interface WorkloadVerdict {
  readonly verdict: Verdict & {
    /** Contradictions between two checkers, which are defects of Anomalist. */
    readonly defects: readonly Note<'checkers-disagree'>[];
  };
  /** Absent if the verdict rests on values alone. */
  readonly graph?: DependencyGraph;
  /** The round's history with the row versions that its values show; absent if versions were observed. */
  readonly observed?: History;
  /** The case as it ran, if statements were bound as they were sent. */
  readonly ran?: TestCase;
}
