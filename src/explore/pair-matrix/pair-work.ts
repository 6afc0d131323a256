/**
 * The work on the pair matrix, shared by the workers of a level. The first round goes through the fixtures: it asks which
 * pairs matter, and runs each look once beside one change that matters to it. So each look has had its turn early,
 * however short the exploration. The next rounds run the chosen pairs, one phenomenon after the other.
 */
import { groupBy, permutations } from '../../../core/base/index.ts';
import type { Random } from '../../../core/base/index.ts';
import type { ExploredPairs } from '../../../reports/index.ts';
import { PAIR_PHENOMENA } from '../../../schema-gen/index.ts';
import type { PairMatrix, PairPhenomenon, PairPlace } from '../../../schema-gen/index.ts';
import { PairChoice } from './chosen-pairs.ts';
import type { ChosenPairs } from './chosen-pairs.ts';
import { matteringAt } from './mattering.ts';
import type { Mattering } from './mattering.ts';
import { explorePair, KnownAlone } from './explore-pair.ts';
import type { ExploredProgram } from '../explore-program.ts';
import type { ProgramRunner } from '../program-runner.ts';

export interface PairsPlan {
  readonly matrix: PairMatrix;
  /** The phenomena that the level rules out. */
  readonly sought: readonly PairPhenomenon[];
  /** A control: the transactions run one after the other. */
  readonly serially: boolean;
  readonly random: Random;
  /** Asked before each pair: true ends the work. */
  readonly enough: () => boolean;
  /** Called with each program that shows something, as soon as it has run. */
  readonly shown?: ((explored: ExploredProgram) => void) | undefined;
  readonly heard: (sums: { readonly run: number; readonly of: number; readonly whole: boolean }) => void;
}

type Task = (runner: ProgramRunner) => Promise<void>;

/** One phenomenon, looked for by one of the lists of chosen pairs. */
interface Round {
  readonly phenomenon: PairPhenomenon;
  readonly list: keyof ChosenPairs;
  /** The number of pairs in the fixtures asked so far. */
  pairs: number;
  run: number;
  orders: number;
}

export class PairWork {
  /** The programs that show something. */
  readonly found: ExploredProgram[] = [];
  private readonly plan: PairsPlan;
  private readonly tasks: Iterator<Task, undefined>;
  private readonly choice: PairChoice;
  /** The keys are the sites' tables and statements, because the planner's settings do not change what a look shows. */
  private readonly mattering = new Map<string, Promise<Mattering | undefined>>();
  /** The keys are the sites. Another worker may wait for the choice of one. */
  private readonly chosen = new Map<number, Promise<ChosenPairs>>();
  private readonly done = new Map<Round, Set<number>>();
  private readonly looked = new Set<string>();
  private readonly rounds: readonly Round[];
  private asked = 0;
  private matter = 0;
  private startedAt: number | undefined;
  private endedAt = 0;

  constructor(plan: PairsPlan) {
    this.plan = plan;
    this.choice = new PairChoice(plan.matrix);
    const round = (phenomenon: PairPhenomenon, list: keyof ChosenPairs): Round => ({ phenomenon, list, pairs: 0, run: 0, orders: 0 });
    this.rounds = [
      ...plan.sought.filter(({ everywhere }) => everywhere).map((phenomenon) => round(phenomenon, 'byKind')),
      ...plan.sought.map((phenomenon) => round(phenomenon, 'byForms')),
    ];
    this.tasks = this.allTasks();
  }

  /** Takes tasks until none is left or there was enough. */
  async by(runner: ProgramRunner): Promise<void> {
    this.startedAt ??= performance.now();
    while (!this.plan.enough()) {
      const { value: task } = this.tasks.next();
      if (task === undefined) break;
      await task(runner);
    }
    this.endedAt = performance.now();
  }

