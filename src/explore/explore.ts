/**
 * An exploration of one level: workers take programs from the catalogue, each in a world of its own; what the oracles find
 * is confirmed in a fresh world, first of each family, and added up. What is reported depends on the seed alone, as far as
 * the server repeats itself: programs are added up in their order, whoever ran them.
 */
import type { Anomaly, Dialect, DialectLevel, Judgement, Program, Random } from '../../core/index.ts';
import type { ExploreClass, ExploreFamily, ExploreLevel } from '../../reports/index.ts';
import { serverFailure } from '../server-failure.ts';
import { classify, judgedAs } from './classify.ts';
import type { NamedClass } from './classify.ts';
import type { FoundBreach } from './breach.ts';
import { breachFamily, breachGroups, counted } from './breach-families.ts';
import { confirmBreach } from './confirm-breach.ts';
import type { ConfirmedBreach } from './confirm-breach.ts';
import { confirm } from './confirm.ts';
import type { Confirmed } from './confirm.ts';
import { classesOf, judgeDifference } from './difference.ts';
import type { DifferenceKind } from './difference.ts';
import { exploreProgram } from './explore-program.ts';
import type { ExploredProgram, Found, Orders } from './explore-program.ts';
import { statementsOf } from './fractures.ts';
import { findingOf } from './finding.ts';
import { aloneIn } from './alone.ts';
import { knownAs, knownPrograms } from './known.ts';
import { invariantsOf } from './oracles/invariants.ts';
import { ServerArena } from './server-arena.ts';
import type { ServerArenaOptions } from './server-arena.ts';
import type { Source } from './source.ts';
import { togetherOf } from './together.ts';

export interface LevelPlan {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  /** Each namespace begins so. */
  readonly namespace: string;
  readonly source: Source;
  readonly workers: number;
  readonly orders: Orders;
  readonly random: Random;
  readonly judge: (anomaly: Anomaly) => Judgement;
  readonly enough: (programs: number) => boolean;
  /** Ends it: what was found and not tried again is not reported. */
  readonly signal: AbortSignal;
  readonly commandFor: (program: number) => string;
  readonly heard: (sums: { readonly programs: number; readonly orders: number; readonly found: number }) => void;
}

/** Programs of more orders are sampled, and so many are drawn of each. */
const MOST_ORDERS = 400;
const SAMPLES = 60;
/** Of a user's own: what would be too many is tried first, as waits may leave few of them. */
const TRIED_OF_FILE = 400;
/** Programs of one family whose difference is tried again before it is given up. */
const TRIES = 3;

export async function exploreLevel(plan: LevelPlan): Promise<ExploreLevel> {
  const started = performance.now();
  const { explored, stopped } = await runWorkers(plan);
  explored.sort((a, b) => a.program.number - b.program.number);
  const { families, unconfirmed, untried, untriedNames, lost } = await familiesOf(plan, explored);
  const stoppedBy = stopped ?? lost;
  const sum = (of: (each: ExploredProgram) => number): number => explored.reduce((total, each) => total + of(each), 0);
  const ran = explored.filter(({ dropped }) => dropped === undefined);
  return {
    level: plan.level.level,
    programs: ran.length,
    whole: ran.filter(({ whole }) => whole).length,
    sampled: ran.filter(({ sampled }) => sampled).length,
    ...(plan.orders === 'serial' && { control: true as const }),
    orders: sum(({ orders }) => orders),
    cut: sum(({ cut }) => cut),
    seconds: (performance.now() - started) / 1000,
    outcomes: sum(({ outcomes }) => outcomes),
    dropped: counted(explored.flatMap(({ dropped }) => (dropped === undefined ? [] : [dropped]))),
    coverage: plan.source.coverage(),
    statements: statementsOf(explored),
    unconfirmed,
    untried,
    families,
    ...(plan.source.together && { together: togetherOf(plan.source.together, explored, families, untriedNames) }),
    ...(stoppedBy !== undefined && { stopped: stoppedBy }),
  };
}

interface Ran {
  readonly explored: ExploredProgram[];
  /** The server failed in the middle: what was seen until then counts. */
  readonly stopped?: string;
}

async function runWorkers(plan: LevelPlan): Promise<Ran> {
  const { source, workers } = plan;
  const explored: ExploredProgram[] = [];
  const sums = { programs: 0, orders: 0, found: 0 };
  let taken = 0;
  let failed = false;
  const over = (): boolean => failed || plan.enough(taken);
  const worker = async (w: number): Promise<void> => {
    await inArena({ ...plan, namespace: `${plan.namespace}_${w}`, worlds: source.allWorlds }, async (arena) => {
      for (;;) {
        const program = over() ? undefined : source.next();
        if (program === undefined) return;
        taken++;
        const one = await exploreProgram(arena, program, {
          orders: plan.orders,
          most: MOST_ORDERS,
          samples: SAMPLES,
          tries: source.together === undefined ? 0 : TRIED_OF_FILE,
          random: plan.random,
          beginsCommute: plan.dialect.closerIsVictim === true,
          enough: () => failed || plan.enough(0),
        });
        explored.push(one);
        sums.programs++;
        sums.orders += one.orders;
        sums.found += one.found.length;
        plan.heard(sums);
      }
    });
  };
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, (_, w) => worker(w).catch((error: unknown) => ((failed = true), Promise.reject(error)))),
  );
  const end = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (end === undefined) return { explored };
  const failure = serverFailure(plan.dialect, end.reason);
  if (failure === undefined || explored.length === 0) throw failure ?? end.reason;
  return {
    explored,
    stopped: `the server failed while programs ran: ${failure.message}; a schema ${plan.namespace}_... may be left on it`,
  };
}

