/** Differences, by their kind, by what the programs have in common and by verdict: of each family one is confirmed and named. */
import type { Program } from '../../core/index.ts';
import type { ExploreFamily } from '../../reports/index.ts';
import { aloneIn } from './alone.ts';
import { classify, judgedAs, shownOf } from './classify.ts';
import { confirm } from './confirm.ts';
import type { Confirmed } from './confirm.ts';
import { counted } from './counted.ts';
import { classesOf, judgeDifference } from './difference.ts';
import type { DifferenceKind, Judged } from './difference.ts';
import type { ExploredProgram, Found } from './explore-program.ts';
import { findingOf } from './finding.ts';
import { inFreshWorld } from './in-arena.ts';
import { knownAs } from './known.ts';
import type { KnownPrograms } from './known.ts';
import type { LevelPlan } from './level-plan.ts';
import { invariantsOf } from './oracles/invariants.ts';
import type { Probes } from './probes.ts';

/** Programs of one family whose difference is tried again before it is given up. */
const TRIES = 3;

export interface DifferenceGroup {
  readonly name: string;
  readonly kind: DifferenceKind;
  readonly judgement: Judged;
  readonly members: { readonly program: Program; readonly found: Found }[];
}

/** What breaks an invariant shows best what a difference is good for. */
function worst(found: readonly Found[]): Found {
  return found.find(({ breaks }) => breaks.length > 0) ?? found[0]!;
}

export function differenceGroups(
  explored: readonly ExploredProgram[],
  { source, judge, dialect, level }: LevelPlan,
): readonly DifferenceGroup[] {
  const errors = (dialect.allowedErrors ?? []).filter(({ levels }) => levels.includes(level.level));
  const groups = new Map<string, DifferenceGroup>();
  for (const { program, found } of explored) {
    const { family: name } = source.nameOf(program);
    const own = new Map<string, { readonly judgement: Judged; readonly kind: DifferenceKind; readonly found: Found[] }>();
    for (const each of found) {
      const { kind } = each.difference;
      const judgement = judgeDifference(each.difference, { judge, errors });
      const key = JSON.stringify([name, kind, judgement.verdict]);
      const alike = own.get(key) ?? { judgement, kind, found: [] };
      own.set(key, alike);
      alike.found.push(each);
    }
    for (const [key, { judgement, kind, found: alike }] of own) {
      const group = groups.get(key) ?? { name, kind, judgement, members: [] };
      groups.set(key, group);
      group.members.push({ program, found: worst(alike) });
    }
  }
  return [...groups.values()];
}

const IN_WORDS: Readonly<Record<DifferenceKind, string>> = {
  skew: 'no serial order gives this; each transaction on a snapshot of its own does',
  'skew, an error': 'no serial order gives this, of which a constraint is a part; each transaction on a snapshot of its own does',
  'no snapshot': 'no serial order gives this, nor does each transaction on a snapshot of its own',
  'an error': 'no serial order gives this, of which a violated constraint is a part',
};

export async function differenceFamily(
  plan: LevelPlan,
  { name, kind, judgement, members }: DifferenceGroup,
  probes: Probes,
  corpus: readonly KnownPrograms[],
): Promise<ExploreFamily | 'untried' | undefined> {
  const tried = members.toSorted((a, b) => b.found.breaks.length - a.found.breaks.length).slice(0, TRIES);
  for (const { program, found } of tried) {
    if (plan.signal.aborted) return 'untried';
    const { confirmed, beginSql, breaks } = await confirmedIn(plan, program, found);
    const { played } = confirmed;
    if (played === undefined) continue;
    const naming = await classify(probes, program, played.choices, { kind, judge: plan.judge });
    if (confirmed.serially && !('named' in naming)) {
      if (plan.signal.aborted) return 'untried';
      continue;
    }
    const { verdict, row } = judgedAs(naming, { kind, judgement, ...confirmed });
    const at = { dbms: plan.dialect.name, level: plan.level.level };
    const known =
      verdict === 'documented'
        ? undefined
        : knownAs(
            members.map((member) => member.program),
            at,
            corpus,
          );
    return {
      name,
      oracle: 'serial orders',
      difference: confirmed.serially ? SERIALLY : IN_WORDS[kind],
      ...('named' in naming ? { named: shownOf(naming.named) } : { unnamed: naming.unnamed }),
      oneOf: classesOf(kind),
      verdict,
      says: row?.says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      programs: members.length,
      forms: counted(members.map(({ program: each }) => plan.source.nameOf(each).form)),
      ...(known !== undefined && { known }),
      example: findingOf(
        program,
        { ...confirmed, played },
        { dialect: plan.dialect, level: plan.level, beginSql, breaks, command: plan.commandFor(program.number) },
      ),
    };
  }
  return undefined;
}

const SERIALLY = 'one of its transactions answers otherwise after the others than alone on the rows that they left';
async function confirmedIn(
  plan: LevelPlan,
  program: Program,
  { played, difference }: Found,
): Promise<{ readonly confirmed: Confirmed; readonly beginSql: string; readonly breaks: readonly string[] }> {
  return inFreshWorld(plan, program, async (arena) => {
    const confirmed = await confirm(arena, program, played.choices, difference.kind);
    const shown = confirmed.played;
    const breaks =
      shown === undefined ? [] : await (await invariantsOf(arena, program, aloneIn(arena, program))).broken(shown.outcome.state);
    return { confirmed, beginSql: arena.beginSql, breaks };
  });
}
