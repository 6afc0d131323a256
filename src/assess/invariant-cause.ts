/**
 * Which of a round's anomalies broke an invariant. Of each that wrote to the tables which the invariant is asked of, its
 * transactions are run again alone, from the rows as they were (from the first rows, where those break it already),
 * uninstrumented: in the order that was observed they break it, one after the other in no order. That is a cause, and not only something that happened beside it. The smallest ones
 * come first, and those that name what the broken rows hold; of several anomalies of the same transactions that of their
 * writes stands for them, not that of what one of them was shown.
 */
import { ForeignSession, InternalError, contentsOf, effectsOf, loosely, writtenTables } from '../../core/index.ts';
import type { Anomaly, Dialect, DialectLevel, History, InvariantCause, Query, Statement, TestCase, TxnPlan } from '../../core/index.ts';
import { instrument } from '../../instrument/index.ts';
import { observedCase, otherOrders } from '../findings/observed-case.ts';
import { Recorder, runRound } from '../run/index.ts';
import type { InvariantAnswer, InvariantQuery } from '../run/index.ts';

export interface CauseSetup {
  readonly round: number;
  readonly history: History;
  readonly testCase: TestCase;
  readonly anomalies: readonly Anomaly[];
  readonly query: Query;
  /** Of the namespace. */
  readonly invariant: InvariantQuery;
  /** What the round left of it. */
  readonly answer: InvariantAnswer;
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  readonly url: string;
  /** Made anew for every run, and dropped. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** All runs together. */
  readonly limitMs?: number;
}

export type TracedCause = { readonly brokenBy: InvariantCause } | { readonly untraced: string };

const LIMIT_MS = 20_000;
const MOST_TRIED = 12;
const TIMES = 3;
/** Beyond these all orders of them are too many: the one and its reverse. */
const MOST_PERMUTED = 3;

export interface CauseOutcome {
  readonly cause: TracedCause;
  /** Namespaces that could not be dropped. */
  readonly leftovers: readonly string[];
}

export async function invariantCause(setup: CauseSetup): Promise<CauseOutcome> {
  const leftovers: string[] = [];
  return { cause: await traced({ ...setup, left: (leftover) => leftovers.push(leftover) }), leftovers };
}

/** `left`: is told each namespace that could not be dropped. */
type Tracing = CauseSetup & { readonly left: (leftover: string) => void };

async function traced(setup: Tracing): Promise<TracedCause> {
  const until = performance.now() + (setup.limitMs ?? LIMIT_MS);
  const candidates = candidatesOf(setup);
  let tried = 0;
  for (const { anomaly, ids } of candidates.slice(0, MOST_TRIED)) {
    if (setup.signal.aborted || performance.now() >= until) break;
    tried++;
    const rates = await proof(setup, ids);
    if (rates === undefined) continue;
    const { class: name, shapes, fingerprint } = anomaly;
    const plans = plansOf(setup.testCase, ids);
    const transactions = plans.map((plan) => ({ id: plan.id, ...(plan.name !== undefined && { name: plan.name }) }));
    return { brokenBy: { class: name, shapes, fingerprint, transactions, ...rates } };
  }
  return {
    untraced: `${tried} of ${candidates.length} anomalies that wrote to its tables were run again alone, and none of these broke it`,
  };
}

interface CauseCandidate {
  readonly anomaly: Anomaly;
  /** The initial state and the final read are no transactions of the case. */
  readonly ids: readonly number[];
}

function candidatesOf({ anomalies, query, answer, testCase }: CauseSetup): readonly CauseCandidate[] {
  const asked = tablesOf(query);
  const held = new Set(answer.rows.flatMap((row) => row.flatMap((value) => (value === null ? [] : [loosely(value)]))));
  const planned = new Map(testCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan] as const)));
  const all = anomalies.flatMap((anomaly) => {
    const plans = [...new Set(anomaly.transactions)].flatMap((id) => planned.get(id) ?? []);
    const statements = plans.flatMap((plan) => plan.statements);
    const written = statements.flatMap(writtenTables);
    // What triggers of theirs write, they write.
    const changed = [...written, ...effectsOf(testCase.schema, written).changes];
    if (!changed.some((table) => asked.size === 0 || asked.has(table))) return [];
    const named = plans.filter((plan) => plan.statements.some((statement) => literalsIn(statement).some((each) => held.has(each))));
    const seen = anomaly.cycle.filter(({ rel }) => rel === 'wr').length;
    return [{ anomaly, ids: plans.map(({ id }) => id), apart: plans.length - named.length, seen }];
  });
  const sorted = all.toSorted((a, b) => a.ids.length - b.ids.length || a.apart - b.apart || a.seen - b.seen);
  const key = ({ ids }: CauseCandidate): string => String(ids.toSorted((a, b) => a - b));
  return [...new Map(sorted.toReversed().map((each) => [key(each), each])).values()].toReversed();
}

