import { describe, expect, it } from 'vitest';
import { createRandom, Catalogue } from '../../../../schema-gen/index.ts';
import { countOrders } from '../../../../src/explore/orders.ts';
import { candidatesOf } from '../../../../src/compare/candidates.ts';
import { commonCapabilities } from '../../../../src/compare/common-capabilities.ts';
import { plannedOrders } from '../../../../src/compare/planned-orders.ts';
import { recordProgram } from '../../../../src/compare/record.ts';
import type { PlannedProgram, RecordedProgram } from '../../../../src/compare/record.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { MODEL_CAPABILITIES } from '../../../model/capabilities.ts';
import { ModelRunner } from '../../../model/model-runner.ts';
import type { Rule } from '../../../model/rules.ts';

const catalogue = new Catalogue(createRandom('1'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const POINTS = { world: 'two tables', 'reads 1': 'point', 'writes 1': 'set', 'reads 2': 'point', 'writes 2': 'set' };
const program = catalogue.program({ skeleton: 'write skew', ...POINTS });
const plan: readonly PlannedProgram[] = [{ program, orders: plannedOrders(program, 100, createRandom('orders')) }];

async function recorded(rule: Rule): Promise<readonly RecordedProgram[]> {
  const runner = new ModelRunner({ rule, random: () => createRandom('model') });
  const all: RecordedProgram[] = [];
  for (const each of plan) all.push(await recordProgram(runner, each));
  return all;
}

describe('what is held against each other', () => {
  it('of a server and itself differs nowhere', async () => {
    const compared = candidatesOf(plan, [await recorded('snapshot'), await recorded('snapshot')]);
    expect(compared).toEqual({ groups: [], programs: 1, orders: countOrders(program), notCompared: {} });
  });

  it('of snapshots and serial execution are the orders in which one of them fails or reads otherwise', async () => {
    const { groups, orders } = candidatesOf(plan, [await recorded('snapshot'), await recorded('serializable')]);
    expect(orders).toBe(countOrders(program));
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.map(({ skeleton }) => skeleton)).toEqual(groups.map(() => 'write skew'));
    const differing = groups.reduce((sum, group) => sum + group.orders, 0);
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(orders);
  });

  it('leaves out programs that answer otherwise one after the other, with the reason', async () => {
    const [one] = await recorded('snapshot');
    const other = { ...one!, serial: 'otherwise' };
    expect(candidatesOf(plan, [[one!], [other]])).toMatchObject({
      groups: [],
      programs: 0,
      notCompared: { 'programs whose transactions answer otherwise even one after the other': 1 },
    });
  });

  it('leaves out orders in which a lock was refused, or not had in time', async () => {
    const [one] = await recorded('snapshot');
    const [first, ...rest] = one!.runs;
    const other = { ...one!, runs: [{ ...first!, key: undefined }, ...rest] };
    expect(candidatesOf(plan, [[one!], [other]])).toMatchObject({ groups: [], orders: countOrders(program) - 1 });
  });
});

describe('planned orders', () => {
  it('are all of them, each once, where there are few', () => {
    const orders = plannedOrders(program, 100, createRandom('a'));
    expect(new Set(orders.map((order) => order.join())).size).toBe(countOrders(program));
    expect(orders).toHaveLength(countOrders(program));
  });

  it('are so many of them, each once, where there are more, the same of the same seed', () => {
    const drawn = (seed: string): readonly string[] => plannedOrders(program, 7, createRandom(seed)).map((order) => order.join());
    expect(new Set(drawn('a')).size).toBe(7);
    expect(drawn('a')).toEqual(drawn('a'));
    expect(drawn('a')).not.toEqual(drawn('b'));
  });

  it('keep transactions that come one after the other in their turn', () => {
    const { 'reads 2': _, ...made } = POINTS;
    const turns = catalogue.program({ skeleton: 'one old, many young writers', ...made });
    const after = turns.transactions.flatMap((each, session) => (each.after === undefined ? [] : [[each.after, session] as const]));
    expect(after.length).toBeGreaterThan(0);
    for (const order of plannedOrders(turns, 12, createRandom('a')))
      for (const [before, session] of after) expect(order.lastIndexOf(before)).toBeLessThan(order.indexOf(session));
  });
});

describe('what several releases have in common', () => {
  it('is what a release has where all are alike', () => {
    expect(commonCapabilities([postgres.capabilities, postgres.capabilities])).toEqual(postgres.capabilities);
  });

  it('is what the older one has of the newer one', () => {
    const old = postgres.capabilitiesOf!({ words: '', number: '12' });
    expect(commonCapabilities([postgres.capabilities, old])).toEqual(old);
    expect(commonCapabilities([old, postgres.capabilities])).toEqual(old);
  });

  it('is the lesser of two words, and what one of them does not take is not planned', () => {
    const both = commonCapabilities([postgres.capabilities, postgres.capabilitiesOf!({ words: '', number: '16' }), mysql.capabilities]);
    expect(both.merge).toBeUndefined();
    expect(both.returning).toEqual({ insert: false, update: false, delete: false });
    expect(both.unsupported).toEqual(mysql.capabilities.unsupported);
    expect(commonCapabilities([postgres.capabilities, postgres.capabilitiesOf!({ words: '', number: '16' })]).merge).toBe('plain');
  });
});
