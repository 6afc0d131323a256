// Reads beside a query on the MySQL family: the arms that the nested expression of the instrumenter becomes.
import { expect, test } from 'vitest';
import type { Expression, From, Select } from '../../../core/sql/index.ts';
import { mysql } from '../../../dialects/index.ts';

const int = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
const text = (value: string): Expression => ({ kind: 'literal', type: 'text', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const from = (table: string, alias: string): From => ({ kind: 'table', table, alias });
const array = (...items: Expression[]): Expression => ({ kind: 'jsonArray', items });
const version = (table: string, alias: string): Expression => array(text(table), col(alias, 'iso_rid'), col(alias, 'iso_w'));
const above = (alias: string, value: number): Expression => ({ kind: 'compare', op: '>', left: col(alias, 'c'), right: int(value) });
const same: Expression = { kind: 'compare', op: '=', left: col('s', 'c'), right: col('a', 'c') };
const all = (item: Expression, filter?: Expression, once = false): Expression => ({
  kind: 'jsonAgg',
  item,
  ...(filter && { filter }),
  ...(once && { once: true as const }),
});
const host = (table: string, alias: string, reads: Expression, where?: Expression): Expression => ({
  kind: 'subquery',
  query: { kind: 'select', items: [{ expression: reads, alias: 'iso_reads' }], from: from(table, alias), ...(where && { where }) },
});
// oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
const guarded = (when: Expression, then: Expression): Expression => ({ kind: 'case', when, then, otherwise: array() });
const some = (filter?: Expression): Expression => ({
  kind: 'compare',
  op: '>',
  left: { kind: 'aggregate', name: 'count', ...(filter && { filter }) },
  right: int(0),
});

/** What follows the query's own arm. */
function arms(reads: Expression, more: Partial<Select> = {}): readonly string[] {
  const query: Select = { kind: 'select', items: [{ expression: col('a', 'c'), alias: 'x' }], from: from('t', 'a'), ...more };
  return mysql
    .print({ ...query, reads: array(reads) })
    .slice(0, -1)
    .split(') UNION ALL (')
    .slice(1)
    .map((arm) => arm.replace(/^SELECT NULL, /, ''));
}

const A = `CONCAT('[false,"t","', \`a\`.\`iso_rid\`, '","', \`a\`.\`iso_w\`, '"]')`;
const S = `CONCAT('[false,"u","', \`s\`.\`iso_rid\`, '","', \`s\`.\`iso_w\`, '"]')`;
const ALL_OF_S = "CONCAT(x'', '[false,', IFNULL(JSON_ARRAYAGG(JSON_ARRAY('u', `s`.`iso_rid`, `s`.`iso_w`)), JSON_ARRAY()), ']')";

test('the rows of a query are one arm, under all of its conditions', () => {
  expect(arms(host('t', 'a', array(all(version('t', 'a'), above('a', 1))), above('a', 2)))).toEqual([
    `${A} FROM \`t\` AS \`a\` WHERE ((\`a\`.\`c\` > 2) AND (\`a\`.\`c\` > 1))`,
  ]);
  expect(arms(host('t', 'a', array(all(version('t', 'a')))))).toEqual([`${A} FROM \`t\` AS \`a\``]);
});

test('what is read for each row is joined to it, and each version shown once', () => {
  const inner = host('u', 's', array(all(version('u', 's'))), same);
  const joined = (conditions: string): string => `${ALL_OF_S} FROM (\`t\` AS \`a\` CROSS JOIN \`u\` AS \`s\`) WHERE ${conditions}`;
  expect(arms(host('t', 'a', array(all(array(inner), above('a', 1), true)), above('a', 2)))).toEqual([
    joined('((`a`.`c` > 2) AND (`a`.`c` > 1) AND (`s`.`c` = `a`.`c`))'),
  ]);
  expect(arms(host('t', 'a', array(all(array(guarded(above('a', 3), array(inner)), version('t', 'a'))))))).toEqual([
    joined('((`a`.`c` > 3) AND (`s`.`c` = `a`.`c`))'),
    `${A} FROM \`t\` AS \`a\``,
  ]);
});

test('what is read once, if there is a row, has the row behind EXISTS', () => {
  const inner = host('u', 's', array(all(version('u', 's'))), above('s', 5));
  expect(arms(host('t', 'a', array(guarded(some(above('a', 1)), array(inner))), above('a', 2)))).toEqual([
    `${S} FROM \`u\` AS \`s\` WHERE ((EXISTS (SELECT 1 AS \`n\` FROM \`t\` AS \`a\` WHERE ((\`a\`.\`c\` > 2) AND (\`a\`.\`c\` > 1)))) AND (\`s\`.\`c\` > 5))`,
  ]);
  expect(arms(host('t', 'a', array(guarded(some(), array(inner)))))).toEqual([
    `${S} FROM \`u\` AS \`s\` WHERE ((EXISTS (SELECT 1 AS \`n\` FROM \`t\` AS \`a\`)) AND (\`s\`.\`c\` > 5))`,
  ]);
});

test('what is read whatever the rows are has no part in them', () => {
  const inner = host('u', 's', array(all(version('u', 's'))));
  expect(arms(host('t', 'a', array(array(inner))))).toEqual([`${S} FROM \`u\` AS \`s\``]);
  expect(arms(host('t', 'a', array(inner)))).toEqual([`${S} FROM \`u\` AS \`s\``]);
});

test('one name for two tables stays nested, and so does what has another form', () => {
  const inner = host('u', 'a', array(all(version('u', 'a'))), above('a', 1));
  const nested = host('t', 'a', array(all(array(inner))));
  expect(arms(nested)).toEqual([expect.stringMatching(/^CONCAT\(x'', '\[false,\[', IFNULL\(\(SELECT JSON_ARRAY\(JSON_ARRAYAGG\(/)]);
  const limited = host('t', 'a', array(all(version('t', 'a'))));
  expect(arms({ ...limited, query: { ...(limited as Extract<Expression, { kind: 'subquery' }>).query, limit: 1 } } as Expression)).toEqual([
    expect.stringMatching(/LIMIT 1\), JSON_ARRAY\(\)\), '\]\]'\)$/),
  ]);
});

test('a WITH stands before all arms if one of them names it', () => {
  const clause = {
    recursive: false,
    ctes: [{ name: 'w', query: { kind: 'select', items: [{ expression: int(1), alias: 'c' }], from: from('u', 's') } }],
  } as const;
  const w: From = { kind: 'cte', name: 'w', alias: 'a' };
  const query: Select = { kind: 'select', with: clause, items: [{ expression: col('a', 'c'), alias: 'x' }], from: w };
  const reads = (over: From): Expression =>
    array({
      kind: 'subquery',
      query: { kind: 'select', with: clause, items: [{ expression: array(all(version('t', 'b'))), alias: 'r' }], from: over },
    });
  const named = mysql.print({ ...query, reads: reads({ kind: 'join', type: 'cross', left: from('t', 'b'), right: w }) });
  expect(named).toMatch(
    /^WITH `w` AS \(SELECT 1 AS `c` FROM `u` AS `s`\) \(SELECT `a`\.`c` AS `x`, '\[\]' AS `iso_reads` FROM `w` AS `a`\) UNION ALL \(SELECT NULL, CONCAT\('\[false,"t","', `b`\.`iso_rid`, '","', `b`\.`iso_w`, '"\]'\) FROM \(`t` AS `b` CROSS JOIN `w` AS `a`\)\)$/,
  );
  expect(mysql.print({ ...query, reads: reads(from('t', 'b')) })).toMatch(
    /^\(SELECT iso_q\.iso_c0 AS `x`, .* UNION ALL \(SELECT NULL, CONCAT\('\[false,"t","', `b`\.`iso_rid`, '","', `b`\.`iso_w`, '"\]'\) FROM `t` AS `b`\)$/,
  );
});
