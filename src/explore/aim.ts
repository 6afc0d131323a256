/**
 * Finds aimed draws of transactions that run together. Their texts and keys show in which ways they may meet
 * (schema-gen/explore/aims), and the rows show for which values. For each way, some draws are run serially on the server,
 * in each order. Kept are the draws where the transactions affect one another most: the second one rolls back, writes
 * less, or reads something else.
 */
import { firstState } from '../../core/program/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Program, Fixture } from '../../core/program/index.ts';
import type { ApartCode, NotAimed } from '../../core/verdict/index.ts';
import { CONTROL, Reach, candidatesFor, madeFor, jointReadsOf, waysOf } from '../../schema-gen/index.ts';
import type {
  AimedDraw,
  AimedPlan,
  FilePrograms,
  Made,
  MadeRows,
  RangeMeeting,
  JointReads,
  Together,
  Way,
  WorkloadTemplates,
} from '../../schema-gen/index.ts';
import type { ProgramRunner } from './program-runner.ts';
import { aimedFixture } from './file-fixtures.ts';
import { DECIDES, comesToItsEnd, concernIn } from './concern.ts';
import type { MadeRowsRunner } from './made-rows-runner.ts';

export interface AimOptions {
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
  /** Ends the search. Ways that were not searched yet are omitted. */
  readonly signal?: AbortSignal;
}

export interface AimRunners {
  readonly plain: ProgramRunner;
  readonly made: MadeRowsRunner;
}

/** Most aimed draws of transactions that run together. */
const MOST_DRAWS = 16;
/** Most candidates that are run for all pairs of a file. */
const RUN = 400;
/** Fewest and most candidates that are run for one way. */
const RUN_OF_WAY = { least: 3, most: 16 } as const;
/** Most candidates that are searched for one way, and how many for each that is run. */
const LOOKED_FOR = { most: 32, forOne: 4 } as const;
/** Most ways to make rows that are tried for one way to meet, and candidates that are run on each. */
const MADE = 3;
const RUN_OF_MADE = 2;

/** The map's key is the name of the transactions. */
export async function aimedPlans(
  runners: AimRunners,
  options: AimOptions,
  random: Random,
  initial: Fixture,
): Promise<ReadonlyMap<string, AimedPlan>> {
  const plans = new Map<string, AimedPlan>();
  const acted = new Map<string, boolean>();
  for (const together of options.together) {
    if (options.signal?.aborted) break;
    plans.set(together.name, await new Aim({ ...runners, acted, initial }, options, together, random.fork(together.name)).plan());
  }
  return plans;
}

interface Draft {
  readonly draw: AimedDraw;
  readonly concern: number;
}

/** The result of the search for one way. */
interface Found {
  readonly drafts: readonly Draft[];
  /** The way, if no draw was found and the search proves nothing. */
  readonly missing?: string;
  /** The reason, if the transactions cannot meet in this way. */
  readonly without?: NotAimed;
}

type DrawOnly = Omit<AimedDraw, 'place'>;

/** The state that the searches of all pairs share. */
interface Around extends AimRunners {
  readonly acted: Map<string, boolean>;
  readonly initial: Fixture;
}

class Aim {
  private readonly runners: AimRunners;
  private readonly options: AimOptions;
  private readonly together: Together;
  private readonly random: Random;
  private readonly initial: Fixture;
  private readonly joint: JointReads;
  private readonly reach: Reach;
  /** Whether a transaction, with its values and rows, comes to its end when it runs alone. */
  private readonly acted: Map<string, boolean>;
  /** Invariants that the first rows break. */
  private broken: Promise<ReadonlySet<string>> | undefined;

  constructor({ acted, initial, ...runners }: Around, options: AimOptions, together: Together, random: Random) {
    this.runners = runners;
    this.acted = acted;
    this.options = options;
    this.together = together;
    this.random = random;
    this.initial = initial;
    const { transactions, schema } = options.templates;
    this.joint = jointReadsOf(
      together.members.map((member) => transactions[member]!),
      schema,
    );
    this.reach = new Reach(this.joint, firstState(initial));
  }

