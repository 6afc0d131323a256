/**
 * Draws that are aimed at what transactions look at, on real servers: rows that belong together are found however many do not,
 * and made where there are none. What is called safe says where it was looked. Every order of the programs is run, so nothing
 * here hangs on a race.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Level } from '../../core/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** The seeds are 1 to this number. */
const SEEDS = Array.from({ length: Number(process.env['ANOMALIST_AIMED_SEEDS'] ?? 2) }, (_, n) => String(n + 1));

const OWNERS = "(1, 1, 1, 'owner'), (2, 1, 2, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member')";
/** Two owners of one organization leave; two members of a whole table rarely are such. */
const LAST_OWNER = `
-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name varchar(10) NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, organization_id int NOT NULL, user_id int NOT NULL, role varchar(10) NOT NULL,
  UNIQUE (organization_id, user_id), FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE);
-- @data
INSERT INTO organizations (id, name) VALUES (1, 'acme'), (2, 'solo');
INSERT INTO members (id, organization_id, user_id, role) VALUES ${OWNERS};
-- @transaction remove-member
-- @parameter :member key of members
SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member FOR UPDATE;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;
-- @invariant every-organization-has-an-owner
SELECT o.id FROM organizations AS o
WHERE NOT EXISTS (SELECT 1 AS one FROM members AS m WHERE m.organization_id = o.id AND m.role = 'owner');
`;
const LOCKED = LAST_OWNER.replace('SELECT count', 'SELECT id INTO :locked FROM organizations WHERE id = :org FOR UPDATE;\nSELECT count');

/** A report tells of a deposit that came before a withdrawal, and the withdrawal has not seen it: two of the three show nothing. */
const REPORT_OF_TWO = `
-- @schema
CREATE TABLE customers (id int PRIMARY KEY, name int NOT NULL);
CREATE TABLE savings (customer_id int PRIMARY KEY, balance int NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE TABLE checkings (customer_id int PRIMARY KEY, balance int NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id));
-- @data
-- @for :c 1..9
INSERT INTO customers (id, name) VALUES (:c, :c);
-- @for :c 1..9
INSERT INTO savings (customer_id, balance) VALUES (:c, 0);
-- @for :c 1..9
INSERT INTO checkings (customer_id, balance) VALUES (:c, 0);
-- @transaction deposit
-- @parameter :customer key of customers
UPDATE savings SET balance = balance + 20 WHERE customer_id = :customer;
-- @transaction withdraw
-- @parameter :customer key of customers
SELECT s.balance + c.balance INTO :sum FROM savings AS s JOIN checkings AS c ON c.customer_id = s.customer_id WHERE s.customer_id = :customer;
UPDATE checkings SET balance = balance - CASE WHEN :sum < 10 THEN 11 ELSE 10 END WHERE customer_id = :customer;
-- @transaction report
-- @parameter :customer key of customers
SELECT s.balance, c.balance AS checking FROM savings AS s JOIN checkings AS c ON c.customer_id = s.customer_id WHERE s.customer_id = :customer;
`;

