/**
 * Races inside a statement, on real servers. What no order of whole statements shows is found by racing, comes again by
 * racing, and is replayed from its file. Nothing is found where the level forbids it, nor in a race of one after the other.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { exploredFindings } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import type { ExploreChoice } from '../../src/explore/explore-choice.ts';
import { Racer } from '../../src/explore/rendezvous/racer.ts';
import { withRunner } from '../../src/explore/with-runner.ts';
import { Progress } from '../../src/process/progress.ts';
import { replayProgram } from '../../src/replay/replay-program.ts';
import { Replayer } from '../../src/reproduce/index.ts';
import type { Target } from '../../src/target/target.ts';
import { describeEachServer } from './each-server.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** A volatile function takes a new snapshot at each call, so one statement may be told of two states. */
const TWO_STATES: Readonly<Record<string, string>> = {
  postgres: `
-- @schema
CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
CREATE TABLE reports (id int PRIMARY KEY);
CREATE FUNCTION balance_of(account int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found int;
BEGIN
  SELECT a.balance INTO found FROM accounts AS a WHERE a.id = account;
  RETURN found;
END $$;
-- @data
INSERT INTO accounts (id, balance) VALUES (1, 0), (2, 0);
INSERT INTO reports (id) VALUES (1);
-- @transaction both autocommit
SELECT balance_of(1) AS one, balance_of(2) AS two FROM reports AS r WHERE r.id = 1;
-- @transaction raise autocommit
UPDATE accounts SET balance = balance + 1;
`,
};

const SIGNALS = `
CREATE TRIGGER email_once BEFORE INSERT ON members FOR EACH ROW
BEGIN
  IF (SELECT count(*) FROM members AS m WHERE m.email = NEW.email) > 0 THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'email taken';
  END IF;
END;`;

/** A trigger as each DBMS spells it. */
const CHECKED_BY: Readonly<Record<string, string>> = {
  postgres: `
CREATE FUNCTION email_is_free() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM members AS m WHERE m.email = NEW.email) THEN
    RAISE EXCEPTION 'email taken';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER email_once BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION email_is_free();`,
  mysql: SIGNALS,
  mariadb: SIGNALS,
};

/** A trigger looks whether the value is there, and takes no lock. */
function uniqueByTrigger(dbms: string): string {
  return `
-- @schema
CREATE TABLE members (id int PRIMARY KEY, email varchar(20) NOT NULL);${CHECKED_BY[dbms]}
-- @data
INSERT INTO members (id, email) VALUES (1, 'somebody');
-- @transaction join autocommit
-- @parameter :id unique
-- @parameter :email one of 'ada'
INSERT INTO members (id, email) VALUES (:id, :email);
-- @invariant every-email-once
SELECT m.email FROM members AS m GROUP BY m.email HAVING count(*) > 1;
`;
}

/** DBMSs with a process for each session. */
const PROCESSES: ReadonlySet<string> = new Set(['postgres']);

/** A part of the catalogue without savepoints and upserts, whose faults at SERIALIZABLE are known (corpus/explored). */
const PLAIN = ['write skew', 'two rows', 'range', 'add to all'];

