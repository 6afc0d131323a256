import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/index.ts';
import type { Program, ProgramStep } from '../../../core/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { countOrders } from '../../../src/explore/orders.ts';
import { enumerate } from '../../../src/explore/enumerate.ts';
import { NONE, independence } from '../../../src/explore/independent.ts';
import { outcomeKey } from '../../../src/explore/outcome.ts';
import { within } from '../../budget.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelArena } from '../../model/model-arena.ts';
import type { Rule } from '../../model/rules.ts';

const RULES: readonly Rule[] = ['read-committed', 'snapshot', 'serializable'];
/** Orders that a program may have here. */
const MOST = 2_000;

interface Found {
  readonly outcomes: ReadonlySet<string>;
  readonly choices: ReadonlySet<string>;
  readonly orders: number;
}

async function outcomesOf(program: Program, rule: Rule, pruned: boolean, beginsCommute = true): Promise<Found> {
  const arena = new ModelArena({ rule, random: () => createRandom('model') });
  await arena.load(program);
  const outcomes = new Set<string>();
  const choices = new Set<string>();
  const { orders, whole } = await enumerate(
    arena,
    program,
    firstState(program.world),
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

/** Plain reads of tables of their own. */
function programOf(...transactions: readonly (readonly ProgramStep[])[]): Program {
  const tables = [...new Set(transactions.flat().flatMap((each) => each.tables))];
  return {
    number: 0,
    made: {},
    transactions: transactions.map((steps) => ({ steps, end: 'commit' })),
    world: {
      name: 'test',
      byIndex: false,
      tables: tables.map((name) => ({
        name,
        columns: [{ name: 'k', type: { kind: 'integer' }, nullable: false }],
        primaryKey: ['k'],
        uniques: [],
        checks: [],
        foreignKeys: [],
        indexes: [],
        rows: [[1]],
      })),
    },
  };
}

function step(tables: readonly string[]): ProgramStep {
  return {
    tables,
    plainRead: true,
    statement: {
      kind: 'select',
      items: [{ expression: { kind: 'column', table: tables[0]!, column: 'k' }, alias: 'k' }],
      from: { kind: 'table', table: tables[0]!, alias: tables[0]! },
    },
  };
}
