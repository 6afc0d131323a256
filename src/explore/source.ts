/** The sources of an exploration's programs: schema-gen's catalogue, a workload file, or one program of either. */
import type { Program } from '../../core/program/index.ts';
import type { NotCompared } from '../../core/verdict/index.ts';
import type { AimedPlan } from '../../schema-gen/index.ts';

export interface Source {
  readonly allFixtures: readonly Program['fixture'][];
  next(): Program | undefined;
  coverage(): { readonly pairs: number; readonly covered: number };
  /** A bit for each pair; absent: the source counts no pairs. */
  coveredPairs?(): Uint8Array;
  /** Returns what findings of several programs have in common, and what distinguishes them. */
  nameOf(program: Program): ProgramName;
  /** For a workload file: the sets of transactions that run together. Each family has the name of one of these. */
  readonly together?: readonly Candidates[];
}

export interface ProgramName {
  readonly family: string;
  readonly form: string;
}

export interface Candidates {
  readonly name: string;
  /** The reason why nothing can be said about them. */
  readonly notJudged?: NotCompared;
  /** Number of programs that are made of them. */
  readonly programs: number;
  /** Absent: no draw was aimed. */
  readonly aimed?: AimedPlan;
}