describeEachServer(
  'aimed draws',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const folder = mkdtempSync(path.join(tmpdir(), 'aimed-draws-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    async function explored(
      text: string,
      levels: readonly Level[],
      more: {
        readonly seed?: string;
        readonly triples?: boolean;
        readonly program?: number;
        readonly transaction?: readonly string[];
      } = {},
    ): Promise<{ readonly levels: readonly ExploreLevel[]; readonly text: string }> {
      const file = path.join(folder, 'own.sql');
      writeFileSync(file, text);
      const { seed = '1', ...options } = more;
      const report: ExploreReport = await exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: levels, orders: 'pruned', workers: 2, draws: 1, ...options },
        { seed, progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      return { levels: report.levels, text: exploreText(report) };
    }

    it('find two owners of one organization, whatever the seed, and a number gives the program again', async () => {
      for (const seed of SEEDS) {
        const { levels, text } = await explored(LAST_OWNER, ['read-committed', 'repeatable-read'], { seed });
        for (const { level, together } of levels)
          expect([level, together!.map(({ answer, breaks }) => [answer, breaks])], `seed ${seed}\n${text}`).toEqual([
            level,
            [['not safe', ['every-organization-has-an-owner']]],
          ]);
        if (seed !== SEEDS[0]) continue;
        const { example } = levels[0]!.families[0]!;
        const again = await explored(LAST_OWNER, ['read-committed'], { seed, program: example.program });
        const [only] = again.levels[0]!.together!;
        expect([only!.answer, only!.breaks, only!.of], again.text).toEqual(['not safe', ['every-organization-has-an-owner'], 1]);
        const { made, setup, start: rows } = again.levels[0]!.families[0]!.example;
        expect({ made, setup, start: rows }, again.text).toEqual({ made: example.made, setup: example.setup, start: example.start });
      }
    });

    it('find nothing where the organization is locked first, and safe says where it was looked', async () => {
      const { levels, text } = await explored(LOCKED, ['read-committed']);
      const [safe] = levels[0]!.together!;
      expect([safe!.answer, safe!.differing], text).toEqual(['safe', 0]);
      const ran = safe!.aimed!.ways.filter((each) => each.ran > 0).map(({ way }) => way);
      for (const words of [
        'the same members.id',
        "the same organization_id and role = 'owner'",
        'the same organization_id (',
        'nothing in common',
      ])
        expect(
          ran.some((way) => way.includes(words)),
          text,
        ).toBe(true);
      expect(text.replaceAll(/\s+/g, ' ')).toContain('remove-member + remove-member: draws were aimed at the same members.id');
    });

    it('make a second owner where no organization has two', async () => {
      const alone = LAST_OWNER.replace(OWNERS, "(1, 1, 1, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member')");
      const { levels, text } = await explored(alone, ['read-committed'], { seed: '2' });
      const [pair] = levels[0]!.together!;
      expect([pair!.answer, pair!.breaks], text).toEqual(['not safe', ['every-organization-has-an-owner']]);
      const owners = pair!.aimed!.ways.find(({ way }) => way.includes("the same organization_id and role = 'owner'"));
      expect(owners?.ran, text).toBeGreaterThan(0);
      expect(
        levels[0]!.families.flatMap(({ forms }) => Object.keys(forms)),
        text,
      ).toContain('initial rows, and rows made in members');
    });

    it('do not call safe what there are no rows for', async () => {
      const nobody = `${LAST_OWNER.replace("(2, 'solo')", "(2, 'solo'), (3, 'empty')").replace(/-- @invariant[^]*/, '')}
-- @transaction rename
-- @parameter :org one of 3
SELECT count(*) INTO :size FROM members WHERE organization_id = :org;
IF :size > 5 ROLLBACK;
UPDATE organizations SET name = 'new' WHERE id = :org;
`;
      const { levels, text } = await explored(nobody, ['read-committed']);
      const pair = levels[0]!.together!.find(({ name }) => name === 'remove-member + rename')!;
      expect([pair.answer, pair.why], text).toEqual([
        'not judged',
        'no rows or values were found, and no rows could be made, for the same organizations.id (:member, :org)',
      ]);
    });

    it('do not call safe a range for which no values were found, and name one that no row lies in', async () => {
      const ranges = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 5);
-- @transaction count
-- @parameter :low int 100..200
SELECT count(*) FROM t WHERE v > :low;
-- @transaction add
-- @parameter :id unique
-- @parameter :v int 1..50
INSERT INTO t (id, v) VALUES (:id, :v);
-- @transaction remove
-- @parameter :id key of t
DELETE FROM t WHERE id = :id;
`;
      const { levels, text } = await explored(ranges, ['read-committed']);
      const pairOf = (name: string) => levels[0]!.together!.find((each) => each.name === name)!;
      const inRange = (writer: string): string => `a row of t that ${writer} writes, in the range of v that count asks for (:low)`;
      expect([pairOf('count + add').answer, pairOf('count + add').why], text).toEqual([
        'not judged',
        `no rows or values were found, and no rows could be made, for ${inRange('add')}`,
      ]);
      expect([pairOf('count + remove').answer, pairOf('count + remove').aimed!.without], text).toEqual([
        'safe',
        expect.arrayContaining([`${inRange('remove')}: no row is so`]),
      ]);
    });

    it('find what three show and no two of them', async () => {
      const { levels, text } = await explored(REPORT_OF_TWO, ['repeatable-read'], { triples: true, transaction: ['report'] });
      const answers = new Map(levels[0]!.together!.map(({ name, answer }) => [name, answer]));
      expect(answers.get('deposit + withdraw + report'), text).toBe('not safe');
      for (const name of ['deposit + report', 'withdraw + report']) expect([name, answers.get(name)], text).toEqual([name, 'safe']);
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, once: true },
);
