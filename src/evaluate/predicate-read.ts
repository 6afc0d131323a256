/**
 * The predicate reads of a statement: the WHERE of every SELECT over one table, which was evaluated for every row of it.
 * Queries are read one by one (docs/EXACT-READS.md). A derived table, a view and a WITH query (a recursive one: its first
 * arm) are read whole and once. The effect of GROUP BY, HAVING and INTERSECT on the rows does not matter.
 *
 * A subquery is evaluated for each candidate of the query around it: a combination of the FROM that satisfies the
 * conditions without subqueries. Without a candidate it is not evaluated at all, so its read comes with its candidates
 * (candidates.ts). If it names their columns, it is one read for each of them.
 *
 * Some reads are not modelled: joins, reads under a LIMIT, a lock within, and the later rounds of a recursive WITH. All of
 * this holds only for statements whose reads are all shown.
 */
import { InternalError } from '../../core/base/index.ts';
import {
  columnsOf,
  conjunction,
  conjunctsOf,
  contentsOf,
  contentsOfExpressions,
  hasAggregate,
  hasSubquery,
  isQuery,
  joinConditions,
  leavesOf,
  routinesCalled,
  writtenTables,
} from '../../core/sql/index.ts';
import type { ColumnExpression, Cte, Expression, From, Insert, Leaf, Merge, Query, Select, Statement, View } from '../../core/sql/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import { EVERYTHING, candidatesOf, followSubqueries } from './candidates.ts';
import type { Candidates, Place } from './candidates.ts';
import { renamed } from './conditions.ts';

export interface PredicateRead {
  readonly table: string;
  /**
   * Absent: every row. The condition names the table's columns by the table or any alias of it, and outer columns as the
   * outer query does.
   */
  readonly where?: Expression;
  /**
   * Absent: the read is made once, whatever the data. Otherwise it is made for each candidate, and `outer` has the
   * columns of theirs that it names.
   */
  readonly within?: Candidates;
  readonly outer?: readonly ColumnExpression[];
}

export interface PredicateReads {
  readonly reads: readonly PredicateRead[];
  /** Tables that are also read in a way that is not modelled, and the way. */
  readonly otherwise: ReadonlyMap<string, UnmodelledRead>;
  /** The table of an UPDATE or DELETE by a condition with a subquery. Only its written rows are shown. */
  readonly written?: string;
}

/** The ways to read a table that are not modelled. */
export type UnmodelledRead =
  | 'a join'
  | 'a subquery'
  | 'a view'
  | 'a lateral table'
  | 'a recursive WITH'
  | 'a lock within'
  | 'LIMIT'
  | 'SKIP LOCKED'
  | 'an upsert'
  | 'a WITH that writes'
  | 'a function';

/** The capabilities that decide which rows are read. */
type Sight = Pick<Capabilities, 'readsBehindNull' | 'capture'>;

/** WITH queries by name, each with the scope that it may name itself. Undefined: a recursive query, inside its own arms. */
type Scope = ReadonlyMap<string, { readonly query: Query; readonly scope: Scope } | undefined>;

/** Undefined for statements that read no table. */
export function predicateReads(statement: Statement, views: readonly View[] = [], capabilities: Sight = {}): PredicateReads | undefined {
  if ('name' in statement) return undefined;
  if (statement.kind === 'insert' && statement.query === undefined && ![...statement.rows.flat(), ...laterOf(statement)].some(hasSubquery))
    return undefined;
  const reads = new Reads(views, capabilities);
  // The scratch tables have no functions, and a function may return another value at another time.
  if (routinesCalled(statement).length > 0) reads.unmodelled(statement, 'a function');
  else reads.statement(statement);
  return reads.result();
}

class Reads {
  private readonly views: readonly View[];
  private readonly capabilities: Sight;
  private readonly reads: PredicateRead[] = [];
  private readonly mixed = new Map<string, UnmodelledRead>();
  /** The table of an upsert, which may see another version of these rows than its query does. */
  private upserted: string | undefined;
  /** The table of an UPDATE or DELETE by a condition with a subquery. */
  private target: string | undefined;
  private readonly visited = new Set<Query>();

  constructor(views: readonly View[], capabilities: Sight) {
    this.views = views;
    this.capabilities = capabilities;
  }

