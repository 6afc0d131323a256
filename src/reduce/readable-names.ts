/**
 * Names that a reader can keep apart: tables t1, t2, columns c1, c2, transactions and sessions numbered in the order in
 * which they begin. A generated name never means two things, so one map over every name of a kind is enough; the case is
 * executed once more under its new names.
 */
import { contentsOf, isWrite, mapExpression, mapStatement } from '../../core/index.ts';
import type { Change, From, IndexShape, Select, Statement, Table, TestCase, Trigger } from '../../core/index.ts';
import { changedViews } from './rewrite.ts';
import { mapTransactions, stepsOf } from './steps.ts';

export function readableNames(testCase: TestCase): TestCase {
  return withPlainAliases(withNames(inOrderOfBegin(testCase)));
}

function inOrderOfBegin(testCase: TestCase): TestCase {
  const steps = stepsOf(testCase);
  const ids = [...new Set(steps.map(({ txn }) => txn))];
  const sessions = [...new Set(steps.map(({ session }) => session))];
  return {
    ...testCase,
    sessions: sessions.map((session) => ({
      ...testCase.sessions[session]!,
      transactions: testCase.sessions[session]!.transactions.map((txn) => ({ ...txn, id: ids.indexOf(txn.id) + 1 })),
    })),
    schedule: steps.map(({ session }) => sessions.indexOf(session)),
  };
}

interface Names {
  readonly column: (name: string) => string;
  readonly table: (name: string) => string;
}

function withNames(testCase: TestCase): TestCase {
  const { schema } = testCase;
  const tables = new Map(schema.tables.map(({ name }, i) => [name, `t${i + 1}`]));
  const columns = new Map(
    [...new Set(schema.tables.flatMap((table) => table.columns.map(({ name }) => name)))].map((name, i) => [name, `c${i + 1}`]),
  );
  const names: Names = { column: (name) => columns.get(name) ?? name, table: (name) => tables.get(name) ?? name };
  const change = renaming(names);
  const { views } = changedViews(schema, change);
  return {
    ...mapTransactions(testCase, (txn) => ({
      ...txn,
      statements: txn.statements.map((statement) => withTarget(mapStatement(statement, change), names)),
    })),
    schema: {
      tables: schema.tables.map((table) => named(table, change, names)),
      ...(views &&
        views.length > 0 && {
          views: views.map((view) => ({ ...view, ...(view.updates !== undefined && { updates: names.table(view.updates) }) })),
        }),
    },
  };
}

/** An alias of a select item names a column, one of FROM a table. */
function renaming({ column, table }: Names): Change {
  return {
    expression: (each) =>
      each.kind === 'column'
        ? { ...each, table: table(each.table), column: column(each.column) }
        : each.kind === 'proposed'
          ? { ...each, column: column(each.column) }
          : each,
    from: (each): From => {
      if (each.kind === 'join') return { ...each, ...(each.using && { using: each.using.map(column) }) };
      return { ...each, alias: table(each.alias), ...(each.kind === 'table' && { table: table(each.table) }) };
    },
    item: (each) => ({ ...each, alias: column(each.alias) }),
    assignment: (each) => ({ ...each, column: column(each.column) }),
    branch: (each) => (each.columns === undefined ? each : { ...each, columns: each.columns.map(column) }),
    conflict: (each) => (each.action === 'replace' ? each : { ...each, columns: each.columns.map(column) }),
  };
}

/** What a write is on. */
function withTarget<S extends Statement>(statement: S, names: Names): S;
function withTarget(statement: Statement, names: Names): Statement {
  const { column, table } = names;
  if (statement.kind === 'withWrites')
    return {
      ...statement,
      writes: statement.writes.map((each) => ({ ...each, write: withTarget(each.write, names) })),
      last: withTarget(statement.last, names),
    };
  if (!isWrite(statement)) return statement;
  return { ...statement, table: table(statement.table), ...(statement.kind === 'insert' && { columns: statement.columns.map(column) }) };
}

function named(table: Table, change: Change, names: Names): Table {
  const name = names.table(table.name);
  const columns = (list: readonly string[]): readonly string[] => list.map(names.column);
  return {
    name,
    columns: table.columns.map((each) => ({
      ...each,
      name: names.column(each.name),
      ...(each.generated && { generated: { ...each.generated, expression: mapExpression(each.generated.expression, change) } }),
    })),
    primaryKey: columns(table.primaryKey),
    uniques: table.uniques.map(columns),
    checks: table.checks.map(({ expression }, i) => ({ name: `${name}_check_${i + 1}`, expression: mapExpression(expression, change) })),
    foreignKeys: table.foreignKeys.map((key, i) => ({
      ...key,
      name: `${name}_foreign_${i + 1}`,
      columns: columns(key.columns),
      table: names.table(key.table),
      references: columns(key.references),
    })),
    indexes: table.indexes.map(({ shape, ...index }, i) => ({
      ...index,
      name: `${name}_index_${i + 1}`,
      columns: columns(index.columns),
      ...(shape && { shape: shapeNamed(shape, change) }),
    })),
    ...(table.trigger && { trigger: triggerNamed(table.trigger, change, names) }),
    ...(table.partitions && { partitions: { ...table.partitions, column: names.column(table.partitions.column) } }),
    rows: table.rows,
  };
}

function triggerNamed(trigger: Trigger, change: Change, { column, table }: Names): Trigger {
  const own = { ...trigger, table: table(trigger.table) };
  if (own.does === 'notes') return { ...own, columns: own.columns.map(column) };
  const named = { ...own, column: column(own.column) };
  if (named.does === 'looks') return { ...named, adds: column(named.adds) };
  return named.does === 'tallies' && named.where !== undefined ? { ...named, where: mapExpression(named.where, change) } : named;
}

function shapeNamed(shape: IndexShape, change: Change): IndexShape {
  if (shape.kind === 'partial') return { ...shape, where: mapExpression(shape.where, change) };
  if (shape.kind !== 'expression') return shape;
  const { expression, where } = shape;
  return { ...shape, expression: mapExpression(expression, change), ...(where && { where: mapExpression(where, change) }) };
}

/** A query of one table needs no alias for it, and its plain columns keep their names. */
function withPlainAliases(testCase: TestCase): TestCase {
  const change = (select: Select): Select => {
    if (select.from.kind !== 'table' || select.with || contentsOf(select).queries.length > 1) return select;
    const { table, alias } = select.from;
    const own = mapStatement(select, {
      expression: (each) => (each.kind === 'column' && each.table === alias ? { ...each, table } : each),
    });
    const names = own.items.map(({ expression }) => (expression.kind === 'column' ? expression.column : ''));
    const items = own.items.map((item, i) => (names[i] !== '' && names.indexOf(names[i]!) === i ? { ...item, alias: names[i]! } : item));
    return { ...own, items, from: { kind: 'table', table, alias: table } };
  };
  return mapTransactions(testCase, (txn) => ({
    ...txn,
    statements: txn.statements.map((statement) => (statement.kind === 'select' ? change(statement) : statement)),
  }));
}
