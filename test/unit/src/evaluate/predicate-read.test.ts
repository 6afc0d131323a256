import { describe, expect, test } from 'vitest';
import type { Expression, From, Query, Select, Statement, View } from '../../../../core/sql/index.ts';
import { predicateReads } from '../../../../src/execute/index.ts';

const above = (value: number): Expression => ({
  kind: 'compare',
  op: '>',
  left: { kind: 'column', table: 'a', column: 'v' },
  right: { kind: 'literal', type: 'integer', value },
});
const where = above(5);
const table = (name: string, alias = 'a'): From => ({ kind: 'table', table: name, alias });
const item: Expression = { kind: 'column', table: 'a', column: 'v' };
const select = (more: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [{ expression: item, alias: 'v' }],
  from: table('t'),
  where,
  ...more,
});
const all = (from: From, more: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [{ expression: item, alias: 'v' }],
  from,
  ...more,
});
const exists = (query: Query): Expression => ({ kind: 'exists', query, negated: false });
const join = (left: From, right: From): From => ({ kind: 'join', type: 'cross', left, right });
const or = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'or', operands });
const and = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const named = { with: { recursive: false, ctes: [{ name: 'c', query: select() }] } };
const onT = [{ table: 't', where }];

type Sight = Parameters<typeof predicateReads>[2];
const readsOf = (statement: Statement, views: readonly View[] = [], sight: Sight = {}) => predicateReads(statement, views, sight)?.reads;
/** What each read is made for: `t(a): condition`, and the columns around it that it names. */
const withinOf = (statement: Statement, views: readonly View[] = [], sight: Sight = {}) =>
  readsOf(statement, views, sight)!.map(({ table: name, within, outer }) => [
    name,
    within && within.leaves.map((leaf) => `${leaf.table} ${leaf.alias}`).join(),
    within?.where,
    outer?.map((each) => `${each.table}.${each.column}`).join(),
  ]);

test('a SELECT, UPDATE or DELETE of one table reads by its WHERE, whatever becomes of the rows', () => {
  const update: Statement = { kind: 'update', table: 't', set: [{ column: 'v', value: item }], where };
  const cases: readonly Statement[] = [
    select(),
    select({ distinct: true, groupBy: [item], having: where, rollup: true }),
    select({ lock: { strength: 'update', wait: 'nowait' } }),
    update,
    { kind: 'delete', table: 't', where },
    { kind: 'insert', table: 'u', columns: ['v'], rows: [], query: select() },
  ];
  for (const statement of cases) expect(predicateReads(statement)).toEqual({ reads: onT, otherwise: new Map() });
  expect(readsOf({ kind: 'delete', table: 't' })).toEqual([{ table: 't' }]);
});

test('derived tables, views and WITH queries are read whole, in a join too', () => {
  const views: readonly View[] = [{ name: 'w', query: select(), updates: 't' }];
  const [derived, view, cte]: readonly From[] = [
    { kind: 'derived', query: select(), alias: 'd' },
    { kind: 'view', view: 'w', alias: 'd' },
    { kind: 'cte', name: 'c', alias: 'd' },
  ];
  for (const from of [derived!, view!, cte!]) {
    expect(readsOf(all(from, { ...named, where: above(9) }), views)).toEqual(onT);
    expect(predicateReads(all(join(table('u'), from), named), views)).toEqual({ reads: onT, otherwise: new Map([['u', 'a join']]) });
  }
  expect(readsOf(all(join(cte!, { kind: 'cte', name: 'c', alias: 'e' }), named))).toEqual(onT); // run once
  expect(readsOf(all(table('u'), named))).toEqual([{ table: 'u' }]); // nobody names c: it is not run
});

