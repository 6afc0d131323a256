/**
 * Searches for an order of the unread appends that satisfies a level. It takes one order and searches its whole graph
 * for forbidden cycles. A cycle that assumes that some append came before another is a case. In each other order one of
 * those assumptions is reversed, and the search continues with it. The result is an order without a cycle, or a case
 * distinction that leaves no order. Past the budget it is neither.
 */
import { REL } from '../../core/index.ts';
import type { Anomaly, CycleStep, DependencyGraph, Level } from '../../core/index.ts';
import { checkGraph } from '../cycles/check-graph.ts';
import { DATA, DEPENDS } from '../cycles/cycle-classes.ts';
import { CaseSteps } from './case-steps.ts';
import { extended } from './extended.ts';
import { ranksOf } from './ranks.ts';
import type { Before } from './ranks.ts';
import { withOrder } from './tails.ts';
import type { Member, Tail } from './tails.ts';

/** The reason why no order satisfies a level. Transactions are ids, and a step is as in a cycle. */
export type ListCase =
  | { readonly kind: 'cycle'; readonly steps: readonly CycleStep[]; readonly found: Anomaly }
  | {
      readonly kind: 'order';
      readonly row: number;
      readonly one: Member;
      readonly other: Member;
      readonly oneFirst: ListCase;
      readonly otherFirst: ListCase;
    };

export type Choice = { readonly answer: true } | { readonly answer: false; readonly cases: ListCase } | { readonly answer: 'unknown' };

/** The number of orders that are searched for cycles, and the total number of edges of their graphs. */
const MOST_ORDERS = 1_000;
const MOST_EDGES = 100_000_000;

export class Orders {
  private readonly graph: DependencyGraph;
  /** The graph with the edges that hold in every order. */
  private readonly base: DependencyGraph;
  private readonly tails: readonly Tail[];
  private readonly cases: CaseSteps;
  private readonly members: readonly ReadonlyMap<number, Member>[];

  constructor(graph: DependencyGraph, base: DependencyGraph, tails: readonly Tail[]) {
    this.graph = graph;
    this.base = base;
    this.tails = tails;
    this.cases = new CaseSteps(graph, tails);
    this.members = tails.map(({ members }) => new Map(members.map((member) => [member.txn, member])));
  }

  /**
   * Returns the graph of an order that keeps as much as possible. It is undefined if the writes alone have a cycle
   * already.
   */
  first(): DependencyGraph | undefined {
    return this.placed([DATA | REL.so | REL.rt, DATA, DEPENDS, REL.ww], []);
  }

  meets(level: Level): Choice {
    const search = new Search(
      (assumed) => this.placed(masksOf(level), assumed),
      (assumed) => this.assumed(assumed),
      this.cases,
      this.tails,
      level,
    );
    try {
      const cases = search.refuted([]);
      return cases === undefined ? { answer: true } : { answer: false, cases };
    } catch (error) {
      if (error instanceof OutOfBudget) return { answer: 'unknown' };
      throw error;
    }
  }

  private placed(masks: readonly number[], assumed: readonly Before[]): DependencyGraph | undefined {
    for (const mask of masks) {
      const ranks = ranksOf(this.base, mask, assumed);
      if (ranks === undefined) continue;
      const orders = this.tails.map(({ members }) => members.toSorted((a, b) => ranks[a.txn] - ranks[b.txn]));
      return withOrder(this.graph, this.tails, orders);
    }
    return undefined;
  }

  /** Returns the edges that hold in every order that keeps the assumed ones. */
  private assumed(assumed: readonly Before[]): DependencyGraph {
    const edges = assumed.flatMap(({ tail, first, second }) => {
      const [from, to] = [this.members[tail].get(first), this.members[tail].get(second)];
      return from && to ? [{ rel: REL.ww, row: this.tails[tail].row, from: from.last, to: to.first, version: from.last }] : [];
    });
    return extended(this.base, edges);
  }
}

/**
 * Returns the relations that an order keeps if it can: all of the level's, at least those without anti-dependencies.
 */
function masksOf(level: Level): readonly number[] {
  if (level === 'read-uncommitted') return [REL.ww];
  return level === 'strict-serializable' ? [DATA | REL.so | REL.rt] : [DATA, DEPENDS];
}

class OutOfBudget extends Error {}

class Search {
  private readonly placed: (assumed: readonly Before[]) => DependencyGraph | undefined;
  private readonly assumed: (assumed: readonly Before[]) => DependencyGraph;
  private readonly cases: CaseSteps;
  private readonly tails: readonly Tail[];
  private readonly level: Level;
  private orders = MOST_ORDERS;
  private edges = MOST_EDGES;

  constructor(
    placed: (assumed: readonly Before[]) => DependencyGraph | undefined,
    assumed: (assumed: readonly Before[]) => DependencyGraph,
    cases: CaseSteps,
    tails: readonly Tail[],
    level: Level,
  ) {
    this.placed = placed;
    this.assumed = assumed;
    this.cases = cases;
    this.tails = tails;
    this.level = level;
  }

  /** Returns undefined if an order with these assumptions satisfies the level. */
  refuted(assumed: readonly Before[]): ListCase | undefined {
    const graph = this.placed(assumed) ?? this.assumed(assumed);
    if (--this.orders < 0 || (this.edges -= graph.targets.length) < 0) throw new OutOfBudget();
    const { levels, anomalies } = checkGraph(graph, { levels: [this.level] });
    if (levels[0].answer === true || levels[0].code === 'nothing') return undefined;
    const known = new Set(assumed.map(nameOf));
    const [found] = anomalies
      .filter((anomaly) => anomaly.levels.includes(this.level))
      .map((anomaly) => {
        const { assumed: all, steps } = this.cases.restsOn(anomaly.cycle);
        return { anomaly, steps, open: all.filter((each) => !known.has(nameOf(each))) };
      })
      .toSorted((a, b) => a.open.length - b.open.length);
    if (found === undefined) throw new OutOfBudget(); // the cycle search did not finish
    return this.turned(assumed, found.open, { kind: 'cycle', steps: found.steps, found: found.anomaly });
  }

  /** The cycle rests on the open orders. If it is to be avoided, one of them must be reversed. */
  private turned(assumed: readonly Before[], [one, ...others]: readonly Before[], cycle: ListCase): ListCase | undefined {
    if (one === undefined) return cycle;
    const { tail, first, second } = one;
    const otherFirst = this.refuted([...assumed, { tail, first: second, second: first }]);
    if (otherFirst === undefined) return undefined;
    const oneFirst = this.turned([...assumed, one], others, cycle);
    if (oneFirst === undefined) return undefined;
    const { row, members } = this.tails[tail];
    const [a, b] = [members.find(({ txn }) => txn === first), members.find(({ txn }) => txn === second)];
    return a && b && { kind: 'order', row, one: a, other: b, oneFirst, otherFirst };
  }
}

function nameOf({ tail, first, second }: Before): string {
  return `${tail} ${first} ${second}`;
}
