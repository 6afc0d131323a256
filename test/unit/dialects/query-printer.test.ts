// Golden statements of the shapes beyond plain reads and writes: subqueries, groups, windows, WITH, set operations,
// views, joins by name, upserts, writes with joins. Names in them are hostile on purpose.
import { describe, expect, it } from 'vitest';
import type { Expression, Insert, Query, Schema, Select, Statement } from '../../../core/sql/index.ts';
import { LIST_COLUMN, RID_COLUMN } from '../../../core/history/index.ts';
import { postgres } from '../../../dialects/index.ts';

const int = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const from = (table: string, alias: string) => ({ kind: 'table', table, alias }) as const;
const item = (expression: Expression, alias = 'x') => ({ expression, alias });
const eq = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const select = (expression: Expression, more: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [item(expression)],
  from: from('t', 'a'),
  ...more,
});
const COUNT: Expression = { kind: 'aggregate', name: 'count' };
const A: Expression = col('a', 'c');
const INNER: Query = select(int(1));
const INNER_SQL = '(SELECT 1 AS "x" FROM "t" AS "a")';

const EXPRESSIONS: readonly (readonly [Expression, string])[] = [
  [COUNT, 'count(*)'],
  [{ kind: 'aggregate', name: 'count', operand: A, distinct: true }, 'count(DISTINCT "a"."c")'],
  [{ kind: 'aggregate', name: 'sum', operand: A, filter: eq(A, int(1)) }, 'sum("a"."c") FILTER (WHERE ("a"."c" = 1))'],
  [{ kind: 'aggregate', name: 'avg', operand: A, over: { partitionBy: [], orderBy: [] } }, 'avg("a"."c") OVER ()'],
  [
    { kind: 'rank', name: 'row_number', over: { partitionBy: [A, int(1)], orderBy: [{ expression: A, descending: true }] } },
    'row_number() OVER (PARTITION BY "a"."c", CAST(1 AS integer) ORDER BY "a"."c" DESC)',
  ],
  [
    { kind: 'jsonAgg', item: { kind: 'jsonArray', items: [A] }, filter: eq(A, int(1)), over: { partitionBy: [], orderBy: [] } },
    'json_agg(json_build_array("a"."c")) FILTER (WHERE ("a"."c" = 1)) OVER ()',
  ],
  [
    { kind: 'jsonAgg', item: { kind: 'jsonArray', items: [A] }, once: true },
    'jsonb_agg(DISTINCT CAST(json_build_array("a"."c") AS jsonb))',
  ],
  [
    {
      kind: 'jsonAgg',
      item: {
        kind: 'jsonArray',
        items: [
          { kind: 'literal', type: 'text', value: 't' },
          { kind: 'column', table: 'a', column: RID_COLUMN },
          { kind: 'column', table: 'a', column: LIST_COLUMN },
        ],
      },
      once: true,
      filter: eq(A, int(1)),
    },
    `json_build_array('t', array_agg(DISTINCT ("a"."iso_rid" || ' ' || coalesce("a"."iso_w", ''))) FILTER (WHERE ("a"."c" = 1)))`,
  ],
  [
    {
      kind: 'call',
      name: 'coalesce',
      args: [
        { kind: 'jsonAgg', item: A },
        { kind: 'jsonArray', items: [] },
      ],
    },
    'coalesce(json_agg("a"."c"), json_build_array())',
  ],
  [{ kind: 'cast', operand: { kind: 'arithmetic', op: '+', left: A, right: int(-1) }, type: 'text' }, 'CAST(("a"."c" + (-1)) AS text)'],
  [{ kind: 'cast', operand: A, type: 'decimal' }, 'CAST("a"."c" AS numeric)'],
  [{ kind: 'subquery', query: INNER }, INNER_SQL],
  [{ kind: 'exists', query: INNER, negated: false }, `(EXISTS ${INNER_SQL})`],
  [{ kind: 'exists', query: INNER, negated: true }, `(NOT EXISTS ${INNER_SQL})`],
  [{ kind: 'inQuery', operand: A, query: INNER, negated: true }, `("a"."c" NOT IN ${INNER_SQL})`],
  [{ kind: 'quantified', op: '<=', quantifier: 'any', operand: A, query: INNER }, `("a"."c" <= ANY ${INNER_SQL})`],
  [{ kind: 'quantified', op: '<>', quantifier: 'all', operand: A, query: INNER }, `("a"."c" <> ALL ${INNER_SQL})`],
  [{ kind: 'proposed', column: 'c"d' }, 'EXCLUDED."c""d"'],
];

const EXCEPT: Query = { kind: 'setOperation', op: 'except', all: true, left: INNER, right: INNER };

