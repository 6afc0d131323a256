/**
 * Resolves INSERT, UPDATE and DELETE: the table or view that changes, its columns by its own name, and values of their
 * columns' types.
 */
import { itemsOf } from '../../core/index.ts';
import type { Assignment, Conflict, Delete, Expression, Insert, SelectItem, Table, Update } from '../../core/index.ts';
import { refuseAssigning } from './families.ts';
import { fit, isOpen } from './fit-literal.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import { resolveCondition, resolveExpression, type Context } from './resolve-expression.ts';
import { claim, findTable, resolveFrom, visibleOf, type ResolvedFrom } from './resolve-from.ts';
import { fieldsOf, fitItems, resolveItems, resolveQuery } from './resolve-query.ts';
import { typed, type Field, type Relation, type Scope } from './scope.ts';

export interface ResolvedWrite<S> {
  readonly statement: S;
  /** The columns that it returns. */
  readonly fields: readonly Field[];
}

/** `target`: the alias that the statement gives the table it changes, if any. `around`: the parts of a WITH that it may name. */
export function resolveInsert(insert: Insert, target: string | undefined, around: Scope, context: Context): ResolvedWrite<Insert> {
  const { table, relation } = baseTable('INSERT into', insert.table, target, context);
  const { columns: written, ...given } = withDrawn(insert, table, context);
  const listed = written.map((name) => columnOf(table, name, context));
  const query = given.query && resolveQuery(given.query, around, context);
  const width = query?.fields.length ?? given.rows[0]?.length ?? 0;
  const columns = listed.length > 0 ? listed : columnsInOrder(table, width, context);
  if (new Set(columns).size !== columns.length) refuse(`INSERT into ${table.name} names a column twice`);
  for (const row of [...given.rows, ...(query ? [query.fields] : [])]) {
    if (row.length !== columns.length) refuse(`INSERT into ${table.name} gives ${row.length} values for ${columns.length} columns`);
  }
  query?.fields.forEach((field, i) => {
    const { expression } = itemsOf(query.query)[i]!;
    if (!isOpen(expression)) refuseAssigning({ expression, ...typed(field.type) }, columns[i]!, context.grammar);
  });
  const kept = columns.map((column, i) =>
    keptByUser(
      column,
      given.rows.map((row) => row[i]!),
      context.grammar,
    ),
  );
  const rows = given.rows.map((row) => row.map((value, i) => valueOf(value, columns[i]!, around, context)).filter((_, i) => kept[i]));
  const names = columns.filter((_, i) => kept[i]).map(({ name }) => name);
  if (names.length === 0) refuse(`INSERT into ${table.name} gives no value: give at least one column one`);
  const scope: Scope = { relations: [relation], visible: visibleOf(relation), commonTables: around.commonTables };
  const conflict = insert.conflict && resolveConflict(insert.conflict, table, names, scope, context);
  const source =
    query &&
    fitItems(
      query.query,
      columns.map(({ type }) => type.kind),
      context,
    );
  const { returned, fields } = returning(insert.returning, scope, context);
  return {
    statement: {
      kind: 'insert',
      table: table.name,
      columns: names,
      rows,
      ...(source && { query: source }),
      ...(conflict && { conflict }),
      ...returned,
    },
    fields,
  };
}

/** Adds a parameter for each column with a drawn default that the statement leaves out or sets to DEFAULT. */
function withDrawn(insert: Insert, table: Table, { drawn, same }: Context): Insert {
  if (drawn === undefined || !table.columns.some((column) => column.drawn !== undefined)) return insert;
  if (insert.columns.length === 0)
    return refuse(
      `INSERT into ${table.name} leaves open which columns it gives values, and some have a DEFAULT whose value differs at each call: list the columns`,
    );
  const missing = table.columns.filter((column) => column.drawn !== undefined && !insert.columns.some((name) => same(name, column.name)));
  const own = insert.columns.map((name) => table.columns.find((column) => same(column.name, name))?.drawn);
  const rows = insert.rows.map((row) => [
    ...row.map((value, i) => (value.kind === 'default' && own[i] !== undefined ? drawn(own[i]) : value)),
    ...missing.map((column) => drawn(column.drawn!)),
  ]);
  const columns = [...insert.columns, ...missing.map(({ name }) => name)];
  if (insert.query === undefined || missing.length === 0) return { ...insert, columns, rows };
  const unknown = missing.find((column) => column.drawn === 'uuid' || insert.query!.kind !== 'select');
  if (unknown !== undefined || insert.query.kind !== 'select')
    return refuse(
      `INSERT into ${table.name} from a query leaves the column ${(unknown ?? missing[0]!).name} to its DEFAULT, whose value differs at each call: select a parameter for it`,
    );
  const items = [...insert.query.items, ...missing.map((column): SelectItem => ({ expression: drawn(column.drawn!), alias: column.name }))];
  return { ...insert, columns, rows, query: { ...insert.query, items } };
}