/** What fails in it is told before what fails at its closing, as that is mostly the same once more. */
async function inArena<T>(options: ServerArenaOptions, work: (arena: ServerArena) => Promise<T>): Promise<T> {
  const arena = await ServerArena.open(options);
  let done: T;
  try {
    done = await work(arena);
  } catch (error) {
    await arena.close().catch(() => undefined);
    throw error;
  }
  await arena.close();
  return done;
}

interface Group {
  readonly name: string;
  readonly kind: DifferenceKind;
  readonly judgement: Judgement;
  readonly members: { readonly program: Program; readonly found: Found }[];
}

interface Families {
  readonly families: readonly ExploreFamily[];
  readonly unconfirmed: number;
  /** Differences that nobody tried again: it was interrupted, or the server was gone. */
  readonly untried: number;
  /** Of their families. */
  readonly untriedNames: ReadonlySet<string>;
  /** Why the server could not be asked. */
  readonly lost?: string;
}

/** What breaks an invariant shows best what a difference is good for. */
function worst(found: readonly Found[]): Found {
  return found.find(({ breaks }) => breaks.length > 0) ?? found[0]!;
}

/** Differences of a kind, by what they have in common, by verdict. */
async function familiesOf(plan: LevelPlan, explored: readonly ExploredProgram[]): Promise<Families> {
  const groups = new Map<string, Group>();
  for (const { program, found } of explored) {
    for (const kind of new Set(found.map(({ difference }) => difference.kind))) {
      const judgement = judgeDifference(kind, plan.judge);
      const { family: name } = plan.source.nameOf(program);
      const key = JSON.stringify([name, kind, judgement.verdict]);
      const group = groups.get(key) ?? { name, kind, judgement, members: [] };
      groups.set(key, group);
      group.members.push({ program, found: worst(found.filter(({ difference }) => difference.kind === kind)) });
    }
  }
  const tasks = [
    ...[...groups.values()].map((group) => ({ name: group.name, members: group.members.length, work: () => familyOf(plan, group) })),
    ...breachGroups(explored, plan.source).map((group) => ({
      name: group.name,
      members: group.members.length,
      work: () =>
        breachFamily(group, {
          ...plan,
          formOf: (program) => plan.source.nameOf(program).form,
          confirm: (program, found) => breachIn(plan, program, found),
        }),
    })),
  ];
  const families: ExploreFamily[] = [];
  let unconfirmed = 0;
  let untried = 0;
  const untriedNames = new Set<string>();
  let lost: string | undefined;
  for (const { name, members, work } of tasks) {
    const family =
      plan.signal.aborted || lost !== undefined
        ? 'untried'
        : await work().catch((error: unknown) => {
            const failure = serverFailure(plan.dialect, error);
            if (failure === undefined) throw error;
            lost = `the server failed while differences were tried again: ${failure.message}`;
            return 'untried' as const;
          });
    if (family === 'untried') {
      untried += members;
      untriedNames.add(name);
    } else if (family === undefined) unconfirmed += members;
    else families.push(family);
  }
  return { families, unconfirmed, untried, untriedNames, ...(lost !== undefined && { lost }) };
}

const IN_WORDS: Readonly<Record<DifferenceKind, string>> = {
  skew: 'no serial order gives this; each transaction on a snapshot of its own does',
  'skew, an error': 'no serial order gives this, of which a constraint is a part; each transaction on a snapshot of its own does',
  'no snapshot': 'no serial order gives this, nor does each transaction on a snapshot of its own',
  'an error': 'no serial order gives this, of which a violated constraint is a part',
};

async function familyOf(plan: LevelPlan, { name, kind, judgement, members }: Group): Promise<ExploreFamily | 'untried' | undefined> {
  const tried = members.toSorted((a, b) => b.found.breaks.length - a.found.breaks.length).slice(0, TRIES);
  for (const { program, found } of tried) {
    if (plan.signal.aborted) return 'untried';
    const { confirmed, beginSql, breaks } = await confirmedIn(plan, program, found);
    const { played } = confirmed;
    if (played === undefined) continue;
    const naming = await classify(program, played.choices, kind, plan);
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
            knownPrograms(),
          );
    return {
      name,
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
function shownOf({ anomaly, times, of }: NamedClass): ExploreClass {
  const { class: anomalyClass, shapes, explanation, cycle } = anomaly;
  return { class: anomalyClass, shapes, explanation, edges: cycle.map((step) => step.explanation), times, of };
}

async function confirmedIn(
  plan: LevelPlan,
  program: Program,
  { played, difference }: Found,
): Promise<{ readonly confirmed: Confirmed; readonly beginSql: string; readonly breaks: readonly string[] }> {
  return inArena({ ...plan, namespace: `${plan.namespace}_fresh`, worlds: [program.world], checkLevel: true }, async (arena) => {
    const confirmed = await confirm(arena, program, played.choices, difference.kind);
    const shown = confirmed.played;
    const breaks =
      shown === undefined ? [] : await (await invariantsOf(arena, program, aloneIn(arena, program))).broken(shown.outcome.state);
    return { confirmed, beginSql: arena.beginSql, breaks };
  });
}

async function breachIn(
  plan: LevelPlan,
  program: Program,
  { breach, played }: FoundBreach,
): Promise<{ readonly confirmed: ConfirmedBreach; readonly beginSql: string }> {
  return inArena({ ...plan, namespace: `${plan.namespace}_fresh`, worlds: [program.world], checkLevel: true }, async (arena) => ({
    confirmed: await confirmBreach(arena, program, played.choices, breach),
    beginSql: arena.beginSql,
  }));
}
