/** Turns SELECT and set operations of PostgreSQL's parser into unresolved IR. */
import type { From, Lock, Query, Select, SelectItem, With } from '../../../core/sql/index.ts';
import { refuse } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import { itemName } from './item-name.ts';
import { readAll, readExpression, readOrder, type Reading } from './read-expression.ts';
import { REFUSED_FIELDS } from './refused.ts';

export function readQuery(node: Node, reading: Reading): Query {
  return consume('SelectStmt', node, (f) => (f.text('op') === 'SETOP_NONE' ? readSelect(f, reading) : readOrderedSetOperation(f, reading)));
}

function readSelect(f: Fields, reading: Reading): Select {
  if (f.has('valuesLists')) refuse(REFUSED_FIELDS['SelectStmt.valuesLists']!);
  const clause = readWith(f, reading);
  const distinct = readDistinct(f);
  const items = readItems(f.nodes('targetList'), reading);
  if (items.length === 0) refuse('a query without columns is not supported: select at least one');
  const from =
    readFromList(f.nodes('fromClause'), reading) ??
    refuse('a SELECT without FROM is not supported: it reads no table; write the value where it is needed, or select it from a table');
  const where = f.has('whereClause') ? readExpression(f.node('whereClause'), reading) : undefined;
  const grouping = readGrouping(f.nodes('groupClause'), reading);
  const having = f.has('havingClause') ? readExpression(f.node('havingClause'), reading) : undefined;
  return {
    kind: 'select',
    ...clause,
    ...distinct,
    items,
    from,
    ...(where && { where }),
    ...grouping,
    ...(having && { having }),
    ...readEnd(f, reading),
    ...readLock(f, from),
  };
}

/** Reads ORDER BY and LIMIT. */
function readEnd(f: Fields, reading: Reading): Pick<Select, 'orderBy' | 'limit'> {
  const orderBy = readOrder(f.nodes('sortClause'), reading);
  f.expect('limitOption', ['LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT']);
  if (!f.has('limitCount')) return orderBy.length > 0 ? { orderBy } : {};
  const limit = readExpression(f.node('limitCount'), reading);
  if (limit.kind !== 'literal' || typeof limit.value !== 'number' || limit.value < 0)
    return refuse('LIMIT takes a number written out: a parameter or an expression is not supported there');
  return { ...(orderBy.length > 0 && { orderBy }), limit: limit.value };
}

/** The parser represents plain DISTINCT as a list of one empty node. */
function readDistinct(f: Fields): Pick<Select, 'distinct'> {
  if (!f.has('distinctClause')) return {};
  const [only, another] = f.nodes('distinctClause');
  if (only === undefined || Object.keys(only).length > 0 || another !== undefined) refuse(REFUSED_FIELDS['SelectStmt.distinctClause']!);
  return { distinct: true };
}

export function readItems(nodes: readonly Node[], reading: Reading): readonly SelectItem[] {
  return nodes.map((node) =>
    consume('ResTarget', inside(node, 'ResTarget'), (f) => {
      const value = f.node('val');
      const expression = readExpression(value, reading);
      return { expression, alias: f.has('name') ? f.text('name') : itemName(value, expression) };
    }),
  );
}

function readGrouping(nodes: readonly Node[], reading: Reading): Pick<Select, 'groupBy' | 'rollup'> {
  if (nodes.length === 0) return {};
  if (!nodes.some((node) => kindOf(node)[0] === 'GroupingSet')) return { groupBy: readAll(nodes, reading) };
  if (nodes.length > 1) return refuse('ROLLUP beside other groups is not supported: write GROUP BY ROLLUP (...) alone');
  return consume('GroupingSet', inside(nodes[0]!, 'GroupingSet'), (f) => {
    if (f.text('kind') !== 'GROUPING_SET_ROLLUP') refuse('GROUPING SETS and CUBE are not supported: use ROLLUP');
    return { groupBy: readAll(f.nodes('content'), reading), rollup: true };
  });
}

const STRENGTHS: Readonly<Record<string, Lock['strength']>> = {
  LCS_FORUPDATE: 'update',
  LCS_FORNOKEYUPDATE: 'no key update',
  LCS_FORSHARE: 'share',
  LCS_FORKEYSHARE: 'key share',
};
const WAITS: Readonly<Record<string, Pick<Lock, 'wait'>>> = {
  LockWaitBlock: {},
  LockWaitSkip: { wait: 'skip locked' },
  LockWaitError: { wait: 'nowait' },
};

