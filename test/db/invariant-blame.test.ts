/**
 * Who is said to have broken an invariant: transactions that break it by themselves are named and no server is blamed, at
 * any level and with one session too; a server that promises SERIALIZABLE and runs READ COMMITTED (behind the lying proxy)
 * is, since the same transactions keep it one after the other; at READ COMMITTED of an honest server it is documented. A
 * serial control that cannot be had says why.
 */
import { invariantQueries } from '../../src/judge/assess/invariants.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { InvariantReport } from '../../core/verdict/index.ts';
import { instrument } from '../../instrument/index.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { serialControl } from '../../src/judge/assess/serial-control.ts';
import type { ControlSetup } from '../../src/judge/assess/serial-control.ts';
import { fileWorkload } from '../../src/workload/file.ts';
import { cli } from './cli.ts';
import type { Finished } from './cli.ts';
import { COUNTER } from './counter-workload.ts';
import { describeEachServer } from './each-server.ts';
import { startLyingProxy } from './lying-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** `both` keeps a and b alike, `only-a` does not. */
const OWN = `
-- @schema
CREATE TABLE a (k int PRIMARY KEY, v int NOT NULL);
CREATE TABLE b (k int PRIMARY KEY, w int NOT NULL);
-- @data
INSERT INTO a (k, v) VALUES (1, 0);
INSERT INTO b (k, w) VALUES (1, 0);
-- @transaction both
UPDATE a SET v = v + 1 WHERE k = 1;
UPDATE b SET w = w + 1 WHERE k = 1;
-- @transaction only-a weight=3
-- @parameter :n int 5..7
UPDATE a SET v = v + :n WHERE k = 1;
-- @invariant a-is-b
SELECT a.v, b.w FROM a JOIN b ON a.k = b.k WHERE a.v <> b.w;
`;

const LOST = `${COUNTER}-- @invariant every-count-counts
SELECT c.v, (SELECT count(*) FROM log AS l) AS counted FROM counters AS c WHERE c.v <> (SELECT count(*) FROM log AS l2);
`;

/** A race may lose no update: further seeds are tried until one has. */
const SEEDS = raceSeeds();

