/**
 * The predicate reads of a statement: the WHERE of every SELECT over one table, by which it looked at every row of it.
 * Queries are read one by one (docs/EXACT-READS.md): a derived table, a view, a WITH query (of a recursive one the first
 * arm) are read whole and once, and what becomes of the rows in GROUP BY, HAVING, INTERSECT plays no part.
 *
 * A subquery is read for each candidate of the query around it: a combination of the FROM that satisfies the conditions
 * without subqueries. Where no candidate is, it is not read at all, so such a read comes with what its candidates are
 * (candidates.ts); if it names their columns, it is one read for each of them.
 *
 * In joins, behind a LIMIT, a lock within, in the further rounds of a recursive WITH a table is read in a way that is not
 * told. All of this holds only for statements whose reads are all shown.
 */
import {
  InternalError,
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
} from '../../core/index.ts';
import type {
  Capabilities,
  ColumnExpression,
  Cte,
  Expression,
  From,
  Insert,
  Leaf,
  Merge,
  Query,
  Select,
  Statement,
  View,
} from '../../core/index.ts';
import { EVERYTHING, candidatesOf, followSubqueries } from './candidates.ts';
import type { Candidates, Place } from './candidates.ts';
import { renamed } from './conditions.ts';

export interface PredicateRead {
  readonly table: string;
  /** Absent: every row. Columns of the table are named by the table or any alias of it, those of a query around it as there. */
  readonly where?: Expression;
  /** Absent: made once, whatever the data. Else made for each of these, `outer` being the columns of theirs that it names. */
  readonly within?: Candidates;
  readonly outer?: readonly ColumnExpression[];
}

export interface PredicateReads {
  readonly reads: readonly PredicateRead[];
  /** Tables that are read in another way too, and in which. */
  readonly otherwise: ReadonlyMap<string, UnmodelledRead>;
  /** Of these the one whose rows are shown as written alone: that of an UPDATE or DELETE by a condition with a subquery. */
  readonly written?: string;
}

/** How a table is read, where that is not told. */
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

/** What of a DBMS decides which rows are read. */
type Sight = Pick<Capabilities, 'readsBehindNull' | 'capture'>;

/** WITH queries by name, each with what it may name itself; undefined: a recursive one, in its own arms. */
type Scope = ReadonlyMap<string, { readonly query: Query; readonly scope: Scope } | undefined>;

/** Undefined for statements that read no table. */
export function predicateReads(statement: Statement, views: readonly View[] = [], capabilities: Sight = {}): PredicateReads | undefined {
  if ('name' in statement) return undefined;
  if (statement.kind === 'insert' && statement.query === undefined && ![...statement.rows.flat(), ...laterOf(statement)].some(hasSubquery))
    return undefined;
  const reads = new Reads(views, capabilities);
  // Where conditions are evaluated there are no functions, and what one gives may be another thing at another time.
  if (routinesCalled(statement).length > 0) reads.unmodelled(statement, 'a function');
  else reads.statement(statement);
  return reads.result();
}

