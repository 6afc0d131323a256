/**
 * Exploring a workload file on real servers: a planted write skew is found where the level allows it and not at
 * SERIALIZABLE, what the transactions break by themselves is blamed on nobody, what cannot be compared is no difference,
 * and a file that cannot be run says why.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Level } from '../../core/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport, ExploreTogether, TriedCure } from '../../reports/index.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import type { Target } from '../../src/target/target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** Two may go home at once, each having seen the other; nothing keeps the second from it if they come one after the other. */
const DOCTORS = `
-- @schema
CREATE TABLE doctors (doctor_id int PRIMARY KEY, on_call int NOT NULL);
CREATE TABLE leaves (doctor_id int PRIMARY KEY, others int NOT NULL);
-- @data
-- @for :d 1..2
INSERT INTO doctors (doctor_id, on_call) VALUES (:d, 1);
-- @transaction go-home
-- @parameter :me key of doctors
SELECT count(*) AS others FROM doctors AS d WHERE d.on_call = 1 AND d.doctor_id <> :me;
UPDATE doctors SET on_call = 0 WHERE doctor_id = :me;
-- @transaction look
SELECT d.doctor_id, d.on_call FROM doctors AS d;
-- @invariant somebody-is-there
SELECT d.doctor_id FROM doctors AS d WHERE (SELECT sum(e.on_call) FROM doctors AS e) = 0;
`;

/** Who is gone keeps the others in: the condition is in the statement, so one after the other the invariant holds. */
const GUARDED = DOCTORS.replace(
  'UPDATE doctors SET on_call = 0 WHERE doctor_id = :me;',
  `UPDATE doctors SET on_call = 0 WHERE doctor_id = :me
  AND (SELECT count(*) FROM leaves AS l WHERE l.others > 0) = 0;
INSERT INTO leaves (doctor_id, others) SELECT :me, d.on_call + 1 FROM doctors AS d WHERE d.doctor_id = :me AND d.on_call = 0;`,
);

const NUMBERED = `
-- @schema
CREATE TABLE events (event_id KIND PRIMARY KEY, what int NOT NULL);
CREATE TABLE counts (what int PRIMARY KEY, seen int NOT NULL);
-- @data
INSERT INTO events (what) VALUES (1), (2);
INSERT INTO counts (what, seen) VALUES (1, 1), (2, 1);
-- @transaction happen
-- @parameter :what key of counts
INSERT INTO events (what) VALUES (:what);
-- @transaction any
SELECT e.what FROM events AS e LIMIT 1;
-- @transaction newest
SELECT e.what FROM events AS e ORDER BY e.event_id DESC LIMIT 1;
-- @transaction count autocommit
-- @parameter :what key of counts
UPDATE counts SET seen = seen + 1 WHERE what = :what;
`;

/** A seat is sold by what was read; a name is taken by who finds nobody of it. */
const CURABLE = `
-- @schema
CREATE TABLE seats (flight int PRIMARY KEY, free int NOT NULL);
CREATE TABLE tickets (ticket int PRIMARY KEY, flight int NOT NULL);
CREATE TABLE users (id int PRIMARY KEY, name varchar(10) NOT NULL);
-- @data
INSERT INTO seats (flight, free) VALUES (1, 1), (2, 1);
INSERT INTO users (id, name) VALUES (1, 'somebody');
-- @transaction buy
-- @parameter :flight key of seats
-- @parameter :ticket unique
SELECT s.free FROM seats AS s WHERE s.flight = :flight;
INSERT INTO tickets (ticket, flight) SELECT :ticket, s.flight FROM seats AS s WHERE s.flight = :flight AND s.free > 0;
UPDATE seats SET free = free - 1 WHERE flight = :flight;
-- @transaction sign-up
-- @parameter :id unique
-- @parameter :name one of 'ada', 'alan'
SELECT u.id FROM users AS u WHERE u.name = :name;
INSERT INTO users (id, name) SELECT :id, :name FROM seats AS s
WHERE s.flight = 1 AND (SELECT count(*) FROM users AS u WHERE u.name = :name) = 0;
-- @invariant every-name-once
SELECT u.name FROM users AS u GROUP BY u.name HAVING count(*) > 1;
`;

/** Two may find room for theirs at once. */
const COUNTED = `
-- @schema
CREATE TABLE events (event_id KIND PRIMARY KEY, what int NOT NULL);
CREATE TABLE kinds (what int PRIMARY KEY);
-- @data
INSERT INTO kinds (what) VALUES (1), (2);
INSERT INTO events (what) VALUES (1), (1), (2), (2);
-- @transaction happen
-- @parameter :what key of kinds
SELECT count(*) AS so_far FROM events AS e WHERE e.what = :what;
INSERT INTO events (what) SELECT k.what FROM kinds AS k
WHERE k.what = :what AND (SELECT count(*) FROM events AS e WHERE e.what = :what) < 3;
-- @transaction list
SELECT e.event_id, e.what FROM events AS e;
-- @invariant at-most-three
SELECT e.what FROM events AS e GROUP BY e.what HAVING count(*) > 3;
`;

