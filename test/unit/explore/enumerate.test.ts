import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import type { Program, ProgramStep, FixtureState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Table } from '../../../core/sql/index.ts';
import type { ProgramRunner, Replied } from '../../../src/explore/program-runner.ts';
import { countOrders } from '../../../src/explore/orders.ts';
import { enumerate } from '../../../src/explore/enumerate.ts';
import { NONE, independence } from '../../../src/explore/independent.ts';
import { play } from '../../../src/explore/play.ts';
import { outcomeKey } from '../../../src/explore/outcome.ts';
import { within } from '../../budget.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';
import type { Rule } from '../../model/rules.ts';
import { statementOf, tableOf } from '../../sql.ts';

const RULES: readonly Rule[] = ['read-committed', 'snapshot', 'serializable'];
/** Orders that a program may have here. */
const MOST = 2_000;

interface Found {
  readonly outcomes: ReadonlySet<string>;
  readonly choices: ReadonlySet<string>;
  readonly orders: number;
}

async function outcomesOf(program: Program, rule: Rule, pruned: boolean, beginsCommute = true): Promise<Found> {
  const runner = modelRunner(rule);
  await runner.load(program);
  const outcomes = new Set<string>();
  const choices = new Set<string>();
  const { orders, whole } = await enumerate(
    runner,
    program,
    firstState(program.fixture),
    pruned ? independence(program, { beginsCommute }) : NONE,
    (played) => {
      outcomes.add(outcomeKey(played.outcome));
      choices.add(played.choices.join());
      return true;
    },
  );
  expect(whole, `${JSON.stringify(program.made)} at ${rule}`).toBe(true);
  return { outcomes, choices, orders };
}

describe('enumeration', () => {
  it('runs every order of steps that never wait exactly once', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['a']), step(['a'])]);
    const found = await outcomesOf(program, 'read-committed', false);
    expect(countOrders(program)).toBe(20);
    expect([found.orders, found.choices.size]).toEqual([20, 20]);
  });

  it('leaves out the orders of reads that commute', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['a']), step(['a'])]);
    const all = await outcomesOf(program, 'read-committed', false);
    const pruned = await outcomesOf(program, 'read-committed', true);
    expect(all.orders).toBe(20);
    expect(pruned.orders).toBeLessThan(15);
    expect([...all.choices].filter((order) => pruned.choices.has(order))).toHaveLength(pruned.orders);
  });

  it('keeps the orders in which transactions begin where these may matter', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['b']), step(['b'])]);
    const free = await outcomesOf(program, 'read-committed', true);
    const kept = await outcomesOf(program, 'read-committed', true, false);
    expect(kept.orders).toBeGreaterThan(free.orders);
    expect(kept.orders).toBeLessThan(20);
  });

  it('has a run for every order on a server that lets others wait at times', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['a']), step(['a'])]);
    const all = await moodyRuns(program, () => false);
    expect(new Set(all.calm).size).toBe(20);
    for (const mood of [2, 3, 5]) {
      const { whole, calm, waited } = await moodyRuns(program, (run) => run % mood === 0);
      expect(whole).toBe(true);
      expect(waited.length).toBeGreaterThan(0);
      for (const order of all.calm) expect(calm.includes(order) || waited.includes(await choicesThatWait(program, order))).toBe(true);
    }
  });

  it('begins again below a node where somebody can step who waited before', async () => {
    const program = programOf([step(['a'])], [step(['a'])], [step(['a'])]);
    const all = await moodyRuns(program, () => false);
    expect(new Set(all.calm).size).toBe(90);
    for (let once = 1; once <= 90; once++) {
      const { whole, calm, waited } = await moodyRuns(program, (run) => run === once);
      expect(whole, `run ${once}`).toBe(true);
      for (const order of all.calm) expect(calm.includes(order) || waited.includes(await choicesThatWait(program, order))).toBe(true);
    }
  });

  it('takes a server as it has become where a path does not come again', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['a']), step(['a'])]);
    const all = await moodyRuns(program, () => false);
    const { whole, calm, waited } = await moodyRuns(program, (run) => run > 3);
    expect(whole).toBe(true);
    expect(calm).toHaveLength(3);
    for (const order of all.calm) expect(calm.includes(order) || waited.includes(await choicesThatWait(program, order))).toBe(true);
  });

  it('does not call a program whole on a server that never repeats itself, and comes to an end', async () => {
    const program = programOf([step(['a']), step(['a'])], [step(['a']), step(['a'])], [step(['a'])]);
    const random = createRandom('moods');
    const { whole, calm, waited } = await moodyRuns(program, () => random.chance(0.5));
    expect(whole).toBe(false);
    expect(calm.length + waited.length).toBeLessThan(2_000);
  });

  it('finds with and without pruning the same outcomes, over programs of the catalogue', async () => {
    const catalogue = new Catalogue(createRandom('pruning'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
    const count = { programs: 0, all: 0, pruned: 0, several: 0 };
    for (const i of within(500, { least: 60 })) {
      let program = catalogue.next()!;
      // From every part of the catalogue.
      for (let skip = 0; skip < 6 || countOrders(program) > MOST; skip++) program = catalogue.next()!;
      const rule = RULES[i % RULES.length]!;
      const all = await outcomesOf(program, rule, false);
      const pruned = await outcomesOf(program, rule, true);
      expect([...pruned.outcomes].toSorted(), `${JSON.stringify(program.made)} at ${rule}`).toEqual([...all.outcomes].toSorted());
      count.programs++;
      count.all += all.orders;
      count.pruned += pruned.orders;
      if (all.outcomes.size > 1) count.several++;
    }
    console.log(
      `${count.programs} programs: ${count.all} orders, ${count.pruned} after pruning, ${count.several} programs of more than one outcome`,
    );
    expect(count.pruned).toBeLessThan(count.all * 0.9);
    expect(count.several).toBeGreaterThan(count.programs / 4);
  });
});

