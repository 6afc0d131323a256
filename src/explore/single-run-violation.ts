/**
 * A single-run violation: a contradiction within one run, whichever order of its transactions explains it. It is reported
 * and confirmed like a difference, but no class is sought.
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
  /** The kind of the statement's read. */
  readonly reading?: 'plain' | 'locking';
  /** The contradictions in words, a line each. */
  readonly seen: readonly string[];
}

export interface FoundViolation {
  readonly violation: SingleRunViolation;
  readonly played: Played;
}

/** Returns the replies that the protocol contradicts. */
export function statusMismatches({ transcript }: Played): readonly SingleRunViolation[] {
  return violationOf(
    'transaction state',
    transcript.flatMap(({ session, reply }) => (reply?.mismatch === undefined ? [] : [`session ${session + 1}: ${reply.mismatch}`])),
  );
}

/** Must be called before any other use of the fixture: the tables are as the run left them. */
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
