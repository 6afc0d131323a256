/** Files that are wrong on purpose, through the importer of every DBMS: a refusal with its line, never a crash and never another meaning. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dialect, Statement } from '../../../../core/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../../../schema-gen/index.ts';
import { fileWorkload } from '../../../../src/workload/file.ts';

const IMPORTING = DIALECTS.filter((dialect) => dialect.importer !== undefined);

function file(body: string, columns = 'id integer primary key, a integer'): string {
  return `-- @schema\nCREATE TABLE t (${columns});\n-- @data\nINSERT INTO t (id, a) VALUES (1, 1);\n-- @transaction x\n${body}\n`;
}

async function read(
  text: string,
  dialect: Dialect,
): Promise<{ readonly refused: readonly string[]; readonly statements: () => readonly Statement[] }> {
  const parsed = parseWorkloadFile(text);
  const { templates, refused } = importWorkload(parsed.file, await dialect.importer!());
  return {
    refused: [...parsed.refused, ...refused].map(({ line, reason }) => `${line}: ${reason}`),
    statements: () => workloadCase('hostile', templates, { mode: 'schedule' }).sessions[0]!.transactions[0]!.statements,
  };
}

const DEEP: readonly (readonly [string, string])[] = [
  ['10,000 parentheses', `SELECT a FROM t WHERE ${'('.repeat(10_000)}a = 1${')'.repeat(10_000)};`],
  ['a sum of 20,000 operands', `SELECT a FROM t WHERE a = ${'a + '.repeat(20_000)}a;`],
  ['20,000 times NOT', `SELECT a FROM t WHERE ${'NOT '.repeat(20_000)}a = 1;`],
  ['a UNION of 5,000 queries', `${'SELECT a FROM t UNION '.repeat(5000)}SELECT a FROM t;`],
  ['a join of 3,000 tables', `SELECT t.a FROM t ${Array.from({ length: 3000 }, (_, i) => `JOIN t t${i} ON t${i}.id = t.id`).join(' ')};`],
  ['CASE 3,000 deep', `SELECT ${'CASE WHEN a = 1 THEN 1 ELSE '.repeat(3000)}2${' END'.repeat(3000)} AS x FROM t;`],
  ['calls 3,000 deep', `SELECT ${'coalesce('.repeat(3000)}a${', 1)'.repeat(3000)} AS x FROM t;`],
];

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))('a hostile file on %s', (_, dialect) => {
  it.each(DEEP)('with %s is refused in one sentence', async (__, sql) => {
    const { refused } = await read(file(sql), dialect);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/^6: .* more than (200|300) deep/);
  });

  it('with names that every object of ours has is refused like any unknown name', async () => {
    const { refused } = await read(file('SELECT constructor(a) AS x FROM t;'), dialect);
    expect(refused[0]).toMatch(/^6: .*constructor/);
    expect((await read(file('SELECT a FROM t;', 'id integer primary key, a constructor'), dialect)).refused[0]).toMatch(
      /^2: the type constructor is not supported: use one of integer/i,
    );
    expect((await read(`${file('SELECT a FROM t;')}-- @constructor`, dialect)).refused[0]).toMatch(/there is no directive @constructor/);
  });

  it('has no words lost at the end of a statement that some server reads as SQL', async () => {
    const mysql = await readsBackticks(dialect);
    const [written] = (await read(file('UPDATE t SET a = 5 --1\n;'), dialect)).statements();
    const [meant] = (await read(file(`UPDATE t SET a = ${mysql ? '5 - -1' : '5'};`), dialect)).statements();
    // A comment to PostgreSQL and two signs to MySQL, which needs a blank behind `--`.
    expect(written).toEqual(meant);
    expect((await read(file('UPDATE t SET a = 5 /*! WHERE id = 1 */;'), dialect)).refused).toHaveLength(mysql ? 1 : 0);
  });

  it('with an invariant that writes or locks is refused', async () => {
    for (const sql of ['DELETE FROM t', 'SELECT a FROM t FOR UPDATE', 'SELECT d.a FROM (SELECT a FROM t FOR UPDATE) d']) {
      expect((await read(`${file('SELECT a FROM t;')}-- @invariant i\n${sql};`, dialect)).refused).toEqual([
        expect.stringMatching(/^8: /) as string,
      ]);
    }
  });
});

