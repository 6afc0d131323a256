/** Orders of steps: exactly the steps there are, orders not seen before while there are any. */
import { describe, expect, it } from 'vitest';
import type { SessionPlan, TxnPlan } from '../../../core/program/index.ts';
import { createRandom, generateCase, generateSchedule } from '../../../schema-gen/index.ts';

const plan = (id: number, statements: number, autocommit = false): TxnPlan => ({
  id,
  statements: Array.from({ length: statements }, () => ({ kind: 'delete' as const, table: 't0' })),
  end: 'commit',
  autocommit,
});

describe('generateSchedule', () => {
  it('has one entry for BEGIN, each statement and the end, and one for an autocommit transaction', () => {
    const sessions: SessionPlan[] = [{ transactions: [plan(1, 3), plan(2, 1, true)] }, { transactions: [plan(3, 2)] }];
    for (let i = 0; i < 50; i++) {
      const order = generateSchedule(createRandom(`${i}`), sessions);
      expect(order.filter((session) => session === 0)).toHaveLength(3 + 2 + 1);
      expect(order.filter((session) => session === 1)).toHaveLength(2 + 2);
      expect(order).toHaveLength(10);
    }
  });

  it('takes an order that was not seen before while one turns up', () => {
    // Two sessions of one autocommit statement and one transaction of one: 4! / (1! 3!) = 4 orders.
    const sessions: SessionPlan[] = [{ transactions: [plan(1, 1, true)] }, { transactions: [plan(2, 1)] }];
    const seen = new Set<string>();
    const random = createRandom('seen');
    for (let i = 0; i < 6; i++) generateSchedule(random, sessions, seen);
    expect(seen.size).toBe(4);
  });

  it('still answers when every order has been seen', () => {
    const sessions: SessionPlan[] = [{ transactions: [plan(1, 1)] }];
    const seen = new Set(['0,0,0']);
    expect(generateSchedule(createRandom('all'), sessions, seen)).toEqual([0, 0, 0]);
  });

  it('finds far more different orders of a generated case than it repeats', () => {
    const { sessions } = generateCase('orders', { mode: 'schedule', sessions: { min: 2, max: 2 } });
    const seen = new Set<string>();
    const random = createRandom('many');
    for (let i = 0; i < 200; i++) generateSchedule(random, sessions, seen);
    expect(seen.size).toBeGreaterThan(150);
  });

  it('answers for no session and for empty sessions', () => {
    expect(generateSchedule(createRandom('none'), [])).toEqual([]);
    expect(generateSchedule(createRandom('none'), [{ transactions: [] }, { transactions: [] }])).toEqual([]);
  });
});
