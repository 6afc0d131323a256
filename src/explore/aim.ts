/**
 * Aimed draws of transactions that run together. Texts and keys say in which ways they may meet (schema-gen/explore/aims), the
 * rows which values do. Of each way some are run on the server, one transaction after the other in each order, and those are
 * kept under which the transactions change most for one another: who comes second rolls back, writes less, or reads otherwise.
 */
import { firstState } from '../../core/index.ts';
import type { Program, Random, World } from '../../core/index.ts';
import { CONTROL, Reach, candidatesFor, madeFor, sightsOf, waysOf } from '../../schema-gen/index.ts';
import type {
  AimedDraw,
  AimedPlan,
  FilePrograms,
  MadeRows,
  Sights,
  Together,
  Values,
  Way,
  WorkloadTemplates,
} from '../../schema-gen/index.ts';
import type { Arena } from './arena.ts';
import { aimedWorld } from './file-worlds.ts';
import { DECIDES, concernIn } from './concern.ts';
import type { MadeArena } from './made-arena.ts';

export interface AimOptions {
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
}

export interface AimArenas {
  readonly plain: Arena;
  readonly made: MadeArena;
}

/** Aimed draws of transactions that run together. */
const MOST_DRAWS = 16;
/** Candidates that are run for all pairs of a file, and for one of them. */
const RUN = 500;
const RUN_OF_ONE = { least: 12, most: 64 } as const;
/** Of each way at least. */
const LEAST_OF_WAY = 3;
/** Candidates of a way that are looked for. */
const LOOKED_FOR = 32;
/** Ways to make rows that are tried for one way to meet, and candidates that are run on each. */
const MADE = 5;
const RUN_OF_MADE = 3;

/** By the name of the transactions. */
export async function aimedPlans(
  arenas: AimArenas,
  options: AimOptions,
  random: Random,
  initial: World,
): Promise<ReadonlyMap<string, AimedPlan>> {
  const plans = new Map<string, AimedPlan>();
  for (const together of options.together)
    plans.set(together.name, await new Aim(arenas, options, together, random.fork(together.name), initial).plan());
  return plans;
}

interface Draft {
  readonly draw: AimedDraw;
  readonly concern: number;
}

/** What was found for a way. */
interface Found {
  readonly drafts: readonly Draft[];
  /** Why there is none. */
  readonly missing?: string;
}

class Aim {
  private readonly arenas: AimArenas;
  private readonly options: AimOptions;
  private readonly together: Together;
  private readonly random: Random;
  private readonly initial: World;
  private readonly sights: Sights;
  private readonly reach: Reach;
  /** Those that the first rows break. */
  private broken: Promise<ReadonlySet<string>> | undefined;

  constructor(arenas: AimArenas, options: AimOptions, together: Together, random: Random, initial: World) {
    this.arenas = arenas;
    this.options = options;
    this.together = together;
    this.random = random;
    this.initial = initial;
    const { transactions, schema } = options.templates;
    this.sights = sightsOf(
      together.members.map((member) => transactions[member]!),
      schema,
    );
    this.reach = new Reach(this.sights, firstState(initial));
  }

  async plan(): Promise<AimedPlan> {
    const apart = this.whyApart();
    if (apart !== undefined) return { draws: [], missing: [], leftOut: 0, apart };
    const { ways, leftOut } = waysOf(this.sights);
    const found: Found[] = [];
    for (const way of ways) found.push(await this.look(way, Math.max(LEAST_OF_WAY, Math.floor(this.budget() / ways.length))));
    // One of each way first, then the second ones.
    const drafts = [0, 1].flatMap((n) => found.flatMap(({ drafts: own }) => own.slice(n, n + 1)));
    const draws = drafts.slice(0, MOST_DRAWS).map(({ draw }, place) => ({ ...draw, place }));
    const kept = new Set(draws.map(({ way }) => way));
    const cut = found.filter(({ drafts: own }) => own.length > 0 && !kept.has(own[0]!.draw.way)).length;
    return { draws, missing: found.flatMap(({ missing }) => missing ?? []), leftOut: leftOut + cut };
  }

  /** By the number of pairs in the file, so that a pair has the same draws whichever others are explored beside it. */
  private budget(): number {
    const { length } = this.options.templates.transactions;
    const { least, most } = RUN_OF_ONE;
    return Math.min(most, Math.max(least, Math.floor(RUN / ((length * (length + 1)) / 2))));
  }

  /** Undefined: some statement of one may be of concern to another. */
  private whyApart(): string | undefined {
    const { transactions } = this.programOf({ way: '', values: [] }, this.initial);
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
    return steps.every((own) => own.every(({ plainRead }) => plainRead))
      ? 'they only read'
      : 'they write to no table that the other looks at';
  }