function readLock(f: Fields, from: From): Pick<Select, 'lock'> {
  const [only, another] = f.nodes('lockingClause');
  if (only === undefined) return {};
  if (another !== undefined) return refuse('several locking clauses are not supported: lock all tables of the query in one');
  return consume('LockingClause', inside(only, 'LockingClause'), (clause) => {
    const strength = STRENGTHS[clause.text('strength')] ?? refuse('this locking clause is not supported: use FOR UPDATE or FOR SHARE');
    const tables = clause.nodes('lockedRels').map((node) => readRelation(inside(node, 'RangeVar')).name);
    if (tables.length > 0 && (from.kind !== 'table' || tables.some((name) => name !== from.alias)))
      refuse('FOR UPDATE OF some of the tables is not supported: lock all of them, or select the others in a query of their own');
    return {
      lock: {
        strength,
        ...(WAITS[clause.text('waitPolicy')] ??
          refuse('this wait option of a locking clause is not supported: use NOWAIT, SKIP LOCKED or none')),
      },
    };
  });
}

export function readWith(f: Fields, reading: Reading): Pick<Select, 'with'> {
  if (!f.has('withClause')) return {};
  const clause = consume('WithClause', f.node('withClause'), (w): With => {
    const recursive = w.flag('recursive');
    const ctes = w.nodes('ctes').map((node) =>
      consume('CommonTableExpr', inside(node, 'CommonTableExpr'), (cte) => {
        const name = cte.text('ctename');
        cte.expect('ctematerialized', ['CTEMaterializeDefault']);
        const [kind, inner] = kindOf(cte.node('ctequery'));
        if (kind !== 'SelectStmt')
          return refuse(
            `WITH ${name}: a part that writes is supported only in front of the whole statement; make it a statement of its own`,
          );
        const query = recursive ? readRecursion(inner, reading) : readQuery(inner, reading);
        return { name, query: cte.has('aliascolnames') ? renamed(query, namesIn(cte.nodes('aliascolnames')), name) : query };
      }),
    );
    return { recursive, ctes };
  });
  return { with: clause };
}

/** Keeps the two sides of a recursion apart, because a UNION ALL of several arms has no recursive side. */
function readRecursion(node: Node, reading: Reading): Query {
  if (node['op'] !== 'SETOP_UNION' || node['sortClause'] !== undefined || node['limitCount'] !== undefined) return readQuery(node, reading);
  return consume('SelectStmt', node, (f) => readSetOperation(f, reading, false));
}

/** Reads a set operation with an order or a limit. It becomes a derived table whose rows are ordered and limited. */
function readOrderedSetOperation(f: Fields, reading: Reading): Query {
  const query = readSetOperation(f, reading, true);
  const end = readEnd(f, reading);
  if (f.has('lockingClause')) refuse('a set operation cannot lock: lock in a query of its own');
  if (end.orderBy === undefined && end.limit === undefined) return query;
  return {
    kind: 'select',
    items: [{ expression: { kind: 'column', table: '', column: '*' }, alias: '*' }],
    from: { kind: 'derived', query, alias: 'combined' },
    ...end,
  };
}

const OPERATIONS: Readonly<Record<string, 'union' | 'intersect' | 'except'>> = {
  SETOP_UNION: 'union',
  SETOP_INTERSECT: 'intersect',
  SETOP_EXCEPT: 'except',
};

/** `flat`: UNION ALL of plain selects becomes one list of arms. */
function readSetOperation(f: Fields, reading: Reading, flat: boolean): Query {
  f.expect('limitOption', ['LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT']);
  const clause = readWith(f, reading);
  const op = OPERATIONS[f.text('op')] ?? refuse('this set operation is not supported');
  const all = f.flag('all');
  const left = readQuery(f.node('larg'), reading);
  const right = readQuery(f.node('rarg'), reading);
  if (flat && op === 'union' && all && clause.with === undefined && (isArm(left) || left.kind === 'unionAll') && isArm(right)) {
    return { kind: 'unionAll', arms: [...(left.kind === 'unionAll' ? left.arms : [left]), right] };
  }
  return { kind: 'setOperation', ...clause, op, all, left, right };
}

