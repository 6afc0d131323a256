/** Which uses of a number that the server gives make a difference, and which only show it or tell rows apart. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../core/dialect/index.ts';
import type { Schema, Statement } from '../../../core/sql/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { NumberUse } from '../../../schema-gen/index.ts';

const DDL = `CREATE TABLE events (event_id serial PRIMARY KEY, what int NOT NULL);
CREATE TABLE notes (note_id int PRIMARY KEY, event_id int REFERENCES events (event_id), other_id int NOT NULL);
CREATE VIEW latest AS SELECT e.event_id, e.what FROM events AS e WHERE e.event_id > 1;
CREATE VIEW whats AS SELECT e.what FROM events AS e;
CREATE TABLE odds (n int PRIMARY KEY);
CREATE TABLE odd (odd_id serial PRIMARY KEY, n int NOT NULL, CHECK (odd_id > n));`;
const importer = await postgres.importer!();
const { schema, refused } = importer.schema(
  DDL.split(';')
    .filter((sql) => sql.trim() !== '')
    .map((sql, n) => ({ sql: sql.trim(), line: n + 1 })),
);
const use = new NumberUse(schema, {
  events: [
    ['1', '7'],
    ['2', '7'],
  ],
});

function statement(sql: string, of: Schema = schema): Statement {
  const read = importer.statement({ sql, line: 1 }, of, new Map());
  if (isRefusal(read)) throw new Error(`${sql}: ${read.reason}`);
  return read;
}

describe('the use of numbers that the server gives', () => {
  it.each([
    'INSERT INTO events (what) VALUES (3)',
    'INSERT INTO events (what) VALUES (3) RETURNING event_id',
    'INSERT INTO events (what) SELECT e.what FROM events AS e WHERE e.event_id = 2',
    'SELECT e.event_id, e.what FROM events AS e ORDER BY e.event_id',
    'SELECT count(e.event_id) AS n FROM events AS e GROUP BY e.event_id',
    'SELECT n.note_id FROM notes AS n JOIN events AS e ON e.event_id = n.event_id',
    'SELECT n.note_id FROM notes AS n WHERE EXISTS (SELECT e.event_id FROM events AS e WHERE e.event_id = n.event_id)',
    'UPDATE events SET what = 4 WHERE event_id = 1',
    'INSERT INTO notes (note_id, event_id, other_id) VALUES (1, 2, 5)',
    'SELECT w.what FROM whats AS w',
    'DELETE FROM events WHERE what = 7',
    'MERGE INTO odds USING whats AS w ON w.what = odds.n WHEN NOT MATCHED THEN INSERT (n) VALUES (w.what)',
    'WITH x AS (DELETE FROM odds RETURNING n) SELECT x.n FROM x',
  ])('does not matter in %s', (sql) => {
    expect(refused).toEqual([]);
    expect(use.reliedOn(statement(sql))).toBeUndefined();
  });

  it.each<[sql: string, name: string, kind?: string]>([
    ['SELECT max(e.event_id) AS m FROM events AS e', 'event_id'],
    ['SELECT e.what FROM events AS e WHERE e.event_id > 1', 'event_id'],
    ['SELECT e.what FROM events AS e WHERE e.event_id = 3', 'event_id'],
    ['SELECT e.what FROM events AS e WHERE e.event_id = e.what', 'event_id'],
    ['SELECT e.what FROM events AS e ORDER BY e.event_id LIMIT 1', 'event_id'],
    ['SELECT e.event_id + 1 AS n FROM events AS e', 'event_id'],
    ['SELECT n.note_id FROM notes AS n JOIN events AS e ON e.event_id = n.other_id', 'event_id'],
    ['INSERT INTO notes (note_id, event_id, other_id) SELECT 1, e.event_id, 2 FROM events AS e', 'event_id'],
    ['INSERT INTO notes (note_id, event_id, other_id) VALUES (1, 3, 5)', 'event_id'],
    ['UPDATE notes SET event_id = 4 WHERE note_id = 1', 'event_id'],
    ['UPDATE events SET what = event_id WHERE what = 7', 'event_id'],
    ['SELECT l.what FROM latest AS l', 'latest', 'view'],
    ['SELECT e.what FROM events AS e JOIN notes AS n USING (event_id)', 'event_id'],
    ['SELECT e.event_id AS i FROM events AS e UNION SELECT n.other_id FROM notes AS n', 'event_id'],
    ['INSERT INTO odd (n) VALUES (3)', 'odd_id'],
    ['MERGE INTO events USING odds AS o ON o.n = events.what WHEN NOT MATCHED THEN INSERT (what) VALUES (o.n)', 'event_id'],
    ['MERGE INTO notes USING odds AS o ON o.n = notes.note_id WHEN MATCHED THEN UPDATE SET event_id = o.n', 'event_id'],
    ['MERGE INTO odds USING events AS e ON e.what = odds.n WHEN MATCHED THEN DELETE', 'event_id'],
    ['WITH x AS (INSERT INTO events (what) VALUES (3) RETURNING what) SELECT x.what FROM x', 'event_id'],
    ['WITH x AS (DELETE FROM odds) INSERT INTO notes (note_id, event_id, other_id) VALUES (1, 3, 5)', 'event_id'],
  ])('matters in %s', (sql, name, kind = 'column') => {
    expect(use.reliedOn(statement(sql))).toEqual({ kind, name });
  });

  it('matters where a statement brings a number of its own', () => {
    const insert = statement('INSERT INTO events (what) VALUES (3)');
    expect(use.reliedOn({ ...insert, columns: ['event_id'] } as Statement)).toEqual({ kind: 'column', name: 'event_id' });
  });

  it('is shown at the places of a reply that name it', () => {
    expect(use.shown(statement('SELECT e.what, e.event_id FROM events AS e'))).toEqual([{ place: 1, table: 'events', column: 0 }]);
    expect(use.shown(statement('INSERT INTO events (what) VALUES (3) RETURNING event_id'))).toEqual([
      { place: 0, table: 'events', column: 0 },
    ]);
    expect(use.shown(statement('SELECT n.event_id FROM notes AS n'))).toEqual([]);
  });
});
