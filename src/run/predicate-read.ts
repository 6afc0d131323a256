/**
 * The predicate reads of a statement: per table the WHERE by which it looked at every row of it. The item reads of a
 * statement are made query by query (docs/EXACT-READS.md): a SELECT over one table reads the rows that satisfy its
 * WHERE, a derived table, a view and a WITH are read whole, and what becomes of the rows in GROUP BY, HAVING, INTERSECT
 * plays no part. So a table that several such SELECTs of a statement read is read by their WHEREs joined by OR.
 *
 * A table that the statement reads in any other way too (in a join, in or beside a subquery, behind a LIMIT) has none
 * that can be told. All of this holds only for statements whose reads are all shown.
 */
import { contentsOf, leavesOf, partsOfExpression } from '../../core/index.ts';
import type { Cte, Expression, From, Query, Select, Statement, View } from '../../core/index.ts';

export interface PredicateRead {
  readonly table: string;
  /** Absent: every row. Its columns are named by the table or any alias of it. */
  readonly where?: Expression;
}

type Leaf = Exclude<From, { kind: 'join' }>;
/** WITH queries by name, each with what it may name itself; undefined: recursive. */
type Scope = ReadonlyMap<string, { readonly query: Query; readonly scope: Scope } | undefined>;

/** One per table, or in words why there is none that can be told apart; undefined for statements that read no table. */
export function predicateReads(statement: Statement, views: readonly View[] = []): readonly PredicateRead[] | string | undefined {
  if ('name' in statement || (statement.kind === 'insert' && statement.query === undefined)) return undefined;
  const reads = new Reads(views);
  reads.statement(statement);
  return reads.result();
}

class Reads {
  private readonly views: readonly View[];
  private readonly byTable = new Map<string, (Expression | undefined)[]>();
  /** Tables that are read in another way too, and in which. */
  private readonly mixed = new Map<string, string>();

  constructor(views: readonly View[]) {
    this.views = views;
  }

  result(): readonly PredicateRead[] | string | undefined {
    const told = [...this.byTable].filter(([table]) => !this.mixed.has(table));
    if (told.length === 0) return [...this.mixed.values()][0];
    return told.map(([table, conditions]) => {
      const operands = conditions.filter((each) => each !== undefined);
      if (operands.length < conditions.length) return { table };
      return { table, where: operands.length === 1 ? operands[0]! : { kind: 'logic', op: 'or', operands } };
    });
  }

  statement(statement: Exclude<Statement, { kind: 'savepoint' | 'rollbackTo' | 'release' }>): void {
    switch (statement.kind) {
      case 'insert': {
        if (statement.conflict !== undefined) this.mixed.set(statement.table, 'an upsert');
        this.query(statement.query!, new Map(), true);
        return;
      }
      case 'update':
      case 'delete': {
        const others = statement.kind === 'update' ? statement.from : statement.using;
        const set = statement.kind === 'update' ? statement.set.map(({ value }) => value) : [];
        this.aside([...set, ...(statement.returning ?? []).map(({ expression }) => expression)], new Map());
        if (others !== undefined) {
          this.mixed.set(statement.table, 'a join');
          for (const leaf of leavesOf(others)) this.mix(leaf, new Map(), 'a join');
          this.aside(joinConditions(others), new Map());
        }
        const through = statement.kind === 'update' && statement.through !== undefined ? this.simpleView(statement.through) : undefined;
        if (through === 'none') this.mixed.set(statement.table, 'a view');
        else this.table(statement.table, and(through, statement.where), new Map());
        return;
      }
      case 'select':
      case 'unionAll':
      case 'setOperation':
        this.query(statement, new Map(), true);
    }
  }

  private query(query: Query, outer: Scope, top = false): void {
    if (query.kind === 'unionAll') {
      for (const arm of query.arms) this.query(arm, outer);
      return;
    }
    // a recursive WITH reads its tables round by round
    if (query.with?.recursive === true) for (const { query: each } of query.with.ctes) for (const leaf of contentsOf(each).leaves) this.mix(leaf, inside(each, outer), 'a recursive WITH');
    const scope = query.with === undefined ? outer : scopeOf(query.with.ctes, query.with.recursive, outer);
    if (query.kind === 'setOperation') {
      this.query(query.left, scope);
      this.query(query.right, scope);
    } else this.select(query, scope, top);
  }

