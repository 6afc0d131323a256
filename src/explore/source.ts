/** Where an exploration's programs come from: schema-gen's catalogue, a workload file, or one program of either. */
import type { Program } from '../../core/index.ts';
import type { AimedPlan } from '../../schema-gen/index.ts';

export interface Source {
  readonly allFixtures: readonly Program['fixture'][];
  next(): Program | undefined;
  coverage(): { readonly pairs: number; readonly covered: number };
  /** A bit for each pair; absent: it counts none. */
  coveredPairs?(): Uint8Array;
  /** What findings of several programs have in common, and what tells these apart. */
  nameOf(program: Program): ProgramName;
  /** Of a workload file: the transactions that are taken together, each family bearing the name of one of these. */
  readonly together?: readonly Candidates[];
}

export interface ProgramName {
  readonly family: string;
  readonly form: string;
}

export interface Candidates {
  readonly name: string;
  /** Why nothing can be said of them: half a sentence that goes on after "as". */
  readonly notJudged?: string;
  /** So many programs are made of them. */
  readonly programs: number;
  /** Absent: no draw was aimed. */
  readonly aimed?: AimedPlan;
}
