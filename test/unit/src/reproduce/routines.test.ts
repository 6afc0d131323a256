/** What the words of triggers and functions say of numbers that the server gives, and of rows that may be any of several. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../core/sql/index.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { routineWithNumbers } from '../../../../src/reproduce/numbers-in-routines.ts';
import { openRoutine } from '../../../../src/reproduce/open-routines.ts';

const TABLES = {
  postgres: [
    'CREATE TABLE posts (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int)',
    'CREATE TABLE comments (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, post_id int, body text)',
  ],
  mysql: [
    'CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, n int)',
    'CREATE TABLE comments (id int AUTO_INCREMENT PRIMARY KEY, post_id int, body varchar(9))',
  ],
} as const;

async function schemaOf(on: 'postgres' | 'mysql', body: string): Promise<Schema> {
  const made = {
    postgres: [
      `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE m int; r record; BEGIN ${body} RETURN NEW; END $$`,
      'CREATE TRIGGER t AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION f()',
    ],
    mysql: [`CREATE TRIGGER t AFTER INSERT ON comments FOR EACH ROW BEGIN DECLARE m int; ${body} END`],
  };
  const texts = [...TABLES[on], ...made[on]].map((sql, i) => ({ sql, line: i + 1 }));
  const { schema, refused } = (await { postgres, mysql }[on].importer!()).schema(texts);
  expect(refused).toEqual([]);
  return schema;
}

const COUNTED = 'SELECT count(*) INTO m FROM comments WHERE post_id = NEW.post_id; UPDATE posts SET n = m WHERE id = NEW.post_id;';
const NUMBERED: ReadonlySet<string> = new Set(['comments']);

describe.each(['postgres', 'mysql'] as const)('a routine of %s', (on) => {
  it.each([
    ['a counter', 'UPDATE posts SET n = n + 1 WHERE id = NEW.post_id;'],
    ['a count', COUNTED],
  ])('does the same with another number: %s', async (_, body) => {
    expect(routineWithNumbers(await schemaOf(on, body), NUMBERED)).toBeUndefined();
  });

  it.each([
    ['it is told it', 'UPDATE posts SET n = NEW.id WHERE id = NEW.post_id;'],
    ['it reads it', 'SELECT max(id) INTO m FROM comments; UPDATE posts SET n = m;'],
  ])('may do something else where %s', async (_, body) => {
    expect(routineWithNumbers(await schemaOf(on, body), NUMBERED)).toBeDefined();
    // Of a table that gets no new row the numbers are those of the data.
    expect(routineWithNumbers(await schemaOf(on, body), new Set())).toBeUndefined();
  });

  it.each([
    ['a count', COUNTED],
    ['a row by its key', 'SELECT n INTO m FROM posts WHERE id = NEW.post_id; UPDATE posts SET n = m + 1 WHERE id = NEW.post_id;'],
    ['an INSERT', "INSERT INTO comments (post_id, body) SELECT post_id, 'x' FROM comments WHERE body = 'y';"],
  ])('takes rows that are told: %s', async (_, body) => {
    expect(openRoutine(await schemaOf(on, body))).toBeUndefined();
  });

  it.each([
    ['a LIMIT', "DELETE FROM comments WHERE id IN (SELECT c.id FROM comments AS c WHERE c.body = 'x' LIMIT 1);"],
    ['a row by what is no key', 'SELECT n INTO m FROM posts WHERE n > 3; UPDATE posts SET n = m WHERE id = 1;'],
  ])('may take any of several rows: %s', async (_, body) => {
    expect(openRoutine(await schemaOf(on, body))).toBeDefined();
  });
});

it('a loop goes through rows in whatever order they are found', async () => {
  const loop = (query: string): string => `FOR r IN ${query} LOOP UPDATE posts SET n = n * 2 + r.n WHERE id = 1; END LOOP;`;
  expect(openRoutine(await schemaOf('postgres', loop('SELECT n FROM posts')))).toBe('f');
  expect(openRoutine(await schemaOf('postgres', loop('SELECT n FROM posts ORDER BY id')))).toBeUndefined();
});

it('a function of SQL gives the first row that it meets', async () => {
  const open = async (query: string): Promise<string | undefined> => {
    const made = `CREATE FUNCTION first_of(p int) RETURNS int AS '${query}' LANGUAGE sql`;
    const { schema, refused } = (await postgres.importer!()).schema([...TABLES.postgres, made].map((sql, i) => ({ sql, line: i + 1 })));
    expect(refused).toEqual([]);
    return openRoutine(schema);
  };
  expect(await open('SELECT post_id FROM comments WHERE post_id = p')).toBe('first_of');
  expect(await open('SELECT post_id FROM comments WHERE id = p')).toBeUndefined();
  expect(await open('SELECT p + p')).toBeUndefined();
});
