// Triggers and functions of MySQL's files: what is kept of them, which tables they touch, and what no body may do.
import { describe, expect, it } from 'vitest';
import { routineSql } from '../../../../core/sql/index.ts';
import type { Routine } from '../../../../core/sql/index.ts';
import type { ImportedSchema } from '../../../../core/dialect/index.ts';
import { mysql, tidb } from '../../../../dialects/index.ts';

const importer = await mysql.importer!();
const TABLES = [
  'CREATE TABLE posts (id int PRIMARY KEY, n int, at datetime)',
  'CREATE TABLE comments (id int PRIMARY KEY, post int)',
  'CREATE TABLE audit (what varchar(20))',
  'CREATE FUNCTION counted(p int) RETURNS int READS SQL DATA RETURN (SELECT COUNT(*) FROM comments WHERE post = p)',
];

function imported(sql: string): ImportedSchema {
  return importer.schema([{ sql, line: 100 }, ...TABLES.map((each, i) => ({ sql: each, line: i + 1 }))]);
}

function routineOf(sql: string): Routine {
  const { schema, refused } = imported(sql);
  expect(refused).toEqual([]);
  return schema.routines![0]!;
}

function textOf({ text }: Routine): string {
  return routineSql(text, (name) => `<${name}>`);
}

const AFTER = 'CREATE TRIGGER t AFTER INSERT ON comments FOR EACH ROW';

describe('a trigger', () => {
  it('keeps its words, with a place for each name of the schema, and tells which tables it touches', () => {
    const routine = routineOf(
      `CREATE TRIGGER t AFTER INSERT ON Comments FOR EACH ROW BEGIN
  DECLARE m int; -- ; gone
  SELECT COUNT(*) INTO m FROM comments AS c, posts WHERE posts.id = c.post;
  UPDATE posts SET n = m + counted(NEW.post) WHERE id = NEW.post;
  INSERT INTO audit (what) VALUES ('it''s');
END`,
    );
    expect(routine).toMatchObject({ kind: 'trigger', name: 't', table: 'comments', on: ['insert'], calls: ['counted'] });
    expect([routine.reads, routine.writes]).toEqual([
      ['comments', 'posts'],
      ['posts', 'audit'],
    ]);
    expect(textOf(routine).replaceAll(/\s+/g, ' ')).toBe(
      "CREATE TRIGGER <t> AFTER INSERT ON <comments> FOR EACH ROW BEGIN DECLARE m int; SELECT COUNT(*) INTO m FROM <comments> AS c, <posts> WHERE posts.id = c.post; UPDATE <posts> SET n = m + <counted>(NEW.post) WHERE id = NEW.post; INSERT INTO <audit> (what) VALUES ('it''s'); END",
    );
  });

  it('is taken as mysqldump writes it, without whose rights it runs with', () => {
    const sql =
      '/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`%`*/ /*!50003 TRIGGER `t` BEFORE UPDATE ON `posts` FOR EACH ROW SET NEW.at = NOW(6) */';
    const { schema, approximated } = imported(sql);
    expect(textOf(schema.routines![0]!)).toBe(
      "CREATE TRIGGER <t> BEFORE UPDATE ON <posts> FOR EACH ROW SET NEW.at = TIMESTAMP'2026-01-01 00:00:00'",
    );
    expect(approximated.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^DEFINER is left out/),
      expect.stringMatching(/^NOW\(\) in a body is '2026-01-01 00:00:00'/),
    ]);
  });

  it('of a server without them is refused', () => {
    expect(TIDB.schema([{ sql: `${AFTER} SET @x = 1`, line: 1 }]).refused).toEqual([
      { line: 1, reason: 'CREATE TRIGGER is not supported: the server has no triggers and functions' },
    ]);
  });
});

const TIDB = await tidb.importer!();

describe('a function', () => {
  it('tells what it returns', () => {
    const routine = routineOf(
      'CREATE FUNCTION f(a varchar(9), b int) RETURNS varchar(20) DETERMINISTIC SQL SECURITY INVOKER BEGIN SET b = LENGTH(a); RETURN a; END',
    );
    expect(routine).toMatchObject({ kind: 'function', name: 'f', returns: 'varchar', reads: [], writes: [] });
    expect(textOf(routine)).not.toContain('SECURITY');
  });
});