describeEachServer(
  'who broke an invariant',
  ({ dialect, start, target }) => {
    const suite = sharedServer({ target, dialect, start });

    function args(url: string, file: string, level: string, ...more: readonly string[]): string[] {
      const path = join(suite.folder, 'file.sql');
      writeFileSync(path, file);
      return [
        'run',
        '--url',
        url,
        '--workload',
        path,
        '--level',
        level,
        '--cases',
        '1',
        '--reduce-seconds',
        '0',
        '--out',
        suite.folder,
        ...more,
      ];
    }

    function invariantsOf({ stdout }: Finished): readonly InvariantReport[] {
      const { targets } = JSON.parse(stdout) as {
        readonly targets: Readonly<Record<string, Readonly<Record<string, { readonly invariants: readonly InvariantReport[] }>>>>;
      };
      return Object.values(targets).flatMap((levels) => Object.values(levels).flatMap(({ invariants }) => invariants));
    }

    async function untilBroken(url: string, level: string): Promise<{ readonly ran: Finished; readonly invariant: InvariantReport }> {
      for (const seed of SEEDS) {
        const ran = await cli(args(url, LOST, level, '--sessions', '4', '--transactions', '8', '--seed', seed, '--json'));
        const [invariant] = invariantsOf(ran);
        if (invariant !== undefined && invariant.broken > 0) return { ran, invariant };
      }
      throw new Error(`no update was lost at ${level} with any seed of ${SEEDS.join(', ')}`);
    }

    it.each(['serializable', 'read-committed'])(
      'at %s the transaction that breaks it by itself is named, and nothing is held against the server',
      async (level) => {
        for (const sessions of ['1', '3']) {
          const ran = await cli(args(suite.server.url, OWN, level, '--sessions', sessions, '--transactions', '6', '--seed', '1', '--json'));
          // One session has tested nothing else; of three no two may have met.
          expect(sessions === '1' ? [3] : [0, 3], ran.stderr).toContain(ran.code);
          expect(invariantsOf(ran)).toMatchObject([
            {
              name: 'a-is-b',
              broken: 1,
              verdict: 'yours',
              culprit: { name: 'only-a', rows: expect.stringMatching(/^1 row: \(v \d+, w \d+\)$/) as string },
            },
          ]);
          expect(invariantsOf(ran)[0]!.culprit!.statements).toEqual([expect.stringMatching(/^UPDATE a SET v = v \+ [567] WHERE k = 1$/)]);
        }
        const said = await cli(args(suite.server.url, OWN, level, '--sessions', '3', '--transactions', '6', '--seed', '1', '--verbose'));
        expect(said.stdout).toMatch(
          /a-is-b: BROKEN after 1 of 1 round: your transactions break it when run serially: transaction \d+ \(only-a\) does so without concurrency/,
        );
        expect(said.stdout).toMatch(/so nothing is held against the server: .* transaction \d+ \(only-a\) left 1 row: .*It sends: UPDATE/);
        expect(said.stdout).not.toMatch(/BUG:/);
      },
    );

    it('a server that lies about its level is blamed, since the transactions keep it one after the other', async () => {
      const proxy = await startLyingProxy(suite.server.url);
      try {
        const { ran, invariant } = await untilBroken(proxy.url, 'serializable');
        expect(ran.code, ran.stderr).toBe(1);
        expect(invariant).toMatchObject({
          name: 'every-count-counts',
          ruledOut: true,
          verdict: 'bug',
          why: expect.stringMatching(/the same transactions kept it \(in /) as string,
        });
      } finally {
        await proxy.close();
      }
    });

    it('at READ COMMITTED of an honest server it is documented', async () => {
      const { ran, invariant } = await untilBroken(suite.server.url, 'read-committed');
      expect(ran.code, ran.stderr).toBe(0);
      expect(invariant).toMatchObject({
        ruledOut: false,
        verdict: 'documented',
        why: expect.stringMatching(/the documents allow .* the same transactions kept it/) as string,
      });
    });

    it('a control that cannot be had says why, and blames nobody', async () => {
      const path = join(suite.folder, 'file.sql');
      writeFileSync(path, LOST);
      const workload = await fileWorkload(path, { mode: 'stress', sessions: 1, transactions: 4 }, dialect);
      const testCase = workload.caseOf('1');
      const probe = (each: TestCase) => instrument(each, { mode: 'exact', capabilities: dialect.capabilities, images: true });
      const level: DialectLevel = dialect.levels.find((each) => each.level === 'serializable')!;
      const common = { round: 0, dialect, level };
      const asked = (namespace: string) => ({ namespace, invariants: invariantQueries(workload.invariants!, dialect, namespace) });
      const { history } = await runRound({
        ...common,
        probedCase: probe(testCase),
        urls: [suite.server.url],
        mode: 'stress',
        ...asked('anomalist_blame'),
        keep: false,
        recorder: new Recorder(undefined, { tool: 'test', seed: '1' }),
      });
      const controlled = async (more: Partial<ControlSetup>): Promise<unknown> => {
        const { answers, leftovers } = await serialControl({
          ...common,
          history,
          testCase,
          probedCase: probe(testCase),
          url: suite.server.url,
          ...asked('anomalist_blame_s'),
          signal: new AbortController().signal,
          ...more,
        });
        expect(leftovers).toEqual([]);
        return answers.get('every-count-counts');
      };
      expect(await controlled({})).toMatchObject({ kind: 'kept' });
      expect(await controlled({ signal: AbortSignal.abort() })).toMatchObject({
        kind: 'unable',
        failure: { code: 'ended-early', failure: expect.stringMatching(/interrupted/) as string },
      });
      expect(await controlled({ limitMs: 0 })).toMatchObject({ kind: 'unable', failure: { code: 'time-over', ran: 0 } });
      const gone = new URL(suite.server.url);
      gone.port = '1';
      expect(await controlled({ url: gone.href })).toMatchObject({ kind: 'unable' });
      // Each number is unique in the round: here every transaction has that of the first.
      const [first] = testCase.sessions[0]!.transactions;
      const same: TestCase = {
        ...testCase,
        sessions: testCase.sessions.map((session) => ({
          transactions: session.transactions.map((each) => ({ ...each, statements: first!.statements })),
        })),
      };
      expect(await controlled({ testCase: same, probedCase: probe(same) })).toMatchObject({
        kind: 'unable',
        failure: {
          code: expect.stringMatching(/^(not-committed|committed-in-part)$/) as string,
          failure: expect.stringMatching(/constraint/) as string,
        },
      });
    });
  },
  {
    protocol: true,
    fits: (dialect) =>
      dialect.importer !== undefined &&
      dialect.levels.some(({ level, offByDefault }) => level === 'read-committed' && offByDefault !== true),
  },
);