test('of a recursive WITH the first arm is read whole', () => {
  const query = (right: From): Query => ({ kind: 'setOperation', op: 'union', all: true, left: select(), right: all(right) });
  const recursive = (right: From) =>
    all({ kind: 'cte', name: 'c', alias: 'd' }, { with: { recursive: true, ctes: [{ name: 'c', query: query(right) }] } });
  const self: From = { kind: 'cte', name: 'c', alias: 'x' };
  expect(predicateReads(recursive(self))).toEqual({ reads: onT, otherwise: new Map() });
  expect(predicateReads(recursive(join(table('u'), self)))).toEqual({ reads: onT, otherwise: new Map([['u', 'a recursive WITH']]) });
});

test('an UPDATE through a simple view reads by both conditions', () => {
  const views: readonly View[] = [{ name: 'w', query: select(), updates: 't' }];
  const own: Expression = { ...above(9), left: { kind: 'column', table: 'w', column: 'v' } } as Expression;
  const through: Statement = { kind: 'update', table: 't', through: 'w', set: [], where: own };
  expect(readsOf(through, views)).toEqual([
    { table: 't', where: and({ ...where, left: { kind: 'column', table: 'w', column: 'v' } } as Expression, own) },
  ]);
  expect(predicateReads(through, [{ name: 'w', query: all({ kind: 'derived', query: select(), alias: 'd' }), updates: 't' }])).toEqual({
    reads: [],
    otherwise: new Map([['t', 'a view']]),
  });
});

test('several SELECTs on one table are several reads', () => {
  expect(readsOf({ kind: 'unionAll', arms: [select(), select({ where: above(9) }), all(table('u'))] })).toEqual([
    ...onT,
    { table: 't', where: above(9) },
    { table: 'u' },
  ]);
  expect(readsOf({ kind: 'setOperation', op: 'except', all: false, left: select(), right: all(table('t')) })).toEqual([
    ...onT,
    { table: 't' },
  ]);
});

test('a subquery is read for the rows that satisfy the conditions without subqueries', () => {
  expect(withinOf(select({ where: and(where, exists(all(table('u', 's')))) }))).toEqual([['u', 't a', where, '']]);
  expect(withinOf(select({ items: [{ expression: exists(all(table('u', 's'))), alias: 'v' }] }))).toEqual([
    ['t', undefined, undefined, undefined],
    ['u', 't a', where, ''],
  ]);
  expect(withinOf({ kind: 'delete', table: 't', where: exists(all(table('u', 's'))) })).toEqual([['u', 't t', undefined, '']]);
  const on: Expression = { ...where, right: { kind: 'column', table: 'b', column: 'v' } } as Expression;
  expect(
    withinOf(
      select({
        from: { kind: 'join', type: 'left', left: table('t'), right: table('u', 'b'), on },
        where: and(where, exists(all(table('w', 's')))),
      }),
    ),
  ).toEqual([['w', 't a,u b', and(on, where), '']]);
});

test('of several subqueries none is certain to be read: another one may decide before it', () => {
  const [first, second] = [exists(all(table('u', 's'))), exists(all(table('w', 's')))];
  const value = (name: string): Expression => ({ kind: 'subquery', query: all(table(name, 's')) });
  for (const condition of [
    and(where, first, second),
    and(where, or(first, second)),
    and(where, { kind: 'compare', op: '=', left: value('u'), right: value('w') }),
  ]) {
    const statements: readonly Statement[] = [
      select({ where: condition }),
      { kind: 'update', table: 't', set: [], where: condition },
      { kind: 'insert', table: 'x', columns: ['v'], rows: [], query: select({ where: condition }) },
    ];
    for (const statement of statements)
      expect(predicateReads(statement)).toEqual({
        reads: [],
        otherwise: new Map([
          ['t', 'a subquery'],
          ['u', 'a subquery'],
          ['w', 'a subquery'],
        ]),
        ...(statement.kind === 'update' && { written: 't' }),
      });
  }
});

