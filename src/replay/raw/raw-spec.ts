/**
 * Runs the orders of one .spec as they are, and says of each what was compared. A difference that is
 * neither documented nor allowed is repeated before it is reported: the same order five times, and every serial order a second time.
 */
import { DatabaseError } from '../../../core/base/index.ts';
import type { Dialect, DialectLevel, ServerFacts } from '../../../core/dialect/index.ts';
import type { NotCompared, Rate } from '../../../core/verdict/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { RawDifference, RawNotCompared, RawSpec } from '../../../reports/index.ts';
import { UNSETTLED } from '../../explore/difference.ts';
import { KINDS } from '../../explore/difference-kinds.ts';
import { replyKey, stateKey } from '../../explore/outcome.ts';
import { judgeAnswers, orderSentences } from '../spec/judge-spec.ts';
import type { SpecWitness } from '../spec/judge-spec.ts';
import type { Spec } from '../spec/parse-spec.ts';
import type { PlacedStep } from '../spec/spec-orders.ts';
import { SpecRunner } from '../spec/spec-runner.ts';
import type { SpecRun } from '../spec/spec-runner.ts';
import { SpecStop } from '../spec/spec-stop.ts';
import { RunComparer } from './compare-run.ts';
import type { ComparedRun } from './compare-run.ts';

/** The server's limit for a statement. */
const STATEMENT_MS = 10_000;
/** Some setups fill large tables. */
const SETUP_MS = 120_000;
/** Runs of one order before its difference is reported. */
const TRIES = 5;

export interface RawSetting {
  readonly dialect: Dialect;
  readonly url: string;
  readonly configuration: ServerFacts['configuration'];
  /** Absent: the server's default, and each file at the level of its own transactions. */
  readonly level: DialectLevel | undefined;
  readonly signal: AbortSignal;
  readonly tick: (done: number, of: number) => void;
}

/** Rejects if the server failed. */
export async function rawSpec(spec: Spec, orders: readonly (readonly PlacedStep[])[], setting: RawSetting): Promise<RawSpec> {
  const { dialect, url, level } = setting;
  const runner = await SpecRunner.open({ dialect, url, level, asWritten: true, spec, statementMs: STATEMENT_MS, setupMs: SETUP_MS });
  const runs = new RawRuns(runner, spec, setting);
  try {
    for (const [done, order] of orders.entries()) {
      if (setting.signal.aborted) break;
      setting.tick(done, orders.length);
      await runs.add(order);
    }
    return runs.report();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const stop = error instanceof SpecStop ? error.otherwise : undefined;
    if (stop?.code === 'unusable') return runs.report(stop.outcome.replace(/^unusable: /, ''));
    // A statement of ours may fail on what the file made. Only a server that is gone ends the other files.
    if (stop === undefined && (await answers(setting))) return runs.report(error.message);
    throw error;
  } finally {
    await runner.close();
  }
}

