/**
 * Triggers and functions of a workload file on MySQL and MariaDB: what they write is a write of the statement that set them
 * off. A serial run shows no anomaly, and each version of a row that a trigger wrote has its writer; a lost update that goes
 * through a trigger is one of the transactions whose statements set it off, in a round and in `explore`; SERIALIZABLE has none.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TXN_STATUS } from '../../core/base/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import { instrument } from '../../instrument/index.ts';
import { exploreText } from '../../reports/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../schema-gen/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { draftOf, runnableSchema } from '../../src/intake/live-schema/draft-schema.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** A counter cache, an audit trail, a moment of the last change, and a guard, as applications have them. */
const BLOG = `
-- @schema
CREATE TABLE posts (id int PRIMARY KEY, comments_count int NOT NULL, changed_at datetime);
CREATE TABLE comments (id int PRIMARY KEY, post_id int NOT NULL, body varchar(20) NOT NULL);
CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, post_id int NOT NULL, what varchar(20) NOT NULL);
DELIMITER ;;
CREATE FUNCTION is_empty(body varchar(20)) RETURNS boolean DETERMINISTIC
BEGIN
  RETURN body = 'empty';
END;;
DELIMITER ;
CREATE TRIGGER guarded BEFORE INSERT ON comments FOR EACH ROW
  IF is_empty(NEW.body) THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'an empty comment'; END IF;
CREATE TRIGGER counted AFTER INSERT ON comments FOR EACH ROW
BEGIN
  DECLARE n int;
  SELECT COUNT(*) INTO n FROM comments WHERE post_id = NEW.post_id;
  UPDATE posts SET comments_count = n WHERE id = NEW.post_id;
  INSERT INTO audit (post_id, what) VALUES (NEW.post_id, 'comment');
END;
CREATE TRIGGER touched BEFORE UPDATE ON posts FOR EACH ROW SET NEW.changed_at = NOW();
-- @data
INSERT INTO posts (id, comments_count) VALUES (1, 1);
INSERT INTO comments (id, post_id, body) VALUES (1, 1, 'first');
-- @transaction comment
-- @parameter :id unique from 100
-- @parameter :post key of posts
-- @parameter :body one of BODIES
SELECT comments_count FROM posts WHERE id = :post;
INSERT INTO comments (id, post_id, body) VALUES (:id, :post, :body);
-- @transaction note autocommit
-- @parameter :id unique from 100
-- @parameter :post key of posts
INSERT INTO comments (id, post_id, body) VALUES (:id, :post, 'noted');
-- @invariant counts-are-right
SELECT p.id FROM posts AS p WHERE p.comments_count <> (SELECT COUNT(*) FROM comments AS c WHERE c.post_id = p.id);
`;

const COMMENTS = BLOG.replace('BODIES', "'fine'").replace(/-- @transaction note[\s\S]*?(?=-- @invariant)/, '');

/** Functions that are called in statements: one reads, one writes. */
const BOOKING = `
-- @schema
CREATE TABLE rooms (id int PRIMARY KEY, taken int NOT NULL);
CREATE TABLE bookings (id int PRIMARY KEY, room int NOT NULL);
CREATE TABLE numbers (id int PRIMARY KEY, last int NOT NULL);
CREATE FUNCTION booked(r int) RETURNS int READS SQL DATA RETURN (SELECT COUNT(*) FROM bookings WHERE room = r);
DELIMITER ;;
CREATE FUNCTION next_number() RETURNS int DETERMINISTIC
BEGIN
  UPDATE numbers SET last = last + 1 WHERE id = 1;
  RETURN (SELECT last FROM numbers WHERE id = 1);
END;;
DELIMITER ;
-- @data
INSERT INTO rooms VALUES (1, 0);
INSERT INTO numbers VALUES (1, 0);
-- @transaction book
SELECT booked(id) INTO :n FROM rooms WHERE id = 1;
IF :n > 0 ROLLBACK;
INSERT INTO bookings VALUES (next_number(), 1);
UPDATE rooms SET taken = booked(id) WHERE id = 1;
-- @invariant one-booking
SELECT id FROM rooms WHERE booked(id) > 1;
`;

