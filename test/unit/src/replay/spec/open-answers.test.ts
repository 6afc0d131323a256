// Words that take a .spec its verdict, in its steps or anywhere.
import { describe, expect, it } from 'vitest';
import { openAnswers, openWord } from '../../../../../src/replay/spec/open-answers.ts';

const inStep = (sql: string): string | undefined =>
  openAnswers({ setup: ['CREATE TABLE t (k int)'], sessions: [{ name: 's', setup: 'BEGIN', steps: [{ name: 'a', sql }] }] });
const inSetup = (sql: string): string | undefined =>
  openAnswers({ setup: [sql], sessions: [{ name: 's', setup: 'BEGIN', steps: [{ name: 'a', sql: 'SELECT 1' }] }] });
const inSessionSetup = (sql: string): string | undefined =>
  openAnswers({ setup: [], sessions: [{ name: 's', setup: sql, steps: [{ name: 'a', sql: 'SELECT 1' }] }] });

describe('answers that need be those of no serial order', () => {
  it.each([
    ['SELECT k FROM t FOR UPDATE SKIP LOCKED', 'SKIP LOCKED'],
    ["SELECT nextval('s')", 'numbers'],
    ['SELECT last_insert_id()', 'numbers'],
    ['INSERT INTO t VALUES (now())', 'the time or on chance'],
    ['SELECT random()', 'the time or on chance'],
    ['SELECT CURRENT_TIMESTAMP', 'the time or on chance'],
    ['SELECT ctid FROM t', 'keeps for itself'],
    ['SELECT @@session.x', 'keeps for itself'],
    ["SELECT get_lock('a', 1)", 'locks by name'],
    ['SELECT pg_try_advisory_lock(1)', 'keeps for itself'],
    ['SELECT k FROM t LIMIT 1', 'LIMIT'],
    ['FETCH 1 FROM c', 'in an order that the server chooses'],
    ["SELECT string_agg(v, ',') FROM t", 'in an order that the server chooses'],
    ['SELECT array_agg (v) FROM t', 'in an order that the server chooses'],
    ['SELECT DISTINCT ON (k) v FROM t', 'in an order that the server chooses'],
    ['EXPLAIN SELECT 1', 'keeps for itself'],
    ['TRUNCATE t', 'changes a table itself'],
    ['GRANT SELECT ON t TO u', 'changes a table itself'],
    ['-- its rows\nTRUNCATE t', 'changes a table itself'],
    ['/* its rows */ TRUNCATE t', 'changes a table itself'],
    ['SELECT 1; ALTER TABLE t ADD c int', 'changes a table itself'],
    ['CALL p()', 'calls'],
    ['COMMIT AND CHAIN', 'hides its border'],
    ["PREPARE TRANSACTION 'x'", 'hides its border'],
    ["SET transaction_isolation = 'serializable'", 'by a setting'],
  ])('may come of the step %s', (sql, words) => {
    expect(inStep(sql)).toContain(words);
  });

  it.each(['CREATE TABLE t (k serial)', 'CREATE TABLE t (k int AUTO_INCREMENT)', 'CREATE TABLE t (at timestamp DEFAULT now())'])(
    'may come of the setup %s',
    (sql) => {
      expect(inSetup(sql)).toBeDefined();
    },
  );

  it('may come of the setup of a session that sets the level otherwise', () => {
    expect(inSessionSetup("SET default_transaction_isolation = 'serializable'")).toContain('by a setting');
    expect(inSessionSetup('SET autocommit = 0')).toContain('by a setting');
  });

  it.each([
    'UPDATE t SET v = v + 1 WHERE k = 1',
    'SELECT creator, droplet FROM t',
    'COMMIT',
    'ROLLBACK TO SAVEPOINT s',
    'SELECT pg_sleep(0.1), id::uuid',
  ])('do not come of the step %s', (sql) => {
    expect(inStep(sql)).toBeUndefined();
  });

  it('may come of a routine that a setup makes', () => {
    expect(inSetup('CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT k FROM t LIMIT 1 $$')).toContain('LIMIT');
    expect(inSetup('CREATE VIEW w AS SELECT pg_try_advisory_lock(1)')).toContain('keeps for itself');
  });

  it('do not come of a level that is set by a setting and asked for', () => {
    const spec = { setup: [], sessions: [{ name: 's', setup: "SET default_transaction_isolation = 'serializable'", steps: [] }] };
    expect([openWord(spec), openWord(spec, true)]).toEqual(['level settings', undefined]);
  });

  it('do not come of a setup that makes tables', () => {
    expect(inSetup('CREATE TABLE t (k int); INSERT INTO t SELECT 1 LIMIT 1; ALTER TABLE t ADD c int')).toBeUndefined();
  });
});
