/**
 * Finds the rows that a statement reads, as far as its text shows. For each table it finds the columns that must equal
 * something, and the conditions on its own columns and literals. It also collects pairs that are equal by an `=`, an
 * INTO or a written value. Their members are columns (`members.organization_id`) and names (`:org`). A condition that
 * is not recognised is left out, so that a predicate read has too many rows rather than too few.
 */
import {
  conjunctsOf,
  contentsOf,
  contentsOfExpressions,
  isQuery,
  isWrite,
  itemsOf,
  joinConditions,
  leavesOf,
} from '../../../core/sql/index.ts';
import { namesIn } from './names-in.ts';
import type { Expression, From, Leaf, Query, Schema, Select, Statement, WriteStatement } from '../../../core/sql/index.ts';

export interface PredicateRead {
  readonly table: string;
  /** Columns that must equal a name or another column. */
  readonly by: readonly string[];
  /** Conditions on columns of the table and literals. Their `table` is the table's name. */
  readonly where: readonly Expression[];
}

export type Equal = readonly [string, string];

export interface Compared {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface StatementReads {
  readonly reads: readonly PredicateRead[];
  readonly equals: readonly Equal[];
  /** Names and the columns that are read into them or written with them. */
  readonly moved: readonly Equal[];
  /** Names in a condition of another kind, such as a range, with the columns in it. */
  readonly compared: readonly Compared[];
}

export const columnNode = (table: string, column: string): string => `${table}.${column}`;
export const nameNode = (name: string): string => `:${name}`;

export function predicateReadsOf(statement: Statement, schema: Schema): StatementReads {
  const reader = new Reader(statement, schema);
  reader.statement(statement);
  return reader;
}

type ViewQueries = (view: string) => Query | undefined;

class Reader implements StatementReads {
  readonly reads: PredicateRead[] = [];
  readonly equals: Equal[] = [];
  readonly moved: Equal[] = [];
  readonly compared: Compared[] = [];
  private readonly views: ViewQueries;
  private readonly leaves: readonly Leaf[];
  private readonly ctes: ReadonlyMap<string, Query>;
  private readonly seenViews = new Set<string>();

  constructor(statement: Statement, schema: Schema) {
    this.views = (view) => schema.views?.find(({ name }) => name === view)?.query;
    const { queries, leaves } = contentsOf(statement);
    this.leaves = leaves;
    this.ctes = new Map(
      queries.flatMap((query) => ('with' in query ? (query.with?.ctes ?? []).map(({ name, query: own }) => [name, own]) : [])),
    );
  }

  statement(statement: Statement): void {
    this.queriesIn(statement);
    if (isWrite(statement)) this.write(statement);
    if (statement.kind === 'withWrites') {
      for (const { write } of statement.writes) this.write(write);
      if (isWrite(statement.last)) this.write(statement.last);
    }
    if (isQuery(statement) || isWrite(statement)) this.into(statement);
    for (const { when } of statement.stops ?? []) this.condition(when, []);
  }

  private queriesIn(statement: Statement): void {
    for (const query of contentsOf(statement).queries) if (query.kind === 'select') this.select(query);
    for (const leaf of this.leaves) {
      if (leaf.kind !== 'view' || this.seenViews.has(leaf.view)) continue;
      this.seenViews.add(leaf.view);
      const query = this.views(leaf.view);
      if (query !== undefined) this.queriesIn(query);
    }
  }

  private select({ from, where }: Select): void {
    const leaves = leavesOf(from);
    this.conditions([...conjunctsOf(where), ...joinConditions(from).flatMap(conjunctsOf)], leaves);
    for (const column of usingIn(from)) {
      const nodes = leaves.flatMap((leaf) => this.node({ kind: 'column', table: leaf.alias, column }, leaves) ?? []);
      for (const other of nodes.slice(1)) this.equals.push([nodes[0]!, other]);
    }
  }

  private write(write: WriteStatement): void {
    const own: Leaf = { kind: 'table', table: write.table, alias: write.table };
    if (write.kind === 'insert') return this.insert(write);
    const source = write.kind === 'update' ? write.from : write.kind === 'delete' ? write.using : write.source;
    const leaves = [own, ...(source === undefined ? [] : leavesOf(source))];
    const asked = write.kind === 'merge' ? write.on : write.where;
    this.conditions([...conjunctsOf(asked), ...(source === undefined ? [] : joinConditions(source).flatMap(conjunctsOf))], leaves);
    const set = write.kind === 'update' ? write.set : write.kind === 'merge' ? write.branches.flatMap((branch) => branch.set ?? []) : [];
    for (const { column, value } of set) this.written(write.table, column, this.node(value, leaves));
  }

  private insert({ table, columns, rows, query }: Extract<WriteStatement, { kind: 'insert' }>): void {
    const values = query === undefined ? rows : [itemsOf(query).map(({ expression }) => expression)];
    const leaves = query?.kind === 'select' ? leavesOf(query.from) : [];
    for (const row of values)
      for (const [place, value] of row.entries())
        if (columns[place] !== undefined) this.written(table, columns[place], this.node(value, leaves));
  }