class Reads {
  private readonly views: readonly View[];
  private readonly capabilities: Sight;
  private readonly reads: PredicateRead[] = [];
  private readonly mixed = new Map<string, UnmodelledRead>();
  /** Of an upsert: it may look at another version of these rows than its query does. */
  private upserted: string | undefined;
  /** Of an UPDATE or DELETE by a condition with a subquery. */
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
        return; // They read no row.
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
    // Of several partners of a row any may count for SET: only what all candidates of the row share is certain.
    const chosen: Place =
      tried === undefined || tried === EVERYTHING
        ? undefined
        : { ...tried, named: new Set([alias]), ...(hasSubquery(where) && { written: true }) };
    const inOrder = this.capabilities.capture?.newValues === true;
    for (const [i, value] of set.entries())
      this.expression(value, new Map(), inOrder && i > 0 && namesRow(value, alias) ? undefined : chosen);
    for (const { expression } of statement.returning ?? []) this.expression(expression, new Map(), undefined);
  }

  /** All of its tables; the parts of a WITH that writes read the state before all of them, beside one another. */
  unmodelled(statement: Statement, how: UnmodelledRead): void {
    for (const part of statement.kind === 'withWrites' ? [...statement.writes.map(({ write }) => write), statement.last] : [statement]) {
      for (const table of writtenTables(part)) this.mixed.set(table, how);
      for (const leaf of contentsOf(part).leaves) this.mix(leaf, isQuery(part) ? inside(part, new Map()) : new Map(), how);
    }
  }

  /** Where rows of the source that meet none are asked for, it is read whole; else perhaps not, where the table has no row. */
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

  /** The leaves of a FROM that is no single table: tables are read in combination, all others whole. */
  private join(from: From, scope: Scope, place: Place): void {
    for (const leaf of leavesOf(from)) {
      if (leaf.kind === 'table') {
        this.mixed.set(leaf.table, 'a join');
        continue;
      }
      const within = this.within(leaf, scope);
      if (within === undefined) continue; // the working table of a recursive WITH
      if (leaf.kind === 'derived' && leaf.lateral === true) this.mix(leaf, scope, 'a lateral table');
      else if (leaf.kind !== 'cte') this.query(within.query, within.scope, place);
      else if (!this.visited.has(within.query)) {
        this.visited.add(within.query);
        this.with(leaf.name, within, place);
      }
    }
  }

  /** Of a recursive WITH only the first arm is read whole; the other one reads its tables round by round. */
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

  /** `alias`: by what the condition names the table. A read that names more than its candidates have is not told. */
  private add(read: PredicateRead, place: Place, alias: string): void {
    if (place === EVERYTHING) {
      this.reads.push(read);
      return;
    }
    const names = read.where === undefined ? [] : columnsOf(read.where).filter(({ table }) => table !== alias);
    if (place === undefined || names.some(({ table }) => !place.named.has(table))) this.mixed.set(read.table, 'a subquery');
    else this.reads.push({ ...read, within: place, outer: names });
  }

  /** What the subqueries of an expression read, which is evaluated for all these candidates; undefined: for some rows that are not told. */
  private expression(expression: Expression, scope: Scope, place: Place): void {
    followSubqueries(expression, place, this.capabilities, (query, candidates) => {
      if (candidates !== undefined) return this.query(query, scope, candidates);
      for (const leaf of contentsOf(query).leaves) this.mix(leaf, inside(query, scope), 'a subquery');
    });
  }

  /** Of several with subqueries any may decide, and the server then leaves the others unread. */
  private conjuncts(where: Expression | undefined, scope: Scope, tried: Place): void {
    const conjuncts = conjunctsOf(where);
    const certain = conjuncts.filter(hasSubquery).length > 1 ? undefined : tried;
    for (const condition of conjuncts) this.expression(condition, scope, certain);
  }

  private candidates(from: From, where: Expression | undefined, scope: Scope): Place {
    return candidatesOf(from, where, (leaf) => this.within(leaf, scope)?.query);
  }

  /** All tables behind a FROM item are read in a way that is not told. */
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

  /** The query behind a FROM item; undefined for a recursive WITH within itself. */
  private within(leaf: Exclude<Leaf, { kind: 'table' }>, scope: Scope): { query: Query; scope: Scope } | undefined {
    if (leaf.kind === 'derived') return { query: leaf.query, scope };
    if (leaf.kind === 'cte') return scope.get(leaf.name);
    const view = this.views.find(({ name }) => name === leaf.view);
    return view && { query: view.query, scope: new Map() };
  }

  /** The condition of a view over one table, and the alias by which it names the table. */
  private simpleView(name: string): { readonly where: Expression | undefined; readonly alias: string } | 'none' {
    const query = this.views.find((view) => view.name === name)?.query;
    return query?.kind === 'select' && query.from.kind === 'table' ? { where: query.where, alias: query.from.alias } : 'none';
  }
}

/**
 * Behind another assignment of the same UPDATE it means the row as that has left it, where assignments are made in order
 * (MySQL, MariaDB); a column that is computed from others changes with them.
 */
function namesRow(value: Expression, alias: string): boolean {
  return contentsOfExpressions([value]).expressions.some((each) => each.kind === 'column' && (each.table ?? alias) === alias);
}

/** What an INSERT evaluates for the rows that it meets, or has put in. */
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

/** The WITH queries that the parts of a query may name: its own, wherever they stand, before those around it. */
function inside(query: Query, outer: Scope): Scope {
  let scope = outer;
  for (const each of contentsOf(query).queries)
    if (each.kind !== 'unionAll' && each.with !== undefined) scope = scopeOf(each.with.ctes, each.with.recursive, scope);
  return scope;
}