const QUERIES: readonly (readonly [string, Query, string])[] = [
  ['DISTINCT', select(A, { distinct: true }), 'SELECT DISTINCT "a"."c" AS "x" FROM "t" AS "a"'],
  [
    'groups',
    select(COUNT, {
      where: eq(A, int(1)),
      groupBy: [A, int(2)],
      having: eq(COUNT, int(3)),
      orderBy: [{ expression: A, descending: false }],
    }),
    'SELECT count(*) AS "x" FROM "t" AS "a" WHERE ("a"."c" = 1) GROUP BY "a"."c", CAST(2 AS integer) HAVING (count(*) = 3) ORDER BY "a"."c" ASC',
  ],
  ['ROLLUP', select(COUNT, { groupBy: [A], rollup: true }), 'SELECT count(*) AS "x" FROM "t" AS "a" GROUP BY ROLLUP ("a"."c")'],
  [
    'set operations in one another',
    { kind: 'setOperation', op: 'intersect', all: false, left: EXCEPT, right: { kind: 'unionAll', arms: [select(A), select(A)] } },
    `(${INNER_SQL} EXCEPT ALL ${INNER_SQL}) INTERSECT ((SELECT "a"."c" AS "x" FROM "t" AS "a") UNION ALL (SELECT "a"."c" AS "x" FROM "t" AS "a"))`,
  ],
  [
    'WITH',
    select(A, {
      with: {
        recursive: false,
        ctes: [
          { name: 'w"1', query: INNER },
          { name: 'w2', query: EXCEPT },
        ],
      },
      from: { kind: 'cte', name: 'w"1', alias: 'a' },
    }),
    `WITH "w""1" AS ${INNER_SQL}, "w2" AS (${INNER_SQL} EXCEPT ALL ${INNER_SQL}) SELECT "a"."c" AS "x" FROM "w""1" AS "a"`,
  ],
  [
    'a recursive WITH before a set operation',
    {
      ...EXCEPT,
      with: {
        recursive: true,
        ctes: [
          {
            name: 'w',
            query: {
              kind: 'setOperation',
              op: 'union',
              all: true,
              left: INNER,
              right: select(A, { from: { kind: 'cte', name: 'w', alias: 'a' } }),
            },
          },
        ],
      },
    },
    `WITH RECURSIVE "w" AS (${INNER_SQL} UNION ALL (SELECT "a"."c" AS "x" FROM "w" AS "a")) ${INNER_SQL} EXCEPT ALL ${INNER_SQL}`,
  ],
  ['a view', select(A, { from: { kind: 'view', view: 'my "view".x', alias: 'a' } }), 'SELECT "a"."c" AS "x" FROM "my ""view"".x" AS "a"'],
  [
    'a lateral derived table',
    select(A, {
      from: {
        kind: 'join',
        type: 'left',
        left: from('t', 'a'),
        right: { kind: 'derived', query: INNER, alias: 'd', lateral: true },
        on: { kind: 'literal', type: 'boolean', value: true },
      },
    }),
    `SELECT "a"."c" AS "x" FROM ("t" AS "a" LEFT JOIN LATERAL ${INNER_SQL} AS "d" ON TRUE)`,
  ],
  [
    'NATURAL and USING in one another',
    select(A, {
      from: {
        kind: 'join',
        type: 'left',
        left: { kind: 'join', type: 'inner', left: from('t', 'a'), right: from('u', 'b'), using: ['c', 'd'], natural: true },
        right: from('v', 'e'),
        using: ['c"', 'd'],
      },
    }),
    'SELECT "a"."c" AS "x" FROM (("t" AS "a" NATURAL INNER JOIN "u" AS "b") LEFT JOIN "v" AS "e" USING ("c""", "d"))',
  ],
];

const insert = (more: Partial<Insert>): Insert => ({ kind: 'insert', table: 't"', columns: ['a', 'b'], rows: [[int(1), int(2)]], ...more });

const WRITES: readonly (readonly [string, Statement, string])[] = [
  [
    'INSERT ... SELECT',
    insert({ rows: [], query: INNER, returning: [item(col('t"', 'a'))] }),
    `INSERT INTO "t""" ("a", "b") ${INNER_SQL} RETURNING "t"""."a" AS "x"`,
  ],
  [
    'DO NOTHING',
    insert({ conflict: { action: 'nothing', columns: ['a'] } }),
    'INSERT INTO "t""" ("a", "b") VALUES (1, 2) ON CONFLICT ("a") DO NOTHING',
  ],
  [
    'DO NOTHING for any key',
    insert({ conflict: { action: 'nothing', columns: [] } }),
    'INSERT INTO "t""" ("a", "b") VALUES (1, 2) ON CONFLICT DO NOTHING',
  ],
  [
    'DO UPDATE with a condition',
    insert({
      conflict: {
        action: 'update',
        columns: ['a', 'b"'],
        set: [{ column: 'b', value: { kind: 'proposed', column: 'b' } }],
        where: eq(col('t"', 'b'), { kind: 'proposed', column: 'b' }),
      },
      returning: [item(col('t"', 'a'))],
    }),
    'INSERT INTO "t""" ("a", "b") VALUES (1, 2) ON CONFLICT ("a", "b""") DO UPDATE SET "b" = EXCLUDED."b" WHERE ("t"""."b" = EXCLUDED."b") RETURNING "t"""."a" AS "x"',
  ],
  [
    'UPDATE ... FROM',
    { kind: 'update', table: 't', set: [{ column: 'a', value: A }], from: from('t', 'a'), where: eq(col('t', 'a'), A) },
    'UPDATE "t" SET "a" = "a"."c" FROM "t" AS "a" WHERE ("t"."a" = "a"."c")',
  ],
  [
    'UPDATE through a view',
    { kind: 'update', table: 't', through: 'v"', set: [{ column: 'a', value: col('v"', 'b') }] },
    'UPDATE "v""" SET "a" = "v"""."b"',
  ],
  [
    'DELETE ... USING',
    { kind: 'delete', table: 't', using: from('u', 'a'), where: eq(col('t', 'a'), A) },
    'DELETE FROM "t" USING "u" AS "a" WHERE ("t"."a" = "a"."c")',
  ],
];

