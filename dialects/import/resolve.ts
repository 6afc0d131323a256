/**
 * From a parser's reading of a statement to the IR. Names are looked up in the schema and in the outer queries, stars
 * become columns, literals get types, and every alias becomes unique. A name that is unknown or ambiguous is refused.
 *
 * The unresolved form is the IR itself, except that
 * - a column written without a qualifier has the table '', a qualified one the qualifier as written;
 * - a star is an item with the column '*' (of the table '' or of one) and the alias '*';
 * - an item without a name that could be used elsewhere has the alias '';
 * - every name in FROM is {kind: 'table'}, be it a table, a view or a WITH; without a written alias the alias is the name itself;
 * - a natural join has `natural` and an empty `using`;
 * - INSERT without a column list has no columns; the alias of a write's table is passed beside the statement;
 * - GROUP BY and ORDER BY hold positions as integer literals and aliases of items as columns without a qualifier;
 * - an untyped string or NULL is a literal of the type text, a number an integer, bigint or decimal by its size.
 */
import { isWrite } from '../../core/index.ts';
import type { Drawn, Expression, Query, Schema, Statement, Table, TypeKind } from '../../core/index.ts';
import type { Grammar } from './grammar.ts';
import { fit } from './fit-literal.ts';
import { refuse } from './refuse.ts';
import { resolveExpression, type Context, type ResolvedQuery } from './resolve-expression.ts';
import { findTable } from './resolve-from.ts';
import { resolveQuery } from './resolve-query.ts';
import { resolveWithWrites, resolveWrite } from './resolve-with-writes.ts';
import { NOTHING, sameName, type Relation } from './scope.ts';

export interface Resolved {
  readonly statement: Statement;
  /** The types of the columns that it returns. Undefined: not known. */
  readonly types: readonly (TypeKind | undefined)[];
}

/**
 * `targets`: the alias of the table that a write changes, if it has one. A WITH that writes has one for each part and
 * one for the statement behind them.
 */
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
    case 'changeTable': // No importer reads one.
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
      return { statement, types: [] };
    case 'advisoryLock':
      return {
        statement: { ...statement, key: resolveValue(statement.key, { kind: grammar.namedLocks ? 'text' : 'bigint' }, grammar) },
        types: [],
      };
    case 'lockTable':
      return { statement: { ...statement, table: lockedTable(statement.table, context) }, types: [] };
    case 'select':
    case 'unionAll':
    case 'setOperation': {
      const { query, fields } = resolveQuery(statement, NOTHING, context);
      return { statement: query, types: fields.map(({ type }) => type) };
    }
  }
}

function lockedTable(name: string, context: Context): string {
  const found = findTable(name, context);
  return found.kind === 'table' ? found.name : refuse(`LOCK TABLE of the view ${found.name} is not supported: lock its tables by name`);
}

/** Resolves a view's query. Its columns keep their written names. */
export function resolveWholeQuery(query: Query, schema: Schema, grammar: Grammar): ResolvedQuery {
  return resolveQuery(query, NOTHING, contextOf(schema, grammar));
}

/** Resolves a CHECK over the columns of one table, which the table's name qualifies. */
export function resolveOverTable(expression: Expression, table: Pick<Table, 'name' | 'columns'>, grammar: Grammar): Expression {
  const fields = table.columns.map((column) => ({ written: column.name, column: column.name, type: column.type.kind }));
  const relation: Relation = { written: table.name, alias: table.name, fields };
  const scope = { ...NOTHING, relations: [relation], visible: fields.map((field) => ({ relation, field })) };
  return resolveExpression(expression, scope, contextOf({ tables: [] }, grammar)).expression;
}

/** Resolves a value without columns, with the type of the column that it is for. */
export function resolveValue(expression: Expression, type: Table['columns'][number]['type'], grammar: Grammar): Expression {
  return fit(resolveExpression(expression, NOTHING, contextOf({ tables: [] }, grammar)).expression, type.kind, grammar);
}

function contextOf(schema: Schema, grammar: Grammar): Context {
  return { schema, grammar, same: sameName(grammar.foldCase), taken: new Set(), commonNames: new Set(), query: resolveQuery };
}