  result(): PredicateReads {
    const { upserted } = this;
    const modelled = this.reads.filter(
      ({ table, within }) => upserted === undefined || (table !== upserted && !within?.leaves.some((leaf) => leaf.table === upserted)),
    );
    for (const read of this.reads) if (!modelled.includes(read) && !this.mixed.has(read.table)) this.mixed.set(read.table, 'an upsert');
    const { target } = this;
    if (target === undefined || this.mixed.has(target)) return { reads: modelled, otherwise: this.mixed };
    return { reads: modelled, otherwise: new Map([...this.mixed, [target, 'a subquery']]), written: target };
  }

  statement(statement: Exclude<Statement, { kind: 'savepoint' | 'rollbackTo' | 'release' }>): void {
    switch (statement.kind) {
      case 'insert': {
        if (statement.conflict !== undefined) {
          this.upserted = statement.table;
          this.mixed.set(statement.table, 'an upsert');
        }
        for (const value of statement.rows.flat()) this.expression(value, new Map(), EVERYTHING);
        if (statement.query !== undefined) this.query(statement.query, new Map(), EVERYTHING, true);
        for (const expression of laterOf(statement)) this.expression(expression, new Map(), undefined);
        return;
      }
      case 'update':
      case 'delete':
        return this.write(statement);
      case 'merge':
        return this.merge(statement);
      case 'withWrites':
        return this.unmodelled(statement, 'a WITH that writes');
      case 'changeTable':
        throw new InternalError(`${statement.kind} is not instrumented: none may be planned for a run`);
      case 'advisoryLock':
      case 'lockTable':
        return; // The statement reads no row.
      case 'select':
      case 'unionAll':
      case 'setOperation':
        this.query(statement, new Map(), EVERYTHING, true);
    }
  }

  private write(statement: Extract<Statement, { kind: 'update' | 'delete' }>): void {
    const others = statement.kind === 'update' ? statement.from : statement.using;
    const set = statement.kind === 'update' ? statement.set.map(({ value }) => value) : [];
    const through = statement.kind === 'update' ? statement.through : undefined;
    const alias = through ?? statement.table;
    const shown = through === undefined ? undefined : this.simpleView(through);
    const target: Leaf = { kind: 'table', table: statement.table, alias };
    const from: From = others === undefined ? target : { kind: 'join', type: 'cross', left: target, right: others };
    const where =
      shown === 'none'
        ? statement.where
        : conjunction([shown && renamed(shown.where, shown.alias, alias), statement.where].filter((each) => each !== undefined));

    if (shown === 'none') this.mixed.set(statement.table, 'a view');
    else if (others !== undefined) this.mixed.set(statement.table, 'a join');
    else if (hasSubquery(where)) this.target = statement.table;
    else this.add({ table: statement.table, ...(where && { where }) }, EVERYTHING, alias);
    if (others !== undefined) this.join(others, new Map(), EVERYTHING);

    const tried = shown === 'none' ? undefined : this.candidates(from, where, new Map());
    this.conjuncts(where, new Map(), tried);
    // A row may have several partners, and any of them may count for SET. Only the conditions that all candidates of the
    // row share are certain.
    const chosen: Place =
      tried === undefined || tried === EVERYTHING
        ? undefined
        : { ...tried, named: new Set([alias]), ...(hasSubquery(where) && { written: true }) };
    const inOrder = this.capabilities.capture?.newValues === true;
    for (const [i, value] of set.entries())
      this.expression(value, new Map(), inOrder && i > 0 && namesRow(value, alias) ? undefined : chosen);
    for (const { expression } of statement.returning ?? []) this.expression(expression, new Map(), undefined);
  }

  /** Marks all tables of the statement. The parts of a WITH that writes all read the state before any of them. */
  unmodelled(statement: Statement, how: UnmodelledRead): void {
    for (const part of statement.kind === 'withWrites' ? [...statement.writes.map(({ write }) => write), statement.last] : [statement]) {
      for (const table of writtenTables(part)) this.mixed.set(table, how);
      for (const leaf of contentsOf(part).leaves) this.mix(leaf, isQuery(part) ? inside(part, new Map()) : new Map(), how);
    }
  }

