/** The text of a cure is read again before it is shown: what the importer refuses, or reads as something else, is not. */
import { expect, it } from 'vitest';
import { isRefusal } from '../../../core/index.ts';
import type { SqlImporter } from '../../../core/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { mitigationsOf, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';

const FILE = `
-- @schema
CREATE TABLE teams (id int PRIMARY KEY, size int NOT NULL);
CREATE TABLE "Teams" (id int PRIMARY KEY, size int NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, team int NOT NULL REFERENCES "Teams" (id), age int NOT NULL);
-- @transaction join
-- @parameter :id unique
-- @parameter :team int 1..2
SELECT age INTO :age FROM members WHERE team = :team AND (id = 1 OR age = 7);
IF :age > 3 ROLLBACK;
UPDATE members SET age = :age + 1 WHERE team = :team AND (id = 1 OR age = 7);
SELECT count(*) INTO :n FROM members WHERE team = :team;
IF :n > 5 ROLLBACK;
INSERT INTO members (id, team, age) VALUES (:id, :team, 1);
`;
const ONE = 'one statement instead of two in join, of statements 1 and 2';
const LOCK = 'a lock on the row of "Teams", in front of statement 1 of join';

/** The cures, each with its SQL; the changed file is read with statements that are changed so. */
async function shown(change: (sql: string) => string = (sql) => sql): Promise<ReadonlyMap<string, readonly string[] | undefined>> {
  const { file } = parseWorkloadFile(FILE);
  const importer = await postgres.importer!(postgres.capabilities);
  const { templates, refused } = importWorkload(file, importer);
  expect(refused).toEqual([]);
  const changed: SqlImporter = {
    schema: (texts) => importer.schema(texts),
    statement: (text, ...others) => importer.statement({ ...text, sql: change(text.sql) }, ...others),
    columnTypes: (text, ...others) => importer.columnTypes({ ...text, sql: change(text.sql) }, ...others),
    carriedName: (name) => importer.carriedName(name),
    writtenName: (name) => importer.writtenName(name),
  };
  expect(isRefusal(changed.statement({ sql: 'NOT SQL', line: 1 }, templates.schema, new Map()))).toBe(true);
  return new Map(mitigationsOf({ file, templates, importer: changed }, [0, 0], postgres.capabilities).map(({ what, sql }) => [what, sql]));
}

it('a text that is read as what is tried is shown, with the names by which its tables are found', async () => {
  const cures = await shown();
  expect(cures.get(ONE)?.[0]).toBe('UPDATE members SET age = age + 1 WHERE team = :team AND (id = 1 OR age = 7) AND age <= 3');
  expect(cures.get(LOCK)).toEqual(['SELECT id FROM "Teams" WHERE id = :team FOR UPDATE']);
});

it('a text that the importer refuses is no cure of its own, and is not shown beside one that is known otherwise', async () => {
  const cures = await shown((sql) => (sql.includes('FOR UPDATE') ? 'NOT SQL' : sql));
  expect([...cures.keys()].filter((what) => what.startsWith('a lock on the row'))).toEqual([]);
  const lock = [...cures].find(([what]) => what.startsWith('FOR UPDATE on statement 1'));
  expect(lock?.[1]).toBeUndefined();
  expect([cures.has(ONE), cures.get(ONE) !== undefined]).toEqual([true, true]);
});

it('a text whose OR is read as an AND is not shown', async () => {
  const cures = await shown((sql) => (sql.startsWith('UPDATE') ? sql.replace(' OR ', ' AND ') : sql));
  expect([cures.has(ONE), cures.get(ONE)]).toEqual([true, undefined]);
});
