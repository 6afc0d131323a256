/** A workload file with ten things that no DBMS's importer takes. */
const LINES: readonly (readonly [string, 'broken'?])[] = [
  ['-- @schema'],
  ['CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL);'],
  ['CREATE TRIGGER watch BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();', 'broken'],
  ['-- @data'],
  ['INSERT INTO t (k, v) VALUES (1, 10);'],
  [`INSERT INTO t (k, v) VALUES (2, 20, 'too many');`, 'broken'],
  ['-- @transaction broken'],
  ['-- @parameter :k key of t'],
  ['SELECT v FROM t WHERE k = :k;'],
  ['SELEC v FROM t;', 'broken'],
  ['SELECT v FROM nowhere;', 'broken'],
  ['SELECT w FROM t;', 'broken'],
  ['UPDATE t SET v = v + 1 WHERE k = :undeclared;', 'broken'],
  ['SELECT random() AS chance FROM t;', 'broken'],
  ['BEGIN;', 'broken'],
  ['DROP TABLE t;', 'broken'],
  ['-- @invariant none'],
  ['DELETE FROM t;', 'broken'],
];

export const BROKEN_FILE: string = LINES.map(([text]) => `${text}\n`).join('');
export const BROKEN_LINES: readonly number[] = LINES.flatMap(([, broken], i) => (broken === undefined ? [] : [i + 1]));
