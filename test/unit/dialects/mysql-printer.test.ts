// Golden statements of the MySQL family: what each shape prints as on MySQL and on MariaDB, and what is refused.
import { describe, expect, it } from 'vitest';
import type { Expression, Query, Select, Statement } from '../../../core/sql/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import { InternalError, UsageError } from '../../../core/base/index.ts';
import { READS_COLUMN } from '../../../core/history/index.ts';
import { mariadb, mysql, postgres } from '../../../dialects/index.ts';

const int = (value: number | null): Expression => ({ kind: 'literal', type: 'integer', value });
const text = (value: string | null): Expression => ({ kind: 'literal', type: 'text', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const from = (table: string, alias: string) => ({ kind: 'table', table, alias }) as const;
const item = (expression: Expression, alias = 'x') => ({ expression, alias });
const eq = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const selectOf = (expression: Expression, more: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [item(expression)],
  from: from('t', 'a'),
  ...more,
});
const inQuery = (table: string): Expression => ({
  kind: 'inQuery',
  operand: col('t', 'c'),
  negated: false,
  query: selectOf(col('a', 'c'), { from: from(table, 'a') }),
});

function expression(e: Expression, dialect: Dialect = mysql): string {
  return /^SELECT (.*) AS `x` FROM `t` AS `a`$/s.exec(dialect.print(selectOf(e)))?.[1] ?? 'no match';
}

const AGGREGATE = { kind: 'aggregate', name: 'sum', operand: col('a', 'c') } as const;

const EXPRESSIONS: readonly (readonly [Expression, string])[] = [
  [int(5), '5'],
  [int(-5), '(-5)'],
  [int(null), 'CAST(NULL AS SIGNED)'],
  [text(null), 'CAST(NULL AS CHAR)'],
  [{ kind: 'literal', type: 'timestamp', value: null }, 'CAST(NULL AS DATETIME)'],
  [{ kind: 'literal', type: 'bigint', value: '-9223372036854775808' }, '(-9223372036854775808)'],
  [{ kind: 'literal', type: 'decimal', value: '1.50' }, '1.50'],
  [{ kind: 'literal', type: 'boolean', value: false }, 'FALSE'],
  [{ kind: 'literal', type: 'date', value: '2024-02-29' }, "DATE '2024-02-29'"],
  [{ kind: 'literal', type: 'timestamp', value: '2024-02-29 23:59:59' }, "TIMESTAMP '2024-02-29 23:59:59'"],
  [text("o'clock"), "'o''clock'"],
  [text("\\'; DROP TABLE t; --"), "'\\\\''; DROP TABLE t; --'"],
  [text('$1 ? :x %s'), "'$1 ? :x %s'"],
  [col('a`b', 'c.d'), '`a``b`.`c.d`'],
  [{ kind: 'logic', op: 'or', operands: [] }, 'FALSE'],
  [{ kind: 'in', operand: col('a', 'c'), list: [], negated: true }, 'TRUE'],
  [{ kind: 'like', operand: col('a', 'c'), pattern: "%'\\_", negated: true }, "(`a`.`c` NOT LIKE '%''\\\\_')"],
  [{ kind: 'concat', operands: [col('a', 'c'), text(',7.3')] }, "CONCAT(`a`.`c`, ',7.3')"],
  [{ kind: 'call', name: 'length', args: [col('a', 'c')] }, 'char_length(`a`.`c`)'],
  [{ kind: 'cast', operand: col('a', 'c'), type: 'text' }, 'CAST(`a`.`c` AS CHAR)'],
  [{ kind: 'cast', operand: col('a', 'c'), type: 'boolean' }, '(`a`.`c` <> 0)'],
  [{ ...AGGREGATE, filter: eq(int(1), int(2)) }, 'sum(CASE WHEN (1 = 2) THEN `a`.`c` END)'],
  [{ ...AGGREGATE, distinct: true, filter: eq(int(1), int(2)) }, 'sum(DISTINCT CASE WHEN (1 = 2) THEN `a`.`c` END)'],
  [{ kind: 'aggregate', name: 'count', filter: eq(int(1), int(2)) }, 'count(CASE WHEN (1 = 2) THEN 1 END)'],
  [{ kind: 'aggregate', name: 'count' }, 'count(*)'],
  [
    { ...AGGREGATE, over: { partitionBy: [int(1)], orderBy: [{ expression: col('a', 'c'), descending: true }] } },
    'sum(`a`.`c`) OVER (PARTITION BY CAST(1 AS SIGNED) ORDER BY `a`.`c` DESC)',
  ],
  [{ kind: 'rank', name: 'row_number', over: { partitionBy: [], orderBy: [] } }, 'row_number() OVER ()'],
  [{ kind: 'jsonArray', items: [text('t'), col('a', 'iso_rid')] }, `CONCAT('["t","', \`a\`.\`iso_rid\`, '"]')`],
  [{ kind: 'jsonArray', items: [text('t'), col('a', 'c')] }, "JSON_ARRAY('t', `a`.`c`)"],
  [{ kind: 'jsonAgg', item: col('a', 'c'), filter: eq(int(1), int(2)) }, 'JSON_ARRAYAGG(CASE WHEN (1 = 2) THEN `a`.`c` END)'],
];

const INSERT = { kind: 'insert', table: 't', columns: ['k', 'c'], rows: [[int(1), { kind: 'default' }]] } as const;
const U_JOIN_V = {
  kind: 'join',
  type: 'inner',
  left: from('u', 'b'),
  right: { kind: 'view', view: 'v', alias: 'w' },
  using: ['k'],
} as const;

/** What both print alike. */
const STATEMENTS: readonly (readonly [string, Statement, string])[] = [
  [
    'NATURAL JOIN',
    selectOf(int(1), { from: { kind: 'join', type: 'inner', left: from('t', 'a'), right: from('u', 'b'), using: ['k'], natural: true } }),
    'SELECT 1 AS `x` FROM (`t` AS `a` NATURAL JOIN `u` AS `b`)',
  ],
  [
    'NATURAL LEFT JOIN',
    selectOf(int(1), { from: { kind: 'join', type: 'left', left: from('t', 'a'), right: from('u', 'b'), using: ['k'], natural: true } }),
    'SELECT 1 AS `x` FROM (`t` AS `a` NATURAL LEFT JOIN `u` AS `b`)',
  ],
  ['USING', selectOf(int(1), { from: U_JOIN_V }), 'SELECT 1 AS `x` FROM (`u` AS `b` INNER JOIN `v` AS `w` USING (`k`))'],
  [
    'ROLLUP',
    selectOf({ kind: 'aggregate', name: 'count' }, { groupBy: [col('a', 'c'), int(3)], rollup: true }),
    'SELECT count(*) AS `x` FROM `t` AS `a` GROUP BY `a`.`c`, CAST(3 AS SIGNED) WITH ROLLUP',
  ],
  [
    'a lock without a wait',
    selectOf(int(1), { lock: { strength: 'update', wait: 'nowait' } }),
    'SELECT 1 AS `x` FROM `t` AS `a` FOR UPDATE NOWAIT',
  ],
  [
    'EXCEPT ALL',
    { kind: 'setOperation', op: 'except', all: true, left: selectOf(int(1)), right: selectOf(int(2)) },
    '(SELECT 1 AS `x` FROM `t` AS `a`) EXCEPT ALL (SELECT 2 AS `x` FROM `t` AS `a`)',
  ],
  ['INSERT with DEFAULT', INSERT, 'INSERT INTO `t` (`k`, `c`) VALUES (1, DEFAULT)'],
  ['DO NOTHING', { ...INSERT, conflict: { action: 'nothing', columns: ['k'] } }, 'INSERT IGNORE INTO `t` (`k`, `c`) VALUES (1, DEFAULT)'],
  ['REPLACE', { ...INSERT, conflict: { action: 'replace' } }, 'REPLACE INTO `t` (`k`, `c`) VALUES (1, DEFAULT)'],
  [
    'DO UPDATE',
    { ...INSERT, conflict: { action: 'update', columns: ['k'], set: [{ column: 'c', value: { kind: 'proposed', column: 'c' } }] } },
    'INSERT INTO `t` (`k`, `c`) VALUES (1, DEFAULT) ON DUPLICATE KEY UPDATE `c` = VALUES(`c`)',
  ],
  [
    'DO UPDATE WHERE',
    {
      ...INSERT,
      conflict: { action: 'update', columns: ['k'], set: [{ column: 'c', value: { kind: 'default' } }], where: eq(col('t', 'c'), int(1)) },
    },
    'INSERT INTO `t` (`k`, `c`) VALUES (1, DEFAULT) ON DUPLICATE KEY UPDATE `c` = IF((`t`.`c` = 1), DEFAULT(`c`), `t`.`c`)',
  ],
  [
    'DO UPDATE WHERE whose first assignment would change the condition',
    {
      ...INSERT,
      conflict: {
        action: 'update',
        columns: ['k'],
        set: [
          { column: 'c', value: int(2) },
          { column: 'd', value: int(3) },
        ],
        where: eq(col('t', 'c'), int(1)),
      },
    },
    'INSERT INTO `t` (`k`, `c`) VALUES (1, DEFAULT) ON DUPLICATE KEY UPDATE `c` = IF((@iso_condition := (`t`.`c` = 1)), 2, `t`.`c`), `d` = IF(@iso_condition, 3, `t`.`d`)',
  ],
  [
    'UPDATE FROM',
    { kind: 'update', table: 't', set: [{ column: 'c', value: col('b', 'c') }], from: U_JOIN_V, where: eq(col('t', 'k'), col('b', 'k')) },
    'UPDATE `t` CROSS JOIN (`u` AS `b` INNER JOIN `v` AS `w` USING (`k`)) SET `t`.`c` = `b`.`c` WHERE (`t`.`k` = `b`.`k`)',
  ],
  ['UPDATE through a view', { kind: 'update', table: 't', through: 'v', set: [{ column: 'c', value: int(1) }] }, 'UPDATE `v` SET `c` = 1'],
  [
    'DELETE USING',
    { kind: 'delete', table: 't', using: from('u', 'b'), where: eq(col('t', 'k'), col('b', 'k')) },
    'DELETE `t` FROM `t` CROSS JOIN `u` AS `b` WHERE (`t`.`k` = `b`.`k`)',
  ],
  ['a savepoint', { kind: 'rollbackTo', name: 's`p' }, 'ROLLBACK TO SAVEPOINT `s``p`'],
];

describe.each([mysql, mariadb])('$title prints', (dialect) => {
  it.each(EXPRESSIONS)('%j', (e, sql) => {
    expect(expression(e, dialect)).toBe(sql);
  });

  it.each(STATEMENTS)('%s', (_, statement, sql) => {
    expect(dialect.print(statement)).toBe(sql);
  });
});

describe('what MySQL and MariaDB print differently', () => {
  const COPY = '(SELECT * FROM `t` LIMIT 18446744073709551615) AS `a`';
  const both = (statement: Statement): readonly [string, string] => [mysql.print(statement), mariadb.print(statement)];

  it('shared locks', () => {
    expect(both(selectOf(int(1), { lock: { strength: 'share' } }))).toEqual([
      'SELECT 1 AS `x` FROM `t` AS `a` FOR SHARE',
      'SELECT 1 AS `x` FROM `t` AS `a` LOCK IN SHARE MODE',
    ]);
  });

  it('a write of the first rows alone, which PostgreSQL has not', () => {
    const first: Statement = {
      kind: 'delete',
      table: 't1',
      where: {
        kind: 'compare',
        op: '>=',
        left: { kind: 'column', table: 't1', column: 'id' },
        right: { kind: 'literal', type: 'integer', value: 2 },
      },
      orderBy: [{ expression: { kind: 'column', table: 't1', column: 'id' }, descending: true }],
      limit: 1,
    };
    for (const dialect of [mysql, mariadb])
      expect(dialect.print(first)).toBe('DELETE FROM `t1` WHERE (`t1`.`id` >= 2) ORDER BY `t1`.`id` DESC LIMIT 1');
    expect(() => postgres.print(first)).toThrow('DELETE of t1 with LIMIT: PostgreSQL has none');
  });

  it('no MERGE', () => {
    const on = int(1);
    expect(() => both({ kind: 'merge', table: 't', source: { kind: 'table', table: 'u', alias: 'u' }, on, branches: [] })).toThrow(
      'MERGE into t: MySQL has none (capability merge)',
    );
  });

  it('no lock that spares keys, as the family has none', () => {
    expect(() => both(selectOf(int(1), { lock: { strength: 'no key update' } }))).toThrow('FOR NO KEY UPDATE: MySQL has no such lock');
  });

  it('SKIP LOCKED, which MariaDB 10.5 has not', () => {
    expect(both(selectOf(int(1), { lock: { strength: 'update', wait: 'skip locked' } }))).toEqual([
      'SELECT 1 AS `x` FROM `t` AS `a` FOR UPDATE SKIP LOCKED',
      'SELECT 1 AS `x` FROM `t` AS `a` FOR UPDATE /*M!100600 SKIP LOCKED */',
    ]);
  });

  it('a subquery on the table that is written: MySQL reads a copy', () => {
    const [my, maria] = both({ kind: 'delete', table: 't', where: inQuery('t') });
    expect(my).toBe(`DELETE FROM \`t\` WHERE (\`t\`.\`c\` IN (SELECT \`a\`.\`c\` AS \`x\` FROM ${COPY}))`);
    expect(maria).toBe('DELETE FROM `t` WHERE (`t`.`c` IN (SELECT `a`.`c` AS `x` FROM `t` AS `a`))');
  });

  it('the same in a multi-table statement, where MariaDB needs the copy too; other tables are never copied', () => {
    const statement: Statement = {
      kind: 'delete',
      table: 't',
      using: from('t', 'b'),
      where: { kind: 'logic', op: 'and', operands: [inQuery('t'), inQuery('u')] },
    };
    const sql = `DELETE \`t\` FROM \`t\` CROSS JOIN \`t\` AS \`b\` WHERE ((\`t\`.\`c\` IN (SELECT \`a\`.\`c\` AS \`x\` FROM ${COPY})) AND (\`t\`.\`c\` IN (SELECT \`a\`.\`c\` AS \`x\` FROM \`u\` AS \`a\`)))`;
    expect(both(statement)).toEqual([sql, sql]);
  });

  it('an ordered ROLLUP: MariaDB orders outside', () => {
    const statement = selectOf(
      { kind: 'aggregate', name: 'count' },
      { groupBy: [col('a', 'c')], rollup: true, orderBy: [{ expression: col('a', 'c'), descending: true }], limit: 2 },
    );
    const [my, maria] = both(statement);
    expect(my).toBe('SELECT count(*) AS `x` FROM `t` AS `a` GROUP BY `a`.`c` WITH ROLLUP ORDER BY `a`.`c` DESC LIMIT 2');
    expect(maria).toBe(
      'SELECT iso_g.`iso_c0` AS `x` FROM (SELECT count(*) AS `iso_c0`, `a`.`c` AS `iso_o0` FROM `t` AS `a` GROUP BY `a`.`c` WITH ROLLUP) AS iso_g ORDER BY iso_g.`iso_o0` DESC LIMIT 2',
    );
  });

  it('RETURNING, which only MariaDB has, of INSERT and DELETE', () => {
    const returning = [item(col('t', 'c'))];
    const statements: readonly Statement[] = [
      { ...INSERT, returning },
      { kind: 'delete', table: 't', returning },
    ];
    expect(statements.map((statement) => mariadb.print(statement).replace(/.* RETURNING/, 'RETURNING'))).toEqual([
      'RETURNING `t`.`c` AS `x`',
      'RETURNING `t`.`c` AS `x`',
    ]);
    for (const statement of statements) expect(() => mysql.print(statement)).toThrow(InternalError);
    expect(() => mariadb.print({ kind: 'update', table: 't', set: [{ column: 'c', value: int(1) }], returning })).toThrow(InternalError);
    expect(() => mariadb.print({ kind: 'delete', table: 't', using: from('u', 'b'), returning })).toThrow(InternalError);
  });

  it('LATERAL and JSON_ARRAYAGG OVER, which only MySQL has', () => {
    const lateral: Query = selectOf(int(1), {
      from: {
        kind: 'join',
        type: 'cross',
        left: from('t', 'a'),
        right: { kind: 'derived', query: selectOf(col('a', 'c')), alias: 'd', lateral: true },
      },
    });
    expect(mysql.print(lateral)).toContain('CROSS JOIN LATERAL (SELECT');
    expect(() => mariadb.print(lateral)).toThrow(/no LATERAL/);
    const over: Expression = { kind: 'jsonAgg', item: col('a', 'c'), over: { partitionBy: [], orderBy: [] } };
    expect(expression(over)).toBe('JSON_ARRAYAGG(`a`.`c`) OVER ()');
    expect(() => expression(over, mariadb)).toThrow(InternalError);
  });

  it('row ids and lists are put together by GROUP_CONCAT on MariaDB, those filtered out without their table; what is no pair of columns is not', () => {
    const pair: Expression = {
      kind: 'jsonArray',
      items: [
        { kind: 'literal', type: 'text', value: 'o"\'t' },
        { kind: 'column', table: 'a', column: 'iso_rid' },
        { kind: 'column', table: 'a', column: 'iso_w' },
      ],
    };
    const all: Expression = { kind: 'jsonAgg', item: pair, once: true };
    expect(expression(all, mariadb)).toBe(
      `JSON_COMPACT(CONCAT('[', GROUP_CONCAT(DISTINCT '["o\\\\"''t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"]'), ']'))`,
    );
    expect(expression(all, mysql)).toMatch(/^JSON_ARRAYAGG\(JSON_ARRAY\(/);
    expect(expression({ kind: 'jsonAgg', item: pair, filter: { kind: 'literal', type: 'boolean', value: true } }, mariadb)).toContain(
      `GROUP_CONCAT(IF(TRUE, '["o\\\\"''t","', '[false,"'), \`a\`.`,
    );
    expect(expression({ kind: 'jsonAgg', item: { kind: 'jsonArray', items: [pair] } }, mariadb)).toMatch(/^JSON_ARRAYAGG\(JSON_ARRAY\(/);
  });

  it('a view written with a capture: MySQL is told to merge it, and a plain statement is left alone', () => {
    const capture: Expression = { kind: 'capture', reads: [{ kind: 'jsonArray', items: [] }], value: int(1) };
    const update = (value: Expression): Statement => ({ kind: 'update', table: 't', through: 'v', set: [{ column: 'c', value }] });
    expect(mysql.print(update(capture))).toMatch(/^UPDATE \/\*\+ MERGE\(`v`\) \*\/ `v` SET/);
    expect(mariadb.print(update(capture))).toMatch(/^UPDATE `v` SET/);
    expect(mysql.print(update(int(1)))).toBe('UPDATE `v` SET `c` = 1');
  });
});

describe('reads beside a query', () => {
  const reads: Expression = { kind: 'jsonArray', items: [int(1)] };

  it('are the last row of a UNION ALL, in which an ordered query keeps its order', () => {
    const sql = mysql.print(selectOf(col('a', 'c'), { orderBy: [{ expression: col('a', 'c'), descending: false }], reads }));
    expect(sql).toContain(`\`${READS_COLUMN}\``);
    expect(sql).toMatch(/ORDER BY `a`\.`c` ASC LIMIT 9007199254740991/);
    expect(sql).toMatch(/UNION ALL \(SELECT NULL, CONCAT\(x'', '\[false,', JSON_ARRAY\(1\), '\]'\)\)$/);
  });

  it('are refused beside a write', () => {
    expect(() => mysql.print({ ...INSERT, reads })).toThrow(InternalError);
  });
});

describe('what cannot be printed is refused', () => {
  it.each(['', 'x'.repeat(65), 'a\0b', '😀', 'a '])('the name %j', (name) => {
    expect(() => mysql.print(selectOf(col('a', name)))).toThrow(UsageError);
  });

  it.each(['a\0b', '\ud800'])('the text %j', (value) => {
    expect(() => mysql.print(selectOf(text(value)))).toThrow(UsageError);
  });

  it.each([
    [{ kind: 'literal', type: 'bigint', value: '1; DROP TABLE t' }],
    [{ kind: 'literal', type: 'decimal', value: '1e5' }],
    [{ kind: 'literal', type: 'integer', value: 'x' }],
    [{ kind: 'literal', type: 'boolean', value: 1 }],
  ] as const)('the literal %j', (e) => {
    expect(() => mysql.print(selectOf(e))).toThrow(InternalError);
  });
});