async function answers({ dialect, url }: RawSetting): Promise<boolean> {
  try {
    const connection = await dialect.connect(url, {});
    await connection.end();
    return true;
  } catch {
    return false;
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

class RawRuns {
  private readonly runner: SpecRunner;
  private readonly spec: Spec;
  private readonly setting: RawSetting;
  private readonly comparer: RunComparer;
  private readonly outcomes = new Set<string>();
  private readonly levels = new Set<Level>();
  private readonly notCompared = new Map<string, Changing<RawNotCompared>>();
  /** The map has the difference of each outcome, or the reason why it did not come again. */
  private readonly differences = new Map<string, Changing<RawDifference> | NotCompared>();
  private orders = 0;
  private compared = 0;

  constructor(runner: SpecRunner, spec: Spec, setting: RawSetting) {
    this.runner = runner;
    this.spec = spec;
    this.setting = setting;
    this.comparer = this.comparing();
  }

  async add(order: readonly PlacedStep[]): Promise<void> {
    const permutation = order.map(({ name }) => name);
    const run = await this.run(order);
    this.orders++;
    if ('code' in run) return this.leaveOut(run, permutation);
    const key = outcomeOf(run);
    this.outcomes.add(key);
    const compared = await this.comparer.compared(run);
    if (compared.is === 'not compared') return this.leaveOut(compared.reason, permutation);
    if (compared.is === 'different') {
      const difference = this.differences.get(key) ?? (await this.difference(compared, order));
      this.differences.set(key, difference);
      if ('code' in difference) return this.leaveOut(difference, permutation);
      difference.orders++;
    }
    this.compared++;
    this.levels.add(compared.level.level);
  }

  report(refused?: string): RawSpec {
    return {
      path: this.spec.path,
      ...(refused !== undefined && { refused }),
      orders: this.orders,
      outcomes: this.outcomes.size,
      compared: this.compared,
      levels: [...this.levels],
      notCompared: [...this.notCompared.values()],
      differences: [...this.differences.values()].flatMap((each) => ('code' in each ? [] : [each])),
    };
  }

  private comparing(): RunComparer {
    const { dialect, level } = this.setting;
    return new RunComparer(this.runner, this.spec, { dialect, asked: level });
  }

  /** Returns the reason if a session was lost and the server goes on. */
  private async run(order: readonly PlacedStep[]): Promise<SpecRun | NotCompared> {
    const first = this.spec.sessions.flatMap(({ setup }, session) => (setup === undefined ? [] : [session]));
    try {
      return await this.runner.run(order, first);
    } catch (error) {
      if (error instanceof SpecStop && error.reason !== undefined) return error.reason;
      throw error;
    }
  }

  private leaveOut(reason: NotCompared, permutation: readonly string[]): void {
    const key = JSON.stringify(reason);
    const before = this.notCompared.get(key);
    if (before === undefined) this.notCompared.set(key, { reason, orders: 1, permutation });
    else before.orders++;
  }

  private async difference(
    { witness, level }: Extract<ComparedRun, { is: 'different' }>,
    order: readonly PlacedStep[],
  ): Promise<Changing<RawDifference> | NotCompared> {
    const { dialect, configuration } = this.setting;
    const { kind, judgement } = judgeAnswers(witness, this.spec, { dialect, level, configuration });
    const verdict = judgement.says === UNSETTLED ? 'allowed' : judgement.verdict;
    const rate = verdict === 'documented' || verdict === 'allowed' ? undefined : await this.repeated(order);
    if (rate !== undefined && rate.seen < rate.tries) return { code: 'not-again', ...rate };
    return {
      level: level.level,
      verdict,
      ...(judgement.row !== undefined && { row: judgement.row }),
      ...(judgement.says !== undefined && { says: judgement.says }),
      kind: KINDS[kind].words,
      permutation: namesOf(witness),
      orders: 0,
      serialOrders: orderSentences(witness, this.spec),
      ...(rate !== undefined && { rate }),
    };
  }

  /** Compares with serial orders that are run anew. The first run counts. */
  private async repeated(order: readonly PlacedStep[]): Promise<Rate> {
    const comparer = this.comparing();
    let seen = 1;
    for (let tries = 1; tries < TRIES; tries++) {
      const run = await this.run(order);
      if (!('code' in run) && (await comparer.compared(run)).is === 'different') seen++;
    }
    return { tries: TRIES, seen };
  }
}

function namesOf({ run }: SpecWitness): readonly string[] {
  return run.steps.map(({ item }) => item.name);
}

/** Returns equal keys exactly for equal replies and tables, whatever the order of the steps was. */
function outcomeOf({ steps, tables }: SpecRun): string {
  const replies = steps.map(({ item, reply, status }) => JSON.stringify([item.session, item.name, replyKey(reply), status]));
  return JSON.stringify([replies.toSorted(), stateKey(tables)]);
}
