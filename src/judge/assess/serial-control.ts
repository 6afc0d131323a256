/**
 * The serial control of a round that broke an invariant. The transactions that committed in the round run one after the
 * other, with the same values, in a fresh namespace at the same level. A few orders are run (serial-orders.ts), and the
 * invariants are asked after each transaction. If an invariant breaks in a serial order, isolation is not the cause, and
 * the transaction after which it broke is named. An order that could not run to its end proves nothing, and the answer
 * says why.
 */
import { ForeignSession, InternalError, TXN_STATUS } from '../../../core/base/index.ts';
import { authorsText } from '../../../core/program/index.ts';
import { STATEMENT_STATUS, errorText } from '../../../core/history/index.ts';
import type { ControlFailure, InvariantCulprit, SerialOrderName } from '../../../core/level/index.ts';
import type { Dialect, DialectLevel } from '../../../core/dialect/index.ts';
import type { ProbedCase, TestCase, TxnPlan } from '../../../core/program/index.ts';
import type { DependencyGraph, History, Note } from '../../../core/history/index.ts';
import { serialOrderWords } from '../../../reports/index.ts';
import type { ControlAnswer } from './invariant-verdict.ts';
import { Recorder, invariantAsker, invariantRows, runRound } from '../../execute/index.ts';
import type { InvariantAnswer, InvariantAsker, InvariantQuery, RoundOutcome } from '../../execute/index.ts';
import { serialOrders } from './serial-orders.ts';
import type { SerialOrder } from './serial-orders.ts';
import { serverFailure } from '../../process/server-failure.ts';

export interface ControlSetup {
  readonly round: number;
  /** The history of the round that broke the invariants, and its dependencies if they are known. */
  readonly history: History;
  readonly graph?: DependencyGraph;
  readonly testCase: TestCase;
  readonly probedCase: ProbedCase;
  readonly invariants: readonly InvariantQuery[];
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  /** The endpoint on which the round's invariants were asked. */
  readonly url: string;
  /** The namespace is made anew for every order and dropped after it. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Limit for all orders together. */
  readonly limitMs?: number;
}

export interface ControlOutcome {
  readonly answers: ReadonlyMap<string, ControlAnswer>;
  /** Notes of namespaces that could not be dropped. */
  readonly leftovers: readonly Note[];
}

/** With more transactions than this, the invariants are not asked after each of them. */
const LIMIT_MS = 60_000;
const MOST_STATEMENTS = 8;

/** The result of one order. */
interface Executed {
  /** The number of transactions that had run when an invariant was broken, and the rows that broke it. */
  readonly broken: ReadonlyMap<string, { readonly after: number; readonly rows: string }>;
  /** The reason why an invariant has no answer. The key '' stands for all of them. */
  readonly unable: ReadonlyMap<string, ControlFailure>;
  readonly history?: History;
  readonly leftover?: Note;
}

interface Kept {
  readonly order: SerialOrderName;
  /** A transaction that committed in the round and ended by its own IF in the control. */
  readonly ended: number | undefined;
}

type Plans = ReadonlyMap<number, TxnPlan>;

function keptIn(orders: readonly Kept[]): ControlAnswer {
  const ended = orders.every((each) => each.ended !== undefined) ? orders[0]?.ended : undefined;
  return { kind: 'kept', orders: orders.map(({ order }) => order), ...(ended !== undefined && { ended }) };
}

export async function serialControl(setup: ControlSetup): Promise<ControlOutcome> {
  const until = performance.now() + (setup.limitMs ?? LIMIT_MS);
  const answers = new Map<string, ControlAnswer>();
  const kept = new Map<string, Kept[]>(setup.invariants.map(({ name }) => [name, []]));
  const plans = new Map(setup.testCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan] as const)));
  const unknown = unknownOutcomes(setup);
  const leftovers: Note[] = [];
  for (const order of serialOrders(setup.history, setup.testCase, setup.graph)) {
    const open = setup.invariants.filter(({ name }) => answers.get(name)?.kind !== 'broken');
    if (open.length === 0) break;
    const executed = await execute({ ...setup, invariants: open }, order, until);
    if (executed.leftover !== undefined) leftovers.push(executed.leftover);
    for (const { name } of open) {
      const found = executed.broken.get(name);
      const failure =
        found === undefined
          ? (executed.unable.get(name) ?? executed.unable.get('') ?? unfaithful(executed, order, { plans }))
          : unfaithful(executed, order, { plans, count: found.after });
      if (failure !== undefined) {
        if (order.needed) answers.set(name, { kind: 'unable', failure, order: order.name });
      } else if (found !== undefined) answers.set(name, { kind: 'broken', culprit: culpritOf(setup, order, found) });
      else kept.get(name)!.push({ order: order.name, ended: endedThemselves(executed, order, plans)[0] });
    }
  }
  for (const [name, orders] of kept)
    if (!answers.has(name)) answers.set(name, unknown === undefined ? keptIn(orders) : { kind: 'unable', failure: unknown });
  return { answers, leftovers };
}

/** A transaction that may have committed can neither be omitted nor be run. */
function unknownOutcomes({ history: { transactions }, testCase }: ControlSetup): ControlFailure | undefined {
  const planned = new Set(testCase.sessions.flatMap((session) => session.transactions.map(({ id }) => id)));
  const unknown: number[] = [];
  for (let t = 1; t < transactions.count; t++)
    if (transactions.status[t] === TXN_STATUS.unknown && planned.has(transactions.id[t]!)) unknown.push(transactions.id[t]!);
  return unknown.length === 0 ? undefined : { code: 'outcomes-unknown', transactions: unknown };
}

