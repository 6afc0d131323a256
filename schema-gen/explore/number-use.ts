/**
 * Decides whether results depend on numbers that the server gives to new rows (serial, AUTO_INCREMENT). These come in
 * the order of the requests, whichever transaction commits. A statement may show such a number, count it or search for
 * a known one. Its other effects are then the same whichever number a row got, and results may be compared except for
 * the numbers themselves. Any other use makes results depend on the order: a copy, a comparison with a possibly new
 * number, an ORDER BY under a LIMIT. A use that is not recognised counts as one of these.
 */
import { columnsOfExclusion, contentsOf, contentsOfExpressions, isWrite, writtenTables } from '../../core/sql/index.ts';
import type { Expression, Leaf, PlainWrite, Query, Schema, Statement, WriteStatement } from '../../core/sql/index.ts';
import type { ShownNumber, FixtureState } from '../../core/program/index.ts';
import type { NumberUser } from '../../core/verdict/index.ts';

type ColumnExpression = Extract<Expression, { kind: 'column' }>;

export class NumberUse {
  private readonly schema: Schema;
  /** Maps `table.column` to the numbers in the first rows. No new row has one of them. */
  private readonly known: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(schema: Schema, first: FixtureState) {
    this.schema = schema;
    this.known = new Map(
      schema.tables.flatMap(({ name, columns }) =>
        columns.flatMap((column, c) =>
          column.identity ? [[`${name}.${column.name}`, new Set((first[name] ?? []).map((row) => row[c] ?? ''))] as const] : [],
        ),
      ),
    );
  }

  /** Returns the places of a reply that show such a number as it is. */
  shown(statement: Statement): readonly ShownNumber[] {
    const tables = tablesByName(statement);
    return shownBy(statement).flatMap((expression, place) => {
      if (expression.kind !== 'column') return [];
      const { column: name } = expression;
      return this.schema.tables
        .filter((table) => tables.get(expression.table)?.includes(table.name))
        .flatMap(({ name: table, columns }) =>
          columns.flatMap((column, c) => (column.identity && column.name === name ? [{ place, table, column: c }] : [])),
        )
        .slice(0, 1);
    });
  }

  /** Returns the first use for which it matters which number a row has, or undefined. */
  reliedOn(statement: Statement): NumberUser | undefined {
    const tables = tablesByName(statement);
    const { queries, joins, expressions, leaves } = contentsOf(statement);
    const apart = new Set<Expression>([
      ...shownBy(statement),
      ...queries.flatMap(groupsOf),
      ...expressions.flatMap((each) => this.distinguishing(each, tables)),
    ]);
    const used = expressions.find(
      (each) =>
        (each.kind === 'column' && !apart.has(each) && this.numberOf(each, tables) !== undefined) || this.isProposed(each, statement),
    );
    if (used?.kind === 'column' || used?.kind === 'proposed') return columnNamed(used.column);
    const numbered = this.schema.tables.flatMap(({ columns }) => columns.flatMap(({ name, identity }) => (identity ? [name] : [])));
    const joined = joins.flatMap(({ using = [] }) => using).find((column) => numbered.includes(column));
    if (joined !== undefined) return columnNamed(joined);
    const views = leaves.flatMap((leaf) => (leaf.kind === 'view' ? [leaf.view] : []));
    const through = statement.kind === 'update' && statement.through !== undefined ? [statement.through] : [];
    const view = [...views, ...through].find((each) => this.viewUses(each));
    if (view !== undefined) return { kind: 'view', name: view };
    if (statement.kind === 'withWrites') return columnNamed(this.unfollowed([...writtenTables(statement), ...leaves.map(tableOf)]));
    return isWrite(statement) ? columnNamed(this.written(statement)) : undefined;
  }

  /** Returns `table.column`. */
  private numberOf({ table, column }: ColumnExpression, tables: Tables): string | undefined {
    return (tables.get(table) ?? []).map((each) => `${each}.${column}`).find((name) => this.known.has(name));
  }

  private isProposed(expression: Expression, statement: Statement): boolean {
    return expression.kind === 'proposed' && isWrite(statement) && this.known.has(`${statement.table}.${expression.column}`);
  }

  /** Returns the columns of an expression that only tell rows apart in it. */
  private distinguishing(expression: Expression, tables: Tables): readonly Expression[] {
    if (expression.kind === 'isNull') return [expression.operand];
    if (expression.kind === 'aggregate') return expression.name === 'count' && expression.operand ? [expression.operand] : [];
    if (expression.kind === 'exists')
      return expression.query.kind === 'select' ? expression.query.items.map((item) => item.expression) : [];
    if (expression.kind !== 'compare' || expression.op !== '=') return [];
    const { left, right } = expression;
    return this.sameRow(left, right, tables) || this.sameRow(right, left, tables) ? [left, right] : [];
  }

  private sameRow(number: Expression, other: Expression, tables: Tables): boolean {
    const name = number.kind === 'column' ? this.numberOf(number, tables) : undefined;
    if (name === undefined) return false;
    if (other.kind !== 'column') return this.isKnown(name, other);
    const others = (tables.get(other.table) ?? []).map((each) => `${each}.${other.column}`);
    return others.length > 0 && others.every((each) => each === name || this.pointsTo(each, name));
  }

