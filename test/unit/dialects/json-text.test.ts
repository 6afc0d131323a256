// Reads as text on the MySQL family: where arrays are put together by CONCAT, where they stay JSON, and that the text is JSON.
import { describe, expect, it, test } from 'vitest';
import type { Expression, From, Query, Select } from '../../../core/sql/index.ts';
import { leavesOf } from '../../../core/sql/index.ts';
import { mariadb, mysql } from '../../../dialects/index.ts';

const BOTH = [mysql, mariadb];

const text = (value: string): Expression => ({ kind: 'literal', type: 'text', value });
const int = (value: number | null): Expression => ({ kind: 'literal', type: 'integer', value });
const bool = (value: boolean): Expression => ({ kind: 'literal', type: 'boolean', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const array = (...items: Expression[]): Expression => ({ kind: 'jsonArray', items });
const triple = (table: string, alias: string): Expression[] => [text(table), col(alias, 'iso_rid'), col(alias, 'iso_w')];
const from = (table: string, alias: string): From => ({ kind: 'table', table, alias });
const join = (type: 'left' | 'inner', left: From, right: From): From => ({ kind: 'join', type, left, right, on: bool(true) });
const select = (reads: Expression, of: From, where?: Expression): Select => ({
  kind: 'select',
  items: [{ expression: reads, alias: 'iso_reads' }],
  from: of,
  ...(where && { where }),
});

const A = from('t', 'a');
const B = from('u', 'b');
const C = from('v', 'c');
const READS = array(...triple('t', 'a'));
const TEXT = `CONCAT('["t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"]')`;
const JSON_OF_A = "JSON_ARRAY('t', `a`.`iso_rid`, `a`.`iso_w`)";

/** The first item of the statement. */
function shown(query: Query, dialect = mysql): string {
  return /^\(*SELECT (.*?) AS `iso_reads` FROM /s.exec(dialect.print(query))?.[1] ?? 'no match';
}

test.each(BOTH)('$title shows the rows of a table as text', (dialect) => {
  expect(dialect.print(select(READS, A))).toBe(`SELECT ${TEXT} AS \`iso_reads\` FROM \`t\` AS \`a\``);
});

describe('the missing side of an outer join', () => {
  it('has null for row id and list', () => {
    const reads = array(...triple('t', 'a'), ...triple('u', 'b'));
    const sql = `CONCAT('["t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '","u",', IFNULL(CONCAT('"', \`b\`.\`iso_rid\`, '","', \`b\`.\`iso_w\`, '"'), 'null,null'), ']')`;
    for (const dialect of BOTH) expect(shown(select(reads, join('left', A, B)), dialect)).toBe(sql);
  });

  it.each([
    ['a INNER JOIN b', join('inner', A, B), [], ['a', 'b']],
    ['a LEFT JOIN (b INNER JOIN c)', join('left', A, join('inner', B, C)), ['b', 'c'], ['a']],
    ['a LEFT JOIN (b LEFT JOIN c)', join('left', A, join('left', B, C)), ['b', 'c'], ['a']],
    ['a INNER JOIN (b LEFT JOIN c)', join('inner', A, join('left', B, C)), ['c'], ['a', 'b']],
    ['(a LEFT JOIN b) INNER JOIN c', join('inner', join('left', A, B), C), ['b'], ['a', 'c']],
    ['(a INNER JOIN b) LEFT JOIN c', join('left', join('inner', A, B), C), ['c'], ['a', 'b']],
  ])('%s', (_, of, missing, present) => {
    const sql = shown(select(array(...leavesOf(of).flatMap(({ alias }) => triple('t', alias))), of));
    const aliases = (pattern: RegExp): (string | undefined)[] => [...sql.matchAll(pattern)].map((match) => match[1]);
    expect(aliases(/IFNULL\(CONCAT\('"', `(\w)`\.`iso_rid`, '","', `\1`\.`iso_w`, '"'\), 'null,null'\)/g)).toEqual(missing);
    expect(aliases(/"t","', `(\w)`\.`iso_rid`, '","', `\1`\.`iso_w`, '"/g)).toEqual(present);
  });

  const CAPTURED = `' ["t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"],'`;
  const CAPTURED_NULL = `' ["t",', IFNULL(CONCAT('"', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"'), 'null,null'), '],'`;

  it.each([
    ['of an inner FROM that hides an outer alias', A, join('left', B, A), CAPTURED_NULL],
    ['of the outer FROM whose alias an inner one hides', join('left', B, A), A, CAPTURED],
    ['of the outer FROM', join('left', B, A), C, CAPTURED_NULL],
    ['of no FROM', A, C, CAPTURED],
  ])('is that %s', (_, outer, inner, sql) => {
    const capture: Expression = { kind: 'capture', reads: [READS], value: bool(true) };
    const exists: Expression = { kind: 'exists', query: select(int(1), inner, capture), negated: false };
    for (const dialect of BOTH)
      expect(dialect.print(select(int(1), outer, exists))).toContain(
        `WHERE (CASE WHEN (@iso_c := CONCAT(@iso_c, ${sql})) IS NULL THEN TRUE ELSE TRUE END))`,
      );
  });
});

/** What the server makes of a CONCAT of texts and columns: `ids` in the place of the columns. */
function concatenated(sql: string, ids: readonly string[]): string {
  const operands = sql.slice('CONCAT('.length, -1).match(/'(?:''|\\\\|[^'\\])*'|[^',\s][^',]*/g) ?? [];
  const columns = [...ids];
  return operands.map((each) => (each.startsWith("'") ? each.slice(1, -1).replaceAll(/(['\\])\1/g, '$1') : columns.shift())).join('');
}

test.each(["o'k", '"', '\\', '\\"', "\\'", 'a b', 'ü', '漢字', `\`'"\\n\u2028é`])(
  'the table name %j is read back from the text',
  (name) => {
    for (const dialect of BOTH) {
      const sql = shown(select(array(...triple(name, 'a')), from(name, 'a')), dialect);
      expect(sql).toMatch(/^CONCAT\('.*', `a`\.`iso_rid`, '","', `a`\.`iso_w`, '"\]'\)$/s);
      expect(sql.replaceAll(/`[^`]*`/g, '')).toMatch(/^[\0-\x7f]*$/);
      expect(JSON.parse(concatenated(sql, ['r7.1_0', ',7.1']))).toEqual([name, 'r7.1_0', ',7.1']);
    }
  },
);

describe('what may need an escape', () => {
  it.each([
    ["a user's column", col('a', 'c'), '`a`.`c`'],
    ['an integer', int(5), '5'],
    ['a date', { kind: 'literal', type: 'date', value: '2024-02-29' }, "DATE '2024-02-29'"],
  ] as const)('stays in a JSON_ARRAY, the innermost that holds it: %s', (_, value, sql) => {
    expect(shown(select(array(...triple('t', 'a'), value), A))).toBe(`JSON_ARRAY('t', \`a\`.\`iso_rid\`, \`a\`.\`iso_w\`, ${sql})`);
    expect(shown(select(array(...triple('t', 'a'), array(text(''), value)), A))).toBe(
      `CONCAT(x'', '["t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '",', JSON_ARRAY('', ${sql}), ']')`,
    );
  });

  it('is no text, boolean or null', () => {
    expect(shown(select(array(bool(false), array(text('"'), bool(true)), int(null)), A))).toBe(`CONCAT('[false,["\\\\"",true],null]')`);
  });

  it('is within the text that RETURNING shows', () => {
    const returning = [
      {
        expression: array(...triple('t', 't'), array(text(''), { kind: 'concat', operands: [col('t', 'c'), text('')] })),
        alias: 'iso_reads',
      },
    ];
    const sql = mariadb.print({ kind: 'insert', table: 't', columns: ['c'], rows: [[int(1)]], returning });
    expect(sql).toMatch(
      / RETURNING CONCAT\(x'', '\["t","', `t`\.`iso_rid`, '","', `t`\.`iso_w`, '",', JSON_ARRAY\('', CONCAT\(`t`\.`c`, ''\)\), '\]'\) AS `iso_reads`$/,
    );
  });
});

describe('arrays that the server itself reads stay JSON', () => {
  it('in a derived table, whose column is then part of a text', () => {
    const sql = `SELECT CONCAT(x'', '[', IFNULL(\`d\`.\`iso_reads\`, JSON_ARRAY()), ']') AS \`iso_reads\` FROM (SELECT ${JSON_OF_A} AS \`iso_reads\` FROM \`t\` AS \`a\`) AS \`d\``;
    for (const dialect of BOTH)
      expect(dialect.print(select(array(col('d', 'iso_reads')), { kind: 'derived', query: select(READS, A), alias: 'd' }))).toBe(sql);
  });

  it('in a view', () => {
    for (const dialect of BOTH)
      expect(dialect.namespaceScript('n', { tables: [], views: [{ name: 'v', query: select(READS, A) }] }).at(-1)?.sql).toBe(
        `CREATE VIEW \`v\` AS SELECT ${JSON_OF_A} AS \`iso_reads\` FROM \`t\` AS \`a\``,
      );
  });

  it.each([
    ['intersect', true, JSON_OF_A],
    ['union', false, JSON_OF_A],
    ['union', true, TEXT],
  ] as const)('where rows are compared: %s, all: %s', (op, all, sql) => {
    const arm = `(SELECT ${sql} AS \`iso_reads\` FROM \`t\` AS \`a\`)`;
    for (const dialect of BOTH)
      expect(dialect.print({ kind: 'setOperation', op, all, left: select(READS, A), right: select(READS, A) })).toBe(
        `${arm} ${op.toUpperCase()} ${all ? 'ALL ' : ''}${arm}`,
      );
  });

  it('in a UNION ALL within an INTERSECT', () => {
    const within: Query = { kind: 'setOperation', op: 'union', all: true, left: select(READS, A), right: select(READS, A) };
    expect(mysql.print({ kind: 'setOperation', op: 'intersect', all: false, left: within, right: within })).not.toContain('CONCAT');
  });
});

test.each(BOTH)('$title appends what a capture with once has not appended before', (dialect) => {
  const reads = [READS, array(bool(false), ...triple('u', 'b'))];
  const operands = [
    `' ["t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"],'`,
    `' [false,"u","', \`b\`.\`iso_rid\`, '","', \`b\`.\`iso_w\`, '"],'`,
  ];
  const [first, second] = operands.map((each) => `(LOCATE(CONCAT(${each}), @iso_c) > 0 OR (@iso_c := CONCAT(@iso_c, ${each})) IS NULL)`);
  const sql = dialect.print(select(int(1), join('inner', A, B), { kind: 'capture', reads, once: true, value: bool(true) }));
  expect(sql.split(' WHERE ')[1]).toBe(`(CASE WHEN ${first} + ${second} > 0 THEN TRUE ELSE TRUE END)`);
  expect(operands.map((each) => sql.split(each).length - 1)).toEqual([2, 2]);
});
