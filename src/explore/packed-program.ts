/**
 * A finding's file holds a program with the order of its steps and the kind of finding. It is packed, because nobody reads it
 * there. `jq -r .family.example.case finding-1.json | base64 -d | gunzip` shows it.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AnomalyClass } from '../../core/level/index.ts';
import type { Fixture, Program } from '../../core/program/index.ts';
import type { SingleRunViolation } from './single-run-violation.ts';
import type { DifferenceKind } from './difference-kinds.ts';

/** A replay looks for this kind of finding. */
export type Sought =
  | { readonly oracle: 'serial orders'; readonly kind: DifferenceKind }
  | { readonly oracle: 'dependencies'; readonly class: AnomalyClass }
  | { readonly oracle: 'run'; readonly violation: Pick<SingleRunViolation, 'kind' | 'reading'> };

export interface ReplayedProgram {
  readonly program: Program;
  /** The sessions stepped in this order. */
  readonly choices: readonly number[];
  readonly begunAgain?: readonly number[];
  /** The seed of its race. Absent: the choices repeat it. */
  readonly raced?: number;
  readonly sought: Sought;
}

export function packedProgram({ program, choices, begunAgain, raced, sought }: ReplayedProgram): string {
  return gzipSync(
    JSON.stringify({ program, choices, begunAgain, raced, sought } satisfies Record<keyof ReplayedProgram, unknown>),
  ).toString('base64');
}

/** Throws if it cannot be unpacked. */
export function unpackedProgram(packed: string): ReplayedProgram {
  const { program, sought, ...rest } = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as ReplayedProgram | FirstReplayed;
  return {
    ...rest,
    program: 'world' in program ? withFixture(program) : program,
    sought: 'breach' in sought ? { oracle: 'run', violation: sought.breach } : sought,
  };
}

/** Files that were written before 28 November 2026 have these keys. */
type FirstReplayed = Omit<ReplayedProgram, 'program' | 'sought'> & { readonly program: FirstProgram; readonly sought: FirstSought };
type FirstProgram = Omit<Program, 'fixture'> & { readonly world: Omit<Fixture, 'changesSchema'> & { readonly remade?: true } };
type FirstSought =
  Exclude<Sought, { oracle: 'run' }> | { readonly oracle: 'run'; readonly breach: Extract<Sought, { oracle: 'run' }>['violation'] };

function withFixture({ world: { remade, ...fixture }, ...program }: FirstProgram): Program {
  return { ...program, fixture: { ...fixture, ...(remade && { changesSchema: remade }) } };
}