  private isKnown(name: string, value: Expression | undefined): boolean {
    return value?.kind === 'literal' && (value.value === null || this.known.get(name)!.has(String(value.value)));
  }

  /** Tells whether a foreign key leads from one column to the other. */
  private pointsTo(from: string, to: string): boolean {
    return this.schema.tables.some(({ name, foreignKeys }) =>
      foreignKeys.some(({ columns, table, references }) =>
        columns.some((column, i) => `${name}.${column}` === from && `${table}.${references[i]}` === to),
      ),
    );
  }

  private viewUses(name: string): boolean {
    const query = this.schema.views?.find((view) => view.name === name)?.query;
    if (query === undefined) return true;
    const tables = tablesByName(query);
    const { expressions, leaves } = contentsOf(query);
    return (
      expressions.some((each) => each.kind === 'column' && this.numberOf(each, tables) !== undefined) ||
      leaves.some((leaf) => leaf.kind === 'view' && this.viewUses(leaf.view))
    );
  }

  /** Returns a number of one of these tables, or a column that a foreign key joins to one. */
  private unfollowed(tables: readonly string[]): string | undefined {
    return this.schema.tables
      .filter(({ name }) => tables.includes(name))
      .flatMap(({ name, columns }) => columns.map((column) => ({ column: column.name, own: `${name}.${column.name}` })))
      .find(({ own }) => this.known.has(own) || [...this.known.keys()].some((each) => this.pointsTo(own, each)))?.column;
  }

  /**
   * Returns a column that takes a number from the text of the statement, or that a foreign key joins to such a column.
   */
  private written(write: WriteStatement): string | undefined {
    if (write.kind === 'delete') return undefined;
    if (write.kind === 'merge') return this.unfollowed([write.table, ...contentsOf(write).leaves.map(tableOf)]);
    const table = this.schema.tables.find(({ name }) => name === write.table)!;
    const checked = contentsOfExpressions(table.checks.map(({ expression }) => expression)).expressions;
    const excluded = (table.exclusions ?? []).flatMap(columnsOfExclusion);
    const inCheck = table.columns.find(
      ({ name, identity }) =>
        identity && (excluded.includes(name) || checked.some((each) => each.kind === 'column' && each.column === name)),
    );
    if (inCheck !== undefined) return inCheck.name;
    return table.columns.find(({ name: column }) => {
      const values = valuesFor(write, column);
      const own = `${table.name}.${column}`;
      if (this.known.has(own)) return values.some((value) => !asksForNumber(value));
      const targets = [...this.known.keys()].filter((each) => this.pointsTo(own, each));
      return values.some((value) => !targets.every((each) => this.isKnown(each, value)));
    })?.name;
  }
}

function columnNamed(name: string | undefined): NumberUser | undefined {
  return name === undefined ? undefined : { kind: 'column', name };
}

function tableOf(leaf: Leaf): string {
  return leaf.kind === 'table' ? leaf.table : '';
}

type Tables = ReadonlyMap<string, readonly string[]>;

/** Maps the names in a statement to tables. Queries that do not see one another may use the same name. */
function tablesByName(statement: Statement): Tables {
  const named = contentsOf(statement).leaves.flatMap((leaf) => (leaf.kind === 'table' ? [[leaf.alias, leaf.table] as const] : []));
  const all = isWrite(statement) ? [...named, [statement.table, statement.table] as const] : named;
  return new Map(all.map(([name]) => [name, all.flatMap(([other, table]) => (other === name ? [table] : []))]));
}

function shownBy(statement: Statement): readonly Expression[] {
  const items = statement.kind === 'select' ? statement.items : isWrite(statement) ? (statement.returning ?? []) : [];
  return items.map(({ expression }) => expression);
}

/** Returns the expressions of the groups, and of an order that leaves no row out. */
function groupsOf(query: Query): readonly Expression[] {
  if (query.kind !== 'select') return [];
  return [...(query.groupBy ?? []), ...(query.limit === undefined ? (query.orderBy ?? []).map(({ expression }) => expression) : [])];
}

/** Undefined stands for a value that is not known. */
function valuesFor(write: PlainWrite, column: string): readonly (Expression | undefined)[] {
  if (write.kind === 'delete') return [];
  if (write.kind === 'update') return write.set.flatMap((each) => (each.column === column ? [each.value] : []));
  const place = write.columns.indexOf(column);
  const updated = write.conflict?.action === 'update' ? write.conflict.set : [];
  return [
    ...(place < 0 ? [] : write.rows.map((row) => row[place])),
    ...(place < 0 || write.query === undefined ? [] : [write.query.kind === 'select' ? write.query.items[place]?.expression : undefined]),
    ...updated.flatMap((each) => (each.column === column ? [each.value] : [])),
  ];
}

/** MySQL generates a number for NULL. */
function asksForNumber(value: Expression | undefined): boolean {
  return value?.kind === 'default' || (value?.kind === 'literal' && value.value === null);
}
