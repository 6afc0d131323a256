/**
 * Reads queries: WITH, set operations by SQL's precedence (INTERSECT before UNION and EXCEPT, then from left to right),
 * and SELECT. A clause without a place in the IR is refused by its keyword. No token is left behind a query
 * (read-statement.ts).
 */
import type { Cte, Expression, Lock, Query, Select, SelectItem, SetOperation, With } from '../../../core/sql/index.ts';
import { contentsOf, hasAggregate } from '../../../core/sql/index.ts';
import { readExpression } from './read-expression.ts';
import { readOrder } from './read-call.ts';
import { readFrom } from './read-from.ts';
import { RENAMING, renamed } from './renamed.ts';
import type { Reading } from './reading.ts';

export function readQuery(reading: Reading): Query {
  const { cursor } = reading;
  const clause = readWith(reading);
  if (clause !== undefined && cursor.seesAny(['UPDATE', 'DELETE', 'INSERT']))
    cursor.refuse(`WITH before ${cursor.token.text.toUpperCase()} is not supported: write its query as a derived table or a subquery`);
  const query = readUnion(reading);
  if (query.kind !== 'select' && cursor.seesAny(['ORDER', 'LIMIT', 'FOR', 'LOCK'])) cursor.refuse(OF_THE_WHOLE);
  if (clause === undefined) return query;
  if (query.kind === 'unionAll') return { ...pairs(query.arms), with: clause };
  if (query.with !== undefined) cursor.refuse('WITH before a query in parentheses that has a WITH too is not supported: write one WITH');
  return { ...query, with: clause };
}

/** A UNION ALL of several arms cannot have a WITH, so they become nested pairs. */
function pairs(arms: readonly Query[]): SetOperation {
  return arms.reduce((left, right) => ({ kind: 'setOperation', op: 'union', all: true, left, right })) as SetOperation;
}

function readWith(reading: Reading): With | undefined {
  const { cursor } = reading;
  if (!cursor.accept('WITH')) return undefined;
  const recursive = cursor.accept('RECURSIVE');
  const ctes = cursor.several((): Cte => {
    const at = cursor.offset;
    const name = cursor.name('common table expression');
    const columns = cursor.sees('(') ? cursor.listed(() => cursor.name('column')) : undefined;
    cursor.expect('AS', '(');
    const read = reading.query(reading);
    cursor.expect(')');
    const query = recursive && read.kind === 'unionAll' && names(read, name) ? pairs(read.arms) : read;
    return {
      name,
      query: columns === undefined ? query : (renamed(query, columns) ?? cursor.refuse(`WITH ${name} (...): ${RENAMING}`, at)),
    };
  });
  return { recursive, ctes };
}

function names(query: Query, name: string): boolean {
  return contentsOf(query).leaves.some((leaf) => leaf.kind === 'table' && leaf.table.toLowerCase() === name.toLowerCase());
}

function readUnion(reading: Reading): Query {
  const { cursor } = reading;
  let left = readIntersect(reading);
  for (;;) {
    const op = cursor.accept('UNION') ? 'union' : cursor.accept('EXCEPT') ? 'except' : undefined;
    if (op === undefined) {
      if (cursor.sees('MINUS')) cursor.refuse('MINUS: write EXCEPT');
      return left;
    }
    const all = isAll(reading);
    left = combined(op, all, left, readIntersect(reading, true));
  }
}

function readIntersect(reading: Reading, inside = false): Query {
  let left = readTerm(reading, inside);
  while (reading.cursor.accept('INTERSECT')) {
    const all = isAll(reading);
    left = combined('intersect', all, left, readTerm(reading, true));
  }
  return left;
}

function isAll({ cursor }: Reading): boolean {
  if (cursor.accept('ALL')) return true;
  cursor.accept('DISTINCT');
  return false;
}

const OF_THE_WHOLE =
  'ORDER BY, LIMIT or a locking clause of a set operation is not supported: put the operation into a derived table, SELECT ... FROM (...) AS x ORDER BY ...';

/** `inside`: after the keyword of a set operation, where ORDER BY without parentheses belongs to the whole operation. */
function readTerm(reading: Reading, inside: boolean): Query {
  const { cursor } = reading;
  if (!cursor.sees('(')) {
    const select = readSelect(reading);
    if (inside && (select.orderBy !== undefined || select.limit !== undefined || select.lock !== undefined)) cursor.refuse(OF_THE_WHOLE);
    return select;
  }
  cursor.expect('(');
  const query = reading.query(reading);
  cursor.expect(')');
  return query;
}

function combined(op: SetOperation['op'], all: boolean, left: Query, right: Query): Query {
  if (op === 'union' && all && isArm(right)) {
    if (left.kind === 'unionAll') return { kind: 'unionAll', arms: [...left.arms, right] };
    if (isArm(left)) return { kind: 'unionAll', arms: [left, right] };
  }
  return { kind: 'setOperation', op, all, left, right };
}

function isArm(query: Query): query is Select {
  return query.kind === 'select' && query.with === undefined && query.orderBy === undefined && query.limit === undefined;
}

const BEFORE_ITEMS = [
  'HIGH_PRIORITY',
  'STRAIGHT_JOIN',
  'SQL_SMALL_RESULT',
  'SQL_BIG_RESULT',
  'SQL_BUFFER_RESULT',
  'SQL_CACHE',
  'SQL_NO_CACHE',
  'SQL_CALC_FOUND_ROWS',
];