  private select(select: Select, scope: Scope, top: boolean): void {
    const hides = select.limit !== undefined ? 'LIMIT' : select.lock?.wait === 'skip locked' ? 'SKIP LOCKED' : select.lock !== undefined && !top ? 'a lock within' : undefined;
    const expressions = [
      ...select.items.map(({ expression }) => expression), ...(select.groupBy ?? []), ...(select.having === undefined ? [] : [select.having]),
      ...(select.orderBy ?? []).map(({ expression }) => expression), ...joinConditions(select.from),
    ];
    this.aside(expressions, scope);
    if (hides !== undefined || select.from.kind === 'join') {
      for (const leaf of leavesOf(select.from)) this.mix(leaf, scope, hides ?? 'a join');
      this.aside(select.where === undefined ? [] : [select.where], scope);
      return;
    }
    const { from } = select;
    if (from.kind === 'table') return this.table(from.table, select.where, scope);
    this.aside(select.where === undefined ? [] : [select.where], scope);
    const within = this.within(from, scope);
    if (within === undefined || (from.kind === 'derived' && from.lateral === true)) this.mix(from, scope, from.kind === 'cte' ? 'a recursive WITH' : `a ${from.kind}`);
    else this.query(within.query, within.scope);
  }

  private table(table: string, where: Expression | undefined, scope: Scope): void {
    if (where !== undefined && subqueriesOf([where]).length > 0) {
      this.mixed.set(table, 'a subquery');
      this.aside([where], scope);
      return;
    }
    const list = this.byTable.get(table);
    if (list === undefined) this.byTable.set(table, [where]);
    else list.push(where);
  }

  /** What the subqueries of these expressions read is read for some rows only. */
  private aside(expressions: readonly Expression[], scope: Scope): void {
    for (const query of subqueriesOf(expressions)) for (const leaf of contentsOf(query).leaves) this.mix(leaf, inside(query, scope), 'a subquery');
  }

  /** All tables behind a FROM item are read in a way that is not told. */
  private mix(first: Leaf, outer: Scope, how: string): void {
    const todo: { leaf: Leaf; scope: Scope }[] = [{ leaf: first, scope: outer }];
    const seen = new Set<Leaf>();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { leaf, scope } = next;
      if (seen.has(leaf)) continue;
      seen.add(leaf);
      if (leaf.kind === 'table') this.mixed.set(leaf.table, how);
      const within = leaf.kind === 'table' ? undefined : this.within(leaf, scope);
      if (within !== undefined) for (const each of contentsOf(within.query).leaves) todo.push({ leaf: each, scope: inside(within.query, within.scope) });
    }
  }

  /** The query behind a FROM item; undefined for a recursive WITH, whose arms name their tables themselves. */
  private within(leaf: Exclude<Leaf, { kind: 'table' }>, scope: Scope): { query: Query; scope: Scope } | undefined {
    if (leaf.kind === 'derived') return { query: leaf.query, scope };
    if (leaf.kind === 'cte') return scope.get(leaf.name);
    const view = this.views.find(({ name }) => name === leaf.view);
    return view && { query: view.query, scope: new Map() };
  }

  /** The WHERE of a view over one table. */
  private simpleView(name: string): Expression | undefined | 'none' {
    const query = this.views.find((view) => view.name === name)?.query;
    return query?.kind === 'select' && query.from.kind === 'table' ? query.where : 'none';
  }
}

function scopeOf(ctes: readonly Cte[], recursive: boolean, outer: Scope): Scope {
  let scope = outer;
  for (const { name, query } of ctes) scope = new Map([...scope, [name, recursive ? undefined : { query, scope }]]);
  return scope;
}

/** The WITH queries that the parts of a query may name: its own, wherever they stand, before those around it. */
function inside(query: Query, outer: Scope): Scope {
  let scope = outer;
  for (const each of contentsOf(query).queries) if (each.kind !== 'unionAll' && each.with !== undefined) scope = scopeOf(each.with.ctes, each.with.recursive, scope);
  return scope;
}

function subqueriesOf(expressions: readonly Expression[]): readonly Query[] {
  const queries: Query[] = [];
  const todo = [...expressions];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const parts = partsOfExpression(next);
    todo.push(...parts.expressions);
    queries.push(...parts.queries);
  }
  return queries;
}

function joinConditions(from: From): readonly Expression[] {
  if (from.kind !== 'join') return [];
  return [...(from.on === undefined ? [] : [from.on]), ...joinConditions(from.left), ...joinConditions(from.right)];
}

function and(a: Expression | undefined, b: Expression | undefined): Expression | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { kind: 'logic', op: 'and', operands: [a, b] };
}