  private async look(way: Way, most: number): Promise<Found> {
    const random = this.random.fork(way.words);
    const values = candidatesFor(way, { ...this.candidateOptions(random), reach: this.reach, most: LOOKED_FOR });
    const drafts = await this.bestOf(values.slice(0, most), (own) => ({ way: way.words, values: own }), this.arenas.plain);
    if (way.words === CONTROL) return { drafts: drafts.slice(0, 1) };
    if (isDecided(drafts)) return { drafts };
    const made = await this.lookAmongMade(way, random.fork('made'));
    if (made.length > 0 && (drafts.length === 0 || isDecided(made))) return { drafts: [...made.slice(0, 1), ...drafts.slice(0, 1)] };
    return drafts.length > 0 ? { drafts } : { drafts, ...this.missingOf(way) };
  }

  private candidateOptions(random: Random): Pick<Parameters<typeof candidatesFor>[1], 'sights' | 'random' | 'firstUnique'> {
    return { sights: this.sights, random, firstUnique: (session) => this.options.programs.firstUnique(session) };
  }

  /** At most two, those first under which the transactions are most of concern to one another. */
  private async bestOf(values: readonly Values[], drawOf: (values: Values) => DrawOnly, arena: Arena): Promise<readonly Draft[]> {
    const drafts: Draft[] = [];
    for (const own of values) {
      const draw = drawOf(own);
      const concern = await concernIn(arena, this.programOf(draw, aimedWorld(this.initial, draw)));
      drafts.push({ draw: { ...draw, place: 0 }, concern });
      if (drafts.filter((each) => each.concern >= DECIDES).length === 2) break;
    }
    return drafts.toSorted((a, b) => b.concern - a.concern).slice(0, 2);
  }

  private async lookAmongMade({ words, meetings }: Way, random: Random): Promise<readonly Draft[]> {
    const [meeting, another] = meetings;
    if (meeting === undefined || another !== undefined) return [];
    const best: Draft[] = [];
    for (const made of madeFor(meeting, this.sights, this.reach, random).slice(0, MADE)) {
      best.push(...(await this.onMade({ words, meetings }, made, random)));
      if (isDecided(best)) break;
    }
    return best.toSorted((a, b) => b.concern - a.concern).slice(0, 1);
  }

  private async onMade(way: Way, { state, rows, made }: MadeRows, random: Random): Promise<readonly Draft[]> {
    const reach = new Reach(this.sights, state);
    const all = candidatesFor(way, { ...this.candidateOptions(random), reach, made, most: LOOKED_FOR });
    const keys = new Set([...made.values()].flat());
    const values = all.filter((each) => keys.size === 0 || each.some((own) => Object.values(own).some((value) => keys.has(value))));
    return (
      (await this.arenas.made.try(async (arena) => {
        if (await this.breaksMore(arena, { rows })) return [];
        return this.bestOf(values.slice(0, RUN_OF_MADE), (own) => ({ way: way.words, values: own, rows }), arena);
      })) ?? []
    );
  }

  /** Rows that no application would leave are no rows to begin with. */
  private async breaksMore(arena: Arena, draw: Pick<AimedDraw, 'rows'>): Promise<boolean> {
    this.broken ??= this.brokenIn(this.arenas.plain, this.initial);
    const [before, after] = [await this.broken, await this.brokenIn(arena, aimedWorld(this.initial, draw))];
    return [...after].some((name) => !before.has(name));
  }

  private async brokenIn(arena: Arena, world: World): Promise<ReadonlySet<string>> {
    await arena.load({ number: 0, made: {}, world, transactions: [] });
    await arena.reset(firstState(world));
    return new Set(((await arena.broken?.(firstState(world))) ?? []).map(({ name }) => name));
  }

  /** A way that keys or invariants rule out, or that no statement names, is none. */
  private missingOf({ words, meetings }: Way): Pick<Found, 'missing'> {
    const [meeting] = meetings;
    if (meeting === undefined || !meeting.apart || !this.isAsked(meeting.at)) return {};
    if (madeFor(meeting, this.sights, this.reach, this.random.fork(words)).length > 0) return {};
    return { missing: `no rows: ${words}` };
  }

  private isAsked(at: string): boolean {
    return at.startsWith('[') || this.sights.isUsed(at);
  }

  private programOf(draw: DrawOnly, world: World): Program {
    return this.options.programs.aimed(this.together, { ...draw, place: 0 }, world);
  }
}

type DrawOnly = Omit<AimedDraw, 'place'>;

function isDecided(drafts: readonly Draft[]): boolean {
  return drafts.some(({ concern }) => concern >= DECIDES);
}