export function resolveUpdate(update: Update, target: string | undefined, around: Scope, context: Context): ResolvedWrite<Update> {
  const { name, kind, fields } = findTable(update.table, context);
  const view = kind === 'view' ? context.schema.views!.find((each) => each.name === name)! : undefined;
  if (view !== undefined && view.updates === undefined)
    refuse(`UPDATE ${name}: it is no view of one table with some of its columns as they are, so name the table itself`);
  const base = context.schema.tables.find((each) => each.name === (view?.updates ?? name))!;
  const relation: Relation = { written: target ?? update.table, alias: claim(name, context), fields };
  const { from, scope } = beside(update.from, relation, around, context);
  const set = resolveSet(update.set, base, fields, scope, context);
  const where = resolveCondition(update.where, scope, context);
  const shown = returning(update.returning, scope, context);
  return {
    statement: {
      kind: 'update',
      table: base.name,
      ...(view && { through: view.name }),
      set,
      ...(from && { from }),
      ...(where && { where }),
      ...shown.returned,
    },
    fields: shown.fields,
  };
}

export function resolveDelete(statement: Delete, target: string | undefined, around: Scope, context: Context): ResolvedWrite<Delete> {
  const { table, relation } = baseTable('DELETE from', statement.table, target, context);
  const { from, scope } = beside(statement.using, relation, around, context);
  const where = resolveCondition(statement.where, scope, context);
  const { returned, fields } = returning(statement.returning, scope, context);
  return { statement: { kind: 'delete', table: table.name, ...(from && { using: from }), ...(where && { where }), ...returned }, fields };
}

export function baseTable(
  what: string,
  name: string,
  target: string | undefined,
  context: Context,
): { readonly table: Table; readonly relation: Relation } {
  const found = findTable(name, context);
  if (found.kind === 'view') refuse(`${what} the view ${found.name}: name the table behind it instead`);
  const table = context.schema.tables.find((each) => each.name === found.name)!;
  return { table, relation: { written: target ?? name, alias: claim(table.name, context), fields: found.fields } };
}

/** The scope of a statement that changes one table and reads others. FROM itself does not see the changed table. */
function beside(
  from: Update['from'],
  relation: Relation,
  { commonTables }: Scope,
  context: Context,
): { readonly from?: ResolvedFrom['from']; readonly scope: Scope } {
  if (from === undefined) return { scope: { relations: [relation], visible: visibleOf(relation), commonTables } };
  const resolved = resolveFrom(from, commonTables, undefined, context);
  if (resolved.relations.some(({ written }) => context.same(written, relation.written)))
    refuse(`the name ${relation.written} means two tables: give the one in FROM or USING an alias`);
  return {
    from: resolved.from,
    scope: { relations: [relation, ...resolved.relations], visible: [...visibleOf(relation), ...resolved.visible], commonTables },
  };
}

export function resolveSet(
  set: readonly Assignment[],
  table: Table,
  fields: readonly Field[],
  scope: Scope,
  context: Context,
): readonly Assignment[] {
  const assignments = set.map((assignment): Assignment => {
    const field = fields.find(({ written }) => written !== undefined && context.same(written, assignment.column));
    if (field === undefined) refuse(`there is no column ${assignment.column} to set in ${scope.relations[0]!.written}`);
    const column = columnOf(table, field.column, context);
    if (column.identity) refuse(`the column ${column.name} of ${table.name} is numbered by the server: it cannot be set`);
    if (column.generated) refuse(`the column ${column.name} of ${table.name} is computed by the server: it cannot be set`);
    return { column: column.name, value: valueOf(assignment.value, column, scope, context) };
  });
  for (const { name, drawnOnUpdate } of table.columns)
    if (drawnOnUpdate !== undefined && context.drawn !== undefined && !assignments.some(({ column }) => column === name))
      assignments.push({ column: name, value: context.drawn(drawnOnUpdate) });
  const names = assignments.map(({ column }) => column);
  if (new Set(names).size !== names.length) refuse(`a column of ${table.name} is set twice in one statement`);
  return assignments;
}

