/**
 * Replays a .spec on a server. Each of its orders is run. The answers to its committed transactions and the final rows
 * must be those of some serial order of them. Only an error of concurrency prevents an anomaly. An error that the same
 * step also raises when the sessions run serially makes the case unusable.
 */
import { DatabaseError } from '../../../core/base/index.ts';
import type { DialectLevel, ErrorClass } from '../../../core/dialect/index.ts';
import type { Control } from '../../../core/verdict/index.ts';
import { notComparedWords } from '../../../reports/index.ts';
import { Interrupted } from '../../process/interruption.ts';
import { BY_BLOCKING, NOT_SEEN, byError, ended, notJudged, notRun, unusable } from '../../reproduce/otherwise.ts';
import type { Otherwise } from '../../reproduce/otherwise.ts';
import type { Replayer } from '../../reproduce/replayer.ts';
import { judgeSpec } from './judge-spec.ts';
import type { SpecWitness } from './judge-spec.ts';
import { openAnswers } from './open-answers.ts';
import type { Spec } from './parse-spec.ts';
import { specOrders } from './spec-orders.ts';
import type { PlacedStep } from './spec-orders.ts';
import { SpecRunner, titleOf } from './spec-runner.ts';
import type { SpecRun, StepRun } from './spec-runner.ts';
import { SerialRuns, explains } from './spec-serial.ts';
import type { SerialRun } from './spec-serial.ts';
import { SpecStop, notComparable } from './spec-stop.ts';
import { transactionsOfRun } from './spec-transactions.ts';

export interface ReplaySpecOptions {
  /** The server's limit for a statement. */
  readonly statementMs?: number;
}

const STATEMENT_MS = 10_000;
/** Most runs that are judged. */
const MOST_JUDGED = 5;
/** Errors that follow from an earlier error. */
const FOLLOWS: ReadonlySet<ErrorClass> = new Set(['aborted transaction']);
/** Errors that a serial order may raise as well. */
const BY_DATA: ReadonlySet<ErrorClass> = new Set(['constraint', 'data']);

/** Runs the orders that the file names, so many times each. If it names none, all interleavings run once each. */
export async function replaySpec(
  replayer: Replayer,
  spec: Spec,
  level: DialectLevel,
  times: number,
  { statementMs = STATEMENT_MS }: ReplaySpecOptions = {},
): Promise<Control> {
  const { version } = await replayer.server();
  const { dialect, urls, name } = replayer.target;
  const where = { target: name, server: version, level: level.level, own: spec.level === level.level };
  const runner = await SpecRunner.open({ dialect, url: urls[0]!, level, spec, statementMs });
  const found = new Found();
  try {
    await runAll(new Runs(runner, spec), found, { spec, times: spec.permutations.length === 0 ? 1 : times, signal: replayer.signal });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (!(error instanceof SpecStop)) found.stop(notRun(error.message.slice(0, 200)));
    else found.stop(isOfAnother(error, spec, dialect.name) ? notRun(`it is written for ${spec.dbms.join(' and ')}`) : error.otherwise);
  } finally {
    await runner.close();
  }
  if (found.failed || found.witnesses.length === 0) return { ...where, ...found.control() };
  const open = openAnswers(spec);
  if (open !== undefined) return { ...where, ...ended({ ...found.rate, seen: 0 }, notJudged(`no serial order explains it, but ${open}`)) };
  return { ...where, ...found.control(), ...(await judgeSpec(found.witnesses, { replayer, spec, level })) };
}

/** True if the head names programs of other DBMSs only, and this one does not accept its statements. */
function isOfAnother({ otherwise }: SpecStop, { dbms }: Spec, name: string): boolean {
  return otherwise.code === 'unusable' && dbms.length > 0 && !dbms.includes(name);
}

interface AllRuns {
  readonly spec: Spec;
  readonly times: number;
  readonly signal: AbortSignal | undefined;
}

