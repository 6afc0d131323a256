// What every DBMS has and the defaults are drawn without: texts in keys, NULLs in unique columns, INSERTs that fail half way.
import { describe, expect, it } from 'vitest';
import { isWrite } from '../../../core/sql/index.ts';
import type { Expression, Insert, Statement, Table } from '../../../core/sql/index.ts';
import type { TestCase, TxnPlan } from '../../../core/program/index.ts';
import { WIDE_SHAPES, generateCase } from '../../../schema-gen/index.ts';
import type { GivenOptions } from '../../../schema-gen/index.ts';
import { checkStatement } from './type-check.ts';

const SMALL = { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 4, max: 6 } };
const cases = (given: GivenOptions): readonly TestCase[] =>
  Array.from({ length: 80 }, (_, i) => generateCase(`wide ${i}`, { ...SMALL, ...given }));
const plansOf = ({ sessions }: TestCase): readonly TxnPlan[] => sessions.flatMap(({ transactions }) => transactions);
const tableOf = ({ schema }: TestCase, name: string): Table => schema.tables.find((table) => table.name === name)!;

describe('texts in keys', () => {
  const texts = (testCase: TestCase): number =>
    testCase.schema.tables.filter(({ columns, primaryKey, uniques }) =>
      columns.some(({ name, type }) => type.kind === 'text' && [...primaryKey, ...uniques.flat()].includes(name)),
    ).length;

  it('are there where they are asked for, alone and with others, and nowhere else', () => {
    expect(cases({}).reduce((sum, each) => sum + texts(each), 0)).toBe(0);
    const wide = cases({ textKeyShare: 1 });
    expect(wide.reduce((sum, each) => sum + texts(each), 0)).toBeGreaterThan(5);
    const keys = wide.flatMap(({ schema }) => schema.tables.map((table) => table.primaryKey.map((name) => typeOf(table, name))));
    expect(keys.some((types) => types.length === 1 && types[0] === 'text')).toBe(true);
    expect(keys.some((types) => types.length === 2 && types.includes('text'))).toBe(true);
  });

  it('leave the cases without a text in a key as they were', () => {
    const before = cases({}).map((each) => JSON.stringify(each));
    const after = cases({ textKeyShare: 1 });
    const same = after.filter((each, i) => JSON.stringify(each) === before[i]);
    const drawn = after.filter((each) => texts(each) > 0);
    expect(same.length).toBeGreaterThan(0);
    expect(same.some((each) => drawn.includes(each))).toBe(false);
  });
});

describe('NULLs in unique columns', () => {
  const nulls = (testCase: TestCase): number =>
    plansOf(testCase)
      .flatMap(({ statements }) => statements)
      .filter((statement) => isNullKey(statement, testCase)).length;

  it('are inserted, and columns are changed to them, where that is asked for', () => {
    const many = { uniqueShare: 1, keyUpdateShare: 0.5 };
    const given = cases({ ...many, nullKeyShare: 0.5 });
    const writes = given.flatMap((testCase) =>
      plansOf(testCase).flatMap(({ statements }) => statements.filter((statement) => isNullKey(statement, testCase))),
    );
    expect(new Set(writes.map(({ kind }) => kind))).toEqual(new Set(['insert', 'update']));
    expect(cases(many).reduce((sum, each) => sum + nulls(each), 0)).toBeLessThan(writes.length / 10);
  });
});

describe('an INSERT that fails half way', () => {
  const inserts = (testCase: TestCase): readonly (readonly [TxnPlan, number, Insert])[] =>
    plansOf(testCase).flatMap((plan) =>
      plan.statements.flatMap((statement, at) => (isHalfWay(statement, testCase) ? [[plan, at, statement as Insert] as const] : [])),
    );

  it.each([
    { bareFailureShare: 0, stands: 'has SAVEPOINT and ROLLBACK TO around it' },
    { bareFailureShare: 1, stands: 'stands alone' },
  ])('$stands, and something follows', ({ bareFailureShare }) => {
    const drawn = cases({ failureShare: 1, bareFailureShare }).flatMap(inserts);
    expect(drawn.length).toBeGreaterThan(50);
    for (const [plan, at] of drawn) {
      const [before, after] = [plan.statements[at - 1], plan.statements[at + 1]];
      expect(before?.kind === 'savepoint' && after?.kind === 'rollbackTo' && before.name === after.name).toBe(bareFailureShare === 0);
      expect(plan.autocommit).toBe(false);
      expect(plan.statements.length).toBeGreaterThan(at + (bareFailureShare === 0 ? 2 : 1));
    }
  });

  it('is well typed, and leaves the other statements as they were', () => {
    const wide = cases({ failureShare: 1, bareFailureShare: 1 });
    for (const testCase of wide)
      for (const [, , insert] of inserts(testCase)) expect(() => checkStatement(insert, testCase.schema)).not.toThrow();
    const bare = cases({});
    expect(wide.map((each) => plansOf(each).map(({ statements }) => statements.length)).join()).not.toBe(
      bare.map((each) => plansOf(each).map(({ statements }) => statements.length)).join(),
    );
    for (const [i, each] of wide.entries())
      plansOf(each).forEach(({ statements }, n) => {
        const own = plansOf(bare[i]!)[n]!.statements.map((statement) => JSON.stringify(statement));
        expect(own.filter((text) => !statements.some((statement) => JSON.stringify(statement) === text))).toEqual([]);
      });
  });
});

it('all of it together is well typed', () => {
  for (const testCase of cases({ ...WIDE_SHAPES, generatedShare: 1, uniqueShare: 0.6 }))
    for (const { statements } of plansOf(testCase))
      for (const statement of statements) expect(() => checkStatement(statement, testCase.schema), JSON.stringify(statement)).not.toThrow();
});

function isNullKey(statement: Statement, testCase: TestCase): boolean {
  if (!isWrite(statement)) return false;
  const { columns, uniques } = tableOf(testCase, statement.table);
  const keys = columns.filter(({ name, nullable }) => nullable && uniques.flat().includes(name)).map(({ name }) => name);
  const referring = tableOf(testCase, statement.table).foreignKeys.flatMap((key) => key.columns);
  const isNull = (name: string, value: Expression): boolean =>
    keys.includes(name) && !referring.includes(name) && value.kind === 'literal' && value.value === null;
  if (statement.kind === 'update') return statement.set.some(({ column, value }) => isNull(column, value));
  return statement.kind === 'insert' && statement.rows.some((row) => row.some((value, i) => isNull(statement.columns[i]!, value)));
}

function isHalfWay(statement: Statement, testCase: TestCase): boolean {
  if (statement.kind !== 'insert' || statement.conflict !== undefined || statement.rows.length !== 2) return false;
  const { primaryKey, uniques } = tableOf(testCase, statement.table);
  const of = (row: number, key: readonly string[]): string =>
    JSON.stringify(key.map((name) => statement.rows[row]![statement.columns.indexOf(name)]));
  return [primaryKey, ...uniques].some((key) => key.length > 0 && of(0, key) === of(1, key) && !of(0, key).includes('null'));
}

function typeOf({ columns }: Table, name: string): string {
  return columns.find((column) => column.name === name)!.type.kind;
}
