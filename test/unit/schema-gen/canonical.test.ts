// The canonical schedules as data: whole, distinct, and each with a promise to look up.
import { describe, expect, it } from 'vitest';
import { classifyCycle, judge } from '../../../check/index.ts';
import { LEVELS, REL } from '../../../core/level/index.ts';
import { DIALECTS, postgres } from '../../../dialects/index.ts';
import { CANONICAL, PHENOMENA } from '../../../schema-gen/index.ts';
import type { CanonicalSchedule } from '../../../schema-gen/index.ts';

const purest = ({ purest: form }: CanonicalSchedule) => ({
  ...form,
  levels: [],
  transactions: [],
  statements: [],
  explanation: '',
  fingerprint: '',
});
const named = (name: string): CanonicalSchedule => CANONICAL.find((schedule) => schedule.name === name)!;

describe('canonical schedules', () => {
  it('have names of their own, and every phenomenon has one', () => {
    expect(new Set(CANONICAL.map(({ name }) => name)).size).toBe(CANONICAL.length);
    for (const { phenomenon } of PHENOMENA)
      expect(
        CANONICAL.filter((schedule) => schedule.phenomenon === phenomenon),
        phenomenon,
      ).not.toEqual([]);
  });

  it.each(CANONICAL)('$name: the purest form is a cycle of its class', (schedule) => {
    const { cycle, class: name } = schedule.purest;
    if (['G1a', 'G1b'].includes(name)) expect(cycle).toEqual([]);
    else expect(classifyCycle(cycle.map(({ rel }) => REL[rel]))).toBe(name);
    const { classes, shapes } = schedule.looksFor;
    expect(
      classes.includes(name) || schedule.purest.shapes.some((shape) => shapes.includes(shape)),
      'it looks for its own purest form',
    ).toBe(true);
  });

  it.each(CANONICAL)('$name: the order has a turn for every step and no other', ({ testCase }) => {
    const steps = testCase.sessions.map(({ transactions }) => transactions.reduce((sum, txn) => sum + txn.statements.length + 2, 0));
    const turns = steps.map((_, s) => testCase.schedule!.filter((turn) => turn === s).length);
    expect(turns).toEqual(steps);
    expect(testCase.schedule!.every((turn) => turn < steps.length)).toBe(true);
  });

  it.each(DIALECTS)('$name has a promise for each at every level', (dialect) => {
    for (const schedule of CANONICAL) {
      for (const { level } of dialect.levels)
        expect(judge(purest(schedule), level, {}, dialect.promises).row, `${schedule.name} at ${level}`).toBeDefined();
    }
  });

  it('are printed by every dialect that has their locks', () => {
    for (const dialect of DIALECTS)
      for (const { testCase } of CANONICAL)
        for (const { transactions } of testCase.sessions)
          for (const { statements } of transactions) for (const statement of statements) expect(dialect.print(statement)).not.toBe('');
  });
});

describe('a read within one SELECT', () => {
  it('has a snapshot at READ COMMITTED, a read over two statements has none', () => {
    const verdict = (name: string): string => judge(purest(named(name)), 'read-committed', {}, postgres.promises).verdict;
    expect(verdict('fractured read, one statement')).toBe('bug');
    expect(verdict('long fork, one statement')).toBe('bug');
    expect(verdict('causality, one statement')).toBe('bug');
    expect(verdict('fractured read')).toBe('documented');
    expect(verdict('long fork')).toBe('documented');
    expect(verdict('fractured read, one UPDATE')).toBe('documented');
  });

  it('is no matter of one SELECT if one reader of several used two', () => {
    const { cycle } = named('long fork, one statement').purest;
    const mixed = {
      ...purest(named('long fork, one statement')),
      cycle: cycle.map((step, i) => (i === 0 ? { ...step, fromStatement: 99 } : step)),
    };
    expect(judge(mixed, 'read-committed', {}, postgres.promises).verdict).toBe('documented');
  });
});

it('every level that a dialect has is a level', () => {
  for (const { levels } of DIALECTS) for (const { level } of levels) expect(LEVELS.some((row) => row.level === level)).toBe(true);
});
