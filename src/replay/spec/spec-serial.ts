/**
 * The serial runs of a run's transactions. Each order is executed on the server when it is asked for, and kept. The order
 * in which they ended comes first, because it most often explains the run.
 */
import type { ErrorClass } from '../../../core/dialect/index.ts';
import type { FixtureState } from '../../../core/program/index.ts';
import { replyKey, stateKey } from '../../explore/outcome.ts';
import type { Reply } from '../../explore/program-runner.ts';
import { permutations } from '../../../core/base/index.ts';
import type { Spec } from './parse-spec.ts';
import { allOrders, interleavings } from './spec-orders.ts';
import type { RunItem, SpecRun, SpecRunner, StepRun } from './spec-runner.ts';
import { notComparable } from './spec-stop.ts';
import type { SpecTransaction } from './spec-transactions.ts';

/** More serial orders than this are not executed. */
const MOST_SERIAL = 1_000;
/** Errors that data cause, and errors that follow from them. */
const BY_DATA: ReadonlySet<ErrorClass> = new Set(['constraint', 'data', 'aborted transaction']);
/** A setup that neither reads nor takes a snapshot. */
const PLAIN_SETUP = /^\s*((begin|start\s+transaction|set)\b(?![^;]*consistent\s+snapshot)[^;]*(;|$)\s*)*$/i;

export interface SerialRun {
  readonly order: readonly SpecTransaction[];
  /** The indices are the transaction, in that order, and its step. */
  readonly replies: readonly (readonly Reply[])[];
  readonly tables: FixtureState;
}

export class SerialRuns {
  private readonly runner: Pick<SpecRunner, 'run'>;
  private readonly spec: Spec;
  /** False: a transaction that began after all others had ended may come before them, which serializability alone allows. */
  private readonly inTime: boolean;
  private readonly kept = new Map<string, Promise<SpecRun>>();

  constructor(runner: Pick<SpecRunner, 'run'>, spec: Spec, inTime = true) {
    this.runner = runner;
    this.spec = spec;
    this.inTime = inTime;
  }

  /** Yields each serial order of these. Rejects with SpecStop if there are too many, or one cannot be compared. */
  async *of(transactions: readonly SpecTransaction[], setups: SpecRun['setups']): AsyncGenerator<SerialRun> {
    for (const order of serialOrders(transactions, this.spec, this.inTime)) {
      const run = await this.played(order, setups);
      yield this.asSerial(order, run);
    }
  }

  /** Runs the same order once more. If it answers differently, answers say nothing about serial orders. */
  async answersAlike(order: readonly SpecTransaction[], setups: SpecRun['setups']): Promise<boolean> {
    const { items, first } = planOf(order, setups, this.spec);
    const [one, two] = [await this.played(order, setups), await this.runner.run(items, first)];
    return stateKey(one.tables) === stateKey(two.tables) && String(one.steps.map(keyOf)) === String(two.steps.map(keyOf));
  }

  /** True if the step fails with this code in each order of whole sessions. */
  async failsInTurn({ item, reply }: StepRun, run: SpecRun): Promise<boolean> {
    for (const order of sessionOrders(run.setups.length)) {
      const items = order.flatMap((session): readonly RunItem[] => [
        ...setupOf(this.spec, session),
        ...run.steps.filter((step) => step.item.session === session).map((step) => step.item),
        { session, name: 'rollback', sql: '', does: 'rollback' },
      ]);
      const { steps } = await this.keeping(`sessions ${JSON.stringify(items.map(({ name }) => name))}`, items, []);
      if (!steps.some((again) => again.item.name === item.name && again.reply.error?.code === reply.error?.code)) return false;
    }
    return true;
  }

  private played(order: readonly SpecTransaction[], setups: SpecRun['setups']): Promise<SpecRun> {
    const { items, first } = planOf(order, setups, this.spec);
    return this.keeping(JSON.stringify([items.map(({ session, name, does }) => [session, name, does]), first]), items, first);
  }