  async plan(): Promise<AimedPlan> {
    const apart = this.whyApart();
    if (apart !== undefined) return { draws: [], missing: [], without: [], leftOut: 0, apart };
    const { ways, leftOut } = waysOf(this.joint);
    const found: Found[] = [];
    for (const way of ways) {
      if (this.options.signal?.aborted) break;
      found.push(await this.look(way, this.budget(ways.length)));
    }
    // The first draft of each way comes before the second ones.
    const drafts = [0, 1].flatMap((n) => found.flatMap(({ drafts: own }) => own.slice(n, n + 1)));
    return {
      draws: drafts.slice(0, MOST_DRAWS).map(({ draw }, place) => ({ ...draw, place })),
      missing: found.flatMap(({ missing }) => missing ?? []),
      without: found.flatMap(({ without }) => without ?? []),
      leftOut: leftOut + ways.length - found.length,
    };
  }

  /** The budget depends on the number of pairs in the file. So a pair has the same draws whichever others are explored. */
  private budget(ways: number): number {
    const { length } = this.options.templates.transactions;
    const { least, most } = RUN_OF_WAY;
    return Math.min(most, Math.max(least, Math.floor(RUN / ways / ((length * (length + 1)) / 2))));
  }

  /** Undefined: a statement of one may affect another. */
  private whyApart(): ApartCode | undefined {
    const { transactions } = this.programOf({ way: '', values: [] });
    const steps = transactions.map(({ steps: own }) => own);
    const meet = steps.some((own, i) =>
      steps
        .slice(i + 1)
        .some((others) =>
          own.some((one) =>
            others.some((other) => !(one.plainRead && other.plainRead) && one.tables.some((table) => other.tables.includes(table))),
          ),
        ),
    );
    if (meet) return undefined;
    return steps.every((own) => own.every(({ plainRead }) => plainRead)) ? 'only-reads' : 'no-written-table';
  }

  private async look(way: Way, most: number): Promise<Found> {
    const random = this.random.fork(way.words);
    const unobservedRead = Math.min(LOOKED_FOR.most, most * LOOKED_FOR.forOne);
    const values = candidatesFor(way, { ...this.candidateOptions(random), reach: this.reach, most: unobservedRead });
    const all = values.map((own): DrawOnly => ({ way: way.words, values: own }));
    const drafts = await this.bestOf(all, way.words === CONTROL ? 0 : most, this.runners.plain);
    if (way.range !== undefined) return drafts.length > 0 ? { drafts } : { drafts, ...this.notInRange(way, way.range, random) };
    const [meeting, another] = way.meetings;
    if (meeting === undefined || isDecided(drafts)) return { drafts };
    const { made, ruledOut }: Made =
      another === undefined ? madeFor(meeting, this.joint, this.reach, random.fork('made')) : { made: [], ruledOut: 'no-rows-made' };
    const onMade = await this.lookAmongMade(way, made, random.fork('on made'));
    if (drafts.length === 0 || isDecided(onMade)) drafts.unshift(...onMade.slice(0, 1));
    if (drafts.length > 0) return { drafts };
    if (ruledOut !== undefined) return { drafts, without: { way: way.words, code: ruledOut } };
    if (made.length > 0) return { drafts, without: { way: way.words, code: 'rows-refused' } };
    return this.isAsked(meeting.at) ? { drafts, missing: way.words } : { drafts, without: { way: way.words, code: 'no-statement-asks' } };
  }

  /**
   * A way is missing only if it depends on the values of both. Otherwise the rows, or the other conditions, prove that
   * there is nothing to find.
   */
  private notInRange(way: Way, range: RangeMeeting, random: Random): Pick<Found, 'missing' | 'without'> {
    if (!range.parts.some(({ session }) => session === range.writing)) return { without: { way: way.words, code: 'no-such-row' } };
    const options = { ...this.candidateOptions(random), reach: this.reach, most: 1 };
    const besides = candidatesFor({ ...way, range: { ...range, besides: true } }, options);
    return besides.length > 0 ? { missing: way.words } : { without: { way: way.words, code: 'other-conditions' } };
  }

  private candidateOptions(random: Random): Pick<Parameters<typeof candidatesFor>[1], 'joint' | 'random' | 'firstUnique'> {
    return { joint: this.joint, random, firstUnique: (session) => this.options.programs.firstUnique(session) };
  }