/** Empty: it reads through a view, so any may matter. */
function tablesOf(query: Query): ReadonlySet<string> {
  const { leaves } = contentsOf(query);
  if (leaves.some(({ kind }) => kind === 'view')) return new Set();
  return new Set(leaves.flatMap((leaf) => (leaf.kind === 'table' ? [leaf.table] : [])));
}

function literalsIn(statement: Statement): readonly string[] {
  return contentsOf(statement).expressions.flatMap((each) => (each.kind === 'literal' && each.value !== null ? [loosely(each.value)] : []));
}

function plansOf({ sessions }: TestCase, ids: readonly number[]): readonly TxnPlan[] {
  const all = sessions.flatMap(({ transactions }) => transactions);
  return ids.flatMap((id) => all.filter((plan) => plan.id === id));
}

type Proof = Pick<InvariantCause, 'fromFirstRows' | 'replayed' | 'inTurn'>;

/** Undefined: they do not break it alone, or they do one after the other too. */
async function proof(setup: Tracing, ids: readonly number[]): Promise<Proof | undefined> {
  const observed = observedCase(setup.history, setup.testCase, ids);
  const found = await proofFrom(setup, observed);
  if (found !== 'broken before') return found;
  const again = await proofFrom(setup, { ...observed, schema: setup.testCase.schema });
  return again === undefined || again === 'broken before' ? undefined : { fromFirstRows: true, ...again };
}

/** `broken before`: what it begins with breaks it, or cannot be asked. */
async function proofFrom(setup: Tracing, observed: TestCase): Promise<Proof | 'broken before' | undefined> {
  const orders = [observed, ...otherOrders(setup.history, observed).map((schedule) => ({ ...observed, schedule }))];
  for (const order of orders) {
    const first = await breaks(setup, order);
    if (first === undefined) return 'broken before';
    if (!first) continue;
    const turns = turnsOf(observed);
    for (const turn of turns) if ((await breaks(setup, turn)) !== false) return undefined;
    let seen = 1;
    for (let n = 1; n < TIMES; n++) if ((await breaks(setup, order)) === true) seen++;
    return { replayed: { tries: TIMES, seen }, inTurn: turns.length };
  }
  return undefined;
}

/** One after the other, in one session. */
function turnsOf(testCase: TestCase): readonly TestCase[] {
  const { sessions, schedule: _, ...rest } = testCase;
  const plans = sessions.flatMap(({ transactions }) => transactions);
  const orders = plans.length > MOST_PERMUTED ? [plans, plans.toReversed()] : permutations(plans);
  return orders.map((transactions) => ({ ...rest, sessions: [{ transactions }] }));
}

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first, i) => permutations(list.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/** Undefined: it could not be run, or asked. */
async function breaks(setup: Tracing, testCase: TestCase): Promise<boolean | undefined> {
  const { round, dialect, level, url, namespace, invariant, signal } = setup;
  try {
    const { complete, invariants, leftover } = await runRound({
      round,
      probedCase: instrument(testCase, { mode: 'none', capabilities: dialect.capabilities, images: false }),
      dialect,
      level,
      urls: [url],
      mode: testCase.schedule === undefined ? 'stress' : 'schedule',
      namespace,
      recorder: new Recorder(undefined, { tool: 'anomalist', seed: testCase.seed }),
      invariants: [invariant],
      signal,
    });
    if (leftover !== undefined) setup.left(leftover);
    const [answer] = invariants;
    return complete && answer?.failed === undefined ? (answer?.count ?? 0) > 0 : undefined;
  } catch (error) {
    if (error instanceof InternalError || error instanceof ForeignSession) throw error;
    return undefined;
  }
}