/** Of MySQL's family. */
async function readsBackticks(dialect: Dialect): Promise<boolean> {
  return (await read(file('SELECT `a` FROM `t`;'), dialect)).refused.length === 0;
}

describe('a hostile file', () => {
  const [dialect] = IMPORTING;

  it.each([
    ['-- @repeat :i 1000000..1000000\nSELECT a FROM t;\n-- @end', /from once to 10000 times/],
    [
      `${Array.from({ length: 5000 }, (_, i) => `-- @repeat :i${i} 2\n`).join('')}SELECT a FROM t;\n${'-- @end\n'.repeat(5000)}`,
      /@repeat is nested more than 8 deep/,
    ],
    [`-- @parameter :p text 1..1000000000\nSELECT a FROM t WHERE 'x' = :p;`, /at most 10000/],
    ['-- @parameter :p int 1..99999999999999999999\nSELECT a FROM t WHERE a = :p;', /more digits than can be counted/],
    [`-- @parameter :p decimal 0.${'0'.repeat(120)}1..1\nSELECT a FROM t WHERE a = :p;`, /more digits than can be counted/],
    [
      '-- @parameter :d date 2026-01-01..2026-01-02\n-- @parameter :p :d + 999999999\nSELECT a FROM t WHERE :p = :d;',
      /more than a century/,
    ],
  ])('with bounds beyond all use is refused: %#', async (body, reason) => {
    expect((await read(file(body), dialect!)).refused).toContainEqual(expect.stringMatching(reason));
  });

  it('whose repeats make too many statements is told so, not made', async () => {
    const { refused, statements } = await read(
      file('-- @repeat :i 10000\n-- @repeat :j 10000\nSELECT a FROM t;\n-- @end\n-- @end'),
      dialect!,
    );
    expect(refused).toEqual([]);
    expect(statements).toThrow(/more than 10000 statements/);
  });

  it.each([
    ['-- @for :i 1..2, :i 1..3', /there is a parameter :i already/],
    ['-- @for :i 5..1', /the range 5..1 of :i is empty/],
    ['-- @for :i 2..3\n-- @parameter :i int 1..2', /there is a parameter :i already/],
  ])('with data that says two things or nothing is refused: %s', async (directive, reason) => {
    const text = file('SELECT a FROM t;').replace(
      'INSERT INTO t (id, a) VALUES (1, 1);',
      `${directive}\nINSERT INTO t (id, a) VALUES (:i, 1);`,
    );
    expect((await read(text, dialect!)).refused).toContainEqual(expect.stringMatching(reason));
  });

  it('has directives behind any number of blanks', async () => {
    expect((await read(`${file('SELECT a FROM t;')}--   @invariant i\nDELETE FROM t;`, dialect!)).refused).toEqual([
      expect.stringMatching(/^8: invariant i is no query/) as string,
    ]);
  });

  it('in another encoding than UTF-8 is refused, and a byte order mark is none of its text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anomalist-hostile-'));
    try {
      const path = join(folder, 'a.sql');
      writeFileSync(path, Buffer.from(file(`SELECT a FROM t WHERE 'gr\u00f6\u00dfe' = 'x';`), 'latin1'));
      await expect(fileWorkload(path, { mode: 'stress' }, dialect!)).rejects.toThrow(/the file is not UTF-8/);
      writeFileSync(path, `\uFEFF${file('SELECT a FROM t;').replaceAll('\n', '\r\n')}`);
      expect((await fileWorkload(path, { mode: 'schedule' }, dialect!)).caseOf('1').sessions.length).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Only the grammar's reader could fail by the size. CockroachDB has PostgreSQL's reader; MariaDB and TiDB have MySQL's. */
it.each(['postgres', 'mysql'])('150,000 rows in one INSERT are read by the grammar of %s', async (name) => {
  const rows = Array.from({ length: 150_000 }, (_, i) => `(${i},1)`).join(',');
  const dialect = IMPORTING.find((each) => each.name === name)!;
  expect((await read(file('SELECT a FROM t;').replace('(1, 1)', rows), dialect)).refused).toEqual([]);
});