  private keeping(key: string, items: readonly RunItem[], first: readonly number[]): Promise<SpecRun> {
    let run = this.kept.get(key);
    if (run === undefined) this.kept.set(key, (run = this.runner.run(items, first)));
    return run;
  }

  private asSerial(order: readonly SpecTransaction[], { steps, tables }: SpecRun): SerialRun {
    const odd = steps.find(({ waited, reply: { error } }) => waited || (error !== undefined && !BY_DATA.has(error.class)));
    if (odd !== undefined)
      throw notComparable({
        code: 'serial-order-odd',
        step: odd.item.name,
        ...(odd.reply.error !== undefined && { error: odd.reply.error.message }),
      });
    const own = steps.filter(({ item }) => item.does === undefined);
    let at = 0;
    const replies = order.map((txn) => txn.steps.map(() => own[at++]!.reply));
    return { order, replies, tables };
  }
}

/** True if the run's committed transactions had these answers and left these rows. */
export function explains({ tables }: Pick<SpecRun, 'tables'>, serial: SerialRun): boolean {
  return (
    stateKey(tables) === stateKey(serial.tables) &&
    serial.order.every((txn, t) => txn.steps.every(({ reply }, i) => replyKey(reply) === replyKey(serial.replies[t]![i]!)))
  );
}

/**
 * Returns orders that keep the order within each session. `inTime`: transactions that began after all others had ended
 * keep their place at the end.
 */
export function serialOrders(transactions: readonly SpecTransaction[], spec: Spec, inTime = true): readonly (readonly SpecTransaction[])[] {
  const ended = transactions.toSorted((a, b) => endOf(a) - endOf(b));
  const last: SpecTransaction[] = [];
  if (inTime) for (let one = ended.at(-1); one !== undefined && beganLast(one, ended, spec); one = ended.at(-1)) last.unshift(ended.pop()!);
  const lists = spec.sessions.map((_, session) => ended.filter((txn) => txn.session === session));
  const count = interleavings(lists.map(({ length }) => length));
  if (count > MOST_SERIAL) throw notComparable({ code: 'many-serial-orders', count, most: MOST_SERIAL });
  const orders = allOrders(lists).map((order) => [...order, ...last]);
  const natural = String([...ended, ...last].map(endOf));
  return orders.toSorted((a, b) => Number(String(b.map(endOf)) === natural) - Number(String(a.map(endOf)) === natural));
}

/** True if the transaction neither read nor wrote before all others had ended. */
function beganLast(txn: SpecTransaction, ended: readonly SpecTransaction[], { sessions }: Spec): boolean {
  if (ended.length < 2) return false;
  if (txn.opened && !PLAIN_SETUP.test(sessions[txn.session]!.setup ?? '')) return false;
  return ended.every((other) => other === txn || endOf(other) < txn.steps[0]!.sent);
}

function endOf({ steps }: SpecTransaction): number {
  return steps.at(-1)!.replied;
}

/** A setup that opens a transaction goes right before it. All others go first, as in the run. */
function planOf(
  order: readonly SpecTransaction[],
  setups: SpecRun['setups'],
  spec: Spec,
): { readonly items: readonly RunItem[]; readonly first: readonly number[] } {
  const first = spec.sessions.flatMap(({ setup }, session) => (setup !== undefined && setups[session] === 'outside' ? [session] : []));
  const items = order.flatMap((txn) => [...(txn.opened ? setupOf(spec, txn.session) : []), ...txn.steps.map(({ item }) => item)]);
  return { items, first };
}

function setupOf({ sessions }: Spec, session: number): readonly RunItem[] {
  const { setup } = sessions[session]!;
  return setup === undefined ? [] : [{ session, name: 'setup', sql: setup, does: 'setup' }];
}

/** Returns all orders of up to four sessions, and two orders of more. */
function sessionOrders(count: number): readonly (readonly number[])[] {
  const sessions = Array.from({ length: count }, (_, session) => session);
  return count > 4 ? [sessions, sessions.toReversed()] : permutations(sessions);
}

function keyOf({ reply }: StepRun): string {
  return replyKey(reply);
}