test('a subquery behind a comparison is read for the rows that do not compare NULL with it', () => {
  const query = all(table('u', 's'));
  const known: Expression = { kind: 'isNull', operand: item, negated: true };
  const conditions: readonly Expression[] = [
    { kind: 'compare', op: '=', left: item, right: { kind: 'subquery', query } },
    { kind: 'quantified', op: '>', quantifier: 'all', operand: item, query },
    { kind: 'inQuery', operand: item, query, negated: true },
  ];
  for (const condition of conditions) expect(withinOf(select({ where: condition }))).toEqual([['u', 't a', known, '']]);
  const literal: Expression = { kind: 'literal', type: 'integer', value: 1 };
  for (const [left, right] of [
    [literal, { kind: 'subquery', query }],
    [{ kind: 'subquery', query }, item],
  ] as const) {
    expect(withinOf(select({ where: { kind: 'compare', op: '=', left, right } }))).toEqual([['u', 't a', undefined, '']]);
  }
});

test('a server that looks behind a NULL reads it for every row, but for IN and = ANY, which it may turn into a join', () => {
  const query = all(table('u', 's'));
  const known: Expression = { kind: 'isNull', operand: item, negated: true };
  const sees = (condition: Expression, within: Expression | undefined): void =>
    expect(withinOf(select({ where: condition }), [], { readsBehindNull: true })).toEqual([['u', 't a', within, '']]);
  sees({ kind: 'compare', op: '=', left: item, right: { kind: 'subquery', query } }, undefined);
  sees({ kind: 'quantified', op: '>', quantifier: 'any', operand: item, query }, undefined);
  sees({ kind: 'quantified', op: '=', quantifier: 'all', operand: item, query }, undefined);
  sees({ kind: 'inQuery', operand: item, query, negated: true }, undefined);
  sees({ kind: 'inQuery', operand: item, query, negated: false }, known);
  sees({ kind: 'quantified', op: '=', quantifier: 'any', operand: item, query }, known);
  sees({ kind: 'not', operand: { kind: 'inQuery', operand: item, query, negated: false } }, known);
});

test('nothing is told of a subquery that stands beside a NULL: the answer may be known without any row', () => {
  const scalar: Expression = { kind: 'subquery', query: all(table('u', 's')) };
  const none: Expression = { kind: 'literal', type: 'integer', value: null };
  const conditions: readonly Expression[] = [
    { kind: 'compare', op: '=', left: scalar, right: none },
    { kind: 'compare', op: '=', left: { kind: 'arithmetic', op: '+', left: item, right: none }, right: scalar },
    { kind: 'between', operand: scalar, low: { kind: 'literal', type: 'integer', value: 1 }, high: none },
    { kind: 'isNull', operand: { kind: 'arithmetic', op: '+', left: scalar, right: none }, negated: false },
  ];
  for (const condition of conditions) {
    for (const sight of [{}, { readsBehindNull: true }] as const)
      expect(predicateReads(select({ where: condition }), [], sight)).toEqual({
        reads: [],
        otherwise: new Map([
          ['t', 'a subquery'],
          ['u', 'a subquery'],
        ]),
      });
  }
});

test('of the arguments of a function the first is read whatever it is, the others perhaps not', () => {
  const scalar: Expression = { kind: 'subquery', query: all(table('u', 's')) };
  const call = (...args: Expression[]): Expression => ({
    kind: 'compare',
    op: '>',
    left: { kind: 'call', name: 'coalesce', args },
    right: item,
  });
  expect(withinOf(select({ where: call(scalar, item) }))).toEqual([['u', 't a', undefined, '']]);
  for (const condition of [call(item, scalar), call(scalar, scalar)])
    expect(predicateReads(select({ where: condition }))).toMatchObject({
      reads: [],
      otherwise: new Map([
        ['t', 'a subquery'],
        ['u', 'a subquery'],
      ]),
    });
});

