/**
 * Queries over whatever versions a `scan` shows: FROM by nested loops, WHERE, groups, HAVING, windows, DISTINCT, ORDER BY
 * (NULLS LAST ascending, first descending, as PostgreSQL), LIMIT, set operations, WITH. A query is prepared once and run
 * for each frame of the query around it.
 *
 * `source.read` is told the item reads, by the definition in docs/EXACT-READS.md: the versions that satisfied FROM and
 * WHERE of each query that was run, whatever was made of them afterwards. A subquery of a WHERE is run for each row that
 * satisfies the conditions without subqueries; derived tables, views and WITH queries are run once and whole.
 */
import { conjunctsOf, contentsOf, hasSubquery, isGrouped } from '../../core/sql/index.ts';
import type { Cte, Expression, From, Query, Select, View, With } from '../../core/sql/index.ts';
import { compile, holds } from './evaluate.ts';
import type { Scope, ScopeEntry, Surroundings } from './evaluate.ts';
import type { Evaluator, Frame } from './frame.ts';
import { combine, distinct } from './set-operation.ts';
import type { Row, StoredTable, Version } from './store.ts';
import { SqlError, compareNullsLast, keyOf } from './values.ts';
import type { SqlValue } from './values.ts';

export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
}

export interface Source {
  table(name: string): StoredTable;
  view(name: string): View;
  /** The live versions that this statement sees. */
  scan(table: StoredTable): readonly Version[];
  /** An item read. */
  read(version: Version): void;
  /** What parts of the statement have returned, by their names. */
  readonly named?: ReadonlyMap<string, Named>;
  /** A predicate read of one table, whose condition depends on the row alone. */
  onPredicateRead?(predicateRead: PredicateRead): void;
  /** Locks what a locking select returns; false: skip the row (SKIP LOCKED). May throw. */
  lock(version: Version, select: Select): boolean;
}

export interface PredicateRead {
  readonly table: StoredTable;
  satisfies(values: readonly SqlValue[]): boolean;
  /** The condition names rows of a query around it: one predicate read for each of them. */
  readonly correlated: boolean;
  /** A key that was looked for in the newest state, which met a row: the versions of the table's rows as they were then. */
  readonly met?: ReadonlyMap<Row, Version>;
}

export function answerQuery(query: Query, source: Source): QueryAnswer {
  const prepared = prepare(query, outermost(source));
  return { columns: prepared.columns, rows: prepared.run([]) };
}

/** Of a whole statement. */
export function outermost(source: Source): Context {
  return { source, scope: [], named: source.named ?? new Map() };
}

/** What the queries around have to offer: rows whose columns may be named, WITH queries. */
export interface Context {
  readonly source: Source;
  readonly scope: Scope;
  readonly named: ReadonlyMap<string, Named>;
}

export interface Named {
  readonly columns: readonly string[];
  rows: readonly (readonly SqlValue[])[];
}

interface Prepared {
  readonly columns: readonly string[];
  run(outer: Frame): readonly (readonly SqlValue[])[];
}

function prepare(query: Query, context: Context): Prepared {
  if (query.kind === 'unionAll') {
    const arms = query.arms.map((arm) => prepare(arm, context));
    return { columns: arms[0]!.columns, run: (outer) => arms.flatMap((arm) => arm.run(outer)) };
  }
  if (query.with !== undefined) {
    const { with: clause, ...body } = query;
    return prepareWith(clause, body, context);
  }
  if (query.kind === 'select') return prepareSelect(query, context);
  const left = prepare(query.left, context);
  const right = prepare(query.right, context);
  return { columns: left.columns, run: (outer) => combine(query.op, query.all, left.run(outer), right.run(outer)) };
}

/** Only the WITH queries that the body names are run, each once. */
function prepareWith(clause: With, body: Query, context: Context): Prepared {
  const named = new Map(context.named);
  const steps: ((outer: Frame) => void)[] = [];
  const reached = reachedBy(body, clause.ctes);
  for (const cte of clause.ctes) {
    if (!reached.has(cte.name)) continue;
    const recursive = clause.recursive && cte.query.kind === 'setOperation' && names(cte.query.right, cte.name);
    const step = recursive
      ? prepareRecursive(cte, { ...context, named: new Map(named) })
      : prepare(cte.query, { ...context, named: new Map(named) });
    const cell: Named = { columns: step.columns, rows: [] };
    named.set(cte.name, cell);
    steps.push((outer) => {
      cell.rows = step.run(outer);
    });
  }
  const inner = prepare(body, { ...context, named });
  return {
    columns: inner.columns,
    run: (outer) => {
      for (const step of steps) step(outer);
      return inner.run(outer);
    },
  };
}