describe('the PostgreSQL printer', () => {
  it.each(EXPRESSIONS)('prints the expression %j', (expression, expected) => {
    expect(postgres.print(select(expression))).toBe(`SELECT ${expected} AS "x" FROM "t" AS "a"`);
  });

  it.each(QUERIES)('prints %s', (_name, query, expected) => {
    expect(postgres.print(query)).toBe(expected);
  });

  it.each(WRITES)('prints %s', (_name, statement, expected) => {
    expect(postgres.print(statement)).toBe(expected);
  });

  it('creates views after the tables and their rows, in their order', () => {
    const schema: Schema = {
      tables: [
        {
          name: 't',
          columns: [{ name: 'c', type: { kind: 'integer' }, nullable: true }],
          primaryKey: [],
          uniques: [],
          checks: [],
          foreignKeys: [],
          indexes: [],
          rows: [[1]],
        },
      ],
      views: [
        { name: 'v"1', query: select(A), updates: 't' },
        { name: 'v2', query: select(A, { from: { kind: 'view', view: 'v"1', alias: 'a' } }) },
      ],
    };
    expect(
      postgres
        .namespaceScript('n', schema)
        .slice(-2)
        .map(({ sql }) => sql),
    ).toEqual([
      'CREATE VIEW "v""1" AS SELECT "a"."c" AS "x" FROM "t" AS "a"',
      'CREATE VIEW "v2" AS SELECT "a"."c" AS "x" FROM "v""1" AS "a"',
    ]);
  });

  it('refuses REPLACE, which PostgreSQL does not have', () => {
    expect(() => postgres.print(insert({ conflict: { action: 'replace' } }))).toThrow(
      /REPLACE into t": PostgreSQL has no REPLACE \(capability replace\)/,
    );
    expect(postgres.capabilities.replace ?? false).toBe(false);
  });

  it('refuses what has no meaning', () => {
    expect(() => postgres.print(select(COUNT, { rollup: true }))).toThrow(/ROLLUP without a GROUP BY/);
    expect(() => postgres.print(select({ kind: 'aggregate', name: 'sum' }))).toThrow(/sum without an operand/);
    expect(() =>
      postgres.print(select({ kind: 'aggregate', name: 'count', operand: A, distinct: true, over: { partitionBy: [], orderBy: [] } })),
    ).toThrow(/no such window function/);
    expect(() => postgres.print(select(A, { with: { recursive: false, ctes: [] } }))).toThrow(/WITH without/);
    expect(() => postgres.print(insert({ conflict: { action: 'update', columns: [], set: [] } }))).toThrow(/without the columns of a key/);
    expect(() =>
      postgres.print(
        select(A, { from: { kind: 'join', type: 'inner', left: from('t', 'a'), right: from('u', 'b'), on: eq(A, A), using: ['c'] } }),
      ),
    ).toThrow(/with ON and USING/);
    expect(() =>
      postgres.print(select(A, { from: { kind: 'join', type: 'inner', left: from('t', 'a'), right: from('u', 'b'), using: [] } })),
    ).toThrow(/USING no column/);
  });

  it.each(['a\0b', '\ud800', ''])('refuses the name %j wherever a name may stand', (bad) => {
    const statements: readonly Statement[] = [
      select(A, { from: { kind: 'view', view: bad, alias: 'a' } }),
      select(A, { from: { kind: 'cte', name: bad, alias: 'a' } }),
      select(A, { with: { recursive: false, ctes: [{ name: bad, query: INNER }] } }),
      select(A, { from: { kind: 'join', type: 'inner', left: from('t', 'a'), right: from('u', 'b'), using: [bad] } }),
      select({ kind: 'proposed', column: bad }),
      insert({ conflict: { action: 'nothing', columns: [bad] } }),
      { kind: 'update', table: 't', through: bad, set: [{ column: 'a', value: int(1) }] },
      { kind: 'delete', table: 't', using: from(bad, 'a') },
    ];
    for (const statement of statements) expect(() => postgres.print(statement)).toThrow(/cannot store|empty identifier/);
  });
});
