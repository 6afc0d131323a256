/**
 * Checks the levels of a list history. If each version's place is known, it is judged as rows are (check/relational).
 * Appends that no list shows have an unknown order. A level holds if some order of them satisfies it, and is violated
 * if none does. A cycle that exists in every order is shown as it is. Otherwise the witness is a case distinction.
 */
import { LEVELS, isAwditLevel, weakerOrEqual } from '../../core/index.ts';
import type { Anomaly, AnomalyClass, DependencyGraph, Level, LevelAnswer, Note } from '../../core/index.ts';
import { checkGraph } from '../cycles/check-graph.ts';
import type { CheckOptions } from '../cycles/check-graph.ts';
import { fingerprintOf } from '../cycles/fingerprint.ts';
import { violates } from '../cycles/levels.ts';
import type { LateAppends } from '../formats/late-appends.ts';
import { withLostUpdates } from './lost-updates.ts';
import { checkRelational } from '../relational/check-relational.ts';
import { Orders } from './choose-orders.ts';
import type { ListCase } from './choose-orders.ts';
import { tailsOf, withTails } from './tails.ts';

export interface ListVerdict {
  readonly levels: readonly LevelAnswer[];
  readonly anomalies: readonly Anomaly[];
  /** The case distinction of an anomaly that no single cycle shows. */
  readonly cases: ReadonlyMap<Anomaly, ListCase>;
  readonly defects: readonly Note<'checkers-disagree'>[];
}

const UNTRIED =
  'no list shows the order of some appends, and not all orders of them were tried: in those that were something forbidden happened';

export function checkLists(graph: DependencyGraph, late: readonly LateAppends[], options: CheckOptions = {}): ListVerdict {
  if (late.length === 0) return { ...checkRelational(graph, options), cases: new Map() };
  const tails = tailsOf(graph, late);
  const base = withTails(graph, tails);
  const orders = new Orders(graph, base, tails);
  const first = orders.first();
  if (first === undefined || tails.every(({ members }) => members.length === 1))
    return { ...checkRelational(first ?? base, options), cases: new Map() };
  const one = checkRelational(first, { ...options, levels: LEVELS.map(({ level }) => level) });
  const always = checkGraph(withLostUpdates(base, tails), { ...options, levels: LEVELS.map(({ level }) => level) });
  const search = new LevelSearch(orders, graph, one.levels, always.levels);
  for (const { level } of LEVELS) search.answer(level);
  const anomalies = [
    ...always.anomalies,
    ...search.anomalies.filter(({ levels }) => !always.anomalies.some((known) => covers(known, levels))),
  ];
  return {
    levels: search.answers.filter(({ level }) => options.levels?.includes(level) ?? true),
    anomalies: options.report === 'first' ? anomalies.slice(0, 1) : anomalies,
    cases: search.cases,
    defects: one.defects,
  };
}

function covers(known: Anomaly, levels: readonly Level[]): boolean {
  return levels.every((level) => known.levels.includes(level));
}

/** Searches level after level, the weaker first: an anomaly that violates one level violates all above it. */
class LevelSearch {
  readonly answers: LevelAnswer[] = [];
  readonly anomalies: Anomaly[] = [];
  readonly cases = new Map<Anomaly, ListCase>();
  private readonly orders: Orders;
  private readonly graph: DependencyGraph;
  /** The answers in one order. */
  private readonly one: ReadonlyMap<Level, LevelAnswer>;
  private readonly violated = new Set<Level>();

  constructor(orders: Orders, graph: DependencyGraph, one: readonly LevelAnswer[], always: readonly LevelAnswer[]) {
    this.orders = orders;
    this.graph = graph;
    this.one = new Map(one.map((each) => [each.level, each]));
    for (const { level, answer } of always) if (answer === false) this.violated.add(level);
    // AWDIT's levels do not constrain the order of versions.
    for (const { level, answer } of one) if (isAwditLevel(level) && answer === false) this.violated.add(level);
  }

  answer(level: Level): void {
    const one = this.one.get(level);
    if (one === undefined) return;
    if ([...weakerOrEqual(level)].some((weaker) => this.violated.has(weaker))) this.say({ level, answer: false });
    else if (one.answer !== false || isAwditLevel(level)) this.say(one);
    else this.search(level);
  }

  private say(answer: LevelAnswer): void {
    this.answers.push(answer);
    if (answer.answer === false) this.violated.add(answer.level);
  }

  private search(level: Level): void {
    const choice = this.orders.meets(level);
    if (choice.answer === true) return this.say({ level, answer: true });
    if (choice.answer === 'unknown') return this.say({ level, answer: 'unknown', reason: UNTRIED });
    this.say({ level, answer: false });
    const anomaly = anomalyOf(this.graph, level, choice.cases);
    this.anomalies.push(anomaly);
    if (anomaly.cycle.length === 0) this.cases.set(anomaly, choice.cases);
  }
}

/** The class that every order of the appends shows at least, if it violates the level. */
const LEAST: Partial<Readonly<Record<Level, AnomalyClass>>> = {
  'read-uncommitted': 'G0',
  'read-committed': 'G1c',
  'monotonic-atomic-view': 'G-single-item',
  'cursor-stability': 'G-single-item',
  'consistent-view': 'G-single-item',
  'repeatable-read': 'G2-item',
  'snapshot-isolation': 'G-nonadjacent-item',
  serializable: 'G2-item',
  'strict-serializable': 'G2-item-realtime',
};

function anomalyOf({ history }: DependencyGraph, level: Level, cases: ListCase): Anomaly {
  const all = [...cyclesIn(cases)];
  const statements = [
    ...new Set(all.flatMap(({ steps }) => steps.flatMap(({ fromStatement = -1, toStatement = -1 }) => [fromStatement, toStatement]))),
  ]
    .filter((s) => s >= 0)
    .sort((a, b) => a - b);
  const transactions = [...new Set(all.flatMap(({ steps }) => steps.map(({ from }) => from)))];
  const [one] = all;
  if (cases.kind === 'cycle' && one !== undefined) {
    const { found } = one;
    return { ...found, cycle: one.steps, levels: violates({ ...found, cycle: one.steps }), transactions, statements };
  }
  const name = LEAST[level] ?? 'G2-item';
  return {
    class: name,
    shapes: [],
    levels: LEVELS.filter((row) => weakerOrEqual(row.level).has(level)).map((row) => row.level),
    cycle: [],
    transactions,
    statements,
    explanation: `${name}: no order of the appends that no list shows meets ${level}.`,
    fingerprint: fingerprintOf(name, [], [], history.statements.kind, statements),
  };
}

function* cyclesIn(found: ListCase): Generator<ListCase & { readonly kind: 'cycle' }> {
  if (found.kind === 'cycle') yield found;
  else {
    yield* cyclesIn(found.oneFirst);
    yield* cyclesIn(found.otherFirst);
  }
}