function prepareRecursive(cte: Cte, context: Context): Prepared {
  if (cte.query.kind !== 'setOperation') throw new SqlError('42P19', 'syntax', 'a recursive query is a UNION');
  const { left, right, all } = cte.query;
  const first = prepare(left, context);
  const working: Named = { columns: first.columns, rows: [] };
  const next = prepare(right, { ...context, named: new Map(context.named).set(cte.name, working) });
  return {
    columns: first.columns,
    run: (outer) => {
      const seen = new Set<string>();
      const fresh = (rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] => {
        if (all) return rows;
        return rows.filter((row) => {
          const key = keyOf(row);
          return !seen.has(key) && seen.add(key);
        });
      };
      const result: (readonly SqlValue[])[] = [];
      for (let rows = fresh(first.run(outer)); rows.length > 0; rows = fresh(next.run(outer))) {
        result.push(...rows);
        working.rows = rows;
        if (result.length > 100_000) throw new SqlError('54000', 'other', 'a recursion without end');
      }
      return result;
    },
  };
}

function reachedBy(body: Query, ctes: readonly Cte[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const todo: Query[] = [body];
  for (let query = todo.pop(); query; query = todo.pop()) {
    for (const cte of ctes) {
      if (reached.has(cte.name) || !names(query, cte.name)) continue;
      reached.add(cte.name);
      todo.push(cte.query);
    }
  }
  return reached;
}

function names(query: Query, name: string): boolean {
  return contentsOf(query).leaves.some((leaf) => leaf.kind === 'cte' && leaf.name === name);
}

interface Tuple {
  /** Without the frames around. */
  readonly frame: Frame;
  /** The versions of the tables in this FROM itself. */
  readonly versions: readonly Version[];
}

export interface Relation {
  readonly scope: Scope;
  run(outer: Frame): readonly Tuple[];
}

export function surroundings(context: Context): Surroundings {
  return {
    subquery: (query, scope) => {
      const prepared = prepare(query, { ...context, scope });
      return (frame) => prepared.run(frame);
    },
  };
}

/** The rows that satisfy a WHERE. Its subqueries are run, all of them, for those that satisfy everything else. */
export function prepareWhere(where: Expression | undefined, scope: Scope, around: Surroundings): (frame: Frame) => boolean {
  const conjuncts = conjunctsOf(where);
  const plain = conjuncts.filter((each) => !hasSubquery(each)).map((each) => compile(each, scope, around));
  const others = conjuncts.filter(hasSubquery).map((each) => compile(each, scope, around));
  return (frame) => {
    if (!plain.every((each) => holds(each, frame))) return false;
    const answers = others.map((each) => holds(each, frame));
    return !answers.includes(false);
  };
}

function prepareSelect(select: Select, context: Context): Prepared {
  const { source } = context;
  const relation = prepareFrom(select.from, context);
  const scope = [...relation.scope, ...context.scope];
  const plain = surroundings(context);
  const around = select.rollup ? { ...plain, rollup: select.groupBy!.map((each) => JSON.stringify(each)) } : plain;
  const where = prepareWhere(select.where, scope, plain);
  const grouped = isGrouped(select);
  const group = grouped ? prepareGroups(select, relation.scope.length, (each) => compile(each, scope, plain)) : undefined;
  const having = select.having && compile(select.having, scope, around);
  const items = select.items.map((item) => compile(item.expression, scope, around));
  const alone = select.from.kind === 'table' && !conjunctsOf(select.where).some(hasSubquery) ? source.table(select.from.table) : undefined;
  const order = (select.orderBy ?? []).map((item) => ({ of: compile(item.expression, scope, around), descending: item.descending }));
  const correlated = contentsOf({
    kind: 'select',
    items: [],
    from: select.from,
    ...(select.where && { where: select.where }),
  }).expressions.some((each) => each.kind === 'column' && !relation.scope.some(({ alias }) => alias === each.table));
  return {
    columns: select.items.map((item) => item.alias),
    run: (outer) => {
      const tuples: Tuple[] = [];
      if (alone) source.onPredicateRead?.({ table: alone, satisfies: (values) => where([values, ...outer]), correlated });
      for (const { frame, versions } of relation.run(outer)) {
        const whole = [...frame, ...outer];
        if (where(whole)) tuples.push({ frame: whole, versions });
      }
      for (const { versions } of tuples) versions.forEach((version) => source.read(version));
      let results: readonly Tuple[] = group
        ? group(
            tuples.map(({ frame }) => frame),
            outer,
          ).map((frame) => ({ frame, versions: [] }))
        : tuples;
      if (having) results = results.filter(({ frame }) => holds(having, frame));
      const frames = results.map(({ frame }) => frame);
      frames.forEach((frame, place) => Object.assign(frame, { beside: frames, place }));
      let rows = results.map((tuple) => ({ tuple, values: items.map((item) => item(tuple.frame)) }));
      if (order.length > 0) rows = sorted(rows, order);
      if (select.distinct) rows = distinct(rows, ({ values }) => values);
      if (select.lock === undefined) return rows.slice(0, select.limit).map(({ values }) => values);
      const returned: (readonly SqlValue[])[] = [];
      for (const { tuple, values } of rows) {
        if (select.limit !== undefined && returned.length >= select.limit) break;
        if (tuple.frame.slice(0, relation.scope.length).includes(null))
          throw new SqlError('0A000', 'syntax', 'FOR UPDATE cannot be applied to the nullable side of an outer join');
        if (tuple.versions.every((version) => source.lock(version, select))) returned.push(values);
      }
      return returned;
    },
  };
}

/** Frames, one for each group; ROLLUP adds those of the first keys alone, down to none. */
function prepareGroups(
  select: Select,
  width: number,
  compiled: (expression: Expression) => Evaluator,
): (frames: readonly Frame[], outer: Frame) => readonly Frame[] {
  const keys = (select.groupBy ?? []).map(compiled);
  return (frames, outer) => {
    const groups: Frame[] = [];
    for (let count = keys.length; count >= (select.rollup ? 0 : keys.length); count--) {
      const members = new Map<string, Frame[]>();
      if (count === 0) members.set('', []);
      for (const frame of frames) {
        const key = keyOf(keys.slice(0, count).map((each) => each(frame)));
        const list = members.get(key);
        if (list) list.push(frame);
        else members.set(key, [frame]);
      }
      for (const group of members.values()) {
        const shown = group[0] ?? [...Array.from({ length: width }, () => null), ...outer];
        groups.push(Object.assign([...shown], { group, keyed: count }));
      }
    }
    return groups;
  };
}

export function prepareFrom(node: From, context: Context): Relation {
  const { source } = context;
  switch (node.kind) {
    case 'table': {
      const table = source.table(node.table);
      return {
        scope: [{ alias: node.alias, columns: table.columns }],
        run: () => source.scan(table).map((version) => ({ frame: [version.values], versions: [version] })),
      };
    }
    case 'view':
      return shownAs(node.alias, prepare(source.view(node.view).query, { source, scope: [], named: new Map() }), []);
    case 'cte': {
      const named = context.named.get(node.name);
      if (named === undefined) throw new SqlError('42P01', 'syntax', `relation ${node.name} does not exist`);
      return shownAs(node.alias, { columns: named.columns, run: () => named.rows });
    }
    case 'derived':
      return shownAs(node.alias, prepare(node.query, context));
    case 'join':
      return prepareJoin(node, context);
  }
}

function shownAs(alias: string, query: Prepared, outer?: Frame): Relation {
  return {
    scope: [{ alias, columns: query.columns }],
    run: (around) => query.run(outer ?? around).map((row) => ({ frame: [row], versions: [] })),
  };
}

function prepareJoin(node: Extract<From, { kind: 'join' }>, context: Context): Relation {
  const left = prepareFrom(node.left, context);
  const lateral = isLateral(node.right);
  const right = prepareFrom(node.right, lateral ? { ...context, scope: [...left.scope, ...context.scope] } : context);
  const scope: ScopeEntry[] = [...left.scope, ...right.scope];
  const condition = node.on ?? (node.using && equalOn(node.using, left.scope, right.scope));
  const on = condition && compile(condition, [...scope, ...context.scope], surroundings(context));
  const absent = right.scope.map(() => null);
  return {
    scope,
    run: (outer) => {
      const tuples: Tuple[] = [];
      const lefts = left.run(outer);
      const all = lateral ? [] : right.run(outer);
      for (const l of lefts) {
        let matched = false;
        for (const r of lateral ? right.run([...l.frame, ...outer]) : all) {
          const frame = [...l.frame, ...r.frame];
          if (on && !holds(on, [...frame, ...outer])) continue;
          matched = true;
          tuples.push({ frame, versions: [...l.versions, ...r.versions] });
        }
        if (!matched && node.type === 'left') tuples.push({ frame: [...l.frame, ...absent], versions: l.versions });
      }
      return tuples;
    },
  };
}

function isLateral(node: From): boolean {
  if (node.kind === 'join') return isLateral(node.left) || isLateral(node.right);
  return node.kind === 'derived' && node.lateral === true;
}

function equalOn(columns: readonly string[], left: Scope, right: Scope): Expression {
  const column = (scope: Scope, name: string): Expression => ({
    kind: 'column',
    table: scope.find((entry) => entry.columns.includes(name))?.alias ?? '',
    column: name,
  });
  return {
    kind: 'logic',
    op: 'and',
    operands: columns.map((name) => ({ kind: 'compare', op: '=', left: column(left, name), right: column(right, name) })),
  };
}

function sorted<T extends { readonly tuple: Tuple }>(
  rows: readonly T[],
  keys: readonly { readonly of: Evaluator; readonly descending: boolean }[],
): T[] {
  const decorated = rows.map((row) => ({ row, values: keys.map((key) => key.of(row.tuple.frame)) }));
  decorated.sort((a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const order = compareNullsLast(a.values[k]!, b.values[k]!);
      if (order !== 0) return keys[k]!.descending ? -order : order;
    }
    return 0;
  });
  return decorated.map((entry) => entry.row);
}
