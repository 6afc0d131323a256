/** Yields smaller schemas: without unused tables and views, keys, constraints, indexes, defaults, columns. */
import { columnsOfExclusion, contentsOf, namedTables } from '../../../core/index.ts';
import type {
  Column,
  Exclusion,
  Insert,
  MergeBranch,
  Schema,
  Select,
  SelectItem,
  Statement,
  Table,
  TestCase,
  Update,
} from '../../../core/index.ts';
import { mapTransactions, transactionsOf } from './steps.ts';

/** Removes everything unused at once, then one by one. */
export function* withoutUnused(current: TestCase): Generator<TestCase> {
  const tables = new Set<string>();
  const views = new Set<string>();
  const note = (statement: Statement): void => {
    for (const leaf of contentsOf(statement).leaves) {
      if (leaf.kind === 'table') tables.add(leaf.table);
      if (leaf.kind === 'view') views.add(leaf.view);
    }
    for (const table of namedTables(statement)) tables.add(table);
    if (statement.kind === 'update' && statement.through !== undefined) views.add(statement.through);
  };
  for (const { statements } of transactionsOf(current)) statements.forEach(note);
  const { schema } = current;
  for (const { name, trigger } of schema.tables) if (trigger !== undefined && tables.has(name)) tables.add(trigger.table);
  for (const view of [...(schema.views ?? [])].reverse()) if (views.has(view.name)) note(view.query);
  const keptViews = (schema.views ?? []).filter(({ name }) => views.has(name));
  const without = (gone: (table: Table) => boolean): TestCase => ({
    ...current,
    schema: {
      ...schema,
      tables: schema.tables
        .filter((table) => !gone(table))
        .map((table) => ({
          ...table,
          foreignKeys: table.foreignKeys.filter((key) => !schema.tables.some((each) => each.name === key.table && gone(each))),
        })),
      views: keptViews,
    },
  });
  if (keptViews.length < (schema.views ?? []).length) yield without(() => false);
  const unused = schema.tables.filter(({ name }) => !tables.has(name));
  if (unused.length > 0) yield without((table) => unused.includes(table));
  if (unused.length > 1) for (const each of unused) yield without((table) => table === each);
}

type TablePart = 'foreignKeys' | 'checks' | 'indexes' | 'uniques';
const PARTS: readonly TablePart[] = ['foreignKeys', 'checks', 'indexes', 'uniques'];

export function* withoutConstraints(current: TestCase): Generator<TestCase> {
  const change = (tables: readonly Table[]): TestCase => ({ ...current, schema: { ...current.schema, tables } });
  const { tables } = current.schema;
  const bare = tables.map((table) => ({
    ...withoutExclusions(whole(table)),
    foreignKeys: [],
    checks: [],
    indexes: [],
    uniques: [],
    columns: table.columns.map(plainly),
  }));
  yield change(bare);
  for (const [t, table] of tables.entries()) {
    const replaced = (simpler: Table): TestCase => change(tables.map((each, i) => (i === t ? simpler : each)));
    for (const part of PARTS) {
      if (table[part].length > 1) yield replaced({ ...table, [part]: [] });
      for (let i = 0; i < table[part].length; i++) yield replaced({ ...table, [part]: table[part].filter((_, k) => k !== i) });
    }
    for (const each of table.exclusions ?? []) yield replaced(withoutExclusions(table, (other) => other === each));
    if (table.trigger !== undefined) yield replaced(untriggered(table));
    if (table.partitions !== undefined) yield replaced(whole(table));
    for (const [i, column] of table.columns.entries()) {
      if (column.default !== undefined || column.identity === true || column.generated !== undefined)
        yield replaced({ ...table, columns: table.columns.map((each, k) => (k === i ? plainly(each) : each)) });
    }
  }
}

function plainly({ name, type, nullable }: Column): Column {
  return { name, type, nullable };
}

function untriggered(table: Table): Table {
  const { trigger: _, ...rest } = table;
  return rest;
}

