/** Groups differences by their kind, by what their programs have in common, and by verdict. One of each family is confirmed and named. */
import { firstState } from '../../core/program/index.ts';
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { Program } from '../../core/program/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { aloneIn } from './alone.ts';
import { changeRowFor } from './table-changes.ts';
import { classify, judgedAs, shownOf } from './classify.ts';
import type { Naming } from './classify.ts';
import { confirm } from './confirm.ts';
import type { Confirmed } from './confirm.ts';
import { counted } from './counted.ts';
import { KINDS, byConstraint, classesOf } from './difference-kinds.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import { differenceOf, judgeDifference } from './difference.ts';
import type { Judged } from './difference.ts';
import type { ExploredProgram, Found } from './explore-program.ts';
import { documentOf } from './document-of.ts';
import { familyFingerprint } from './fingerprint.ts';
import type { BeginSql } from './by-hand.ts';
import { exampleOf } from './example.ts';
import { inFreshFixture } from './with-runner.ts';
import { knownAs } from './known.ts';
import type { KnownPrograms } from './known.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { invariantsOf } from './oracles/invariants.ts';
import { again, play } from './play.ts';
import type { Order } from './play.ts';
import type { Probes } from './probes.ts';
import { smaller } from './smaller.ts';

/** Number of a family's programs whose difference is tried again before the family is given up. */
const TRIES = 3;

export interface DifferenceGroup {
  readonly name: string;
  readonly kind: DifferenceKind;
  readonly judgement: Judged;
  /** The corpus case of which all its programs are instances. */
  readonly knownIn?: string | undefined;
  /** Its programs show it in races alone, in no order of whole statements. */
  readonly raced?: true;
  readonly members: { readonly program: Program; readonly found: Found }[];
}

/** A broken invariant shows the effect of a difference best. */
function worst(found: readonly Found[]): Found {
  return found.find(({ breaks }) => breaks.length > 0) ?? found[0]!;
}

export type JudgingPlan = Pick<FamiliesPlan, 'judge' | 'dialect' | 'level'>;

/** Returns the verdict on one run's difference. */
export function judgedRun(
  { judge, dialect, level: { level } }: JudgingPlan,
  program: Program,
  { played, difference }: Pick<Found, 'played' | 'difference'>,
): Judged {
  const errors = (dialect.allowedErrors ?? []).filter(({ levels }) => levels.includes(level));
  return judgeDifference(difference, { judge, errors, change: changeRowFor(program, played, dialect, level) });
}

export function differenceGroups(
  explored: readonly ExploredProgram[],
  plan: JudgingPlan & Pick<FamiliesPlan, 'source'>,
  corpus: readonly KnownPrograms[] = [],
): readonly DifferenceGroup[] {
  const groups = new Map<string, DifferenceGroup>();
  for (const { program, found } of explored) {
    const { family: name } = plan.source.nameOf(program);
    const knownIn = knownAs([program], { dbms: plan.dialect.name, level: plan.level.level }, corpus)?.file;
    const own = new Map<
      string,
      { readonly judgement: Judged; readonly kind: DifferenceKind; readonly raced: boolean; readonly found: Found[] }
    >();
    for (const each of found) {
      const { kind } = each.difference;
      const judgement = judgedRun(plan, program, each);
      const raced = each.played.raced !== undefined;
      const key = groupKey({ name, kind, judgement, knownIn, ...(raced && { raced }) });
      const alike = own.get(key) ?? { judgement, kind, raced, found: [] };
      own.set(key, alike);
      alike.found.push(each);
    }
    for (const [key, { judgement, kind, raced, found: alike }] of own) {
      const group = groups.get(key) ?? { name, kind, judgement, knownIn, ...(raced && { raced: true as const }), members: [] };
      groups.set(key, group);
      group.members.push({ program, found: worst(alike) });
    }
  }
  return [...groups.values()];
}

export function groupKey({ name, kind, judgement, knownIn, raced }: Omit<DifferenceGroup, 'members'>): string {
  return JSON.stringify([name, kind, judgement.verdict, knownIn, raced]);
}

/** Returns the members whose difference is tried again, until one is confirmed. */
export function membersToTry({ members }: Pick<DifferenceGroup, 'members'>): DifferenceGroup['members'] {
  return members.toSorted((a, b) => b.found.breaks.length - a.found.breaks.length).slice(0, TRIES);
}

/** Returns the part of a family that depends on all its programs. */
export function countsOf(
  { source }: Pick<FamiliesPlan, 'source'>,
  { members, knownIn }: DifferenceGroup,
  verdict: PromiseVerdict,
): Pick<ExploreFamily, 'programs' | 'forms' | 'known'> {
  const isKnown = verdict !== 'documented' && knownIn !== undefined;
  return {
    programs: members.length,
    forms: counted(members.map(({ program }) => source.nameOf(program).form)),
    ...(isKnown && { known: { file: knownIn, programs: members.length } }),
  };
}

