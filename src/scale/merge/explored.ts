/**
 * Adds up explorations of one catalogue on one server level by level: programs and orders, the pairs of forms that some
 * program had, and the families of findings. Each family has the example of the first program that has one.
 */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../core/base/index.ts';
import type { ExploreFamily, MergedPart } from '../../../core/verdict/index.ts';
import { addPrograms } from '../../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../../reports/index.ts';
import { addCounts } from '../../judge/tally/add-counts.ts';
import { expectSameOwnSettings } from './own-settings.ts';
import { unitedPairs } from './pairs.ts';
import { expectDistinct, inOrder, missingShards, withoutShard } from './parts.ts';

export function mergedExplorations(named: readonly ExploreReport[]): ExploreReport {
  const parts = inOrder(named.map((report) => ({ report, ...partOf(report) })));
  const reports = parts.map(({ report }) => report);
  const [first] = reports;
  if (first === undefined) throw new UsageError('there is no exploration to merge');
  for (const each of reports) expectAlike(first, each);
  expectDistinct(parts);
  const missing = missingShards(parts);
  const endedEarly = distinct([...missing, ...reports.flatMap(({ endedEarly: why }) => (why === undefined ? [] : [why]))]);
  const { endedEarly: _, shard: __, ...common } = first;
  const names = [...new Set(reports.flatMap(({ levels }) => levels.map(({ level }) => level)))];
  return {
    ...common,
    command: distinct(parts.map(({ command }) => command)).join('; '),
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0]!,
    seconds: reports.reduce((sum, { seconds }) => sum + seconds, 0),
    seed: distinct(reports.map(({ seed }) => seed)).join(', '),
    workers: reports.reduce((sum, { workers }) => sum + workers, 0),
    lacking: distinct(reports.flatMap(({ lacking }) => lacking)),
    ...(missing.length > 0 && { missing: missing.join('; ') }),
    levels: names.map((name) => reports.flatMap(({ levels }) => levels.filter(({ level }) => level === name)).reduce(both)),
    ...(endedEarly.length > 0 && { endedEarly: endedEarly.join('; ') }),
  };
}

function partOf(report: ExploreReport): Omit<MergedPart, 'endedEarly'> {
  const { command, startedAt, shard, missing } = report;
  if (missing !== undefined)
    throw new UsageError(
      `the exploration is itself merged, and ${missing}; expected the folders of all shards, not what was merged of some.`,
    );
  return { digest: JSON.stringify(report), runId: startedAt, command: withoutShard(command), ...(shard && { shard }) };
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

function expectAlike(a: ExploreReport, b: ExploreReport): void {
  if (a.target !== b.target || a.server !== b.server || !isDeepStrictEqual(a.configuration, b.configuration))
    throw new UsageError(
      `the explorations are of two servers: ${a.target} (${a.server}) and ${b.target} (${b.server}), or of one that was set otherwise; expected one server: merge the folders of each by themselves.`,
    );
  expectSameOwnSettings(a, b);
  if ([a, b].some(({ levels }) => levels.some(({ together }) => together !== undefined)))
    throw new UsageError(
      "an exploration of a workload file says of its transactions which may run beside which, of all their programs; expected one of the catalogue's.",
    );
  if (a.of !== b.of) throw new UsageError('programs of rounds and programs of the catalogue are not added up; expected one of the two.');
}

function both(a: ExploreLevel, b: ExploreLevel): ExploreLevel {
  const sum = (of: (level: ExploreLevel) => number): number => of(a) + of(b);
  const stopped = [a.stopped, b.stopped].filter((why) => why !== undefined);
  const { pairs, ...covered } = unitedPairs(a.coverage, b.coverage);
  return {
    level: a.level,
    ...(a.inForce !== undefined && { inForce: a.inForce }),
    ...(a.rounds !== undefined && { rounds: a.rounds + (b.rounds ?? 0) }),
    programs: sum(({ programs }) => programs),
    whole: sum(({ whole }) => whole),
    sampled: sum(({ sampled }) => sampled),
    ...(a.control && { control: a.control }),
    ...(a.raced && { raced: { inside: a.raced.inside + (b.raced?.inside ?? 0) } }),
    orders: sum(({ orders }) => orders),
    cut: sum(({ cut }) => cut),
    seconds: sum(({ seconds }) => seconds),
    outcomes: sum(({ outcomes }) => outcomes),
    dropped: addCounts(a.dropped, b.dropped),
    ...unjudgedOf(a, b),
    coverage: { pairs, ...covered },
    statements: statementsOf(a.statements, b.statements),
    dependencies: {
      asked: sum(({ dependencies }) => dependencies.asked),
      unclear: addCounts(a.dependencies.unclear, b.dependencies.unclear),
    },
    unconfirmed: sum(({ unconfirmed }) => unconfirmed),
    untried: sum(({ untried }) => untried),
    families: addFamilies(a.families, b.families),
    ...(stopped.length > 0 && { stopped: stopped.join('; ') }),
  };
}

/** If one report has the sentences alone, the sum has them alone. */
function unjudgedOf(a: ExploreLevel, b: ExploreLevel): Pick<ExploreLevel, 'unjudged' | 'unjudgedData'> {
  if (a.unjudged === undefined) return {};
  const unjudged = addCounts(a.unjudged, b.unjudged ?? {});
  const data = a.unjudgedData && b.unjudgedData && addPrograms(a.unjudgedData, b.unjudgedData);
  return { unjudged, ...(data && { unjudgedData: data }) };
}

function statementsOf(a: ExploreLevel['statements'], b: ExploreLevel['statements']): ExploreLevel['statements'] {
  const data = a.unjudgedData && b.unjudgedData && addCounts(a.unjudgedData, b.unjudgedData);
  return { judged: a.judged + b.judged, unjudged: addCounts(a.unjudged, b.unjudged), ...(data && { unjudgedData: data }) };
}

const ORACLES: readonly ExploreFamily['oracle'][] = ['serial orders', 'run', 'dependencies'];

function addFamilies(a: readonly ExploreFamily[], b: readonly ExploreFamily[]): readonly ExploreFamily[] {
  const byKey = new Map<string, ExploreFamily>();
  for (const family of [...a, ...b]) {
    const key = familyKey(family);
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? family : oneFamily(before, family));
  }
  return [...byKey.values()].toSorted(
    (one, other) => ORACLES.indexOf(one.oracle) - ORACLES.indexOf(other.oracle) || one.example.program - other.example.program,
  );
}

/** Old families without a fingerprint are distinguished by all their fields. */
function familyKey({ name, oracle, difference, verdict, fingerprint }: ExploreFamily): string {
  return JSON.stringify([name, oracle, difference, verdict, fingerprint ?? null]);
}

function oneFamily(a: ExploreFamily, b: ExploreFamily): ExploreFamily {
  const first = b.example.program < a.example.program ? b : a;
  const known = first.known ?? a.known ?? b.known;
  return {
    ...first,
    programs: a.programs + b.programs,
    forms: addCounts(a.forms, b.forms),
    ...(known !== undefined && { known: { ...known, programs: (a.known?.programs ?? 0) + (b.known?.programs ?? 0) } }),
  };
}
