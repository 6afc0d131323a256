/**
 * A breach: what a run shows by itself, whatever order of its transactions explains it. It is told and confirmed like a
 * difference, but no class is asked for.
 */
import type { BreachKind, Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { brokenAdditions } from './oracles/added.ts';
import { brokenKeys } from './oracles/audit.ts';
import type { Fracture } from './oracles/single-state.ts';
import type { Played } from './play.ts';
import { hasItsColumns } from './remade-world.ts';

export interface Breach {
  readonly kind: BreachKind;
  /** Of a statement. */
  readonly reading?: 'plain' | 'locking';
  /** In words, a line each. */
  readonly seen: readonly string[];
}

export interface FoundBreach {
  readonly breach: Breach;
  readonly played: Played;
}

/** Replies that the protocol contradicts. */
export function statusMismatches({ transcript }: Played): readonly Breach[] {
  return breachOf(
    'transaction state',
    transcript.flatMap(({ session, reply }) => (reply?.mismatch === undefined ? [] : [`session ${session + 1}: ${reply.mismatch}`])),
  );
}

/** To be asked before anything else is done in the arena: the tables are as the run left them. */
export async function damageOf(arena: Arena, program: Program, played: Played): Promise<readonly Breach[]> {
  const state = arena.stored?.() ?? played.outcome.state;
  const { world } = program;
  const tables = world.remade ? world.tables.filter(({ name }) => hasItsColumns(state, name)) : world.tables;
  return breachOf('damaged tables', [
    ...brokenKeys({ ...world, tables }, state),
    ...(world.remade ? brokenAdditions(program, played, state) : []),
    ...((await arena.damage?.()) ?? []),
  ]);
}

function breachOf(kind: BreachKind, seen: readonly string[]): readonly Breach[] {
  return seen.length === 0 ? [] : [{ kind, seen }];
}

export function sameKind(a: Breach, b: Breach): boolean {
  return a.kind === b.kind && a.reading === b.reading;
}

export function fractureOf({ reading, seen }: Fracture): Breach {
  return { kind: 'part of a transaction', reading, seen };
}