  /**
   * Returns the draw under which the transactions affect one another most, or two if both change decisions. `most`:
   * number of draws that are run.
   */
  private async bestOf(draws: readonly DrawOnly[], most: number, runner: ProgramRunner): Promise<Draft[]> {
    const acting = await this.actingFirst(draws, runner);
    const drafts: Draft[] = [];
    for (const draw of acting.slice(0, Math.max(1, most))) {
      const concern = most === 0 ? 0 : await concernIn(runner, this.programOf(draw));
      drafts.push({ draw: { ...draw, place: 0 }, concern });
      if (drafts.filter((each) => each.concern >= DECIDES).length === 2) break;
    }
    const [first, second] = drafts.toSorted((a, b) => b.concern - a.concern);
    return [...(first ? [first] : []), ...(second !== undefined && second.concern >= DECIDES ? [second] : [])];
  }

  /** Returns the draws under which more transactions come to their end alone first. */
  private async actingFirst(draws: readonly DrawOnly[], runner: ProgramRunner): Promise<readonly DrawOnly[]> {
    const counted: { readonly draw: DrawOnly; readonly acting: number }[] = [];
    for (const draw of draws) {
      const program = this.programOf(draw);
      let acting = 0;
      for (const session of draw.values.keys()) if (await this.acts(runner, draw, program, session)) acting++;
      counted.push({ draw, acting });
    }
    return counted.toSorted((a, b) => b.acting - a.acting).map(({ draw }) => draw);
  }

  private async acts(runner: ProgramRunner, { values, rows }: DrawOnly, program: Program, session: number): Promise<boolean> {
    const key = JSON.stringify([this.together.members[session], values[session], rows]);
    const known = this.acted.get(key) ?? (await comesToItsEnd(runner, program, session));
    this.acted.set(key, known);
    return known;
  }

  private async lookAmongMade(way: Way, made: readonly MadeRows[], random: Random): Promise<readonly Draft[]> {
    const best: Draft[] = [];
    for (const each of made.slice(0, MADE)) {
      best.push(...(await this.onMade(way, each, random)));
      if (isDecided(best)) break;
    }
    return best.toSorted((a, b) => b.concern - a.concern);
  }

  private async onMade(way: Way, { state, rows, made }: MadeRows, random: Random): Promise<readonly Draft[]> {
    const reach = new Reach(this.joint, state);
    const all = candidatesFor(way, { ...this.candidateOptions(random), reach, made, most: LOOKED_FOR.most });
    const keys = new Set([...made.values()].flat());
    const draws = all
      .filter((each) => keys.size === 0 || each.some((own) => Object.values(own).some((value) => keys.has(value))))
      .slice(0, RUN_OF_MADE * 2)
      .map((values): DrawOnly => ({ way: way.words, values, rows }));
    const drafts = await this.runners.made.try(async (runner) =>
      (await this.breaksMore(runner, { rows })) ? [] : this.bestOf(draws, RUN_OF_MADE, runner),
    );
    return drafts ?? [];
  }

  /** Tells whether the rows break further invariants. Rows that no application would leave are not used. */
  private async breaksMore(runner: ProgramRunner, draw: Pick<AimedDraw, 'rows'>): Promise<boolean> {
    this.broken ??= this.brokenIn(this.runners.plain, this.initial);
    const [before, after] = [await this.broken, await this.brokenIn(runner, aimedFixture(this.initial, draw))];
    return [...after].some((name) => !before.has(name));
  }

  private async brokenIn(runner: ProgramRunner, fixture: Fixture): Promise<ReadonlySet<string>> {
    await runner.load({ number: 0, made: {}, fixture, transactions: [] });
    await runner.reset(firstState(fixture));
    return new Set(((await runner.broken?.(firstState(fixture))) ?? []).map(({ name }) => name));
  }

  private isAsked(at: string): boolean {
    return at.startsWith('[') || this.joint.isUsed(at);
  }

  private programOf(draw: DrawOnly): Program {
    return this.options.programs.aimed(this.together, { ...draw, place: 0 }, aimedFixture(this.initial, draw));
  }
}

function isDecided(drafts: readonly Draft[]): boolean {
  return drafts.some(({ concern }) => concern >= DECIDES);
}
