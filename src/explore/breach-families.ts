/** Breaches of a kind, by what the programs have in common: the first of each family is confirmed and judged. */
import { judgeBreach } from '../../check/index.ts';
import type { BreachKind, Program } from '../../core/index.ts';
import type { ExploreFamily } from '../../reports/index.ts';
import type { Breach, FoundBreach } from './breach.ts';
import { confirmBreach } from './confirm-breach.ts';
import type { ExploredProgram } from './explore-program.ts';
import { counted } from './counted.ts';
import { findingOf } from './finding.ts';
import { inFreshWorld } from './in-arena.ts';
import type { LevelPlan } from './level-plan.ts';
import type { Source } from './source.ts';

export interface BreachGroup {
  readonly name: string;
  readonly breach: Breach;
  readonly members: { readonly program: Program; readonly found: FoundBreach }[];
}

const IN_WORDS: Readonly<Record<BreachKind, string>> = {
  'transaction state': 'a reply and what the protocol says of its transaction contradict each other',
  'damaged tables': 'the tables contradict their own keys or indexes once the run is over',
  'part of a transaction': 'a statement is told what it is told on no single state of the database',
};

export function breachGroups(explored: readonly ExploredProgram[], source: Source): readonly BreachGroup[] {
  const groups = new Map<string, BreachGroup>();
  for (const { program, breaches } of explored) {
    for (const found of breaches) {
      const { family: name } = source.nameOf(program);
      const key = JSON.stringify([name, found.breach.kind, found.breach.reading]);
      const group = groups.get(key) ?? { name, breach: found.breach, members: [] };
      groups.set(key, group);
      group.members.push({ program, found });
    }
  }
  return [...groups.values()];
}

/** Programs of one family that are tried again before it is given up. */
const TRIES = 3;

export async function breachFamily(
  plan: LevelPlan,
  { name, breach, members }: BreachGroup,
): Promise<ExploreFamily | 'untried' | undefined> {
  const { dialect, level, signal, source } = plan;
  for (const { program, found } of members.slice(0, TRIES)) {
    if (signal.aborted) return 'untried';
    const { confirmed, beginSql } = await inFreshWorld(plan, program, async (arena) => ({
      confirmed: await confirmBreach(arena, program, found.played.choices, found.breach),
      beginSql: arena.beginSql,
    }));
    const { shown, times, of } = confirmed;
    if (shown === undefined) continue;
    const { verdict, row } = judgeBreach(breach, level.level, dialect);
    return {
      name,
      oracle: 'run',
      difference: IN_WORDS[breach.kind],
      breach: breach.kind,
      seen: shown.breach.seen,
      oneOf: [],
      verdict,
      says: row?.says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      programs: members.length,
      forms: counted(members.map((member) => source.nameOf(member.program).form)),
      example: findingOf(
        program,
        { times, of, answers: [], played: shown.played },
        { dialect, level, beginSql, breaks: [], command: plan.commandFor(program.number) },
      ),
    };
  }
  return undefined;
}
