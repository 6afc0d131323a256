/** The invariants of a file: they are asked of the user's columns only, and what breaks at any level proves nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyLevelFeature } from '../../../../core/level/index.ts';
import type { Dialect } from '../../../../core/dialect/index.ts';
import { DIALECTS, postgres } from '../../../../dialects/index.ts';
import { fileWorkload } from '../../../../src/workload/file.ts';
import type { Workload } from '../../../../src/judge/workload.ts';

const IMPORTING = DIALECTS.filter((dialect) => dialect.importer !== undefined);

const folder = mkdtempSync(join(tmpdir(), 'anomalist-invariants-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function workloadOf(
  dialect: Dialect,
  schema: string,
  invariant: string,
  transaction: string = 'SELECT a FROM t;',
): Promise<Workload> {
  const path = join(folder, 'file.sql');
  writeFileSync(path, `-- @schema\n${schema}\n-- @transaction t\n${transaction}\n-- @invariant i\n${invariant};\n`);
  return fileWorkload(path, { mode: 'stress' }, dialect);
}

const TWO = 'CREATE TABLE t (id integer PRIMARY KEY, a integer); CREATE TABLE u (id integer PRIMARY KEY, b integer);';

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))('an invariant on %s', (_, dialect) => {
  it.each([
    'SELECT a FROM t NATURAL JOIN u WHERE a <> b',
    'SELECT t.a FROM t NATURAL LEFT JOIN u WHERE u.b IS NULL',
    'SELECT t.a FROM t WHERE t.a > (SELECT count(*) FROM t AS v NATURAL JOIN u)',
  ])('joins by the columns that the tables of the file have: %s', async (sql) => {
    const { invariants } = await workloadOf(dialect, TWO, sql);
    const printed = dialect.print(invariants![0]!.query);
    expect(printed).not.toMatch(/natural/i);
    expect(printed).toMatch(/JOIN .* USING \(["`]id["`]\)/);
  });
});

const NUMBERED = (dialect: Dialect): string => {
  // Who has REPLACE is of the MySQL family.
  const id = dialect.capabilities.replace ? 'integer PRIMARY KEY AUTO_INCREMENT' : 'serial PRIMARY KEY';
  return `CREATE TABLE jobs (id ${id}, a integer); CREATE TABLE logs (id ${id}, job integer, n integer); CREATE TABLE done (job integer PRIMARY KEY, n integer); CREATE VIEW v AS SELECT id AS x FROM jobs;`;
};

const COUNTING = [
  'SELECT count(*) AS n FROM jobs HAVING count(*) <> max(id)',
  'SELECT a FROM jobs WHERE id > 10',
  'SELECT b.a FROM jobs AS b WHERE b.id > 1 AND NOT EXISTS (SELECT 1 AS one FROM jobs AS c WHERE c.id = b.id - 1)',
  'SELECT count(*) AS n FROM (SELECT id AS m FROM jobs) AS d HAVING count(*) <> max(d.m)',
  'SELECT count(*) AS n FROM v HAVING count(*) <> max(x)',
  'WITH w AS (SELECT id AS m FROM jobs) SELECT m FROM w WHERE m > (SELECT count(*) AS n FROM jobs)',
  'SELECT a FROM jobs WHERE id = (SELECT count(*) AS n FROM jobs AS c)',
  'SELECT a FROM jobs WHERE a <> id',
  'SELECT a FROM jobs WHERE (SELECT count(*) AS n FROM jobs AS c) IN (SELECT l.id FROM logs AS l)',
  'SELECT a FROM jobs AS j JOIN (SELECT row_number() OVER (ORDER BY a) AS n FROM jobs AS c) AS d ON d.n = j.id',
  'SELECT max(n) AS most FROM done HAVING max(n) > 3',
  'SELECT j.a FROM jobs AS j JOIN (SELECT row_number() OVER (ORDER BY a) AS id FROM jobs AS c) AS d USING (id)',
  'SELECT j.id FROM jobs AS j EXCEPT SELECT count(*) AS n FROM jobs AS c',
];

const TELLING_APART = [
  'SELECT id FROM jobs WHERE a < 0 ORDER BY id',
  'SELECT id + 1 AS n FROM jobs WHERE a < 0',
  'SELECT j.id, count(l.id) AS n FROM jobs AS j LEFT JOIN logs AS l ON l.job = j.id GROUP BY j.id, j.a HAVING j.a <> count(l.id)',
  'SELECT b.id, c.id AS other FROM jobs AS b JOIN jobs AS c ON b.a = c.a AND b.id <> c.id',
  'SELECT j.a FROM jobs AS j WHERE j.id NOT IN (SELECT d.job FROM done AS d)',
  'SELECT d.job FROM done AS d LEFT JOIN jobs AS j ON j.id = d.job WHERE j.id IS NULL',
  'SELECT a FROM jobs WHERE id = 1',
  'SELECT max(job) AS most FROM done HAVING max(job) > 3',
];

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))(
  'an invariant over numbers that the server gives, on %s',
  (_, dialect) => {
    // What is drawn stays what it is, and what is copied is such a number too.
    const COPY = '-- @parameter :j unique\nINSERT INTO done (job, n) SELECT :j, j.id * 2 FROM jobs AS j WHERE j.a = 1;';

    it.each(COUNTING)('proves nothing where it counts on them: %s', async (sql) => {
      const { invariants } = await workloadOf(dialect, NUMBERED(dialect), sql, COPY);
      expect(invariants![0]!.unjudged).toMatchObject({ code: 'uses-numbers' });
    });

    it.each(TELLING_APART)('is judged where they tell rows apart: %s', async (sql) => {
      const { invariants } = await workloadOf(dialect, NUMBERED(dialect), sql, COPY);
      expect(invariants![0]!.unjudged).toBeUndefined();
    });
  },
);

describe('an invariant over numbers that are copied by MERGE or by a WITH that writes', () => {
  const COPIED = 'SELECT max(n) AS most FROM done HAVING max(n) > 3';
  const KEPT = 'SELECT max(job) AS most FROM done HAVING max(job) > 3';

  it.each([
    'MERGE INTO done USING jobs AS j ON j.a = done.job WHEN NOT MATCHED THEN INSERT (job, n) VALUES (j.a, j.id);',
    'MERGE INTO done USING jobs AS j ON j.a = done.job WHEN MATCHED THEN UPDATE SET n = j.id + 1;',
    'WITH w AS (INSERT INTO jobs (a) VALUES (1) RETURNING id) INSERT INTO done (job, n) SELECT 5, w.id FROM w;',
    'WITH w AS (UPDATE done SET n = j.id FROM jobs AS j WHERE j.a = done.job RETURNING done.job) SELECT w.job FROM w;',
  ])('proves nothing of what takes them: %s', async (sql) => {
    const unjudged = async (invariant: string): Promise<AnyLevelFeature | undefined> =>
      (await workloadOf(postgres, NUMBERED(postgres), invariant, sql)).invariants![0]!.unjudged;
    expect(await unjudged(COPIED)).toMatchObject({ code: 'uses-numbers' });
    expect(await unjudged(KEPT)).toBeUndefined();
  });
});

describe('an invariant beside SKIP LOCKED', () => {
  const taking = IMPORTING.filter(({ capabilities }) => capabilities.lockWait.includes('skip locked'));

  it.each(taking.map((dialect) => [dialect.title, dialect] as const))('proves nothing on %s', async (_, dialect) => {
    const { invariants } = await workloadOf(
      dialect,
      TWO,
      'SELECT a FROM t WHERE a < 0',
      '-- @repeat :n 1..2\nSELECT a FROM t WHERE a = :n FOR UPDATE SKIP LOCKED;\n-- @end',
    );
    expect(invariants![0]!.unjudged).toEqual({ code: 'skip-locked', transaction: 't' });
    const waiting = await workloadOf(dialect, TWO, 'SELECT a FROM t WHERE a < 0', 'SELECT a FROM t WHERE a = 1 FOR UPDATE;');
    expect(waiting.invariants![0]!.unjudged).toBeUndefined();
  });

  it('proves nothing where it is nested in a write, either', async () => {
    const { invariants } = await workloadOf(
      postgres,
      TWO,
      'SELECT a FROM t WHERE a < 0',
      'UPDATE t SET a = 1 WHERE id = (SELECT u.id FROM u ORDER BY u.id LIMIT 1 FOR UPDATE SKIP LOCKED);',
    );
    expect(invariants![0]!.unjudged).toMatchObject({ code: 'skip-locked' });
  });
});
