/** A cure as a person types it (test/db/typed-cure.ts): its words say where its SQL belongs. */
import { describe, expect, it } from 'vitest';
import { fileByLines } from '../../db/file-by-lines.ts';
import { typedCure } from '../../db/typed-cure.ts';

const FILE = fileByLines(`
-- @schema
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 1);
-- @transaction use-up
-- @parameter :id key of t
SELECT n INTO :n
FROM t WHERE id = :id;
IF :n < 1 ROLLBACK;
SELECT count(*) INTO :c FROM t;
IF :c < 1 ROLLBACK;
UPDATE t SET n = :n - 1 WHERE id = :id;
-- @transaction look
SELECT id FROM t WHERE id = 1;
-- @invariant none-below
SELECT id FROM t WHERE n < 0;
`);
const [READ, LESS, COUNT, NONE, WRITE] = FILE.transactions.get('use-up')!;
const LOCKED = 'SELECT n INTO :n FROM t WHERE id = :id FOR UPDATE';
const LOCK = 'SELECT id FROM p WHERE id = :p FOR UPDATE';
const ASKED = ['GET DIAGNOSTICS :changed = ROW_COUNT', 'IF :changed = 0 ROLLBACK'];
const MERGED = 'UPDATE t SET n = n - 1 WHERE id = :id AND n >= 1';

const typed = (what: string, ...sql: readonly string[]) => Object.fromEntries(typedCure(FILE, { what, sql }).file.transactions);

describe('a cure is typed', () => {
  it.each<[string, readonly string[], readonly (string | undefined)[]]>([
    ['FOR UPDATE on statement 1 of use-up: SELECT n INTO :n FROM t WHERE id = :id', [LOCKED], [LOCKED, LESS, COUNT, NONE, WRITE]],
    ['a lock on the row of p, in front of statement 2 of use-up', [LOCK], [READ, LESS, LOCK, COUNT, NONE, WRITE]],
    [
      'an advisory lock under the key of p, in front of statement 3 of use-up',
      ['SELECT f(:p)'],
      [READ, LESS, COUNT, NONE, 'SELECT f(:p)', WRITE],
    ],
    ['an advisory lock at the beginning of use-up: all of them wait', ['SELECT f(1)'], ['SELECT f(1)', READ, LESS, COUNT, NONE, WRITE]],
    ['look at how many rows statement 3 of use-up changed', ASKED, [READ, LESS, COUNT, NONE, WRITE, ...ASKED]],
    ['one statement instead of two in use-up, of statements 1 and 3', [MERGED, ...ASKED], [COUNT, NONE, MERGED, ...ASKED]],
    [
      'one statement instead of two in use-up, of statements 1 and 3',
      ['SELECT id INTO :i', MERGED],
      ['SELECT id INTO :i', COUNT, NONE, MERGED],
    ],
  ])('where its words say: %s', (what, sql, expected) => {
    expect(typed(what, ...sql)['use-up']).toEqual(expected);
  });

  it('in both of two transactions', () => {
    const locked = 'SELECT id FROM t WHERE id = 1 FOR UPDATE';
    const [, ...rest] = FILE.transactions.get('use-up')!;
    expect(typed('FOR UPDATE on every read of use-up and look', LOCKED, locked)).toEqual({ 'use-up': [LOCKED, ...rest], look: [locked] });
    const places = 'a lock on the row of p, in front of statement 1 of use-up and of statement 1 of look';
    expect(typed(places, LOCK, 'SELECT 2')).toEqual({
      'use-up': [LOCK, READ, ...rest],
      look: ['SELECT 2', 'SELECT id FROM t WHERE id = 1'],
    });
  });

  it('as a constraint behind the rows, and as a level with a loop', () => {
    const unique = typedCure(FILE, { what: 'UNIQUE (n) on t', sql: ['CREATE UNIQUE INDEX x ON t (n)'] });
    expect(unique.file.setup).toEqual([...FILE.setup, 'CREATE UNIQUE INDEX x ON t (n)']);
    const exclusion = 'ALTER TABLE t ADD CONSTRAINT x EXCLUDE USING gist (int4range(id, n) WITH &&) WHERE (n > 0)';
    const excluding = typedCure(FILE, { what: 'EXCLUDE (int4range(id, n) WITH &&) WHERE (n > 0) on t', sql: [exclusion] });
    expect(excluding.file.setup).toEqual([...FILE.setup, exclusion]);
    const level = typedCure(FILE, { what: 'REPEATABLE READ, and try again what it refuses' });
    expect(level).toEqual({ file: FILE, level: 'REPEATABLE READ', triesAgain: true });
  });

  it.each([
    ['nobody knows here', 'a prayer', ['SELECT 1']],
    ['there is no statement 4', 'a lock on the row of p, in front of statement 4 of use-up', [LOCK]],
    ['1 statements for', 'a lock on the row of p, in front of statement 1 of use-up and of statement 1 of look', [LOCK]],
    ['this is a read of neither', 'FOR UPDATE on every read of use-up and look', ['SELECT 1 FOR UPDATE']],
    ['no UPDATE', 'one statement instead of two in use-up, of statements 1 and 3', ['SELECT 1']],
  ])('not where its words are unclear: %s', (message, what, sql) => {
    expect(() => typed(what, ...sql)).toThrow(message);
    expect(() => typedCure(FILE, { what })).toThrow('without SQL');
  });
});