  report(): ExploredPairs {
    const { sites } = this.plan.matrix;
    return {
      possible: sites.reduce((sum, { looks, changes }) => sum + looks.length * changes.length, 0),
      fixtures: sites.length,
      askedFixtures: this.asked,
      matter: this.matter,
      rounds: this.rounds.map(({ phenomenon: { name }, list, pairs, run, orders }) => ({ name, list, pairs, run, orders })),
      notSought: PAIR_PHENOMENA.filter((each) => !this.plan.sought.includes(each)).map(({ name }) => name),
      seconds: this.startedAt === undefined ? 0 : (this.endedAt - this.startedAt) / 1000,
    };
  }

  private *allTasks(): Generator<Task, undefined> {
    const sites = this.plan.matrix.sites.keys();
    for (const site of sites) yield (runner) => this.first(runner, site);
    for (const round of this.rounds) for (const site of this.plan.matrix.sites.keys()) yield (runner) => this.ofSite(runner, site, round);
    return undefined;
  }

  /** Chooses the pairs of the site, and gives each look that is new its first turn. */
  private async first(runner: ProgramRunner, s: number): Promise<void> {
    const site = this.plan.matrix.sites[s]!;
    const choosing = this.choose(runner, s);
    this.chosen.set(s, choosing);
    const { byKind } = await choosing;
    const [round] = this.rounds;
    if (round === undefined) return;
    const known = new KnownAlone();
    for (const [look, places] of groupBy(byKind, (place) => place.look)) {
      const name = `${site.looks[look]!.form.name}, ${site.row.fixture.byIndex}`;
      if (this.looked.has(name) || !site.has(round.phenomenon, look)) continue;
      if (this.plan.enough()) return;
      this.looked.add(name);
      await this.pair(runner, this.plan.random.pick(places), round, known);
    }
  }

  private async choose(runner: ProgramRunner, s: number): Promise<ChosenPairs> {
    const site = this.plan.matrix.sites[s]!;
    const key = site.key();
    const asking = this.mattering.get(key) ?? matteringAt(runner, site, this.plan.enough);
    this.mattering.set(key, asking);
    const mattering = await asking;
    if (mattering === undefined) return { byKind: [], byForms: [] };
    const chosen = this.choice.at(s, mattering);
    this.asked++;
    this.matter += mattering.changes.reduce((sum, { length }) => sum + length, 0);
    for (const round of this.rounds) round.pairs += chosen[round.list].filter(({ look }) => site.has(round.phenomenon, look)).length;
    return chosen;
  }

  private async ofSite(runner: ProgramRunner, s: number, round: Round): Promise<void> {
    const known = new KnownAlone();
    const chosen = await this.chosen.get(s)!;
    for (const place of chosen[round.list]) {
      if (!this.plan.matrix.sites[s]!.has(round.phenomenon, place.look)) continue;
      if (this.plan.enough()) return;
      await this.pair(runner, place, round, known);
    }
  }

  private async pair(runner: ProgramRunner, place: PairPlace, round: Round, known: KnownAlone): Promise<void> {
    const program = this.plan.matrix.program(place, round.phenomenon);
    const done = this.done.get(round) ?? new Set();
    this.done.set(round, done);
    if (done.has(program.number)) return;
    done.add(program.number);
    const telling = round.list === 'byKind' ? program.telling!.slice(0, 1) : program.telling!;
    const one = await explorePair(runner, program, known, this.plan.serially ? serialChoices(program) : telling);
    round.run++;
    round.orders += one.orders;
    if (one.found.length + one.violations.length > 0) {
      this.found.push(one);
      this.plan.shown?.(one);
    }
    const sum = (of: 'run' | 'pairs'): number => this.rounds.reduce((total, each) => total + each[of], 0);
    this.plan.heard({ run: sum('run'), of: sum('pairs'), whole: this.asked === this.plan.matrix.sites.length });
  }
}

/** Returns the choices of each serial order, the ends included. */
function serialChoices({ transactions }: ExploredProgram['program']): readonly (readonly number[])[] {
  return permutations([...transactions.keys()]).map((order) =>
    order.flatMap((session) => Array.from({ length: transactions[session]!.steps.length + 1 }, () => session)),
  );
}
