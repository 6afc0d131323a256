/**
 * The model as a place for transactions of a workload file: values that they read get names, their IFs decide how they end, and
 * invariants are asked, as a server's runner does.
 */
import { firstState, stopAfter, bindAnswer, withBindings } from '../../core/program/index.ts';
import type { Statement, Stop } from '../../core/sql/index.ts';
import type { Program, Bindings, FixtureState } from '../../core/program/index.ts';
import type { Broken, Replied, Reply } from '../../src/explore/program-runner.ts';
import { ModelRunner } from './model-runner.ts';

interface SessionBindings {
  bindings: Bindings;
  stop?: Stop['end'] | undefined;
  /** The statement that was sent last; absent: the end. */
  statement?: Statement | undefined;
}

export class FileRunner extends ModelRunner {
  readonly beginSql = 'BEGIN';
  private whole: Program | undefined;
  private bound: readonly SessionBindings[] = [];

  /** The tables have the first rows of the fixture that is loaded first. */
  override async load(program: Program): Promise<void> {
    this.whole = program;
    this.bound = program.transactions.map(() => ({ bindings: new Map() }));
    await super.load(program);
    if (this.resets === 0) await super.reset(firstState(program.fixture));
  }

  override async step(session: number, step: number): Promise<readonly Replied[]> {
    const program = this.whole!;
    const bound = this.bound[session]!;
    if (step === 0) Object.assign(bound, { bindings: new Map(), stop: undefined });
    const txn = program.transactions[session]!;
    const planned = txn.steps[step];
    bound.statement = planned?.statement;
    const steps =
      planned === undefined ? txn.steps : txn.steps.with(step, { ...planned, statement: withBindings(planned.statement, bound.bindings) });
    const transactions = program.transactions.with(session, { ...txn, steps, end: bound.stop ?? txn.end });
    await super.load({ ...program, transactions });
    const replied = await super.step(session, step);
    return replied.map((each) => ({ session: each.session, reply: this.bindReply(each.session, each.reply) }));
  }

  async broken(state: FixtureState): Promise<readonly Broken[]> {
    const program = this.whole!;
    const broken: Broken[] = [];
    for (const { name, query } of program.fixture.invariants ?? []) {
      await super.load({ ...program, transactions: [{ steps: [{ statement: query, tables: [], plainRead: true }], end: 'commit' }] });
      await super.reset(state);
      const [replied] = await super.step(0, 0);
      const { rows, error } = replied!.reply;
      if (error !== undefined) broken.push({ name, failed: error.message });
      else if (rows.length > 0) broken.push({ name });
    }
    await super.load(program);
    return broken;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private bindReply(session: number, reply: Reply): Reply {
    const bound = this.bound[session]!;
    if (bound.statement === undefined || reply.error !== undefined) return reply;
    bound.bindings = bindAnswer(bound.bindings, bound.statement, reply.rows, reply.affected);
    bound.stop = stopAfter(bound.statement, bound.bindings);
    return bound.stop === undefined ? reply : { ...reply, stops: bound.stop };
  }
}
