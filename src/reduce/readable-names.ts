/**
 * Names that a reader can keep apart: tables t1, t2, columns c1, c2, transactions and sessions numbered in the order in
 * which they begin. A generated name never means two things, so one map over every name of a kind is enough; the case is
 * executed once more under its new names.
 */
import { contentsOf } from '../../core/index.ts';
import type { Select, TestCase } from '../../core/index.ts';
import { rewritten } from './rewrite.ts';
import type { Node } from './rewrite.ts';
import { stepsOf } from './steps.ts';

export function readableNames(testCase: TestCase): TestCase {
  return withPlainAliases(withNames(inOrderOfBegin(testCase)));
}

function inOrderOfBegin(testCase: TestCase): TestCase {
  const steps = stepsOf(testCase);
  const ids = [...new Set(steps.map(({ txn }) => txn))];
  const sessions = [...new Set(steps.map(({ session }) => session))];
  return {
    ...testCase,
    sessions: sessions.map((session) => ({ ...testCase.sessions[session]!, transactions: testCase.sessions[session]!.transactions.map((txn) => ({ ...txn, id: ids.indexOf(txn.id) + 1 })) })),
    schedule: steps.map(({ session }) => sessions.indexOf(session)),
  };
}

/** Keys under which a column's name stands, alone or in lists. */
const COLUMN_KEYS: ReadonlySet<string> = new Set(['column', 'columns', 'using', 'primaryKey', 'uniques', 'references']);

function withNames(testCase: TestCase): TestCase {
  const { schema } = testCase;
  const tables = new Map(schema.tables.map(({ name }, i) => [name, `t${i + 1}`]));
  const columns = new Map([...new Set(schema.tables.flatMap((table) => table.columns.map(({ name }) => name)))].map((name, i) => [name, `c${i + 1}`]));
  const column = (value: unknown): unknown => (typeof value === 'string' ? (columns.get(value) ?? value) : Array.isArray(value) ? value.map(column) : value);
  const change = (node: Node): object => {
    const copy: Record<string, unknown> = { ...node };
    for (const [name, value] of Object.entries(node)) {
      if (COLUMN_KEYS.has(name)) copy[name] = column(value);
      // An alias of a select item names a column, one of FROM a table.
      if (name === 'alias') copy[name] = 'expression' in node ? column(value) : (tables.get(value as string) ?? value);
      if ((name === 'table' || name === 'updates') && typeof value === 'string') copy[name] = tables.get(value) ?? value;
    }
    return copy;
  };
  const named = schema.tables.map((table, t) => {
    const name = `t${t + 1}`;
    const { rows, ...rest } = table;
    const renamed = rewritten(rest, change);
    return {
      ...renamed,
      name,
      columns: table.columns.map((each) => ({ ...each, name: columns.get(each.name)! })),
      indexes: renamed.indexes.map((index, i) => ({ ...index, name: `${name}_index_${i + 1}` })),
      foreignKeys: renamed.foreignKeys.map((key, i) => ({ ...key, name: `${name}_foreign_${i + 1}` })),
      checks: renamed.checks.map((check, i) => ({ ...check, name: `${name}_check_${i + 1}` })),
      rows,
    };
  });
  return {
    ...testCase,
    schema: { tables: named, ...(schema.views && schema.views.length > 0 && { views: rewritten(schema.views, change) }) },
    sessions: rewritten(testCase.sessions, change),
  };
}

/** A query of one table needs no alias for it, and its plain columns keep their names. */
function withPlainAliases(testCase: TestCase): TestCase {
  const change = (select: Select): Select => {
    if (select.from.kind !== 'table' || select.with || contentsOf(select).queries.length > 1) return select;
    const { table, alias } = select.from;
    const own = rewritten(select, (each) => (each['kind'] === 'column' && each['table'] === alias ? { ...each, table } : each));
    const names = own.items.map(({ expression }) => (expression.kind === 'column' ? expression.column : ''));
    const items = own.items.map((item, i) => (names[i] !== '' && names.indexOf(names[i]!) === i ? { ...item, alias: names[i]! } : item));
    return { ...own, items, from: { kind: 'table', table, alias: table } };
  };
  const plain = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => ({ ...txn, statements: txn.statements.map((statement) => (statement.kind === 'select' ? change(statement) : statement)) })),
  }));
  return { ...testCase, sessions: plain };
}
