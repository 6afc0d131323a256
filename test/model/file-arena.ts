/**
 * The model as a place for transactions of a workload file: values that they read get names, their IFs decide how they end, and
 * invariants are asked, as a server's arena does.
 */
import { firstState, stopAfter, toldAfter, withTold } from '../../core/index.ts';
import type { Program, Statement, Stop, Told, WorldState } from '../../core/index.ts';
import type { Broken, Replied, Reply } from '../../src/explore/arena.ts';
import { ModelArena } from './model-arena.ts';

interface HeardSoFar {
  told: Told;
  stop?: Stop['end'] | undefined;
  /** The statement that was sent last; absent: the end. */
  statement?: Statement | undefined;
}

export class FileArena extends ModelArena {
  readonly beginSql = 'BEGIN';
  private whole: Program | undefined;
  private heard: readonly HeardSoFar[] = [];

  /** The tables have the first rows of the world that is loaded first. */
  override async load(program: Program): Promise<void> {
    this.whole = program;
    this.heard = program.transactions.map(() => ({ told: new Map() }));
    await super.load(program);
    if (this.resets === 0) await super.reset(firstState(program.world));
  }

  override async step(session: number, step: number): Promise<readonly Replied[]> {
    const program = this.whole!;
    const heard = this.heard[session]!;
    if (step === 0) Object.assign(heard, { told: new Map(), stop: undefined });
    const txn = program.transactions[session]!;
    const planned = txn.steps[step];
    heard.statement = planned?.statement;
    const steps =
      planned === undefined ? txn.steps : txn.steps.with(step, { ...planned, statement: withTold(planned.statement, heard.told) });
    const transactions = program.transactions.with(session, { ...txn, steps, end: heard.stop ?? txn.end });
    await super.load({ ...program, transactions });
    const replied = await super.step(session, step);
    return replied.map((each) => ({ session: each.session, reply: this.hear(each.session, each.reply) }));
  }

  async broken(state: WorldState): Promise<readonly Broken[]> {
    const program = this.whole!;
    const broken: Broken[] = [];
    for (const { name, query } of program.world.invariants ?? []) {
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

  private hear(session: number, reply: Reply): Reply {
    const heard = this.heard[session]!;
    if (heard.statement === undefined || reply.error !== undefined) return reply;
    heard.told = toldAfter(heard.told, heard.statement, reply.rows, reply.affected);
    heard.stop = stopAfter(heard.statement, heard.told);
    return heard.stop === undefined ? reply : { ...reply, stops: heard.stop };
  }
}
