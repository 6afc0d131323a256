/** Programs drawn as `run` draws them: some broad, some narrow, some of a crowd of sessions; each valid, and what they are for occurs. */
import { describe, expect, it } from 'vitest';
import { isQuery, isWrite } from '../../../core/sql/index.ts';
import type { Expression, Statement, Table } from '../../../core/sql/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import { createRandom, generateCase, resolveOptions, swarmOptions } from '../../../schema-gen/index.ts';
import type { GivenOptions } from '../../../schema-gen/index.ts';
import { checkStatement } from './type-check.ts';

const SEEDS = Array.from({ length: 160 }, (_, i) => `swarm ${i}`);
const SMALL: GivenOptions = { transactionsPerSession: { min: 3, max: 8 } };

const drawn = (seed: string, given: GivenOptions = SMALL) => swarmOptions(createRandom(seed), resolveOptions(given));
const casesOf = (given: GivenOptions): readonly TestCase[] => SEEDS.map((seed) => generateCase(seed, drawn(seed, { ...SMALL, ...given })));
const isNarrow = (seed: string): boolean => drawn(seed).maxStatement < resolveOptions().maxStatement;
const plansOf = (testCase: TestCase) => testCase.sessions.flatMap(({ transactions }) => transactions);

const CASES = casesOf({ sessions: { min: 2, max: 32 } });
const NARROW = CASES.filter(({ seed }) => isNarrow(seed));

describe('the options of a program', () => {
  it('are those of its seed', () => {
    for (const seed of SEEDS) expect(drawn(seed)).toEqual(drawn(seed));
    expect(new Set(SEEDS.map((seed) => JSON.stringify(drawn(seed)))).size).toBeGreaterThan(SEEDS.length / 3);
  });

  it.each([
    [2, 5],
    [3, 3],
    [16, 16],
    [2, 32],
  ])('keep to %i to %i sessions', (min, max) => {
    const counts = casesOf({ sessions: { min, max }, transactionsPerSession: { min: 1, max: 1 } }).map(({ sessions }) => sessions.length);
    expect(Math.min(...counts)).toBe(min);
    expect(Math.max(...counts)).toBeLessThanOrEqual(max);
    if (max > 20) expect(counts.some((count) => count > 20)).toBe(true);
  });

  it('have a few kinds of statement, a read and a write among them, and none that the run has not', () => {
    const given: GivenOptions = { statements: { upsert: 0, window: 0 } };
    const met = new Set<string>();
    for (const seed of SEEDS.filter(isNarrow)) {
      const forms = Object.entries(drawn(seed, given).statements).flatMap(([form, weight]) => (weight > 0 ? [form] : []));
      expect(forms.length).toBeGreaterThanOrEqual(3);
      expect(forms.length).toBeLessThanOrEqual(6); // A DELETE beside what makes tables longer.
      for (const form of forms) met.add(form);
      expect(forms).not.toContain('upsert');
      expect(forms).not.toContain('window');
    }
    expect(met.size).toBe(16);
    const narrow = NARROW.flatMap(plansOf).flatMap(({ statements }) => statements);
    expect(narrow.some(isWrite) && narrow.some(isQuery)).toBe(true);
  });

  it('leave some programs broad', () => {
    expect(NARROW.length).toBeGreaterThan(SEEDS.length / 4);
    expect(SEEDS.length - NARROW.length).toBeGreaterThan(SEEDS.length / 4);
  });
});

describe('an old transaction', () => {
  const old = CASES.filter(({ seed }) => drawn(seed).oldReads > 0);

  it('reads in the first session while the others begin and end many', () => {
    expect(old.length).toBeGreaterThan(5);
    for (const { sessions } of old) {
      const [first, ...others] = sessions;
      expect(first!.transactions).toHaveLength(1);
      const { statements, end, autocommit } = first!.transactions[0]!;
      expect({ end, autocommit }).toEqual({ end: 'commit', autocommit: false });
      expect(statements.slice(0, 120).every((statement) => isQuery(statement) && !('lock' in statement))).toBe(true);
      expect(statements.length).toBeGreaterThan(120);
      for (const { transactions } of others) expect(transactions.length).toBeGreaterThanOrEqual(60);
    }
  });

  it('has no room in a schedule', () => {
    for (const seed of SEEDS) expect(drawn(seed, { mode: 'schedule' }).oldReads).toBe(0);
  });
});

describe('narrow programs', () => {
  it('are type-correct, every column resolved in its scope', () => {
    for (const testCase of CASES)
      for (const statement of plansOf(testCase).flatMap(({ statements }) => statements))
        expect(() => checkStatement(statement, testCase.schema), `${testCase.seed}: ${JSON.stringify(statement)}`).not.toThrow();
  });

  it('have one table or two of no rows to two', () => {
    const tables = NARROW.flatMap(({ schema }) => schema.tables);
    expect(Math.max(...NARROW.map(({ schema }) => schema.tables.length))).toBe(2);
    expect(new Set(tables.map(({ rows }) => rows.length))).toEqual(new Set([0, 1, 2]));
  });

  it('ask for keys that are absent and move keys to where others are or were', () => {
    let absent = 0;
    let returned = 0;
    for (const testCase of NARROW)
      for (const statement of plansOf(testCase).flatMap(({ statements }) => statements)) {
        const table = statement.kind === 'update' && testCase.schema.tables.find(({ name }) => name === statement.table);
        if (!table || statement.kind !== 'update') continue;
        if (asksForAbsent(table, statement.where)) absent++;
        const [key] = table.primaryKey;
        const to = statement.set.find(({ column }) => column === key)?.value;
        if (to?.kind === 'literal' && keysOf(table, key!).includes(to.value)) returned++;
      }
    expect(absent).toBeGreaterThan(20);
    expect(returned).toBeGreaterThan(10);
  });

  it('read the same again in one transaction, at times with another lock', () => {
    const repeated = { same: 0, relocked: 0 };
    for (const { statements } of NARROW.flatMap(plansOf)) {
      const reads = statements.filter(isQuery);
      reads.forEach((read, i) => {
        const earlier = reads.slice(0, i);
        if (earlier.some((other) => JSON.stringify(other) === JSON.stringify(read))) repeated.same++;
        else if (earlier.some((other) => JSON.stringify(unlocked(other)) === JSON.stringify(unlocked(read)))) repeated.relocked++;
      });
    }
    expect(repeated.same).toBeGreaterThan(20);
    expect(repeated.relocked).toBeGreaterThan(5);
  });
});

function unlocked(read: Statement): Statement {
  if (read.kind !== 'select') return read;
  const { lock: _, ...rest } = read;
  return rest;
}

function keysOf(table: Table, key: string): readonly unknown[] {
  const place = table.columns.findIndex(({ name }) => name === key);
  return table.rows.map((row) => row[place]);
}

/** By its one key column. */
function asksForAbsent(table: Table, where: Expression | undefined): boolean {
  const [key, ...more] = table.primaryKey;
  if (key === undefined || more.length > 0 || where?.kind !== 'compare' || where.op !== '=') return false;
  const { left, right } = where;
  return left.kind === 'column' && left.column === key && right.kind === 'literal' && !keysOf(table, key).includes(right.value);
}