function resolveConflict(conflict: Conflict, table: Table, inserted: readonly string[], scope: Scope, context: Context): Conflict {
  const hidden = table.indexes.find(({ unique }) => unique);
  if (hidden !== undefined && (conflict.action === 'replace' || conflict.columns.length === 0))
    refuse(
      `${table.name} has the unique index ${hidden.name} over some rows only, or over a part or an expression of a column. It cannot be decided whether the inserted row conflicts with it: name the key that is meant, or use a SELECT before`,
    );
  const [excluding] = table.exclusions ?? [];
  if (excluding !== undefined && (conflict.action === 'replace' || conflict.columns.length === 0))
    refuse(
      `${table.name} has the exclusion constraint ${excluding.name}. It cannot be decided whether the inserted row conflicts with it: name the key that is meant, or use a SELECT before`,
    );
  if (conflict.action === 'replace') return conflict;
  const named = conflict.columns.map((name) => columnOf(table, name, context).name);
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0);
  const sorted = (names: readonly string[]): string => [...names].sort().join('\0');
  if (named.length > 0 && !keys.some((key) => sorted(key) === sorted(named)))
    refuse(`ON CONFLICT (${named.join(', ')}): ${table.name} has no primary key or UNIQUE of these columns`);
  if (conflict.action === 'nothing') return { action: 'nothing', columns: named };
  const columns = named.length > 0 ? named : theKey(keys, table, inserted);
  const existing = context.grammar.bareExisting
    ? scope
    : {
        ...scope,
        ambiguous: `the existing row and the one that is inserted both have it: write ${scope.relations[0]!.written}. or EXCLUDED. in front of it`,
      };
  const where = resolveCondition(conflict.where, existing, context);
  const fields = scope.relations[0]!.fields;
  return { action: 'update', columns, set: resolveSet(conflict.set, table, fields, existing, context), ...(where && { where }) };
}

/** The only key that the inserted row can meet. A row numbered by the server meets none by that number. */
function theKey(keys: readonly (readonly string[])[], table: Table, inserted: readonly string[]): readonly string[] {
  const numbered = new Set(table.columns.filter((column) => column.identity && !inserted.includes(column.name)).map(({ name }) => name));
  const [only, another] = keys.filter((key) => !key.some((name) => numbered.has(name)));
  if (only === undefined) refuse(`${table.name} has no key that the inserted row could meet`);
  if (another !== undefined)
    refuse(`${table.name} has several keys that the inserted row could meet: which one it is decides the row that changes`);
  return only;
}

/**
 * Whether the statement keeps a column of an INSERT. Numbered and generated columns are left to the server. In most
 * DBMSs DEFAULT for one is the same as leaving it out.
 */
export function keptByUser(column: Table['columns'][number], values: readonly Expression[], { numbersLeftOut }: Grammar): boolean {
  if (column.generated !== undefined) {
    if (values.length > 0 && values.every((value) => value.kind === 'default')) return false;
    refuse(`the column ${column.name} is computed by the server: leave it out of INSERT, or write DEFAULT`);
  }
  if (!column.identity) return true;
  if (!numbersLeftOut && values.length > 0 && values.every((value) => value.kind === 'default')) return false;
  return refuse(`the column ${column.name} is numbered by the server: leave it out of INSERT${numbersLeftOut ? '' : ', or write DEFAULT'}`);
}

export function valueOf(value: Expression, column: Table['columns'][number], scope: Scope, context: Context): Expression {
  const found = resolveExpression(value, scope, context);
  const expression = fit(found.expression, column.type.kind, context.grammar);
  if (!isOpen(found.expression)) refuseAssigning(found, column, context.grammar);
  return expression;
}

export function columnOf(table: Table, name: string, { same }: Context): Table['columns'][number] {
  return (
    table.columns.find((column) => same(column.name, name)) ??
    refuse(`there is no column ${name} in ${table.name}: it has ${table.columns.map((column) => column.name).join(', ')}`)
  );
}

export function columnsInOrder(table: Table, width: number, { grammar }: Context): readonly Table['columns'][number][] {
  const columns = table.columns.filter(({ generated }) => generated === undefined);
  if (width !== columns.length && !(grammar.shortInserts && width < columns.length))
    refuse(`INSERT into ${table.name} gives ${width} values and the table has ${columns.length} columns: list the columns that are meant`);
  return columns.slice(0, width);
}

export function returning(
  items: readonly SelectItem[] | undefined,
  scope: Scope,
  context: Context,
): { readonly returned: { readonly returning?: readonly SelectItem[] }; readonly fields: readonly Field[] } {
  if (items === undefined || items.length === 0) return { returned: {}, fields: [] };
  const resolved = resolveItems(items, scope, context);
  const fields = fieldsOf(resolved);
  return { returned: { returning: resolved.map((item, i) => ({ expression: item.expression, alias: fields[i]!.column })) }, fields };
}
