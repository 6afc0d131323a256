// Golden statements: what each shape prints as, and what is refused.
import { describe, expect, it } from 'vitest';
import type { Expression, Statement } from '../../../core/sql/index.ts';
import { postgres } from '../../../dialects/index.ts';

const int = (value: number | null): Expression => ({ kind: 'literal', type: 'integer', value });
const text = (value: string | null): Expression => ({ kind: 'literal', type: 'text', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const from = (table: string, alias: string) => ({ kind: 'table', table, alias }) as const;
const item = (expression: Expression, alias = 'x') => ({ expression, alias });
const eq = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const selectOf = (expression: Expression): Statement => ({ kind: 'select', items: [item(expression)], from: from('t', 'a') });

function expression(e: Expression): string {
  return /^SELECT (.*) AS "x" FROM "t" AS "a"$/s.exec(postgres.print(selectOf(e)))?.[1] ?? 'no match';
}

const EXPRESSIONS: readonly (readonly [Expression, string])[] = [
  [int(5), '5'],
  [int(-5), '(-5)'],
  [int(null), 'CAST(NULL AS integer)'],
  [text(null), 'CAST(NULL AS text)'],
  [{ kind: 'literal', type: 'decimal', value: null }, 'CAST(NULL AS numeric)'],
  [{ kind: 'literal', type: 'bigint', value: '-9223372036854775808' }, "bigint '-9223372036854775808'"],
  [{ kind: 'literal', type: 'decimal', value: '1.50' }, "numeric '1.50'"],
  [{ kind: 'literal', type: 'boolean', value: false }, 'FALSE'],
  [{ kind: 'literal', type: 'date', value: '2024-02-29' }, "date '2024-02-29'"],
  [{ kind: 'literal', type: 'timestamp', value: '2024-02-29 23:59:59' }, "timestamp '2024-02-29 23:59:59'"],
  [text("o'clock"), "'o''clock'"],
  [text("\\'; DROP TABLE t; --"), "E'\\\\''; DROP TABLE t; --'"],
  [text('$1 ? :x %s'), "'$1 ? :x %s'"],
  [col('a"b', 'c.d'), '"a""b"."c.d"'],
  [{ kind: 'logic', op: 'and', operands: [eq(int(1), int(2)), eq(int(3), int(4))] }, '((1 = 2) AND (3 = 4))'],
  [{ kind: 'logic', op: 'or', operands: [] }, 'FALSE'],
  [{ kind: 'not', operand: eq(int(1), int(2)) }, '(NOT (1 = 2))'],
  [{ kind: 'isNull', operand: col('a', 'c'), negated: true }, '("a"."c" IS NOT NULL)'],
  [{ kind: 'between', operand: col('a', 'c'), low: int(-1), high: int(1) }, '("a"."c" BETWEEN (-1) AND 1)'],
  [{ kind: 'in', operand: col('a', 'c'), list: [int(1), int(null)], negated: true }, '("a"."c" NOT IN (1, CAST(NULL AS integer)))'],
  [{ kind: 'in', operand: col('a', 'c'), list: [], negated: false }, 'FALSE'],
  [{ kind: 'like', operand: col('a', 'c'), pattern: "%'\\_", negated: false }, `("a"."c" LIKE E'%''\\\\_')`],
  [{ kind: 'arithmetic', op: '-', left: int(1), right: int(-1) }, '(1 - (-1))'],
  [{ kind: 'concat', operands: [col('a', 'c'), text(',7.3')] }, `("a"."c" || ',7.3')`],
  [{ kind: 'call', name: 'right', args: [col('a', 'iso_w'), int(480)] }, 'right("a"."iso_w", 480)'],
  // oxlint-disable-next-line unicorn/no-thenable -- SQL's THEN, never awaited
  [{ kind: 'case', when: eq(int(1), int(1)), then: text('y'), otherwise: text('n') }, "(CASE WHEN (1 = 1) THEN 'y' ELSE 'n' END)"],
  [{ kind: 'jsonArray', items: [text('t'), col('a', 'iso_rid')] }, `json_build_array('t', "a"."iso_rid")`],
];

const STATEMENTS: readonly (readonly [Statement, string])[] = [
  [
    {
      kind: 'select',
      items: [item(col('a', 'c'), 'out')],
      from: {
        kind: 'join',
        type: 'left',
        left: { kind: 'join', type: 'cross', left: from('t', 'a'), right: from('u', 'b') },
        right: {
          kind: 'derived',
          query: {
            kind: 'unionAll',
            arms: [
              { kind: 'select', items: [item(int(1))], from: from('v', 'v') },
              { kind: 'select', items: [item(int(2))], from: from('w', 'w') },
            ],
          },
          alias: 'd',
        },
        on: eq(col('d', 'x'), col('a', 'c')),
      },
      where: eq(col('a', 'c'), int(1)),
      orderBy: [
        { expression: col('a', 'c'), descending: true },
        { expression: int(1), descending: false },
      ],
      limit: 0,
    },
    'SELECT "a"."c" AS "out" FROM (("t" AS "a" CROSS JOIN "u" AS "b") LEFT JOIN ((SELECT 1 AS "x" FROM "v" AS "v") UNION ALL (SELECT 2 AS "x" FROM "w" AS "w")) AS "d" ON ("d"."x" = "a"."c")) WHERE ("a"."c" = 1) ORDER BY "a"."c" DESC, CAST(1 AS integer) ASC LIMIT 0',
  ],
  [
    { kind: 'select', items: [item(int(1))], from: from('t', 'a'), lock: { strength: 'update' } },
    'SELECT 1 AS "x" FROM "t" AS "a" FOR UPDATE',
  ],
  [
    { kind: 'select', items: [item(int(1))], from: from('t', 'a'), lock: { strength: 'update', wait: 'nowait' } },
    'SELECT 1 AS "x" FROM "t" AS "a" FOR UPDATE NOWAIT',
  ],
  [
    { kind: 'select', items: [item(int(1))], from: from('t', 'a'), lock: { strength: 'share', wait: 'skip locked' } },
    'SELECT 1 AS "x" FROM "t" AS "a" FOR SHARE SKIP LOCKED',
  ],
  [
    { kind: 'select', items: [item(int(1))], from: from('t', 'a'), lock: { strength: 'no key update', wait: 'nowait' } },
    'SELECT 1 AS "x" FROM "t" AS "a" FOR NO KEY UPDATE NOWAIT',
  ],
  [
    { kind: 'select', items: [item(int(1))], from: from('t', 'a'), lock: { strength: 'key share' } },
    'SELECT 1 AS "x" FROM "t" AS "a" FOR KEY SHARE',
  ],
  [
    {
      kind: 'insert',
      table: 't',
      columns: ['a', 'b'],
      rows: [
        [int(1), { kind: 'default' }],
        [int(null), text('z')],
      ],
      returning: [item(col('t', 'a'), 'r')],
    },
    `INSERT INTO "t" ("a", "b") VALUES (1, DEFAULT), (CAST(NULL AS integer), 'z') RETURNING "t"."a" AS "r"`,
  ],
  [
    {
      kind: 'update',
      table: 't',
      set: [
        { column: 'a', value: { kind: 'arithmetic', op: '+', left: col('t', 'a'), right: int(1) } },
        { column: 'b', value: { kind: 'default' } },
      ],
      where: eq(col('t', 'a'), int(1)),
      returning: [item(col('t', 'a'))],
    },
    'UPDATE "t" SET "a" = ("t"."a" + 1), "b" = DEFAULT WHERE ("t"."a" = 1) RETURNING "t"."a" AS "x"',
  ],
  [
    { kind: 'delete', table: 't', where: eq(col('t', 'a'), int(1)), returning: [item(col('t', 'a'))] },
    'DELETE FROM "t" WHERE ("t"."a" = 1) RETURNING "t"."a" AS "x"',
  ],
  [{ kind: 'delete', table: 't' }, 'DELETE FROM "t"'],
  [{ kind: 'savepoint', name: 's"1' }, 'SAVEPOINT "s""1"'],
  [{ kind: 'rollbackTo', name: 's1' }, 'ROLLBACK TO SAVEPOINT "s1"'],
  [{ kind: 'release', name: 's1' }, 'RELEASE SAVEPOINT "s1"'],
];

describe('the PostgreSQL printer', () => {
  it.each(EXPRESSIONS)('prints the expression %j', (e, expected) => {
    expect(expression(e)).toBe(expected);
  });

  it.each(STATEMENTS)('prints the statement %j', (statement, expected) => {
    expect(postgres.print(statement)).toBe(expected);
  });

  it.each(['a\0b', '\ud800', 'x\udc00y'])('refuses %j, which PostgreSQL cannot hold, as text and as a name', (bad) => {
    expect(() => postgres.print(selectOf(text(bad)))).toThrow(/cannot store/);
    expect(() => postgres.print(selectOf({ kind: 'like', operand: col('a', 'c'), pattern: bad, negated: false }))).toThrow(/cannot store/);
    expect(() => postgres.print(selectOf(col('a', bad)))).toThrow(/cannot store/);
  });

  it('refuses names that PostgreSQL would cut, counted in bytes, and empty ones', () => {
    expect(() => postgres.print(selectOf(col('a', 'é'.repeat(32))))).toThrow(/64 bytes/);
    expect(postgres.print(selectOf(col('a', 'é'.repeat(31))))).toContain('é');
    expect(() => postgres.print(selectOf(col('a', '')))).toThrow(/empty identifier/);
  });

  it('refuses values of another type, ragged inserts and joins without a condition', () => {
    expect(() => postgres.print(selectOf({ kind: 'literal', type: 'integer', value: '1; DROP' }))).toThrow(/no value of type integer/);
    expect(() => postgres.print(selectOf(int(1.5)))).toThrow(/no whole number/);
    expect(() => postgres.print({ kind: 'insert', table: 't', columns: ['a'], rows: [[int(1), int(2)]] })).toThrow(
      /2 values for 1 columns/,
    );
    expect(() => postgres.print({ kind: 'insert', table: 't', columns: ['a'], rows: [] })).toThrow(/without a row/);
    expect(() =>
      postgres.print({
        kind: 'select',
        items: [item(int(1))],
        from: { kind: 'join', type: 'left', left: from('t', 'a'), right: from('u', 'b') },
      }),
    ).toThrow(/left join without a condition/);
  });
});