function whole(table: Table): Table {
  const { partitions: _, ...rest } = table;
  return rest;
}

function withoutExclusions(table: Table, gone: (each: Exclusion) => boolean = () => true): Table {
  const { exclusions = [], ...rest } = table;
  const kept = exclusions.filter((each) => !gone(each));
  return kept.length === 0 ? rest : { ...rest, exclusions: kept };
}

/** Removes one column that only lists of columns name. A table keeps one column of its key. */
export function* withoutColumns(current: TestCase): Generator<TestCase> {
  const { routines = [] } = current.schema;
  for (const table of current.schema.tables) {
    // The columns that a trigger or function names are not known.
    if (routines.some((each) => [...each.reads, ...each.writes, ...(each.kind === 'trigger' ? [each.table] : [])].includes(table.name)))
      continue;
    for (const { name } of table.columns) {
      if (table.columns.length === 1 || (table.primaryKey.length === 1 && table.primaryKey[0] === name)) continue;
      yield mapTransactions({ ...current, schema: schemaWithout(current.schema, table, name) }, (txn) => ({
        ...txn,
        statements: txn.statements.map((statement) => statementWithout(statement, table.name, name)),
      }));
    }
  }
}

function schemaWithout(schema: Schema, table: Table, name: string): Schema {
  const at = table.columns.findIndex((column) => column.name === name);
  const simpler: Table = {
    ...withoutExclusions(table.partitions?.column === name ? whole(table) : table, (each) => columnsOfExclusion(each).includes(name)),
    columns: table.columns.filter((_, i) => i !== at),
    primaryKey: table.primaryKey.filter((each) => each !== name),
    uniques: table.uniques.filter((columns) => !columns.includes(name)),
    indexes: table.indexes.filter(({ columns }) => !columns.includes(name)),
    rows: table.rows.map((row) => row.filter((_, i) => i !== at)),
  };
  return { ...schema, tables: schema.tables.map((each) => (each === table ? simpler : each)) };
}

function statementWithout(statement: Statement, table: string, column: string): Statement {
  if (statement.kind === 'insert' && statement.table === table) return insertWithout(statement, column);
  if (statement.kind === 'update' && statement.table === table) return updateWithout(statement, column);
  if (statement.kind === 'merge' && statement.table === table)
    return { ...statement, branches: statement.branches.map((branch) => branchWithout(branch, column)) };
  if (statement.kind === 'select') return selectWithout(statement, table, column);
  return statement;
}

function insertWithout(insert: Insert, column: string): Insert {
  const at = insert.columns.indexOf(column);
  if (at < 0 || insert.query !== undefined || insert.columns.length === 1) return insert;
  const less = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => i !== at);
  return { ...insert, columns: less(insert.columns), rows: insert.rows.map(less) };
}

function branchWithout(branch: MergeBranch, column: string): MergeBranch {
  const { set, columns, values } = branch;
  const left = set?.filter((assignment) => assignment.column !== column) ?? [];
  if (left.length > 0) return { ...branch, set: left };
  const at = columns?.indexOf(column) ?? -1;
  if (columns === undefined || values === undefined || at < 0 || columns.length === 1) return branch;
  return { ...branch, columns: columns.filter((_, i) => i !== at), values: values.filter((_, i) => i !== at) };
}

function updateWithout(update: Update, column: string): Update {
  const set = update.set.filter((assignment) => assignment.column !== column);
  return set.length === 0 ? update : { ...update, set };
}

function selectWithout(select: Select, table: string, column: string): Select {
  const aliases = new Set(contentsOf(select).leaves.flatMap((leaf) => (leaf.kind === 'table' && leaf.table === table ? [leaf.alias] : [])));
  const names = ({ expression }: SelectItem): boolean =>
    expression.kind === 'column' && expression.column === column && aliases.has(expression.table);
  const items = select.items.filter((item) => !names(item));
  return items.length === 0 ? select : { ...select, items };
}