  private written(table: string, column: string, node: string | undefined): void {
    if (node !== undefined) this.moved.push([columnNode(table, column), node]);
  }

  private into(statement: Query | WriteStatement): void {
    const items = isQuery(statement) ? itemsOf(statement) : (statement.returning ?? []);
    const leaves: readonly Leaf[] = isWrite(statement) ? [{ kind: 'table', table: statement.table, alias: statement.table }] : this.leaves;
    for (const [place, name] of (statement.into ?? []).entries()) {
      const node = this.node(items[place]?.expression, leaves);
      if (node !== undefined) this.moved.push([nameNode(name), node]);
    }
  }

  private conditions(all: readonly Expression[], leaves: readonly Leaf[]): void {
    const by = new Set<string>();
    const where: (readonly [string, Expression])[] = [];
    for (const each of all) {
      for (const node of this.condition(each, leaves)) by.add(node);
      const own = this.ownCondition(each, leaves);
      if (own !== undefined) where.push(own);
    }
    for (const leaf of leaves) {
      if (leaf.kind !== 'table') continue;
      const { table, alias } = leaf;
      const columns = [...by].flatMap((node) => (node.startsWith(`${alias} `) ? [node.slice(alias.length + 1)] : []));
      this.reads.push({ table, by: columns, where: where.flatMap(([at, each]) => (at === alias ? [each] : [])) });
    }
  }

  /** Returns the columns that it fixes, each after its alias. */
  private condition(each: Expression, leaves: readonly Leaf[]): readonly string[] {
    if (each.kind === 'logic' && each.op === 'and') return each.operands.flatMap((operand) => this.condition(operand, leaves));
    if (each.kind === 'compare' && each.op === '=') return this.equal(each.left, each.right, leaves);
    if (each.kind === 'in' && !each.negated) return each.list.flatMap((value) => this.equal(each.operand, value, leaves));
    if (each.kind === 'inQuery' && !each.negated) return this.equal(each.operand, itemsOf(each.query)[0]!.expression, leaves);
    const { expressions } = contentsOfExpressions([each]);
    const columns = expressions.flatMap((part) => (part.kind === 'column' ? (this.node(part, leaves) ?? []) : []));
    for (const name of namesIn([each])) this.compared.push({ name: nameNode(name), columns });
    return [];
  }

  private equal(left: Expression, right: Expression, leaves: readonly Leaf[]): readonly string[] {
    const [a, b] = [left, right].map((each) => this.node(each, leaves));
    this.join(a, b);
    const other = (each: Expression): Expression => (each === left ? right : left);
    return [left, right].flatMap((each) =>
      each.kind === 'column' && other(each).kind !== 'literal' && leaves.some(({ alias }) => alias === each.table)
        ? [`${each.table} ${each.column}`]
        : [],
    );
  }

  private join(a: string | undefined, b: string | undefined): void {
    if (a !== undefined && b !== undefined && a !== b) this.equals.push([a, b]);
  }

  /** Returns the node of a value that is one column, or one name, else undefined. */
  private node(each: Expression | undefined, leaves: readonly Leaf[]): string | undefined {
    if (each?.kind === 'parameter') return nameNode(each.name);
    if (each?.kind === 'subquery' && each.query.kind === 'select')
      return this.node(each.query.items[0]?.expression, leavesOf(each.query.from));
    if (each?.kind !== 'column') return undefined;
    const leaf = leaves.find(({ alias }) => alias === each.table) ?? this.leaves.find(({ alias }) => alias === each.table);
    if (leaf === undefined) return undefined;
    if (leaf.kind === 'table') return columnNode(leaf.table, each.column);
    const query = leaf.kind === 'view' ? this.views(leaf.view) : leaf.kind === 'cte' ? this.ctes.get(leaf.name) : leaf.query;
    if (query?.kind !== 'select') return undefined;
    const item = query.items.find(({ alias }) => alias === each.column)?.expression;
    // A common table that names itself would never end.
    return item === each ? undefined : this.node(item, leavesOf(query.from));
  }

  /** Returns the alias of a table and the condition, if the condition uses columns of that table alone. */
  private ownCondition(each: Expression, leaves: readonly Leaf[]): readonly [string, Expression] | undefined {
    const { expressions, queries } = contentsOfExpressions([each]);
    const columns = expressions.flatMap((part) => (part.kind === 'column' ? [part.table] : []));
    const [alias] = columns;
    const leaf = leaves.find((one) => one.alias === alias);
    const plain = queries.length === 0 && expressions.every(({ kind }) => kind !== 'parameter' && kind !== 'routine');
    return plain && leaf?.kind === 'table' && columns.every((other) => other === alias) ? [leaf.alias, each] : undefined;
  }
}

function usingIn(from: From): readonly string[] {
  return from.kind === 'join' ? [...(from.using ?? []), ...usingIn(from.left), ...usingIn(from.right)] : [];
}
