/**
 * Finds reasons why results may differ from those of every serial order although isolation is intact. The statement may
 * leave the answer open (which row a LIMIT takes). It may skip other transactions' locks by its own words. Or the server
 * numbers rows outside of transactions. Such results prove nothing, but the row versions still do.
 */
import { contentsOf, effectsOfStatement, isWhole, writtenTables } from '../../core/sql/index.ts';
import type { Expression, From, Schema, Select, Statement } from '../../core/sql/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { NotCompared } from '../../core/verdict/index.ts';
import { transactionsOf } from './reduce/index.ts';
import { openRoutine } from './open-routines.ts';

const NOWHERE: From = { kind: 'table', table: '', alias: '' };

/** Returns the reason; undefined: results may be compared. */
export function notComparable(testCase: TestCase): NotCompared | undefined {
  return takesNumbers(testCase) ? { code: 'rows-numbered' } : answersOpenly(testCase);
}

export function takesNumbers(testCase: TestCase): boolean {
  return numberedTables(testCase).size > 0;
}

/** Returns the tables that get rows which the server numbers. */
export function numberedTables(testCase: TestCase): ReadonlySet<string> {
  const { schema } = testCase;
  return new Set(transactionsOf(testCase).flatMap(({ statements }) => statements.flatMap((each) => numberedBy(each, schema))));
}

/** Returns the reason apart from such numbers. */
export function answersOpenly(testCase: TestCase): NotCompared | undefined {
  const { schema } = testCase;
  const statements = transactionsOf(testCase).flatMap((txn) => txn.statements);
  const queries = [
    ...statements.flatMap((each) => [...contentsOf(each).queries]),
    ...(schema.views ?? []).flatMap(({ query }) => [...contentsOf(query).queries]),
  ];
  const selects = queries.filter((query): query is Select => query.kind === 'select');
  if (selects.some(({ lock }) => lock?.wait === 'skip locked')) return { code: 'skip-locked' };
  if (
    selects.some(
      (select) =>
        select.limit !== undefined &&
        !isWhole(select, schema) &&
        !isTotal(
          select,
          (select.orderBy ?? []).map(({ expression }) => expression),
          schema,
        ),
    )
  )
    return { code: 'open-limit' };
  if (selects.some((select) => numbersOpenly(select, schema))) return { code: 'open-row-number' };
  if (statements.some(choosesPartner)) return { code: 'several-partners' };
  if (statements.some((each) => each.kind === 'insert' && each.query !== undefined && each.conflict !== undefined))
    return { code: 'insert-of-query' };
  const routine = openRoutine(schema);
  return routine === undefined ? undefined : { code: 'open-routine', routine };
}

/** Rows that triggers and functions insert are assumed to be numbered by the server. */
function numberedBy(statement: Statement, schema: Schema): readonly string[] {
  const { inserts } = effectsOfStatement(schema, statement);
  const behind = schema.tables.filter(({ name, columns }) => inserts.has(name) && columns.some(({ identity }) => identity === true));
  return [...behind.map(({ name }) => name), ...(takesNumber(statement, schema) ? writtenTables(statement) : [])];
}

function takesNumber(statement: Statement, { tables }: Schema): boolean {
  if (statement.kind !== 'insert' && statement.kind !== 'merge') return false;
  const numbered = tables.find(({ name }) => name === statement.table)?.columns.find(({ identity }) => identity === true);
  if (numbered === undefined) return false;
  if (statement.kind === 'merge')
    return statement.branches.some(({ action, columns = [] }) => action === 'insert' && !columns.includes(numbered.name));
  const place = statement.columns.indexOf(numbered.name);
  return place < 0 || statement.rows.some((row) => row[place]?.kind === 'default' || isNull(row[place])) || statement.query !== undefined;
}

/** MySQL numbers a row if it gets a NULL, and a value that was read may be one. */
function isNull(value: Expression | undefined): boolean {
  return value?.kind === 'parameter' || (value?.kind === 'literal' && value.value === null);
}

/** True if rows with equal order keys cannot exist twice, or return the same values. */
function isTotal({ items, from, groupBy = [] }: Select, order: readonly Expression[], { tables }: Schema): boolean {
  const ordered = new Set(order.flatMap((each) => (each.kind === 'column' ? [`${each.table}.${each.column}`] : [])));
  const tells = (expression: Expression): boolean =>
    expression.kind === 'column' && ordered.has(`${expression.table}.${expression.column}`);
  const key = from.kind === 'table' && groupBy.length === 0 ? tables.find(({ name }) => name === from.table)?.primaryKey : undefined;
  if (
    key !== undefined &&
    key.length > 0 &&
    key.every((column) => tells({ kind: 'column', table: (from as { readonly alias: string }).alias, column }))
  )
    return true;
  if (groupBy.length > 0) return groupBy.every(tells);
  return items.every(
    ({ expression }) => expression.kind === 'rank' || expressionsIn(expression).every((each) => each.kind !== 'column' || tells(each)),
  );
}

/** True if the order does not decide the numbers of peers. */
function numbersOpenly(select: Select, schema: Schema): boolean {
  const numbers = select.items
    .flatMap(({ expression }) => expressionsIn(expression))
    .filter((each): each is Extract<Expression, { kind: 'rank' }> => each.kind === 'rank' && each.name === 'row_number');
  return numbers.some(({ over }) => !isTotal(select, [...over.partitionBy, ...over.orderBy.map(({ expression }) => expression)], schema));
}

function expressionsIn(value: Expression): readonly Expression[] {
  return contentsOf({ kind: 'select', items: [{ expression: value, alias: 'v' }], from: NOWHERE }).expressions;
}

function choosesPartner(statement: Statement): boolean {
  if (statement.kind !== 'update' || statement.from === undefined) return false;
  const own = new Set([statement.table, statement.through]);
  return statement.set.some(({ value }) => expressionsIn(value).some((each) => each.kind === 'column' && !own.has(each.table)));
}