  /**
   * A MERGE that inserts reads its source whole, because it needs the rows without a match. Otherwise the server may not
   * read it, if the table has no row.
   */
  private merge({ table, source, on, branches }: Merge): void {
    this.mixed.set(table, 'a join');
    if (!branches.some(({ action }) => action === 'insert')) for (const leaf of leavesOf(source)) this.mix(leaf, new Map(), 'a join');
    else if (source.kind === 'table') this.add({ table: source.table }, EVERYTHING, source.alias);
    else this.join(source, new Map(), EVERYTHING);
    const inBranches = branches.flatMap(({ and, set = [], values = [] }) => [and, ...set.map(({ value }) => value), ...values]);
    for (const each of [on, ...inBranches]) if (each !== undefined) this.expression(each, new Map(), undefined);
  }

  private query(query: Query, outer: Scope, place: Place, top = false): void {
    if (query.kind === 'unionAll') {
      for (const arm of query.arms) this.query(arm, outer, place);
      return;
    }
    const scope = query.with === undefined ? outer : scopeOf(query.with.ctes, query.with.recursive, outer);
    if (query.kind === 'setOperation') {
      this.query(query.left, scope, place);
      this.query(query.right, scope, place);
    } else this.select(query, scope, place, top);
  }

  private select(select: Select, scope: Scope, place: Place, top: boolean): void {
    const { from } = select;
    const hides =
      select.limit !== undefined
        ? 'LIMIT'
        : select.lock?.wait === 'skip locked'
          ? 'SKIP LOCKED'
          : select.lock !== undefined && !top
            ? 'a lock within'
            : undefined;
    if (hides !== undefined || place === undefined) for (const leaf of leavesOf(from)) this.mix(leaf, scope, hides ?? 'a subquery');
    else if (from.kind === 'table') {
      if (hasSubquery(select.where)) this.mixed.set(from.table, 'a subquery');
      else this.add({ table: from.table, ...(select.where && { where: select.where }) }, place, from.alias);
    } else this.join(from, scope, place);

    // Subqueries of a subquery are not followed.
    const tried = hides === undefined && place === EVERYTHING ? this.candidates(from, select.where, scope) : undefined;
    this.conjuncts(select.where, scope, tried);
    const grouped =
      select.groupBy !== undefined || select.having !== undefined || select.items.some(({ expression }) => hasAggregate(expression));
    for (const { expression } of select.items) this.expression(expression, scope, grouped || hasSubquery(select.where) ? undefined : tried);
    const others = [
      ...(select.groupBy ?? []),
      ...(select.having === undefined ? [] : [select.having]),
      ...(select.orderBy ?? []).map(({ expression }) => expression),
      ...joinConditions(from),
    ];
    for (const expression of others) this.expression(expression, scope, undefined);
  }

  /** Reads the leaves of a FROM that is more than one table: tables in combination, all other leaves whole. */
  private join(from: From, scope: Scope, place: Place): void {
    for (const leaf of leavesOf(from)) {
      if (leaf.kind === 'table') {
        this.mixed.set(leaf.table, 'a join');
        continue;
      }
      const within = this.within(leaf, scope);
      if (within === undefined) continue; // The leaf is the working table of a recursive WITH.
      if (leaf.kind === 'derived' && leaf.lateral === true) this.mix(leaf, scope, 'a lateral table');
      else if (leaf.kind !== 'cte') this.query(within.query, within.scope, place);
      else if (!this.visited.has(within.query)) {
        this.visited.add(within.query);
        this.with(leaf.name, within, place);
      }
    }
  }

  /** Only the first arm of a recursive WITH is read whole. The other arm reads its tables round by round. */
  private with(name: string, { query, scope }: { readonly query: Query; readonly scope: Scope }, place: Place): void {
    const recursive =
      query.kind === 'setOperation' &&
      contentsOf(query.right).leaves.some((leaf) => leaf.kind === 'cte' && leaf.name === name) &&
      scope.has(name) &&
      scope.get(name) === undefined;
    if (!recursive) return this.query(query, scope, place);
    this.query(query.left, scope, place);
    for (const leaf of contentsOf(query.right).leaves) this.mix(leaf, inside(query.right, scope), 'a recursive WITH');
  }