const STATEMENTS: readonly (readonly [body: string, reason: RegExp])[] = [
  ['DELETE FROM mysql.user', /mysql\. names the database of a table/],
  ['INSERT INTO `other`.`posts` (id) VALUES (1)', /other\. names the database of a table/],
  ['UPDATE nowhere SET n = 1', /no table nowhere in the file/],
  ['UPDATE posts, nowhere SET n = 1', /no table nowhere in the file/],
  ['UPDATE posts SET n = (SELECT 1 FROM posts, (SELECT 1 FROM nowhere) AS x)', /no table nowhere/],
  ['UPDATE posts SET n = mysql.f(1)', /a name has its database in front/],
  ['SET @x = 1', /@ names a variable/],
  ['SET GLOBAL max_connections = 1', /SET GLOBAL changes a setting that outlives/],
  ['SET sql_mode = 1', /sql_mode is no variable that the body declares/],
  ['SET NEW.id = 1', /a BEFORE INSERT or BEFORE UPDATE trigger may set/],
  ['UPDATE posts SET n = SLEEP(1)', /SLEEP\(\) waits/],
  ["UPDATE posts SET n = `get_lock` ('a', 1)", /GET_LOCK\(\) takes a lock that outlives the transaction/],
  ["INSERT INTO audit (what) VALUES (LOAD_FILE('/etc/passwd'))", /LOAD_FILE\(\) reads a file/],
  ['INSERT INTO audit (what) VALUES (RAND())', /RAND\(\) differs at each call/],
  ['INSERT INTO audit (what) VALUES (CURRENT_USER)', /CURRENT_USER reads the state of the session/],
  ['INSERT INTO audit (what) VALUES (sys_eval(1))', /sys_eval\(\) is neither a function of the file/],
  ['INSERT INTO audit VALUES (1)', /INSERT INTO audit without its columns.*write INSERT INTO audit \(column/],
  ['INSERT INTO audit (what) SELECT * FROM audit', /SELECT \* in a body would include the two columns/],
  ['INSERT INTO audit (what) SELECT a.* FROM audit AS a', /SELECT \* in a body/],
  ['INSERT INTO audit (what) SELECT what FROM audit NATURAL JOIN posts', /NATURAL JOIN would also join by the columns/],
  ['INSERT INTO audit (what, iso_w) VALUES (1, 2)', /iso_w is one that the tool itself adds/],
  ['UPDATE posts JOIN comments USING (`iso_rid`) SET n = 1', /iso_rid is one that the tool itself adds/],
  ['UPDATE posts SET n = 1 WHERE EXISTS (TABLE mysql.user)', /found "TABLE" where an expression is expected/],
  ["BEGIN SELECT what INTO OUTFILE '/tmp/x' FROM audit; END", /INTO OUTFILE writes a file/],
  ['BEGIN SELECT what FROM audit; END', /are returned to nobody/],
  ["BEGIN PREPARE s FROM 'DROP TABLE posts'; EXECUTE s; END", /found "PREPARE" where a statement of a body is expected/],
  ['CALL p()', /found "CALL" where .* write the procedure's statements out/],
  ['BEGIN DROP TABLE posts; END', /found "DROP" where .* outlives the transaction/],
  ['BEGIN COMMIT; END', /found "COMMIT" where .* no trigger or function may end/],
  ['BEGIN DECLARE c CURSOR FOR SELECT n FROM posts; END', /cursors are not supported/],
  ['BEGIN DECLARE x int; SET x = 1 /*!50000 , GLOBAL y = 2 */; END', /SET GLOBAL changes a setting that outlives/],
  ['BEGIN UPDATE posts SET n = 1;', /the statement ends where END of its body is expected/],
  ['UPDATE posts SET n = 1; DROP TABLE posts', /found "DROP" where the statement should end/],
  ['RETURN 1', /there is a RETURN in a trigger/],
  ['UPDATE posts SET n = NEXT VALUE FOR s', /a number of a sequence/],
];

describe('a body that is not supported', () => {
  it.each(STATEMENTS)('%s', (body, reason) => {
    expect(imported(`${AFTER}\n${body}`).refused).toMatchObject([{ line: 101, reason: expect.stringMatching(reason) }]);
  });

  it.each([
    ['CREATE TRIGGER other.t AFTER INSERT ON posts FOR EACH ROW UPDATE audit SET what = 1', /other\. : a trigger with its database/],
    ['CREATE TRIGGER t AFTER INSERT ON other.posts FOR EACH ROW UPDATE posts SET n = 1', /other\. names the database of a table/],
    [
      'CREATE TRIGGER iso_followed_1 AFTER INSERT ON posts FOR EACH ROW UPDATE audit SET what = 1',
      /iso_followed_1 is one that the tool itself adds/,
    ],
    ["CREATE FUNCTION f RETURNS STRING SONAME 'lib_mysqludf_sys.so'", /where \( is expected/],
    ['CREATE AGGREGATE FUNCTION f(a int) RETURNS int RETURN 1', /CREATE AGGREGATE/],
  ])('%s', (sql, reason) => {
    expect(imported(sql).refused).toEqual([{ line: 100, reason: expect.stringMatching(reason) }]);
  });

  it('is told of all at once, each with its line', () => {
    const { refused } = imported(`${AFTER} BEGIN\nUPDATE nowhere SET n = UUID();\nDELETE FROM elsewhere;\nEND`);
    expect(refused.map(({ line, reason }) => `${line} ${reason.slice(0, 20)}`)).toEqual([
      '101 there is no table no',
      '101 UUID() differs at ea',
      '102 there is no table el',
    ]);
  });
});
