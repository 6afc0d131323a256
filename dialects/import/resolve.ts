/**
 * From a parser's reading of a statement to the IR: names are looked up in the schema and in the queries around, stars
 * become columns, literals get types, every alias is the only one of its name. Whatever is unknown or could mean two
 * things is refused.
 *
 * The unresolved form is the IR itself with these liberties:
 * - a column written without a qualifier has the table '', a qualified one the qualifier as written;
 * - a star is an item with the column '*' (of the table '' or of one) and the alias '*';
 * - an item without a name that could be used elsewhere has the alias '';
 * - whatever FROM names is {kind: 'table'}, be it a table, a view or a WITH; its alias is its own name where none is written;
 * - a natural join has `natural` and an empty `using`;
 * - INSERT without a column list has no columns; a table that a write calls by an alias is told beside the statement;
 * - GROUP BY and ORDER BY hold positions as integer literals and aliases of items as columns without a qualifier;
 * - an untyped string or NULL is a literal of the type text, a number an integer, bigint or decimal by its size.
 */
import { isWrite } from '../../core/index.ts';
import type { Drawn, Expression, Query, Schema, Statement, Table, TypeKind } from '../../core/index.ts';
import type { Grammar } from './grammar.ts';
import { fit } from './fit-literal.ts';
import { resolveExpression, type Context, type ResolvedQuery } from './resolve-expression.ts';
import { resolveQuery } from './resolve-query.ts';
import { resolveWithWrites, resolveWrite } from './resolve-with-writes.ts';
import { NOTHING, sameName, type Relation } from './scope.ts';

export interface Resolved {
  readonly statement: Statement;
  /** Of the columns that it returns; undefined: nobody knows. */
  readonly types: readonly (TypeKind | undefined)[];
}

/** `targets`: the alias of the table that a write changes, where it has one; of a WITH that writes, one for each part and for what stands behind them. */
export function resolveStatement(
  statement: Statement,
  schema: Schema,
  grammar: Grammar,
  drawn: (what: Drawn) => Expression,
  targets: readonly (string | undefined)[] = [],
): Resolved {
  const context = { ...contextOf(schema, grammar), drawn };
  if (isWrite(statement)) {
    const { statement: resolved, fields } = resolveWrite(statement, targets[0], NOTHING, context);
    return { statement: resolved, types: fields.map(({ type }) => type) };
  }
  switch (statement.kind) {
    case 'withWrites':
      return { statement: resolveWithWrites(statement, targets, context), types: [] };
    case 'changeTable': // no importer reads one
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
      return { statement, types: [] };
    case 'advisoryLock':
      return {
        statement: { ...statement, key: resolveValue(statement.key, { kind: grammar.namedLocks ? 'text' : 'bigint' }, grammar) },
        types: [],
      };
    case 'select':
    case 'unionAll':
    case 'setOperation': {
      const { query, fields } = resolveQuery(statement, NOTHING, context);
      return { statement: query, types: fields.map(({ type }) => type) };
    }
  }
}

/** For views: with the columns as the query writes them. */
export function resolveWholeQuery(query: Query, schema: Schema, grammar: Grammar): ResolvedQuery {
  return resolveQuery(query, NOTHING, contextOf(schema, grammar));
}

/** Over the columns of one table, which are named by it: for CHECK. */
export function resolveOverTable(expression: Expression, table: Pick<Table, 'name' | 'columns'>, grammar: Grammar): Expression {
  const fields = table.columns.map((column) => ({ written: column.name, column: column.name, type: column.type.kind }));
  const relation: Relation = { written: table.name, alias: table.name, fields };
  const scope = { ...NOTHING, relations: [relation], visible: fields.map((field) => ({ relation, field })) };
  return resolveExpression(expression, scope, contextOf({ tables: [] }, grammar)).expression;
}

/** A value that names no column, with the type of the column that it is for. */
export function resolveValue(expression: Expression, type: Table['columns'][number]['type'], grammar: Grammar): Expression {
  return fit(resolveExpression(expression, NOTHING, contextOf({ tables: [] }, grammar)).expression, type.kind, grammar);
}

function contextOf(schema: Schema, grammar: Grammar): Context {
  return { schema, grammar, same: sameName(grammar.foldCase), taken: new Set(), commonNames: new Set(), query: resolveQuery };
}