  /** `alias`: the name of the table in the condition. A read that names more than its candidates have is not modelled. */
  private add(read: PredicateRead, place: Place, alias: string): void {
    if (place === EVERYTHING) {
      this.reads.push(read);
      return;
    }
    const names = read.where === undefined ? [] : columnsOf(read.where).filter(({ table }) => table !== alias);
    if (place === undefined || names.some(({ table }) => !place.named.has(table))) this.mixed.set(read.table, 'a subquery');
    else this.reads.push({ ...read, within: place, outer: names });
  }

  /** Reads the subqueries of an expression that is evaluated for all these candidates. Undefined: for rows that are not modelled. */
  private expression(expression: Expression, scope: Scope, place: Place): void {
    followSubqueries(expression, place, this.capabilities, (query, candidates) => {
      if (candidates !== undefined) return this.query(query, scope, candidates);
      for (const leaf of contentsOf(query).leaves) this.mix(leaf, inside(query, scope), 'a subquery');
    });
  }

  /** If several conditions hold subqueries, any of them may decide, and the server then leaves the others unread. */
  private conjuncts(where: Expression | undefined, scope: Scope, tried: Place): void {
    const conjuncts = conjunctsOf(where);
    const certain = conjuncts.filter(hasSubquery).length > 1 ? undefined : tried;
    for (const condition of conjuncts) this.expression(condition, scope, certain);
  }

  private candidates(from: From, where: Expression | undefined, scope: Scope): Place {
    return candidatesOf(from, where, (leaf) => this.within(leaf, scope)?.query);
  }

  /** Marks all tables behind a FROM item as read in a way that is not modelled. */
  private mix(first: Leaf, outer: Scope, how: UnmodelledRead): void {
    const todo: { leaf: Leaf; scope: Scope }[] = [{ leaf: first, scope: outer }];
    const seen = new Set<Leaf>();
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { leaf, scope } = next;
      if (seen.has(leaf)) continue;
      seen.add(leaf);
      if (leaf.kind === 'table') this.mixed.set(leaf.table, how);
      const within = leaf.kind === 'table' ? undefined : this.within(leaf, scope);
      if (within !== undefined)
        for (const each of contentsOf(within.query).leaves) todo.push({ leaf: each, scope: inside(within.query, within.scope) });
    }
  }

  /** Returns the query behind a FROM item; undefined for a recursive WITH within itself. */
  private within(leaf: Exclude<Leaf, { kind: 'table' }>, scope: Scope): { query: Query; scope: Scope } | undefined {
    if (leaf.kind === 'derived') return { query: leaf.query, scope };
    if (leaf.kind === 'cte') return scope.get(leaf.name);
    const view = this.views.find(({ name }) => name === leaf.view);
    return view && { query: view.query, scope: new Map() };
  }

  /** Returns the condition of a view over one table, and its alias for the table. */
  private simpleView(name: string): { readonly where: Expression | undefined; readonly alias: string } | 'none' {
    const query = this.views.find((view) => view.name === name)?.query;
    return query?.kind === 'select' && query.from.kind === 'table' ? { where: query.where, alias: query.from.alias } : 'none';
  }
}

/**
 * True if the value names the row. Where assignments are made in order (MySQL, MariaDB), it then means the row after the
 * earlier assignments, computed columns included.
 */
function namesRow(value: Expression, alias: string): boolean {
  return contentsOfExpressions([value]).expressions.some((each) => each.kind === 'column' && (each.table ?? alias) === alias);
}

/** Returns the expressions that an INSERT evaluates for the rows that it meets or has inserted. */
function laterOf({ conflict, returning = [] }: Insert): readonly Expression[] {
  const shown = returning.map(({ expression }) => expression);
  if (conflict?.action !== 'update') return shown;
  return [...conflict.set.map(({ value }) => value), ...(conflict.where === undefined ? [] : [conflict.where]), ...shown];
}

function scopeOf(ctes: readonly Cte[], recursive: boolean, outer: Scope): Scope {
  let scope = outer;
  for (const { name, query } of ctes)
    scope = new Map([...scope, [name, { query, scope: recursive ? new Map([...scope, [name, undefined]]) : scope }]]);
  return scope;
}

/** Returns the WITH queries that the parts of a query may name. Its own hide those around it, wherever they stand. */
function inside(query: Query, outer: Scope): Scope {
  let scope = outer;
  for (const each of contentsOf(query).queries)
    if (each.kind !== 'unionAll' && each.with !== undefined) scope = scopeOf(each.with.ctes, each.with.recursive, scope);
  return scope;
}
