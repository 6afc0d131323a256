/** Yields orders with fewer switches between sessions, sessions that send text, and transactions with a plain BEGIN or none. */
import type { TestCase, TxnPlan } from '../../../core/index.ts';
import { inOrder, mapTransactions, stepsOf, transactionsOf } from './steps.ts';
import type { Step } from './steps.ts';

/** Yields whole transactions one after the other, then moves each step next to its session's step before or after it. */
export function* simplerSchedules(current: TestCase): Generator<TestCase> {
  const steps = stepsOf(current);
  const now = switches(steps);
  const seen = new Set<string>();
  for (const order of moved(steps)) {
    const word = order.map(({ session }) => session).join(',');
    if (switches(order) >= now || seen.has(word)) continue;
    seen.add(word);
    yield inOrder(current, order);
  }
}

export function* plainBegins(current: TestCase): Generator<TestCase> {
  for (const { id, begin } of transactionsOf(current))
    if (begin !== undefined) yield mapTransactions(current, (each) => (each.id === id ? plainly(each) : each));
}

/** Sends statements as text, session by session. */
export function* plainSends(current: TestCase): Generator<TestCase> {
  for (const [s, { send, ...plain }] of current.sessions.entries())
    if (send !== undefined) yield { ...current, sessions: current.sessions.map((each, i) => (i === s ? plain : each)) };
}

function plainly(txn: TxnPlan): TxnPlan {
  const { begin: _, ...plain } = txn;
  return plain;
}

/** A single statement that commits needs no BEGIN and COMMIT. */
export function* autocommits(current: TestCase): Generator<TestCase> {
  for (const txn of transactionsOf(current)) {
    if (txn.autocommit || txn.statements.length !== 1 || txn.end !== 'commit') continue;
    const steps = stepsOf(current).filter((step) => step.txn !== txn.id || typeof step.part === 'number');
    const sessions = current.sessions.map((session) => ({
      ...session,
      transactions: session.transactions.map((each) => (each.id === txn.id ? { ...plainly(each), autocommit: true } : each)),
    }));
    yield inOrder({ ...current, sessions }, steps);
  }
}

function* moved(steps: readonly Step[]): Generator<readonly Step[]> {
  const ids = [...new Set(steps.map(({ txn }) => txn))];
  for (const id of ids) {
    const own = steps.filter(({ txn }) => txn === id);
    for (const at of [steps.findIndex(({ txn }) => txn === id), steps.findLastIndex(({ txn }) => txn === id) - own.length + 1]) {
      const rest = steps.filter(({ txn }) => txn !== id);
      yield keptInSession(steps, [...rest.slice(0, at), ...own, ...rest.slice(at)]);
    }
  }
  for (let i = 0; i < steps.length; i++) {
    const { session } = steps[i]!;
    const rest = [...steps.slice(0, i), ...steps.slice(i + 1)];
    const before = steps.slice(0, i).findLastIndex((step) => step.session === session);
    if (before >= 0 && before < i - 1) yield [...rest.slice(0, before + 1), steps[i]!, ...rest.slice(before + 1)];
    const after = rest.findIndex((step, k) => k >= i && step.session === session);
    if (after > i) yield [...rest.slice(0, after), steps[i]!, ...rest.slice(after)];
  }
}

/** A moved block must not overtake its own session. If it does, the old order is returned. */
function keptInSession(before: readonly Step[], after: readonly Step[]): readonly Step[] {
  const word = (steps: readonly Step[], session: number): string =>
    steps
      .filter((step) => step.session === session)
      .map(({ txn, part }) => `${txn}.${part}`)
      .join(' ');
  return [...new Set(before.map(({ session }) => session))].every((session) => word(before, session) === word(after, session))
    ? after
    : before;
}

function switches(steps: readonly Step[]): number {
  return steps.reduce((count, { session }, i) => count + (i > 0 && steps[i - 1]!.session !== session ? 1 : 0), 0);
}
