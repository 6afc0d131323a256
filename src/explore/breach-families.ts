/** Breaches of a kind, by what the programs have in common: the first of each family is confirmed and judged. */
import { judgeBreach } from '../../check/index.ts';
import type { BreachKind, Dialect, DialectLevel, Program } from '../../core/index.ts';
import type { ExploreFamily } from '../../reports/index.ts';
import type { Breach, FoundBreach } from './breach.ts';
import type { ConfirmedBreach } from './confirm-breach.ts';
import type { ExploredProgram } from './explore-program.ts';
import { findingOf } from './finding.ts';
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

export interface BreachFamilyOptions {
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  readonly signal: AbortSignal;
  readonly commandFor: (program: number) => string;
  readonly formOf: (program: Program) => string;
  /** In a world made anew. */
  readonly confirm: (program: Program, found: FoundBreach) => Promise<{ readonly confirmed: ConfirmedBreach; readonly beginSql: string }>;
}

/** Programs of one family that are tried again before it is given up. */
const TRIES = 3;

export async function breachFamily(
  { name, breach, members }: BreachGroup,
  { dialect, level, signal, commandFor, formOf, confirm }: BreachFamilyOptions,
): Promise<ExploreFamily | 'untried' | undefined> {
  for (const { program, found } of members.slice(0, TRIES)) {
    if (signal.aborted) return 'untried';
    const { confirmed, beginSql } = await confirm(program, found);
    const { shown, times, of } = confirmed;
    if (shown === undefined) continue;
    const { verdict, row } = judgeBreach(breach, level.level, dialect);
    return {
      name,
      difference: IN_WORDS[breach.kind],
      breach: breach.kind,
      seen: shown.breach.seen,
      oneOf: [],
      verdict,
      says: row?.says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      programs: members.length,
      forms: counted(members.map((member) => formOf(member.program))),
      example: findingOf(
        program,
        { times, of, answers: [], played: shown.played },
        { dialect, level, beginSql, breaks: [], command: commandFor(program.number) },
      ),
    };
  }
  return undefined;
}

export function counted(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