/** Runs all transactions in one session. Before each, the invariants are asked about what the earlier ones have left. */
async function execute(setup: ControlSetup, { ids }: SerialOrder, until: number): Promise<Executed> {
  const { dialect, url, namespace, invariants, signal } = setup;
  const broken = new Map<string, { readonly after: number; readonly rows: string }>();
  const unable = new Map<string, ControlFailure>();
  const take = (answers: readonly InvariantAnswer[], after: number): void => {
    for (const answer of answers) {
      if (broken.has(answer.name) || unable.has(answer.name)) continue;
      if (answer.failed !== undefined) unable.set(answer.name, { code: 'query-refused', after, of: ids.length, failure: answer.failed });
      else if (answer.count > 0) broken.set(answer.name, { after, rows: invariantRows(answer) });
    }
  };
  let asker: InvariantAsker | undefined;
  let begun = 0;
  const enough = async (): Promise<boolean> => {
    if (begun > 0) {
      asker ??= await invariantAsker({ dialect, urls: [url], invariants }, url);
      take(await asker.ask(), begun);
    }
    if (begun < ids.length && performance.now() >= until) unable.set('', { code: 'time-over', ran: begun, of: ids.length });
    if (unable.has('') || broken.size + unable.size >= invariants.length) return true;
    begun++;
    return false;
  };
  let outcome: RoundOutcome | undefined;
  try {
    outcome = await runRound({
      round: setup.round,
      probedCase: serialCase(setup, ids),
      dialect,
      level: setup.level,
      urls: [url],
      mode: 'stress',
      namespace,
      recorder: new Recorder(undefined, { tool: 'anomalist', seed: setup.testCase.seed }),
      invariants,
      signal,
      enough,
    });
    take(outcome.invariants, begun);
    if (!outcome.complete) unable.set('', { code: 'ended-early', ...(outcome.reason !== undefined && { failure: outcome.reason }) });
  } catch (error) {
    if (error instanceof InternalError || error instanceof ForeignSession) throw error;
    unable.set('', { code: 'ended-early', failure: (serverFailure(dialect, error) ?? (error as Error)).message });
  } finally {
    await asker?.end();
  }
  return {
    broken,
    unable,
    ...(outcome && { history: outcome.history }),
    ...(outcome?.leftover !== undefined && { leftover: outcome.leftover }),
  };
}

function serialCase({ testCase, probedCase }: ControlSetup, ids: readonly number[]): ProbedCase {
  const plans = new Map(testCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan] as const)));
  const probed = new Map(probedCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan] as const)));
  const { schedule: _, ...rest } = testCase;
  return {
    ...probedCase,
    images: false,
    testCase: { ...rest, sessions: [{ transactions: ids.map((id) => plans.get(id)!) }] },
    sessions: [{ transactions: ids.map((id) => probed.get(id)!) }],
  };
}

/**
 * Returns why the first `count` transactions (default: all) did not do what they did in the round. Transactions that were
 * aborted before a break do not matter. If the invariants are asked first, neither does one that ends by its own IF,
 * because that is its program.
 */
function unfaithful(
  { history }: Executed,
  { ids }: SerialOrder,
  { plans, count }: { readonly plans: Plans; readonly count?: number },
): ControlFailure | undefined {
  if (history === undefined) return { code: 'nothing-ran' };
  const run = ids.slice(0, count ?? ids.length);
  for (const [n, id] of run.entries()) {
    const { committed, failed } = endOf(history, id);
    if (!committed && (count === undefined ? !endsItself(plans.get(id)) || failed !== undefined : n === run.length - 1))
      return { code: 'not-committed', transaction: id, ...(failed !== undefined && { failure: failed }) };
    if (committed && failed !== undefined) return { code: 'committed-in-part', transaction: id, failure: failed };
  }
  return undefined;
}

function endedThemselves({ history }: Executed, { ids }: SerialOrder, plans: Plans): readonly number[] {
  return ids.filter((id) => history !== undefined && !endOf(history, id).committed && endsItself(plans.get(id)));
}

function endsItself(plan: TxnPlan | undefined): boolean {
  return plan?.statements.some(({ stops = [] }) => stops.some(({ end }) => end === 'rollback')) === true;
}

/** `failed`: the error of its first statement that failed. */
function endOf({ statements, transactions }: History, id: number): { readonly committed: boolean; readonly failed?: string } {
  const t = transactions.id.indexOf(id);
  const failed = statements.status.findIndex((status, s) => status === STATEMENT_STATUS.failed && statements.txn[s] === t);
  const error = statements.error[failed];
  return {
    committed: t > 0 && transactions.status[t] === TXN_STATUS.committed,
    ...(failed >= 0 && { failed: error === undefined ? 'no reason given' : errorText(error) }),
  };
}

function culpritOf(
  { testCase, dialect }: ControlSetup,
  { ids, name }: SerialOrder,
  { after, rows }: { readonly after: number; readonly rows: string },
): InvariantCulprit {
  const id = ids[after - 1]!;
  const plan: TxnPlan = testCase.sessions.flatMap(({ transactions }) => transactions).find((each) => each.id === id)!;
  const statements = plan.statements
    .slice(0, MOST_STATEMENTS)
    .map((statement) => authorsText(testCase, statement) ?? dialect.print(statement));
  return {
    transaction: id,
    ...(plan.name !== undefined && { name: plan.name }),
    statements: plan.statements.length > MOST_STATEMENTS ? [...statements, `... (${plan.statements.length} statements)`] : statements,
    order: serialOrderWords(name),
    rows,
  };
}