function readSelect(reading: Reading): Select {
  const { cursor } = reading;
  cursor.expect('SELECT');
  const distinct = cursor.accept('DISTINCT') || cursor.accept('DISTINCTROW');
  if (!distinct) cursor.accept('ALL');
  if (cursor.seesAny(BEFORE_ITEMS))
    cursor.refuse(`${cursor.token.text.toUpperCase()} is not supported: it is a hint to the server, which would be lost; leave it out`);
  const items = readItems(reading);
  if (cursor.sees('INTO')) cursor.refuse('SELECT ... INTO a variable or a file is not supported: name a parameter, INTO :name');
  if (!cursor.accept('FROM')) cursor.refuse(`${cursor.shown()} where FROM is expected: every query must read a table`);
  if (cursor.sees('DUAL')) cursor.refuse('FROM DUAL is not supported: every query must read a table');
  const from = readFrom(reading);
  const where = cursor.accept('WHERE') ? readExpression(reading) : undefined;
  const grouped: Pick<Select, 'groupBy' | 'rollup'> = cursor.accept('GROUP', 'BY') ? readGroups(reading) : {};
  const beforeHaving = cursor.offset;
  const having = cursor.accept('HAVING') ? readExpression(reading) : undefined;
  if (having && grouped.groupBy === undefined && ![having, ...items.map((item) => item.expression)].some(hasAggregate))
    cursor.refuse('HAVING without GROUP BY and without an aggregate is not supported: write WHERE', beforeHaving);
  if (cursor.sees('WINDOW')) cursor.refuse('WINDOW is not supported: write the window in OVER (...)');
  const orderBy = cursor.accept('ORDER', 'BY') ? readOrder(reading) : undefined;
  const limit = cursor.accept('LIMIT') ? readLimit(reading) : undefined;
  const lock = readLock(reading);
  if (cursor.sees('INTO')) cursor.refuse('SELECT ... INTO a variable or a file is not supported: name a parameter, INTO :name');
  if (cursor.sees('PROCEDURE')) cursor.refuse('PROCEDURE after a SELECT is not supported: leave it out');
  const select: Select = {
    kind: 'select',
    ...(distinct && { distinct }),
    items,
    from,
    ...(where && { where }),
    ...grouped,
    ...(having && { having }),
    ...(orderBy && { orderBy }),
    ...(limit !== undefined && { limit }),
    ...(lock && { lock }),
  };
  const closed = orderBy !== undefined || limit !== undefined || lock !== undefined;
  if (closed && cursor.seesAny(['UNION', 'INTERSECT', 'EXCEPT']))
    cursor.refuse(`${cursor.shown()} after ORDER BY, LIMIT or a locking clause: put the query before it into parentheses`);
  return select;
}

/** Reads the items of SELECT and of RETURNING. */
export function readItems(reading: Reading): readonly SelectItem[] {
  const { cursor } = reading;
  return cursor.several((): SelectItem => {
    if (cursor.accept('*')) return star('');
    const table = cursor.acceptAround(null, '.', '*');
    if (table !== undefined) return star(table);
    const expression = readExpression(reading);
    return { expression, alias: readAlias(reading) ?? (expression.kind === 'column' ? expression.column : '') };
  });
}

function star(table: string): SelectItem {
  return { expression: { kind: 'column', table, column: '*' }, alias: '*' };
}

function readAlias({ cursor }: Reading): string | undefined {
  const as = cursor.accept('AS');
  if (cursor.token.kind === 'string') return cursor.take().text;
  return as || cursor.seesName() ? cursor.name('column') : undefined;
}

function readGroups(reading: Reading): Pick<Select, 'groupBy' | 'rollup'> {
  const { cursor } = reading;
  const groupBy: readonly Expression[] = cursor.several(() => readExpression(reading));
  if (cursor.seesAny(['ASC', 'DESC'])) cursor.refuse('GROUP BY with an order is not supported: write ORDER BY');
  return { groupBy, ...(cursor.accept('WITH', 'ROLLUP') && { rollup: true }) };
}

function readLimit({ cursor }: Reading): number {
  if (cursor.token.kind !== 'number' || !/^\d{1,15}$/.test(cursor.token.text))
    cursor.refuse(`${cursor.shown()} after LIMIT where a number is expected: a parameter cannot stand there`);
  const limit = Number(cursor.take().text);
  if (cursor.sees(',') || cursor.sees('OFFSET')) cursor.refuse('LIMIT with an offset is not supported: select by a key');
  return limit;
}

function readLock({ cursor }: Reading): Lock | undefined {
  const strength = cursor.accept('FOR', 'UPDATE')
    ? 'update'
    : cursor.accept('FOR', 'SHARE') || cursor.accept('LOCK', 'IN', 'SHARE', 'MODE')
      ? 'share'
      : undefined;
  if (strength === undefined) return undefined;
  if (cursor.sees('OF')) cursor.refuse('a locking clause OF some tables is not supported: lock all tables of the query');
  const wait = cursor.accept('NOWAIT') ? 'nowait' : cursor.accept('SKIP', 'LOCKED') ? 'skip locked' : undefined;
  if (cursor.sees('WAIT')) cursor.refuse('WAIT n is not supported: use NOWAIT or SKIP LOCKED');
  if (cursor.seesAny(['FOR', 'LOCK'])) cursor.refuse('two locking clauses are not supported: write one');
  return { strength, ...(wait && { wait }) };
}