test('under OR, AND and CASE it is read where the other operands leave the answer open', () => {
  const literal = { kind: 'literal', type: 'boolean', value: false } as const;
  const notTrue = (condition: Expression): Expression => ({
    kind: 'not',
    operand: { kind: 'call', name: 'coalesce', args: [condition, literal] },
  });
  const subquery = exists(all(table('u', 's')));
  expect(withinOf(select({ where: or(where, subquery) }))).toEqual([['u', 't a', notTrue(where), '']]);
  expect(withinOf(select({ where: { kind: 'not', operand: and(where, subquery) } }))).toEqual([
    ['u', 't a', notTrue({ kind: 'not', operand: where }), ''],
  ]);
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
  const choice = (then: Expression, otherwise: Expression): Expression => ({ kind: 'case', when: where, then, otherwise });
  expect(withinOf(select({ where: choice(subquery, where) }))).toEqual([['u', 't a', where, '']]);
  expect(withinOf(select({ where: choice(where, subquery) }))).toEqual([['u', 't a', notTrue(where), '']]);
});

test('a subquery that names the row around it comes with the columns that it names', () => {
  const correlated = and({ kind: 'compare', op: '=', left: { kind: 'column', table: 's', column: 'k' }, right: item }, {
    ...where,
    left: { kind: 'column', table: 's', column: 'v' },
  } as Expression);
  expect(withinOf(select({ where: exists(all(table('u', 's'), { where: correlated })) }))).toEqual([['u', 't a', undefined, 'a.v']]);
  const other: Expression = { ...where, left: { kind: 'column', table: 'z', column: 'v' } } as Expression;
  expect(predicateReads(select({ where: exists(all(table('u', 's'), { where: other })) }))).toEqual({
    reads: [],
    otherwise: new Map([
      ['t', 'a subquery'],
      ['u', 'a subquery'],
    ]),
  });
});

describe('the rows of a view', () => {
  const shown = [{ expression: item, alias: 'r0' }];
  const count: Expression = { kind: 'aggregate', name: 'count' };
  const joined = { kind: 'join', type: 'inner', left: table('t'), right: table('x', 'z'), on: where } satisfies From;
  const views: readonly View[] = [
    { name: 'w', query: select({ items: shown }) },
    { name: 'g', query: select({ items: [...shown, { expression: count, alias: 'r1' }], groupBy: [item] }) },
    { name: 'k', query: select({ items: [...shown, { expression: { ...item, column: 'k' }, alias: 'r1' }], groupBy: [item] }) },
    { name: 'd', query: select({ items: shown, distinct: true }) },
    { name: 'j', query: all(joined, { items: shown }) },
    { name: 'h', query: select({ items: shown, groupBy: [item], having: where }) },
    { name: 'r', query: select({ items: shown, groupBy: [item], rollup: true }) },
    { name: 'l', query: select({ items: shown, limit: 1 }) },
    { name: 'c', query: select({ items: [{ expression: count, alias: 'r1' }] }) },
    { name: 'o', query: all({ ...joined, type: 'left' }, { items: shown }) },
    { name: 's', query: select({ items: shown, where: exists(all(table('u', 's'))) }) },
  ];
  const on = (view: string, more: readonly Expression[] = []): Select =>
    all(
      { kind: 'view', view, alias: 'b' },
      { where: and(...more, exists(all(table('u', 's'), { where: { ...where, left: shownAs('r0') } as Expression }))) },
    );
  const shownAs = (name: string): Expression => ({ kind: 'column', table: 'b', column: name });
  const last = (view: string, more?: readonly Expression[]): unknown => withinOf(on(view, more), views).at(-1);
  const renamed = { ...where, left: { kind: 'column', table: 'b', column: 'v' } };

  test('that chooses are those of its table, by the names that it gives', () => {
    expect(last('w')).toEqual(['u', 't b', renamed, 'b.r0']);
    const read = readsOf(on('w'), views)!.at(-1)!;
    expect(read.within!.columnOf(read.outer![0]!)).toEqual({ kind: 'column', table: 'b', column: 'v' });
  });

  test('that makes equal ones one are those of its table too, as far as it shows the key of a group', () => {
    for (const view of ['g', 'd']) {
      expect(last(view), view).toEqual(['u', 't b', renamed, 'b.r0']);
      expect(readsOf(on(view), views)!.at(-1)!.within!.leaves, view).toEqual([{ table: 't', alias: 'b', merged: true }]);
    }
    const of = (name: string): Expression => ({ ...where, left: shownAs(name) }) as Expression;
    expect(last('g', [of('r0')])).toEqual(['u', 't b', and(renamed as Expression, renamed as Expression), 'b.r0']);
    for (const view of ['g', 'k']) expect(predicateReads(on(view, [of('r1')]), views)!.otherwise.get('u'), view).toBe('a subquery');
  });

  test('of a join are its combinations', () => {
    expect(last('j')).toEqual(['u', 't b_a,x b_z', { ...where, left: { kind: 'column', table: 'b_a', column: 'v' } }, 'b.r0']);
  });

  test('may be more than the combinations of a LEFT JOIN', () => {
    const more = (view: string): unknown => readsOf(on(view), views)!.at(-1)!.within!.more;
    expect([more('j'), more('o')]).toEqual([undefined, true]);
  });

  test('are not told where a row of the table may be in none of them, or they have more', () => {
    for (const view of ['h', 'r', 'l', 's', 'c']) expect(predicateReads(on(view), views)!.otherwise.get('u'), view).toBe('a subquery');
  });
});

