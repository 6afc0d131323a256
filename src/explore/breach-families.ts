/** Breaches of a kind, by what the programs have in common: the first of each family is confirmed and judged. */
import { judgeBreach } from '../../check/index.ts';
import type { BreachKind, ExploreFamily, Program } from '../../core/index.ts';
import type { Breach, FoundBreach } from './breach.ts';
import { confirmBreach } from './confirm-breach.ts';
import type { ConfirmedBreach } from './confirm-breach.ts';
import type { ExploredProgram } from './explore-program.ts';
import { counted } from './counted.ts';
import { documentOf } from './document-of.ts';
import { familyFingerprint } from './fingerprint.ts';
import type { BeginSql } from './by-hand.ts';
import { exampleOf } from './example.ts';
import { inFreshWorld } from './in-arena.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { changeRowFor } from './table-changes.ts';
import { smaller } from './smaller.ts';
import type { Example } from './smaller.ts';

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

export function breachGroups(explored: readonly ExploredProgram[], source: FamiliesPlan['source']): readonly BreachGroup[] {
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
  plan: FamiliesPlan,
  { name, breach, members }: BreachGroup,
): Promise<ExploreFamily | 'untried' | undefined> {
  const { dialect, level, signal, source } = plan;
  for (const { program, found } of members.slice(0, TRIES)) {
    if (signal.aborted) return 'untried';
    const whole = await confirmedIn(plan, { program, choices: found.played.choices }, found.breach);
    if (whole.confirmed.shown === undefined) continue;
    const change = breach.kind === 'part of a transaction' ? changeRowFor(program, found.played, dialect, level.level) : undefined;
    const { verdict, row } = change === undefined ? judgeBreach(breach, level.level, dialect) : { verdict: change.verdict, row: change };
    const least = await reduced(plan, whole, found.breach, plan.reduceMs?.[verdict] ?? 0);
    const {
      confirmed: { shown = whole.confirmed.shown, times, of },
      beginSql,
    } = least;
    return {
      name,
      fingerprint: familyFingerprint(program, { oracle: 'run', kind: [breach.kind, breach.reading].filter(Boolean).join(', '), name }),
      oracle: 'run',
      difference: IN_WORDS[breach.kind],
      breach: breach.kind,
      seen: shown.breach.seen,
      oneOf: [],
      verdict,
      says: row?.says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      ...documentOf(row),
      programs: members.length,
      forms: counted(members.map((member) => source.nameOf(member.program).form)),
      example: exampleOf(
        least.program,
        { times, of, answers: [], played: shown.played },
        {
          dialect,
          level,
          beginSql,
          breaks: [],
          command: plan.commandFor(program.number),
          finding: {
            sought: { oracle: 'run', breach: { kind: breach.kind, ...(breach.reading && { reading: breach.reading }) } },
            why: `In this run ${IN_WORDS[breach.kind]}: ${shown.breach.seen.join('; ')}.`,
          },
        },
      ),
    };
  }
  return undefined;
}

interface ConfirmedIn {
  readonly program: Program;
  readonly confirmed: ConfirmedBreach;
  readonly beginSql: BeginSql;
}

function confirmedIn(plan: FamiliesPlan, { program, choices }: Example, breach: Breach): Promise<ConfirmedIn> {
  return inFreshWorld(plan, program, async (arena) => ({
    program,
    confirmed: await confirmBreach(arena, program, choices, breach),
    beginSql: arena.beginSql,
  }));
}

async function reduced(plan: FamiliesPlan, whole: ConfirmedIn, breach: Breach, ms: number): Promise<ConfirmedIn> {
  if (ms === 0) return whole;
  const { program, confirmed } = whole;
  const less = await smaller(
    plan,
    { program, choices: confirmed.shown!.played.choices },
    ms,
    async (arena, example) => (await confirmBreach(arena, example.program, example.choices, breach, 1)).shown !== undefined,
  );
  const again = less && (await confirmedIn(plan, less, breach));
  return again?.confirmed.shown === undefined ? whole : again;
}