/** In some runs (the first is 1) whoever comes second waits for the end of the other one. */
class Moody implements ProgramRunner {
  /** Of the run that is going on. */
  makesWait = false;
  private readonly model = modelRunner('read-committed');
  private readonly inMood: (run: number) => boolean;
  private runs = 0;
  private open: number | undefined;
  private held: (readonly [session: number, at: number])[] = [];

  constructor(inMood: (run: number) => boolean) {
    this.inMood = inMood;
  }

  load(program: Program): Promise<void> {
    return this.model.load(program);
  }

  reset(state: FixtureState): Promise<void> {
    this.makesWait = this.inMood(++this.runs);
    this.open = undefined;
    this.held = [];
    return this.model.reset(state);
  }

  async step(session: number, at: number): Promise<readonly Replied[]> {
    if (this.makesWait && this.open !== undefined && this.open !== session) {
      this.held.push([session, at]);
      return [];
    }
    this.open = session;
    const replied = await this.model.step(session, at);
    if (!replied.some(({ reply }) => reply.ended !== undefined)) return replied;
    this.open = undefined;
    const next = this.held.shift();
    return next === undefined ? replied : [...replied, ...(await this.step(...next))];
  }

  anyReply(): Promise<readonly Replied[]> {
    return this.model.anyReply();
  }

  abandon(): Promise<void> {
    return this.model.abandon();
  }

  state(): Promise<FixtureState> {
    return this.model.state();
  }
}

/** What becomes of an order where everybody waits: who cannot step is passed over. */
async function choicesThatWait(program: Program, order: string): Promise<string> {
  const runner = new Moody(() => true);
  await runner.load(program);
  const wanted = order.split(',').map(Number);
  const played = await play(runner, program, firstState(program.fixture), (ready) => {
    while (wanted.length > 0 && !ready.includes(wanted[0]!)) wanted.shift();
    return wanted.shift() ?? ready[0];
  });
  return played!.choices.join();
}

interface MoodyRuns {
  readonly whole: boolean;
  /** Who stepped, in runs without and with waits. */
  readonly calm: readonly string[];
  readonly waited: readonly string[];
}

async function moodyRuns(program: Program, inMood: (run: number) => boolean): Promise<MoodyRuns> {
  const runner = new Moody(inMood);
  const calm: string[] = [];
  const waited: string[] = [];
  await runner.load(program);
  const { whole } = await enumerate(runner, program, firstState(program.fixture), NONE, ({ choices }) => {
    (runner.makesWait ? waited : calm).push(choices.join());
    return true;
  });
  return { whole, calm, waited };
}

function modelRunner(rule: Rule): ModelRunner {
  return new ModelRunner({ rule, random: () => createRandom('model') });
}

/** Plain reads of tables of their own. */
function programOf(...transactions: readonly (readonly ProgramStep[])[]): Program {
  const tables = [...new Set(transactions.flat().flatMap((each) => each.tables))];
  return {
    number: 0,
    made: {},
    transactions: transactions.map((steps) => ({ steps, end: 'commit' })),
    fixture: { name: 'test', byIndex: false, tables: tables.map(tableNamed) },
  };
}

function step(tables: readonly string[]): ProgramStep {
  return { tables, plainRead: true, statement: statementOf({ tables: tables.map(tableNamed) }, `SELECT k FROM ${tables[0]!}`) };
}

function tableNamed(name: string): Table {
  return tableOf(`CREATE TABLE ${name} (k int PRIMARY KEY); INSERT INTO ${name} VALUES (1)`);
}
