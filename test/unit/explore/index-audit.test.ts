/** The audit of indexes on a scripted server: which reply is held against which, and what CHECK TABLE says is wrong. */
import { expect, it } from 'vitest';
import type { Connection, Dialect, QueryResult, ResultRow } from '../../../core/dialect/index.ts';
import type { Fixture } from '../../../core/program/index.ts';
import { mariadb } from '../../../dialects/index.ts';
import { IndexAudit } from '../../../src/explore/index-audit.ts';
import { schemaOf } from '../../sql.ts';

const FIXTURE: Fixture = {
  ...schemaOf('CREATE TABLE t (k int PRIMARY KEY, a int); CREATE TABLE u (k int PRIMARY KEY, b int)'),
  name: 'w',
  byIndex: false,
};

/** Catalogue rows of MariaDB: table, index, column (null where no row can be read by it), whether it is over a hash. */
const CATALOGUE: readonly ResultRow[] = [
  ['t', 'PRIMARY', 'k', '0'],
  ['t', 'by_a', 'a', '0'],
  ['t', 'hashed', null, '1'],
  ['u', 'PRIMARY', 'k', '0'],
  ['u', 'by_b', 'b', '0'],
];
const SOUND: ResultRow = ['n.t', 'check', 'status', 'OK'];

function scripted(
  answer: (sql: string) => readonly ResultRow[],
  catalogue: readonly ResultRow[] = CATALOGUE,
  sent: string[] = [],
): Dialect {
  const reply = (sql: string): QueryResult => {
    sent.push(sql);
    return { columns: [], rows: sql.includes('information_schema') ? catalogue : answer(sql), affected: 0 };
  };
  const connection = { query: async (sql: string) => reply(sql), end: async () => {} } as unknown as Connection;
  return { ...mariadb, connect: async () => connection };
}

async function indexCorruption(dialect: Dialect): Promise<readonly string[]> {
  const audit = await IndexAudit.open(dialect, 'n', async () => dialect.connect('', {}));
  return audit!.indexCorruption(FIXTURE);
}

const rowsOf = (sql: string, checked: readonly ResultRow[]): readonly ResultRow[] =>
  sql.startsWith('CHECK')
    ? checked
    : sql.includes('USE INDEX ()') && sql.includes('`t`')
      ? [['1', '2']]
      : sql.includes('`t`')
        ? [['2', '1']]
        : [];

it('asks CHECK TABLE of a table with a UNIQUE key over a hash, and of no other', async () => {
  const sent: string[] = [];
  expect(await indexCorruption(scripted((sql) => rowsOf(sql, [SOUND]), CATALOGUE, sent))).toEqual([]);
  expect(sent.filter((sql) => sql.startsWith('CHECK'))).toEqual(['CHECK TABLE `n`.`t`']);
});

it('says what CHECK TABLE says is wrong', async () => {
  const broken: ResultRow = ['n.t', 'check', 'Warning', "InnoDB: Index 'hashed' contains 1 entries, should be 2."];
  const corrupt: ResultRow = ['n.t', 'check', 'error', 'Corrupt'];
  expect(await indexCorruption(scripted((sql) => rowsOf(sql, [broken, corrupt])))).toEqual([
    "table t: CHECK TABLE says Warning: InnoDB: Index 'hashed' contains 1 entries, should be 2.",
    'table t: CHECK TABLE says error: Corrupt',
  ]);
  expect(await indexCorruption(scripted((sql) => rowsOf(sql, [['n.t', 'check', 'status', 'Operation failed']])))).toEqual([
    'table t: CHECK TABLE says status: Operation failed',
  ]);
});

it('holds each later reply against its own index, behind a table with a check', async () => {
  const answer = (sql: string): readonly ResultRow[] =>
    sql.includes('`u`') ? (sql.includes('USE INDEX ()') ? [['5', '6']] : []) : rowsOf(sql, [SOUND]);
  expect(await indexCorruption(scripted(answer))).toEqual(['table u (b, k): by a scan ["6","5"], by the index by_b no row']);
});

it('asks of a table that has nothing but a key over a hash too', async () => {
  const alone: readonly ResultRow[] = [['t', 'hashed', null, '1']];
  const sent: string[] = [];
  expect(await indexCorruption(scripted(() => [SOUND], alone, sent))).toEqual([]);
  expect(sent.slice(1)).toEqual(['SELECT 1 FROM `n`.`t` USE INDEX ()', 'CHECK TABLE `n`.`t`']);
});
