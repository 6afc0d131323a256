/**
 * Tells without a server whether a candidate may be executable: every table, view, column, function and savepoint that it
 * names exists. The check may accept what the server refuses (an alias out of scope), but never refuses what it accepts.
 */
import {
  columnsOf,
  contentsOf,
  isQuery,
  isWrite,
  itemsOf,
  leavesOf,
  namedTables,
  namesIn,
  namesNeeded,
  namesBound,
  routinesCalled,
} from '../../../core/index.ts';
import type { Schema, SelectItem, Statement, TestCase } from '../../../core/index.ts';
import { transactionsOf } from './steps.ts';

export function wellFormed(testCase: TestCase): boolean {
  const { schema } = testCase;
  const columns = new Map(schema.tables.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
  const views = new Map((schema.views ?? []).map((view) => [view.name, new Set(itemsOf(view.query).map(({ alias }) => alias))]));
  if (!schemaStands(schema, columns)) return false;
  for (const view of schema.views ?? []) if (!statementStands(view.query, columns, views)) return false;
  for (const { statements } of transactionsOf(testCase)) {
    if (
      !savepointsStand(statements) ||
      !namesStand(statements) ||
      statements.some((statement) => !callsStand(routinesCalled(statement), schema) || !statementStands(statement, columns, views))
    )
      return false;
  }
  return transactionsOf(testCase).length > 0;
}

type Names = ReadonlyMap<string, ReadonlySet<string>>;

function schemaStands({ tables, routines = [] }: Schema, columns: Names): boolean {
  const named = routines.flatMap((routine) => [
    ...routine.reads,
    ...routine.writes,
    ...(routine.kind === 'trigger' ? [routine.table] : []),
  ]);
  return (
    named.every((name) => columns.has(name)) &&
    routines.every(({ calls }) => callsStand(calls, { routines })) &&
    tables.every((table) => {
      const own = columns.get(table.name)!;
      const has = (names: readonly string[]): boolean => names.every((name) => own.has(name));
      return (
        table.columns.length > 0 &&
        has(table.primaryKey) &&
        table.columns.every(
          ({ generated }) => generated === undefined || has(columnsOf(generated.expression).map(({ column }) => column)),
        ) &&
        (table.trigger === undefined || columns.has(table.trigger.table)) &&
        (table.partitions === undefined || has([table.partitions.column])) &&
        table.uniques.every(has) &&
        table.indexes.every((index) => has(index.columns)) &&
        table.foreignKeys.every((key) => has(key.columns) && key.references.every((name) => columns.get(key.table)?.has(name) === true))
      );
    })
  );
}

function callsStand(calls: readonly string[], { routines = [] }: Pick<Schema, 'routines'>): boolean {
  return calls.every((name) => routines.some((each) => each.kind === 'function' && each.name === name));
}

function statementStands(statement: Statement, columns: Names, views: Names): boolean {
  const { leaves, joins, expressions, queries } = contentsOf(statement);
  const visible = new Map<string, Set<string>>();
  const show = (alias: string, names: Iterable<string>): void => {
    const known = visible.get(alias) ?? new Set();
    for (const name of names) known.add(name);
    visible.set(alias, known);
  };
  const writes = statement.kind === 'withWrites' ? statement.writes : [];
  const ctes = new Map([
    ...queries.flatMap((query) =>
      query.kind === 'unionAll' ? [] : (query.with?.ctes ?? []).map((cte) => [cte.name, itemsOf(cte.query)] as const),
    ),
    ...writes.map(({ name, write }) => [name, write.returning ?? []] as const),
  ]);
  for (const leaf of leaves) {
    const names =
      leaf.kind === 'table'
        ? columns.get(leaf.table)
        : leaf.kind === 'view'
          ? views.get(leaf.view)
          : aliasesOf(leaf.kind === 'cte' ? ctes.get(leaf.name) : itemsOf(leaf.query));
    if (names === undefined) return false;
    show(leaf.alias, names);
  }
  if (!namedTables(statement).every((table) => columns.has(table))) return false;
  const parts = statement.kind === 'withWrites' ? [...writes.map(({ write }) => write), statement.last] : [statement];
  for (const part of parts) {
    if (!isWrite(part)) continue;
    const own = columns.get(part.table)!;
    show(part.table, own);
    if (part.kind === 'update' && part.through !== undefined) {
      const through = views.get(part.through);
      if (through === undefined) return false;
      show(part.through, through);
    }
    const named =
      part.kind === 'insert'
        ? [...part.columns, ...(part.conflict?.action === 'replace' ? [] : (part.conflict?.columns ?? []))]
        : part.kind === 'update'
          ? part.set.map(({ column }) => column)
          : part.kind === 'merge'
            ? part.branches.flatMap(({ columns: put = [], set = [] }) => [...put, ...set.map(({ column }) => column)])
            : [];
    if (!named.every((name) => own.has(name))) return false;
  }
  for (const expression of expressions)
    if (expression.kind === 'column' && visible.get(expression.table)?.has(expression.column) !== true) return false;
  return joins.every(({ using, left, right }) => using === undefined || [...leavesOf(left), ...leavesOf(right)].length > 1);
}

function aliasesOf(items: readonly SelectItem[] | undefined): readonly string[] | undefined {
  return items?.map(({ alias }) => alias);
}

/** True if every name was read before, and each value that is read is returned. */
function namesStand(statements: readonly Statement[]): boolean {
  const bound = new Set<string>();
  return statements.every((statement) => {
    if (!namesNeeded(statement).every((name) => bound.has(name))) return false;
    const { into = [], stops = [] } = statement;
    for (const name of namesBound(statement)) bound.add(name);
    return (
      into.length === (into.length && returnedBy(statement)) && namesIn(stops.map(({ when }) => when)).every((name) => bound.has(name))
    );
  });
}

function returnedBy(statement: Statement): number {
  if (isQuery(statement)) return itemsOf(statement).length;
  return isWrite(statement) ? (statement.returning ?? []).length : 0;
}

function savepointsStand(statements: readonly Statement[]): boolean {
  const open: string[] = [];
  for (const statement of statements) {
    if (statement.kind === 'savepoint') open.push(statement.name);
    else if (statement.kind === 'rollbackTo' || statement.kind === 'release') {
      const at = open.lastIndexOf(statement.name);
      if (at < 0) return false;
      open.length = statement.kind === 'release' ? at : at + 1;
    }
  }
  return true;
}