describeEachServer(
  'rendezvous',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const { signal } = new AbortController();

    function at(): Target {
      const { url, pids } = suite.server;
      return { name: target, dialect, urls: [url], words: `--target ${target}`, processes: pids, close: async () => {} };
    }

    function explored(choice: Partial<ExploreChoice>, level: Level, seed = '1'): Promise<ExploreReport> {
      const chosen: ExploreChoice = { orders: 'pruned', workers: 1, ...choice, level: [level] };
      return exploreTarget(at(), chosen, { seed, progress: new Progress(process.stderr, true), signal });
    }

    /** Races this program of the file until it shows a family, within a bound of seeds and rounds. */
    async function racedFamily(text: string, program: number): Promise<{ readonly report: ExploreReport; readonly family: ExploreFamily }> {
      for (const seed of raceSeeds(1)) {
        const report = await explored({ file: 'own.sql', text, program, rendezvous: true }, 'read-committed', seed);
        const [family] = report.levels[0]!.families;
        if (family !== undefined) return { report, family };
      }
      throw new Error('no seed showed the race');
    }

    async function expectFound(text: string, program: number): Promise<ExploreFamily> {
      const stepped = await explored({ file: 'own.sql', text, program }, 'read-committed');
      expect(stepped.levels[0]).toMatchObject({ programs: 1, families: [], unconfirmed: 0 });
      const { report, family } = await racedFamily(text, program);
      expect(family).toMatchObject({ oracle: 'serial orders', verdict: 'documented', example: { raced: true } });
      expect(family.example.times).toBeGreaterThan(0);
      expect(report.levels[0]!.raced!.inside).toBeGreaterThan(0);
      expect(report.levels[0]!.together!.find(({ name }) => name === family.name)!.answer).toBe('not safe');
      const level = dialect.levels.find((each) => each.level === 'read-committed')!;
      const replayer = new Replayer(at(), signal);
      try {
        const [finding] = exploredFindings(report);
        const replayed = await replayProgram(replayer, finding!, level, { own: true, times: 3 });
        expect(replayed).toMatchObject({ code: 'occurs', judgement: { verdict: 'documented' } });
      } finally {
        await replayer.close();
      }
      return family;
    }

    it.runIf(TWO_STATES[dialect.name] !== undefined)('finds a statement that is told of two states', async () => {
      const { difference } = await expectFound(TWO_STATES[dialect.name]!, 1);
      expect(difference).toContain('no order of whole statements that was run gives it');
    });

    it('finds a unique check without a lock', async () => {
      const { example } = await expectFound(uniqueByTrigger(dialect.name), 0);
      expect(example.breaks).toEqual(['every-email-once']);
    });

    it('stops sessions for moments on a PostgreSQL that was started here, and leaves none stopped', async () => {
      const catalogue = new Catalogue(createRandom('1').fork('programs'), {
        capabilities: dialect.capabilities,
        canForceIndexes: dialect.indexPlans !== undefined,
        only: PLAIN,
      });
      const program = catalogue.next()!;
      const level = dialect.levels.find((each) => each.level === 'read-committed')!;
      const { url, pids } = suite.server;
      const own = { dialect, url, level, namespace: 'anomalist_rendezvous_pauses', fixtures: [program.fixture] };
      await withRunner(own, async (runner) => {
        await runner.load(program);
        expect(runner.processes()).toEqual([]);
      });
      await withRunner({ ...own, processes: pids }, async (runner) => {
        await runner.load(program);
        const processes = runner.processes();
        const sessions = PROCESSES.has(dialect.name) && process.platform === 'linux' && pids.length > 0 ? program.transactions.length : 0;
        expect(processes).toHaveLength(sessions);
        const racer = new Racer(runner, program, 1);
        for (let i = 0; i < 40; i++) await racer.next();
        for (const pid of processes) expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).not.toMatch(/\) [Tt] /);
      });
    });

    it('finds nothing in races one after the other', async () => {
      const file = { file: 'own.sql', text: uniqueByTrigger(dialect.name), program: 0 };
      for (const choice of [file, { only: PLAIN, programs: 4 }]) {
        const report = await explored({ ...choice, rendezvous: true, orders: 'serial' }, 'read-committed');
        expect(report.levels[0]).toMatchObject({ families: [], unconfirmed: 0, control: true });
        expect(report.levels[0]!.orders).toBeGreaterThan(0);
      }
    });

    it('finds nothing at SERIALIZABLE', async () => {
      const file = { file: 'own.sql', text: uniqueByTrigger(dialect.name), program: 0 };
      for (const choice of [file, { only: PLAIN, programs: 6 }]) {
        const report = await explored({ ...choice, rendezvous: true, orders: 100 }, 'serializable');
        expect(report.levels[0]).toMatchObject({ families: [], unconfirmed: 0 });
        expect(report.levels[0]!.orders).toBeGreaterThanOrEqual(100);
      }
    });
  },
  { newest: true, inapplicable: ({ name }) => (CHECKED_BY[name] === undefined ? 'no trigger of a file is taken there' : undefined) },
);