const SERVERS: ReadonlySet<string> = new Set(['mysql', 'mariadb']);
/** There no order of two inserts breaks what their trigger counts. */
const COUNTS_ARE_RIGHT: ReadonlySet<string> = new Set(['mariadb@11.8']);
/** Nobody waits for anybody for long: a reply that is late is one of a busy machine. */
const SLOWEST_MS = 600_000;

describeEachServer(
  'triggers and functions of a file',
  ({ target, dialect, capabilities, start }) => {
    const suite = sharedServer({ target, dialect, start });

    it('write in the name of the statement that set them off: a serial run is clean, and every version has its writer', async () => {
      const testCase = await caseOf(BLOG.replace('BODIES', "'spam', 'fine', 'empty'"), 2, 6);
      const turns = Array.from({ length: 6 }, (_, k) =>
        testCase.sessions.flatMap(({ transactions }, s) =>
          Array.from({ length: transactions[k]!.autocommit ? 1 : transactions[k]!.statements.length + 2 }, () => s),
        ),
      );
      const history = await round({ ...testCase, schedule: turns.flat() }, 'repeatable-read', 1);
      const { verdict } = assessHistory(history, { report: 'all' });
      expect(verdict.anomalies.map((each) => `${each.class}: ${each.explanation}`)).toEqual([]);
      expect([verdict.defects, history.notes]).toEqual([[], []]);
      const written = committedInserts(history);
      const guarded = history.statements.error.filter((error) => error?.message.includes('an empty comment'));
      expect(written.length).toBeGreaterThan(2);
      expect(guarded.length).toBeGreaterThan(0);
      // The post was changed by each of them, one row of the audit trail and one comment were made by each.
      expect(finalLists(history, 'posts')).toEqual([['0.0', ...written]]);
      expect(finalLists(history, 'audit').flat()).toEqual(written);
      expect(finalLists(history, 'comments').flat().slice(1)).toEqual(written);
    });

    it('lose an update that goes through a trigger at READ COMMITTED, and none at SERIALIZABLE', async () => {
      const testCase = await caseOf(COMMENTS, 2, 1);
      const both = { ...testCase, schedule: [0, 0, 1, 1, 0, 0, 1, 1] };
      const weak = assessHistory(await round(both, 'read-committed', 2), { report: 'all' });
      const lost = weak.verdict.anomalies.filter(({ shapes }) => shapes.includes('lost update'));
      expect(lost.map(({ explanation }) => explanation)).toEqual([expect.stringMatching(/^Lost update .*T1 -ww-> T2 -rw-> T1/)]);
      const strong = assessHistory(await round(both, 'serializable', 3), { report: 'all' });
      expect(strong.verdict.anomalies).toEqual([]);
    });

    it('are explored: what breaks the count at READ COMMITTED, and nothing at SERIALIZABLE', async () => {
      // Where a trigger calls a function too, the count is right on others as well.
      const report = await explored(COMMENTS.replace(/DELIMITER[\s\S]*?(?=CREATE TRIGGER counted)/, ''));
      const answers = report.levels.map(({ together = [] }) => together.map(({ name, answer }) => [name, answer]));
      expect(answers, exploreText(report)).toEqual([[['comment + comment', 'not safe']], [['comment + comment', 'safe']]]);
      expect(report.levels[0]!.together![0]!.breaks, exploreText(report)).toEqual(COUNTS_ARE_RIGHT.has(target) ? [] : ['counts-are-right']);
    });

    it('are called in statements: what they write is of the statement, and what they read for it is explored', async () => {
      const testCase = await caseOf(BOOKING.replace('IF :n > 0 ROLLBACK;\n', ''), 1, 2);
      const history = await round({ ...testCase, schedule: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }, 'repeatable-read', 4);
      expect(assessHistory(history, { report: 'all' }).verdict.anomalies).toEqual([]);
      expect([finalLists(history, 'numbers'), finalLists(history, 'rooms')]).toEqual([[['0.0', '1.1', '2.1']], [['0.0', '1.2', '2.2']]]);
      const report = await explored(BOOKING);
      const answers = report.levels.map(({ together = [] }) => together.map(({ name, answer, breaks }) => [name, answer, breaks]));
      expect(answers, exploreText(report)).toEqual([[['book + book', 'not safe', ['one-booking']]], [['book + book', 'safe', []]]]);
    });

    it('are read from a live database, those that no file takes as comments with the reason', async () => {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        await connection.query('CREATE DATABASE theirs_routines');
        await connection.query(dialect.enterNamespace('theirs_routines'));
        const file = parseWorkloadFile(BLOG).file.schema.filter(({ sql }) => /^create/i.test(sql));
        const waits = 'CREATE TRIGGER theirs_routines.waits BEFORE DELETE ON theirs_routines.posts FOR EACH ROW SET @seen = SLEEP(0)';
        for (const sql of [...file.map((each) => each.sql), waits]) await connection.query(sql);
        const draft = await draftOf(
          await runnableSchema(await dialect.schemaText!(connection, 'theirs_routines', suite.server.url), dialect, true),
          dialect,
        );
        const again = parseWorkloadFile(draft.file, { tablesAlone: true });
        const { templates, refused } = importWorkload(again.file, await dialect.importer!(capabilities));
        expect([...again.refused, ...refused], draft.file).toEqual([]);
        expect(templates.schema.routines!.map(({ name }) => name)).toEqual(['is_empty', 'counted', 'guarded', 'touched']);
        expect(draft.file).toContain('\n-- Left out: @ names a variable of the session');
        expect(draft.file).toMatch(/^-- {3}CREATE TRIGGER `?waits`? BEFORE DELETE ON `?posts`? FOR EACH ROW SET @seen = SLEEP\(0\)$/m);
        expect(draft.file).not.toContain('DEFINER');
      } finally {
        await connection.end();
      }
    });

    async function explored(text: string): Promise<Awaited<ReturnType<typeof exploreTarget>>> {
      const file = path.join(suite.folder, 'explored.sql');
      writeFileSync(file, text);
      return exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: '', close: async () => {} },
        { file, level: ['read-committed', 'serializable'], orders: 'pruned', workers: 2, draws: 1, cures: false },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    }

    async function caseOf(text: string, sessions: number, each: number): Promise<TestCase> {
      const { file, refused: unread } = parseWorkloadFile(text);
      const { templates, refused } = importWorkload(file, await dialect.importer!(capabilities));
      expect([...unread, ...refused]).toEqual([]);
      return workloadCase('routines', templates, {
        mode: 'schedule',
        sessions: { min: sessions, max: sessions },
        transactions: { min: each, max: each },
      });
    }

    async function round(testCase: TestCase, level: Level, n: number): Promise<History> {
      const outcome = await runRound({
        round: n,
        probedCase: instrument(testCase, { mode: 'exact', capabilities, level, images: true }),
        dialect,
        level: dialect.levels.find((each) => each.level === level)!,
        urls: [suite.server.url],
        mode: 'schedule',
        namespace: `anomalist_routines_${n}`,
        statementTimeoutMs: SLOWEST_MS,
        recorder: new Recorder(undefined, { tool: 'test', seed: '1' }),
      });
      expect(outcome.complete, outcome.reason).toBe(true);
      return outcome.history;
    }
  },
  { fits: ({ name }) => SERVERS.has(name), newest: true },
);

/** The entries of inserts that took effect, in the order in which they were sent. */
function committedInserts({ statements, transactions }: History): readonly string[] {
  return Array.from({ length: statements.count }, (_, s) => s)
    .filter((s) => statements.kind[s] === 'insert' && statements.error[s] === undefined)
    .filter((s) => transactions.status[statements.txn[s]!] === TXN_STATUS.committed)
    .map((s) => `${transactions.id[statements.txn[s]!]}.${statements.seq[s]}`);
}

/** Each row's write list in the end, in the order of the rows' first writers. */
function finalLists({ statements, observations, rows, entries, transactions }: History, table: string): readonly (readonly string[])[] {
  const lists = Array.from({ length: observations.count }, (_, o) => o)
    .filter((o) => statements.kind[observations.statement[o]!] === 'final' && rows.table[observations.row[o]!] === table)
    .map((o) => Array.from({ length: observations.length[o]! }, (_, i) => observations.start[o]! + i))
    .map((list) => list.map((e) => `${transactions.id[entries.txn[e]!]}.${entries.seq[e]}`));
  const order = committedInserts({ statements, transactions } as History);
  return lists.toSorted((a, b) => order.indexOf(a[0]!) - order.indexOf(b[0]!));
}
