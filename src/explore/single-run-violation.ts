/**
 * A single-run violation: what a run shows by itself, whatever order of its transactions explains it. It is told and confirmed like a
 * difference, but no class is asked for.
 */
import type { SingleRunViolationKind, Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { brokenAdditions } from './oracles/added.ts';
import { brokenKeys } from './oracles/audit.ts';
import type { MixedSnapshot } from './oracles/single-state.ts';
import type { Played } from './play.ts';
import { hasItsColumns } from './schema-changing-fixture.ts';

export interface SingleRunViolation {
  readonly kind: SingleRunViolationKind;
  /** Of a statement. */
  readonly reading?: 'plain' | 'locking';
  /** In words, a line each. */
  readonly seen: readonly string[];
}

export interface FoundViolation {
  readonly violation: SingleRunViolation;
  readonly played: Played;
}

/** Replies that the protocol contradicts. */
export function statusMismatches({ transcript }: Played): readonly SingleRunViolation[] {
  return violationOf(
    'transaction state',
    transcript.flatMap(({ session, reply }) => (reply?.mismatch === undefined ? [] : [`session ${session + 1}: ${reply.mismatch}`])),
  );
}

/** To be asked before anything else is done in the arena: the tables are as the run left them. */
export async function tableCorruption(arena: Arena, program: Program, played: Played): Promise<readonly SingleRunViolation[]> {
  const state = arena.stored?.() ?? played.outcome.state;
  const { fixture } = program;
  const tables = fixture.changesSchema ? fixture.tables.filter(({ name }) => hasItsColumns(state, name)) : fixture.tables;
  return violationOf('damaged tables', [
    ...brokenKeys({ ...fixture, tables }, state),
    ...(fixture.changesSchema ? brokenAdditions(program, played, state) : []),
    ...((await arena.indexCorruption?.()) ?? []),
  ]);
}

function violationOf(kind: SingleRunViolationKind, seen: readonly string[]): readonly SingleRunViolation[] {
  return seen.length === 0 ? [] : [{ kind, seen }];
}

export function sameKind(a: SingleRunViolation, b: SingleRunViolation): boolean {
  return a.kind === b.kind && a.reading === b.reading;
}

export function mixedSnapshotOf({ reading, seen }: MixedSnapshot): SingleRunViolation {
  return { kind: 'part of a transaction', reading, seen };
}