test('what an upsert reads for the rows that it meets is not told, beside what its values are made of', () => {
  const value: Expression = { kind: 'subquery', query: all(table('u', 's')) };
  const upsert = (rows: readonly (readonly Expression[])[]): Statement => ({
    kind: 'insert',
    table: 't',
    columns: ['v'],
    rows,
    conflict: { action: 'update', columns: ['v'], set: [{ column: 'v', value }] },
  });
  for (const first of [value, item]) {
    const told = predicateReads(upsert([[first]]))!;
    expect(told.reads.map((read) => read.table)).toEqual(first === value ? ['u'] : []);
    expect(told.otherwise.get('u')).toBe('a subquery');
  }
});

test('what is read in a way that is not told is named with it', () => {
  const upsert: Statement = {
    kind: 'insert',
    table: 't',
    columns: ['v'],
    rows: [],
    query: select(),
    conflict: { action: 'nothing', columns: [] },
  };
  const listed: Expression = { kind: 'in', operand: item, list: [{ kind: 'subquery', query: all(table('u', 's')) }], negated: false };
  const cases: readonly (readonly [Statement, readonly string[], string])[] = [
    [select({ limit: 1 }), ['t'], 'LIMIT'],
    [select({ lock: { strength: 'update', wait: 'skip locked' } }), ['t'], 'SKIP LOCKED'],
    [all({ kind: 'derived', query: select({ lock: { strength: 'update' } }), alias: 'd' }), ['t'], 'a lock within'],
    [all(join(table('t'), table('u', 'b'))), ['t', 'u'], 'a join'],
    [all({ kind: 'derived', query: select(), alias: 'd', lateral: true }), ['t'], 'a lateral table'],
    [select({ where: listed }), ['t', 'u'], 'a subquery'],
    [{ kind: 'update', table: 't', set: [], from: table('u'), where }, ['t', 'u'], 'a join'],
    [{ kind: 'delete', table: 't', using: table('u'), where }, ['t', 'u'], 'a join'],
    [upsert, ['t'], 'an upsert'],
  ];
  for (const [i, [statement, tables, reason]] of cases.entries())
    expect(predicateReads(statement), String(i)).toEqual({ reads: [], otherwise: new Map(tables.map((each) => [each, reason])) });
  // Groups, an order and a HAVING are made of rows that are not told; nor are subqueries of subqueries.
  const later: readonly Partial<Select>[] = [
    { groupBy: [exists(all(table('u', 's')))] },
    { orderBy: [{ expression: exists(all(table('u', 's'))), descending: false }] },
    { having: exists(all(table('u', 's'))) },
  ];
  for (const more of later) expect(predicateReads(select(more))).toEqual({ reads: onT, otherwise: new Map([['u', 'a subquery']]) });
  const deep = select({ where: exists(all(table('u', 's'), { where: exists(all(table('w', 'x'))) })) });
  expect(predicateReads(deep)).toEqual({ reads: [], otherwise: new Map(['t', 'u', 'w'].map((each) => [each, 'a subquery'])) });
});

