/**
 * Judges the invariants of a workload file after a round. The transactions are first run serially for each invariant that
 * the round broke.
 */
import type { Anomaly, DependencyGraph, Dialect, Note, ProbedCase, TestCase } from '../../../core/index.ts';
import type { Invariant } from '../../../schema-gen/index.ts';
import { invariantCause } from './invariant-cause.ts';
import type { TracedCause } from './invariant-cause.ts';
import { overlapped, promiseOfAll, ranInPart } from './invariant-verdict.ts';
import { mainEndpoint } from '../../execute/index.ts';
import type { InvariantQuery, RoundOutcome } from '../../execute/index.ts';
import type { ControlAnswer } from './invariant-verdict.ts';
import { serialControl } from './serial-control.ts';
import type { Tally } from '../tally/tally.ts';

export interface AssessedRound {
  readonly round: number;
  readonly tally: Tally;
  readonly dialect: Dialect;
  readonly urls: readonly string[];
  readonly outcome: RoundOutcome;
  readonly graph?: DependencyGraph;
  readonly anomalies: readonly Anomaly[];
  readonly testCase: TestCase;
  readonly probedCase: ProbedCase;
  readonly invariants: readonly Invariant[];
  /** The round's namespace. The control makes another one beside it. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Returns the invariants as queries on the tables of a namespace. */
export function invariantQueries(
  invariants: readonly Invariant[],
  { print }: Pick<Dialect, 'print'>,
  namespace: string,
): readonly InvariantQuery[] {
  return invariants.map(({ query, ...rest }) => ({ ...rest, sql: print(query, namespace) }));
}

export async function assessInvariants({ tally, outcome, invariants, namespace, urls, ...rest }: AssessedRound): Promise<readonly Note[]> {
  if (outcome.invariants.length === 0) return [];
  const { dialect, round, testCase } = rest;
  const wanted = tally.invariants.toControl(outcome.invariants);
  const apart = `${namespace}_s`;
  const queries = invariantQueries(invariants, dialect, apart).filter(({ name }) => wanted.includes(name));
  const url = urls[mainEndpoint(outcome.endpoints)] ?? urls[0]!;
  const control =
    queries.length === 0
      ? undefined
      : await serialControl({ ...rest, history: outcome.history, level: tally.level, invariants: queries, url, namespace: apart });
  const ids = new Set(testCase.sessions.flatMap(({ transactions }) => transactions.map(({ id }) => id)));
  const broken = {
    promise: promiseOfAll(dialect, tally.level.level, outcome.configuration),
    inPart: ranInPart(outcome.history),
    overlapped: overlapped(outcome.history, ids),
  };
  const causes = await causesOf({ ...rest, tally, outcome, invariants, namespace, urls }, url, control?.answers ?? new Map());
  return [
    ...tally.invariants.round(round, outcome.invariants, broken, control?.answers, causes.byName),
    ...(control?.leftovers ?? []),
    ...causes.leftovers,
  ];
}

/** Finds the anomaly that broke each invariant which the transactions keep in serial orders. */
async function causesOf(
  { round, tally, outcome, invariants, namespace, ...rest }: AssessedRound,
  url: string,
  control: ReadonlyMap<string, ControlAnswer>,
): Promise<{ readonly byName: ReadonlyMap<string, TracedCause>; readonly leftovers: readonly Note[] }> {
  const apart = `${namespace}_b`;
  const queries = new Map(invariantQueries(invariants, rest.dialect, apart).map((each) => [each.name, each]));
  const byName = new Map<string, TracedCause>();
  const leftovers: Note[] = [];
  for (const { name, query } of invariants) {
    const answer = outcome.invariants.find((each) => each.name === name);
    if (answer === undefined || control.get(name)?.kind !== 'kept') continue;
    const invariant = queries.get(name)!;
    const { level } = tally;
    const traced = await invariantCause({
      ...rest,
      round,
      history: outcome.history,
      level,
      query,
      invariant,
      answer,
      url,
      namespace: apart,
    });
    byName.set(name, traced.cause);
    leftovers.push(...traced.leftovers);
  }
  return { byName, leftovers };
}