/** As the DBMS spells it. */
const NUMBERED_BY: Readonly<Record<string, string>> = { postgres: 'serial' };

describeEachServer(
  'explore of a file',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const folder = mkdtempSync(path.join(tmpdir(), 'explore-file-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    function fileOf(text: string): string {
      const file = path.join(folder, 'own.sql');
      writeFileSync(file, text);
      return file;
    }

    function explored(
      text: string,
      levels: readonly Level[],
      more: {
        readonly draws?: number;
        readonly triples?: boolean;
        readonly program?: number;
        readonly transaction?: readonly string[];
        readonly cures?: boolean;
      } = {},
    ): Promise<ExploreReport> {
      const at: Target = { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} };
      return exploreTarget(
        at,
        { file: fileOf(text), level: levels, orders: 'pruned', workers: 2, draws: 3, ...more },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    }

    function of(report: ExploreReport, level: Level, name: string): ExploreTogether {
      return report.levels.find((each) => each.level === level)!.together!.find((each) => each.name === name)!;
    }

    it('finds a planted write skew at REPEATABLE READ and none at SERIALIZABLE', async () => {
      const report = await explored(DOCTORS, ['repeatable-read', 'serializable']);
      const skewed = of(report, 'repeatable-read', 'go-home + go-home');
      const text = exploreText(report);
      expect([skewed.answer, skewed.verdict], text).toEqual(['not safe', 'documented']);
      expect(of(report, 'repeatable-read', 'look + look').answer, text).toBe('safe');
      for (const each of report.levels[1]!.together!) expect([each.name, each.answer], text).toEqual([each.name, 'safe']);
      expect(exploreExit(report)).toBe(0);
      const { example } = report.levels[0]!.families.find(({ name }) => name === 'go-home + go-home')!;
      expect(example.transactions).toEqual(['go-home', 'go-home']);
      expect(example.times).toBeGreaterThan(0);
      // The command of the example runs just that program, and sees the same.
      const again = await explored(DOCTORS, ['repeatable-read'], { program: example.program });
      expect(again.levels[0]!.together!.map(({ name, answer }) => [name, answer])).toEqual([['go-home + go-home', 'not safe']]);
      expect(text).toMatch(/go-home \+ go-home +not safe: documented.* safe, \d+ orders/);
    });

    it('says which invariant a difference breaks that every serial order keeps', async () => {
      const report = await explored(GUARDED, ['read-committed'], { transaction: ['go-home'] });
      const broken = of(report, 'read-committed', 'go-home + go-home');
      const text = exploreText(report);
      expect([broken.answer, broken.breaks, broken.yours], text).toEqual(['not safe', ['somebody-is-there'], []]);
      expect(text).toContain('this breaks the invariant somebody-is-there, which every serial order keeps');
      expect(text).toMatch(/SELECT count\(\*\) AS others FROM doctors AS d WHERE d\.on_call = 1 AND d\.doctor_id <> \d+/);
    });

    it('tries what would stop what is not safe, and says what did: a lock on the read, a unique constraint, a stronger level', async () => {
      const report = await explored(CURABLE, ['read-committed'], { cures: true });
      const text = exploreText(report);
      const curesOf = (name: string): ReadonlyMap<string, TriedCure> =>
        new Map(of(report, 'read-committed', name).cures!.map((cure) => [cure.what, cure]));
      const buy = curesOf('buy + buy');
      const lock = [...buy].find(([what]) => what.startsWith('FOR UPDATE on statement 1 of buy'))![1];
      // The invariant of the file is not one that they break.
      expect([lock.before.differing > 0, lock.after.differing, lock.stops, lock.evens], text).toEqual([true, 0, false, true]);
      expect(lock.after.programs).toBe(lock.before.programs);
      // The weakest level that does is the last one that is tried.
      expect([...buy].filter(([what, { evens }]) => what.endsWith('and try again what it refuses') && evens)).toHaveLength(1);
      // One ticket of a flight would be enough to stop it, and would forbid what goes well.
      expect([...buy.values()].filter(({ evens, refuses }) => evens && refuses).every(({ what }) => what.startsWith('UNIQUE'))).toBe(true);
      // There is nothing to lock where nobody is found: what a gap is locked by is MySQL's own affair.
      const unique = curesOf('sign-up + sign-up').get('UNIQUE (name) on users')!;
      // Who looked and then finds the name taken has seen two moments; but no name is there twice.
      expect([unique.before.differing > 0, unique.keeps, unique.refuses], text).toEqual([true, true, undefined]);
      // What is safe needs no cure.
      expect(of(report, 'read-committed', 'buy + sign-up').cures).toBeUndefined();
      expect(text.replaceAll(/\s+/g, ' ')).toMatch(
        /leaves no difference, and no invariant was broken before: FOR UPDATE on statement 1 of buy/,
      );
      expect(text).toContain('sign-up + sign-up at read-committed: the race appeared in');
    });

    it('explores a file whose tables and columns are named as those that the tool adds, and words its cures in these names', async () => {
      const own: Readonly<Record<string, string>> = { seats: 'iso_w', free: 'iso_rid', users: 'iso_q', name: 'iso_reads' };
      const file = CURABLE.replaceAll(/\b(?:seats|free|users|name)\b/g, (word) => own[word]!);
      const report = await explored(file, ['read-committed'], { cures: true });
      const text = exploreText(report);
      const lock = of(report, 'read-committed', 'buy + buy').cures!.find(({ what }) =>
        what.startsWith('FOR UPDATE on statement 1 of buy'),
      )!;
      expect([lock.before.differing > 0, lock.after.differing, lock.evens], text).toEqual([true, 0, true]);
      expect(lock.sql, text).toContainEqual(
        expect.stringMatching(/^SELECT s\.iso_rid FROM iso_w AS s WHERE s\.flight = :flight FOR UPDATE/),
      );
      const unique = of(report, 'read-committed', 'sign-up + sign-up').cures!.find(({ what }) => what === 'UNIQUE (iso_reads) on iso_q')!;
      expect([unique.before.differing > 0, unique.keeps], text).toEqual([true, true]);
      expect(of(report, 'read-committed', 'buy + sign-up').cures).toBeUndefined();
    });

    it('blames nobody for an invariant that the transactions break one after the other', async () => {
      const report = await explored(DOCTORS, ['serializable']);
      const own = of(report, 'serializable', 'go-home + go-home');
      const text = exploreText(report);
      expect(own.answer, text).toBe('safe');
      expect(own.breaks).toEqual([]);
      expect(own.yours).toEqual(['somebody-is-there: go-home, then go-home']);
      expect(exploreExit(report)).toBe(0);
      expect(text).toContain('YOURS: your transactions break an invariant when run serially');
      expect(of(report, 'serializable', 'look + look').yours).toEqual([]);
    });

    it('judges nothing that cannot be compared, and says why; what stands beside it is judged', async () => {
      const numbered = NUMBERED.replace('KIND', NUMBERED_BY[dialect.name] ?? 'int AUTO_INCREMENT');
      const report = await explored(numbered, ['serializable'], { triples: true });
      const answers = Object.fromEntries(report.levels[0]!.together!.map(({ name, answer, why }) => [name, why ?? answer]));
      expect(answers['happen + count']).toBe('safe');
      expect(answers['happen + happen']).toBe('safe');
      expect(answers['happen + newest']).toMatch(/the server numbers new rows .*, and what a statement does hangs on event_id/);
      expect(answers['any + count']).toContain('a LIMIT may take any of the rows');
      expect(answers['count + count']).toBe('safe');
      expect(answers['count + count + count']).toBe('safe');
      expect(exploreText(report)).toContain('not judged, as the server numbers new rows');
    });

    it('compares what takes numbers from the server but for these numbers', async () => {
      const numbered = COUNTED.replace('KIND', NUMBERED_BY[dialect.name] ?? 'int AUTO_INCREMENT');
      const report = await explored(numbered, ['read-committed', 'serializable']);
      const broken = of(report, 'read-committed', 'happen + happen');
      const text = exploreText(report);
      expect([broken.answer, broken.verdict, broken.breaks], text).toEqual(['not safe', 'documented', ['at-most-three']]);
      expect(text).toMatch(/left: events\(event_id, what\): \(#, \d\)/);
      for (const { name, answer } of report.levels[1]!.together!) expect([name, answer], text).toEqual([name, 'safe']);
    });

    it('says what is wrong with a file, and which transactions there are', async () => {
      await expect(explored('-- @schema\nCREATE TABLE t (id int PRIMARY KEY);', ['serializable'])).rejects.toThrow(
        'the file has no transaction',
      );
      await expect(explored(DOCTORS.replace('on_call = 1 AND', 'nothing = 1 AND'), ['serializable'])).rejects.toThrow(
        /own\.sql:\d+: .*nothing/,
      );
      await expect(explored(DOCTORS, ['serializable'], { transaction: ['lok'] })).rejects.toThrow(
        'Did you mean look? Transactions: go-home, look.',
      );
    });

    it('explores the one transaction of a file with itself', async () => {
      const alone = DOCTORS.replace(/-- @transaction look\n.*\n/, '');
      const report = await explored(alone, ['serializable']);
      expect(report.levels[0]!.together!.map(({ name, answer }) => [name, answer])).toEqual([['go-home + go-home', 'safe']]);
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, protocol: true },
);

describe('an exploration of a file', () => {
  it('refuses one that is not there', async () => {
    const at = {
      name: '',
      dialect: { levels: [{ level: 'serializable' }], connect: () => ({ end: () => undefined }), facts: () => ({}) },
      urls: [''],
      words: '',
    } as unknown as Target;
    await expect(
      exploreTarget(
        at,
        { file: 'nowhere.sql', orders: 'pruned' },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      ),
    ).rejects.toThrow('explore nowhere.sql: the file cannot be read (ENOENT)');
  });
});
