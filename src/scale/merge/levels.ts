/**
 * Adds up the same level of the same server in several runs: rounds, statements, pairs of forms, anomalies by class, and
 * the answers of the rounds. The level is reported from these like that of one run (src/judge/tally/level-report.ts).
 * Rates are omitted, because each machine has its own.
 */
import { isDeepStrictEqual } from 'node:util';
import { UsageError, byRound } from '../../../core/index.ts';
import type { InvariantReport, InvariantVerdict, LevelReport, PairCoverage, PredicateReport } from '../../../core/index.ts';
import { addCoverage } from '../../execute/index.ts';
import { addCounts } from '../../judge/tally/add-counts.ts';
import { expectSameOwnSettings } from './own-settings.ts';
import { LevelAnswers } from '../../judge/tally/level-answers.ts';
import { levelReport } from '../../judge/tally/level-report.ts';
import { MOST_SHOWN } from '../../judge/tally/predicates.ts';

/** The levels are in the order in which the runs name them. */
export function mergedLevels(runs: readonly (readonly LevelReport[])[]): readonly LevelReport[] {
  const byKey = new Map<string, LevelReport>();
  for (const level of runs.flat()) {
    const before = byKey.get(keyOf(level));
    byKey.set(keyOf(level), before === undefined ? alone(level) : both(before, level));
  }
  return [...byKey.values()];
}

export function keyOf({ target, level, mixed }: Pick<LevelReport, 'target' | 'level' | 'mixed'>): string {
  return JSON.stringify([target, level, mixed?.levels ?? null]);
}

function alone(level: LevelReport): LevelReport {
  const { rates: _, ...rest } = level;
  return rest;
}

function both(a: LevelReport, b: LevelReport): LevelReport {
  expectSameServer(a, b);
  const answers = new LevelAnswers<NonNullable<LevelReport['sums']>[number]['level']>();
  answers.addSums(sumsOf(a));
  answers.addSums(sumsOf(b));
  return levelReport({
    target: a.target,
    level: a.level,
    mixed: a.mixed?.levels,
    server: a.server,
    make: a.make,
    configuration: a.configuration,
    ...(a.ownSettings && { ownSettings: a.ownSettings }),
    coverage: addCoverage(a.coverage, b.coverage),
    ...either(a.pairs, b.pairs, addPairs, 'pairs'),
    ...either(a.predicates, b.predicates, addPredicates, 'predicates'),
    ...either(a.invariants, b.invariants, addInvariants, 'invariants'),
    sums: answers.sums(),
    classes: addTable(a.classes, b.classes),
    shapes: addCounts(a.shapes, b.shapes),
    names: addTable(a.names, b.names),
    ...either(a.inForce, b.inForce, addCounts<string>, 'inForce'),
  });
}

/** One name may by now stand for another release, or for a server with other settings. */
function expectSameServer(a: LevelReport, b: LevelReport): void {
  if (a.server !== b.server)
    throw new UsageError(
      `${a.target} was ${a.server} in one of the folders and ${b.server} in another; expected one release: merge the folders of each by themselves.`,
    );
  if (!isDeepStrictEqual(a.configuration, b.configuration))
    throw new UsageError(
      `${a.target} was set otherwise in one of the folders than in another (${differences(a.configuration, b.configuration)}); expected the same settings: merge the folders of each by themselves.`,
    );
  expectSameOwnSettings(a, b);
}

function differences(a: LevelReport['configuration'], b: LevelReport['configuration']): string {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name] !== b[name])
    .map((name) => `${name}: ${a[name] ?? 'not told'} and ${b[name] ?? 'not told'}`)
    .join(', ');
}

function sumsOf({ target, level, sums }: LevelReport): NonNullable<LevelReport['sums']> {
  if (sums === undefined) throw new UsageError(`${target}, ${level}: the report does not say what its answers are told from.`);
  return sums;
}

function either<K extends string, V>(a: V | undefined, b: V | undefined, add: (a: V, b: V) => V, name: K): Partial<Record<K, V>> {
  const value = a === undefined ? b : b === undefined ? a : add(a, b);
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

/** Pairs that neither run covered, in the order of the workload. */
function addPairs(a: PairCoverage, b: PairCoverage): PairCoverage {
  const met = addCounts(a.met, b.met);
  return { met, notMet: [...new Set([...a.notMet, ...b.notMet])].filter((name) => met[name] === undefined) };
}

function addPredicates(a: PredicateReport, b: PredicateReport): PredicateReport {
  return {
    evaluated: a.evaluated + b.evaluated,
    versions: a.versions + b.versions,
    skipped: addCounts(a.skipped, b.skipped),
    thrownAway: addCounts(a.thrownAway, b.thrownAway),
    wrp: a.wrp + b.wrp,
    rwp: a.rwp + b.rwp,
    unexplained: {
      count: a.unexplained.count + b.unexplained.count,
      shown: [...a.unexplained.shown, ...b.unexplained.shown].toSorted(byRound).slice(0, MOST_SHOWN),
    },
  };
}

/** A verdict of one run against the server stands, even if another run could not decide. */
const WORST: readonly (InvariantVerdict | undefined)[] = ['bug', 'undocumented', 'documented', 'yours', 'unknown', undefined];

function addInvariants(a: readonly InvariantReport[], b: readonly InvariantReport[]): readonly InvariantReport[] {
  const names = [...new Set([...a, ...b].map(({ name }) => name))];
  return names.map((name) => {
    const [one, other] = [a, b].map((all) => all.find((each) => each.name === name));
    if (one === undefined || other === undefined) return (one ?? other)!;
    const told = [one, other].toSorted(
      (x, y) => WORST.indexOf(x.verdict) - WORST.indexOf(y.verdict) || (x.first?.round ?? Infinity) - (y.first?.round ?? Infinity),
    )[0]!;
    return { ...told, rounds: one.rounds + other.rounds, broken: one.broken + other.broken, ruledOut: one.ruledOut || other.ruledOut };
  });
}

function addTable<K extends string>(
  a: Readonly<Partial<Record<K, Readonly<Record<string, number>>>>>,
  b: Readonly<Partial<Record<K, Readonly<Record<string, number>>>>>,
): Readonly<Record<K, Readonly<Record<string, number>>>> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as K[];
  return Object.fromEntries(names.map((name) => [name, addCounts(a[name] ?? {}, b[name] ?? {})])) as Record<
    K,
    Readonly<Record<string, number>>
  >;
}