function isArm(query: Query): query is Select {
  return query.kind === 'select' && (query.lock ?? query.orderBy ?? query.limit ?? query.with) === undefined;
}

/** A list with commas is a cross join, from left to right. */
export function readFromList(nodes: readonly Node[], reading: Reading): From | undefined {
  const parts = nodes.map((node) => readFrom(node, reading));
  return parts.length === 0 ? undefined : parts.reduce((left, right) => ({ kind: 'join', type: 'cross', left, right }));
}

export function readFrom(node: Node, reading: Reading): From {
  const [kind, inner] = kindOf(node);
  if (kind === 'RangeVar') {
    const { name, alias } = readRelation(inner);
    return { kind: 'table', table: name, alias: alias ?? name };
  }
  if (kind === 'RangeSubselect') return consume(kind, inner, (f) => readDerived(f, reading));
  if (kind === 'JoinExpr') return consume(kind, inner, (f) => readJoin(f, reading));
  return refuse(kind === 'RangeFunction' ? 'a function in FROM is not supported: use a table' : `${kind} in FROM is not supported`);
}

export interface NamedRelation {
  readonly name: string;
  readonly alias?: string;
}

/** Reads a table's name. The file's schema public stands for the tool's own schema. */
export function readRelation(node: Node): NamedRelation {
  return consume('RangeVar', node, (f) => {
    f.expect('schemaname', ['public']);
    f.expect('relpersistence', ['p']);
    if (!f.flag('inh')) refuse(REFUSED_FIELDS['RangeVar.inh']!);
    const name = f.text('relname');
    return { name, ...(f.has('alias') && { alias: consume('Alias', f.node('alias'), (alias) => alias.text('aliasname')) }) };
  });
}

function readDerived(f: Fields, reading: Reading): From {
  const lateral = f.flag('lateral');
  const query = readQuery(inside(f.node('subquery'), 'SelectStmt'), reading);
  if (!f.has('alias')) return refuse('a subquery in FROM without an alias is not supported: give it one');
  return consume('Alias', f.node('alias'), (a) => {
    const alias = a.text('aliasname');
    return {
      kind: 'derived',
      query: a.has('colnames') ? renamed(query, namesIn(a.nodes('colnames')), alias) : query,
      alias,
      ...(lateral && { lateral: true }),
    };
  });
}

/** Renames the columns of the query by the names after its alias. */
function renamed(query: Query, names: readonly string[], alias: string): Query {
  if (query.kind === 'setOperation') return { ...query, left: renamed(query.left, names, alias) };
  if (query.kind === 'unionAll')
    return { ...query, arms: query.arms.map((arm, i) => (i === 0 ? (renamed(arm, names, alias) as Select) : arm)) };
  if (query.items.some(({ expression }) => expression.kind === 'column' && expression.column === '*'))
    return refuse(`the columns of ${alias} are named behind its alias and selected by *: list them inside`);
  if (query.items.length !== names.length)
    return refuse(`${alias} names ${names.length} columns and its query gives ${query.items.length}: name them all`);
  if (query.orderBy?.some(({ expression }) => expression.kind === 'column' && expression.table === ''))
    return refuse(`the columns of ${alias} are named behind its alias and ordered by name inside: give them their names with AS inside`);
  return { ...query, items: query.items.map((item, i) => ({ ...item, alias: names[i]! })) };
}

const JOINS: Readonly<Record<string, 'inner' | 'left'>> = { JOIN_INNER: 'inner', JOIN_LEFT: 'left' };

function readJoin(f: Fields, reading: Reading): From {
  const type = JOINS[f.text('jointype')] ?? refuse('RIGHT and FULL joins are not supported: write a LEFT join, the other way round');
  f.expect('rtindex', [0]);
  const sides = { left: readFrom(f.node('larg'), reading), right: readFrom(f.node('rarg'), reading) };
  if (f.flag('isNatural')) return { kind: 'join', type, ...sides, using: [], natural: true };
  if (f.has('usingClause')) return { kind: 'join', type, ...sides, using: namesIn(f.nodes('usingClause')) };
  if (f.has('quals')) return { kind: 'join', type, ...sides, on: readExpression(f.node('quals'), reading) };
  return { kind: 'join', type: 'cross', ...sides };
}
