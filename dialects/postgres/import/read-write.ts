/** Turns INSERT, UPDATE and DELETE of PostgreSQL's parser into unresolved IR. */
import type { Conflict, Delete, Expression, Insert, Query, SelectItem, Update } from '../../../core/sql/index.ts';
import { refuse, type Unresolved } from '../../import/index.ts';
import { consume, inside, type Fields, type Node } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';
import { readFromList, readItems, readQuery, readRelation, readWith } from './read-query.ts';

export function readUpdate(f: Fields, reading: Reading): Unresolved {
  const { name, alias } = readRelation(f.node('relation'));
  const set = readSet(f.nodes('targetList'), reading);
  const from = readFromList(f.nodes('fromClause'), reading);
  const statement: Update = {
    kind: 'update',
    table: name,
    set,
    ...(from && { from }),
    ...readWhere(f, reading),
    ...readReturning(f, reading),
  };
  return { statement, ...(alias !== undefined && { target: alias }) };
}

export function readDelete(f: Fields, reading: Reading): Unresolved {
  const { name, alias } = readRelation(f.node('relation'));
  const using = readFromList(f.nodes('usingClause'), reading);
  const statement: Delete = {
    kind: 'delete',
    table: name,
    ...(using && { using }),
    ...readWhere(f, reading),
    ...readReturning(f, reading),
  };
  return { statement, ...(alias !== undefined && { target: alias }) };
}

export function readInsert(f: Fields, reading: Reading): Unresolved & { readonly statement: Insert } {
  const { name, alias } = readRelation(f.node('relation'));
  f.expect('override', ['OVERRIDING_NOT_SET']);
  const columns = f.nodes('cols').map((node) => consume('ResTarget', inside(node, 'ResTarget'), (column) => column.text('name')));
  if (!f.has('selectStmt')) return refuse('INSERT ... DEFAULT VALUES is not supported: list the columns, with DEFAULT as their value');
  const source = inside(f.node('selectStmt'), 'SelectStmt');
  const rows = source['valuesLists'] === undefined ? [] : readRows(source, reading);
  const query = rows.length > 0 ? undefined : readQuery(source, reading);
  const conflict = f.has('onConflictClause') ? readConflict(f.node('onConflictClause'), reading) : undefined;
  const statement: Insert = {
    kind: 'insert',
    table: name,
    columns,
    rows,
    ...(query && { query: withOf(f, query, reading) }),
    ...(conflict && { conflict }),
    ...readReturning(f, reading),
  };
  if (query === undefined && f.has('withClause'))
    refuse('WITH in front of INSERT ... VALUES is not supported: write the query as a subquery');
  return { statement, ...(alias !== undefined && { target: alias }) };
}

/** A WITH before INSERT ... SELECT belongs to the query only. */
function withOf(f: Fields, query: Query, reading: Reading): Query {
  if (!f.has('withClause')) return query;
  if (query.kind === 'unionAll' || query.with !== undefined)
    return refuse('WITH in front of this INSERT ... SELECT is not supported: write it behind INSERT INTO, before the SELECT');
  const { with: clause } = readWith(f, reading);
  return query.kind === 'select' ? { ...query, ...(clause && { with: clause }) } : { ...query, ...(clause && { with: clause }) };
}

function readRows(source: Node, reading: Reading): readonly (readonly Expression[])[] {
  return consume('SelectStmt', source, (f) => {
    f.expect('op', ['SETOP_NONE']);
    f.expect('limitOption', ['LIMIT_OPTION_DEFAULT']);
    return f
      .nodes('valuesLists')
      .map((row) => consume('List', inside(row, 'List'), (items) => items.nodes('items').map((value) => readExpression(value, reading))));
  });
}

function readConflict(node: Node, outer: Reading): Conflict {
  const reading: Reading = { ...outer, proposed: true };
  return consume('OnConflictClause', node, (f) => {
    const columns = f.has('infer') ? consume('InferClause', f.node('infer'), (infer) => infer.nodes('indexElems').map(readKeyColumn)) : [];
    if (f.text('action') === 'ONCONFLICT_NOTHING') return { action: 'nothing', columns };
    const set = readSet(f.nodes('targetList'), reading);
    return { action: 'update', columns, set, ...readWhere(f, reading) };
  });
}

/** A column of a key or an index. */
function readKeyColumn(node: Node): string {
  return consume('IndexElem', inside(node, 'IndexElem'), (f) => {
    f.expect('ordering', ['SORTBY_DEFAULT', 'SORTBY_ASC']);
    f.expect('nulls_ordering', ['SORTBY_NULLS_DEFAULT']);
    return f.text('name');
  });
}

export function readSet(nodes: readonly Node[], reading: Reading): readonly { readonly column: string; readonly value: Expression }[] {
  return nodes.map((node) =>
    consume('ResTarget', inside(node, 'ResTarget'), (f) => ({ column: f.text('name'), value: readExpression(f.node('val'), reading) })),
  );
}

function readWhere(f: Fields, reading: Reading): { readonly where?: Expression } {
  return f.has('whereClause') ? { where: readExpression(f.node('whereClause'), reading) } : {};
}

export function readReturning(f: Fields, reading: Reading): { readonly returning?: readonly SelectItem[] } {
  if (!f.has('returningClause')) return {};
  return { returning: consume('ReturningClause', f.node('returningClause'), (clause) => readItems(clause.nodes('exprs'), reading)) };
}
