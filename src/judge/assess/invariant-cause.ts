/**
 * Finds the anomaly of a round that broke an invariant. Candidates wrote to the tables that the invariant reads. The
 * transactions of each are replayed alone, uninstrumented, from the rows as they were, or from the first rows if those
 * break the invariant already. The anomaly is the cause if they break it in the observed order and in no serial order.
 * Otherwise it only happened beside it.
 *
 * The smallest candidates come first, then those that name values of the broken rows. If several anomalies have the same
 * transactions, the one about their writes is named, not the one about a read.
 */
import { ForeignSession, InternalError } from '../../../core/base/index.ts';
import type { Query } from '../../../core/sql/index.ts';
import type { Dialect, DialectLevel } from '../../../core/dialect/index.ts';
import type { TestCase, TxnPlan } from '../../../core/program/index.ts';
import type { History, Note } from '../../../core/history/index.ts';
import type { Anomaly, InvariantCause, InvariantReport } from '../../../core/verdict/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { observedCase, otherOrders } from '../findings/observed-case.ts';
import { Recorder, runRound } from '../../execute/index.ts';
import type { InvariantAnswer, InvariantQuery } from '../../execute/index.ts';
import { causeCandidates } from './cause-candidates.ts';
import { invariantProof, isBroken } from './invariant-proof.ts';
import type { InvariantProof } from './invariant-proof.ts';

export interface CauseSetup {
  readonly round: number;
  readonly history: History;
  readonly testCase: TestCase;
  readonly anomalies: readonly Anomaly[];
  readonly query: Query;
  /** Its query names the namespace's tables. */
  readonly invariant: InvariantQuery;
  /** The rows that the invariant returned after the round. */
  readonly answer: InvariantAnswer;
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  readonly url: string;
  /** The namespace is made anew for every run and dropped after it. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Limit for all runs together. */
  readonly limitMs?: number;
}

export type TracedCause = { readonly brokenBy: InvariantCause } | Required<Pick<InvariantReport, 'untracedAfter'>>;

const LIMIT_MS = 20_000;
const MOST_TRIED = 12;

export interface CauseOutcome {
  readonly cause: TracedCause;
  /** Notes of namespaces that could not be dropped. */
  readonly leftovers: readonly Note[];
}

export async function invariantCause(setup: CauseSetup): Promise<CauseOutcome> {
  const leftovers: Note[] = [];
  return { cause: await traced({ ...setup, left: (leftover) => leftovers.push(leftover) }), leftovers };
}

/** `left` gets a note of each namespace that could not be dropped. */
type Tracing = CauseSetup & { readonly left: (leftover: Note) => void };

async function traced(setup: Tracing): Promise<TracedCause> {
  const until = performance.now() + (setup.limitMs ?? LIMIT_MS);
  const candidates = causeCandidates(setup);
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
  return { untracedAfter: { tried, of: candidates.length } };
}

function plansOf({ sessions }: TestCase, ids: readonly number[]): readonly TxnPlan[] {
  const all = sessions.flatMap(({ transactions }) => transactions);
  return ids.flatMap((id) => all.filter((plan) => plan.id === id));
}

/** Undefined: the transactions do not break the invariant alone, or they also break it in a serial order. */
function proof(setup: Tracing, ids: readonly number[]): Promise<InvariantProof | undefined> {
  const observed = observedCase(setup.history, setup.testCase, ids);
  return invariantProof({
    observed,
    fromFirstRows: { ...observed, schema: setup.testCase.schema },
    ordersOf: (from) => [from, ...otherOrders(setup.history, from).map((schedule) => ({ ...from, schedule }))],
    breaks: (testCase) => breaks(setup, testCase),
  });
}

/** Undefined: the case could not be run, or the invariant could not be asked. */
async function breaks(setup: Tracing, testCase: TestCase): Promise<boolean | undefined> {
  const { round, dialect, level, url, namespace, invariant, signal } = setup;
  try {
    const outcome = await runRound({
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
    if (outcome.leftover !== undefined) setup.left(outcome.leftover);
    return isBroken(outcome);
  } catch (error) {
    if (error instanceof InternalError || error instanceof ForeignSession) throw error;
    return undefined;
  }
}