test('an upsert may look at newer rows than its query: neither they nor what is read for them is told', () => {
  const query = all(table('t'), { where: exists(all(table('u', 's'))) });
  expect(readsOf({ kind: 'insert', table: 't', columns: ['v'], rows: [], query, conflict: { action: 'nothing', columns: [] } })).toEqual(
    [],
  );
  expect(withinOf({ kind: 'insert', table: 't', columns: ['v'], rows: [], query })).toEqual([['u', 't a', undefined, '']]);
});

test('an UPDATE sets by what is read for the rows that it changes', () => {
  const value: Expression = {
    kind: 'subquery',
    query: all(table('u', 's'), { where: { ...where, left: { kind: 'column', table: 'b', column: 'v' } } as Expression }),
  };
  const update = {
    kind: 'update',
    table: 't',
    set: [{ column: 'v', value: { kind: 'subquery', query: all(table('u', 's')) } }],
    where,
  } as const satisfies Statement;
  expect(withinOf(update)).toEqual([
    ['t', undefined, undefined, undefined],
    ['u', 't t', where, ''],
  ]);
  const condition = and(where, exists(all(table('x', 's'))));
  const among = predicateReads({ ...update, where: condition })!.reads.map(({ table: name, within }) => [name, within?.written]);
  expect(among).toEqual([
    ['x', undefined],
    ['u', true],
  ]);
  // Which of several partners counts is not told.
  expect(predicateReads({ ...update, set: [{ column: 'v', value }], from: table('w', 'b') })?.otherwise.get('u')).toBe('a subquery');
});

test('a statement that reads no table has none', () => {
  expect(predicateReads({ kind: 'insert', table: 't', columns: ['v'], rows: [[item]] })).toBeUndefined();
  expect(predicateReads({ kind: 'savepoint', name: 'a' })).toBeUndefined();
});

test('behind another assignment a subquery is asked for the row as that left it, where assignments are made in order', () => {
  const matching = exists(
    all(table('u', 's'), { where: { kind: 'compare', op: '=', left: { kind: 'column', table: 's', column: 'k' }, right: item } }),
  );
  const one: Expression = { kind: 'literal', type: 'integer', value: 1 };
  const whole = exists(all(table('u', 's'), { items: [{ expression: one, alias: 'one' }] }));
  const update = (...values: readonly Expression[]): Statement => ({
    kind: 'update',
    table: 'a',
    set: values.map((value, i) => ({ column: `c${i}`, value })),
  });
  const capture = { before: '', after: '', newValues: true, joinedReturning: false, flattens: false };
  const readOf = (statement: Statement, sight: Sight) => {
    const { reads, otherwise } = predicateReads(statement, [], sight)!;
    return [reads.some((read) => read.table === 'u'), otherwise.get('u')];
  };
  expect(readOf(update(item, matching), { capture })).toEqual([false, 'a subquery']);
  for (const [statement, sight] of [
    [update(item, matching), {}],
    [update(item, matching), { capture: { ...capture, newValues: false } }],
    [update(matching, item), { capture }],
    [update(item, whole), { capture }],
  ] as const)
    expect(readOf(statement, sight)).toEqual([true, undefined]);
});