export async function differenceFamily(
  plan: FamiliesPlan,
  group: DifferenceGroup,
  probes: Probes,
): Promise<ExploreFamily | 'untried' | undefined> {
  const { name, kind, judgement, raced } = group;
  for (const { program, found } of membersToTry(group)) {
    if (plan.signal.aborted) return 'untried';
    const whole = await confirmedIn(plan, program, found.played, kind);
    if (whole.confirmed.played === undefined) continue;
    const least = await reduced(plan, whole, kind, plan.reduceMs?.[judgement.verdict] ?? 0);
    const { confirmed, beginSql, breaks } = least;
    const { played, difference } = confirmed as ShownAgain;
    const naming = raced ? RACED : await classify(probes, least.program, played, { kind, judge: plan.judge });
    if (confirmed.serially && !('named' in naming)) {
      if (plan.signal.aborted) return 'untried';
      continue;
    }
    const { verdict, row, says } = judgedAs(naming, {
      kind,
      judgement: judgedRun(plan, least.program, { played, difference }),
      ...confirmed,
    });
    const counts = countsOf(plan, group, verdict);
    return {
      name,
      fingerprint: familyFingerprint(program, {
        oracle: 'serial orders',
        kind: `${confirmed.serially ? 'serially' : kind}${raced ? ', raced' : ''}`,
        name: counts.known?.file ?? name,
      }),
      oracle: 'serial orders',
      difference: `${confirmed.serially ? SERIALLY : KINDS[kind].words}${raced ? IN_RACES : ''}`,
      ...('named' in naming ? { named: shownOf(naming.named) } : { unnamed: naming.unnamed }),
      oneOf: classesOf(kind),
      verdict,
      says: row?.says ?? says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      ...documentOf(row),
      ...counts,
      example: exampleOf(
        least.program,
        { ...confirmed, played },
        {
          dialect: plan.dialect,
          level: plan.level,
          beginSql,
          breaks,
          command: plan.commandFor(program),
          finding: { sought: { oracle: 'serial orders', kind }, why: NO_SERIAL_ORDER },
        },
      ),
    };
  }
  return undefined;
}

const NO_SERIAL_ORDER = 'No serial order of the transactions gives what was observed.';

const SERIALLY = 'one of its transactions answers otherwise after the others than alone on the rows that they left';

/** Probes need a statement to begin after another one has ended. */
const RACED: Naming = { unnamed: 'probes do not follow a race inside a statement' };
const IN_RACES = '; its sessions raced, and no order of whole statements that was run gives it';

type ShownAgain = Confirmed & Required<Pick<Confirmed, 'played' | 'difference'>>;

interface ConfirmedIn {
  readonly program: Program;
  readonly confirmed: Confirmed;
  readonly beginSql: BeginSql;
  readonly breaks: readonly string[];
}

async function confirmedIn(plan: FamiliesPlan, program: Program, order: Order, kind: DifferenceKind): Promise<ConfirmedIn> {
  return inFreshFixture(plan, program, async (runner) => {
    const confirmed = await confirm(runner, program, order, kind);
    const shown = confirmed.played;
    const breaks =
      shown === undefined ? [] : await (await invariantsOf(runner, program, aloneIn(runner, program))).broken(shown.outcome.state);
    return { program, confirmed, beginSql: runner.beginSql, breaks };
  });
}

/**
 * Makes the example smaller, with the same kind and verdict. A difference by a constraint is left as it is, because with
 * fewer statements another constraint may be met.
 */
async function reduced(plan: FamiliesPlan, whole: ConfirmedIn, kind: DifferenceKind, ms: number): Promise<ConfirmedIn> {
  const { program, confirmed } = whole;
  const { verdict } = judgedRun(plan, program, confirmed as ShownAgain);
  if (ms === 0 || byConstraint(kind) || confirmed.serially || confirmed.played!.raced !== undefined) return whole;
  const less = await smaller(plan, { program, choices: confirmed.played!.choices }, ms, async (runner, example) => {
    const from = firstState(example.program.fixture);
    await runner.load(example.program);
    const played = (await play(runner, example.program, from, again(example.choices)))!;
    const difference = await differenceOf(played, from, aloneIn(runner, example.program), example.program);
    return difference?.kind === kind && judgedRun(plan, example.program, { played, difference }).verdict === verdict;
  });
  const least = less && (await confirmedIn(plan, less.program, less, kind));
  return least?.confirmed.played === undefined || least.confirmed.serially ? whole : least;
}