async function runAll(runs: Runs, found: Found, { spec, times, signal }: AllRuns): Promise<void> {
  for (const order of specOrders(spec))
    for (let i = 0; i < times; i++) {
      if (signal?.aborted) throw new Interrupted();
      found.add(await runs.judged(order));
    }
}

/** The result of the runs of one cell. */
class Found {
  readonly witnesses: SpecWitness[] = [];
  private tries = 0;
  private seen = 0;
  private otherwise: Otherwise = NOT_SEEN;
  private stopped = false;

  /** True if the case cannot be judged, so that earlier results do not count. */
  get failed(): boolean {
    return this.stopped;
  }

  get rate(): Control['rate'] {
    return { tries: this.tries, seen: this.seen };
  }

  add(run: SpecWitness | Otherwise): void {
    this.tries++;
    if ('run' in run) {
      this.seen++;
      if (this.witnesses.length < MOST_JUDGED) this.witnesses.push(run);
    } else if (RANK.indexOf(run.code) > RANK.indexOf(this.otherwise.code)) this.otherwise = run;
  }

  stop(otherwise: Otherwise): void {
    this.stopped = otherwise.code === 'unusable' || otherwise.code === 'not judged';
    this.otherwise = otherwise;
  }

  control(): Pick<Control, 'rate' | 'code' | 'outcome'> {
    return this.stopped ? { rate: this.rate, ...this.otherwise } : ended(this.rate, this.otherwise);
  }
}

/** The reason with the most information is kept; its rank is its position here. */
const RANK: readonly Otherwise['code'][] = ['not seen', 'blocking', 'error', 'not judged', 'not run'];

class Runs {
  private readonly runner: SpecRunner;
  private readonly spec: Spec;
  private readonly serial: SerialRuns;

  constructor(runner: SpecRunner, spec: Spec) {
    this.runner = runner;
    this.spec = spec;
    this.serial = new SerialRuns(runner, spec);
  }

  /** Returns a witness if no serial order explains the run. */
  async judged(order: readonly PlacedStep[]): Promise<SpecWitness | Otherwise> {
    const first = this.spec.sessions.flatMap(({ setup }, session) => (setup === undefined ? [] : [session]));
    const run = await this.runner.run(order, first);
    const prevented = await this.prevented(run);
    if (prevented !== undefined) return prevented;
    const transactions = transactionsOfRun(run);
    if ('code' in transactions) return notJudged(notComparedWords(transactions));
    const committed = transactions.filter((txn) => txn.committed);
    const serial: SerialRun[] = [];
    for await (const each of this.serial.of(committed, run.setups)) {
      if (explains(run, each)) return run.steps.some(({ waited }) => waited) ? BY_BLOCKING : NOT_SEEN;
      serial.push(each);
    }
    if (!(await this.serial.answersAlike(committed, run.setups))) throw notComparable({ code: 'serial-order-unstable' });
    return { run, transactions, serial };
  }

  /** Undefined: the run has only errors of data, whose answers are compared. */
  private async prevented(run: SpecRun): Promise<Otherwise | undefined> {
    const failed = run.steps.filter(({ reply: { error } }) => error !== undefined);
    const errors = failed.filter(({ reply }) => !FOLLOWS.has(reply.error!.class));
    for (const step of errors)
      if (await this.serial.failsInTurn(step, run))
        throw new SpecStop(unusable(`${titleOf(step.item)} fails when the sessions run one after the other too: ${wordsOf(step)}`));
    const [step] = (errors.length === 0 ? failed : errors).filter(({ reply }) => !BY_DATA.has(reply.error!.class));
    if (step === undefined) return undefined;
    const { class: errorClass, code } = step.reply.error!;
    return errorClass === 'statement timeout' ? notRun(`${titleOf(step.item)} came to no end: ${wordsOf(step)}`) : byError(code);
  }
}

function wordsOf({ reply }: StepRun): string {
  const { code, message } = reply.error!;
  return `${message} (${code})`;
}
