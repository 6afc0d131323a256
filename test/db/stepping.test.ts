/**
 * The console on live servers: a write skew made by hand is named and told in full, who waits for whom is said, wrong statements
 * and hostile names cost nothing, a server that dies costs the console and nobody's mind, and nothing of ours is left.
 */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import { startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import type { ConsoleSessions } from '../../src/console/console-sessions.ts';
import type { Step } from '../../src/console/step.ts';
import { ShadowRun } from '../../src/console/shadow-run.ts';
import { SqlConsole } from '../../src/console/sql-console.ts';
import type { SqlConsoleOptions } from '../../src/console/sql-console.ts';
import { fixtureText } from '../../src/console/fixture.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { answers, until } from './process-watch.ts';
import { isolationtester } from './reports-programs.ts';
import { sharedServer } from './suite-server.ts';

const TESTER = isolationtester();
const MOST_TRIES = 20;
const SKEW: readonly (readonly [session: number, sql: string])[] = [
  [0, 'SELECT id FROM doctors WHERE on_call = 1'],
  [1, 'SELECT id FROM doctors WHERE on_call = 1'],
  [0, 'UPDATE doctors SET on_call = 0 WHERE id = 1'],
  [1, 'UPDATE doctors SET on_call = 0 WHERE id = 2'],
  [0, 'COMMIT'],
  [1, 'COMMIT'],
];

async function stepped(sqlConsole: ConsoleSessions, session: number, sql: string): Promise<readonly Step[]> {
  const sent = await sqlConsole.send(session, sql);
  if ('refused' in sent) throw new Error(`S${session + 1}: ${sql}: ${sent.refused}`);
  return sent.steps;
}

async function refused(sqlConsole: ConsoleSessions, session: number, sql: string): Promise<string> {
  const sent = await sqlConsole.send(session, sql);
  if (!('refused' in sent)) throw new Error(`${sql} was sent`);
  return sent.refused;
}

/** In isolationtester, on this server. */
function tested(spec: string, url: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(TESTER!.program, [url], { input: spec, encoding: 'utf8', env: { ...process.env, LD_LIBRARY_PATH: TESTER!.libraries } });
}

describeEachServer(
  'stepping',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let tester: StartedServer | undefined;
    beforeAll(async () => {
      if (TESTER !== undefined) tester = await startPostgres();
    });
    afterAll(() => tester?.stop());

    async function at<T>(fixture: string, level: Level, work: (sqlConsole: SqlConsole) => Promise<T>, sessions = 2): Promise<T> {
      const open = (): Promise<Target> => openTarget([suite.server.url], target);
      const sqlConsole = await SqlConsole.open({ open, started: false, fixture: fixtureText(fixture), sessions, levels: [level] });
      try {
        return await work(sqlConsole);
      } finally {
        expect(await sqlConsole.close()).toBeUndefined();
      }
    }

    async function leftovers(): Promise<readonly string[]> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        const { rows } = await connection.query("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'anomalist%'");
        return rows.map(([name]) => name!);
      } finally {
        await connection.end();
      }
    }

    it('names a write skew made by hand, with its edges, and what each serial order would have answered', async () => {
      await at('doctors', 'repeatable-read', async (sqlConsole) => {
        for (const [session, sql] of SKEW) await stepped(sqlConsole.consoleSessions, session, sql);

        const graph = await sqlConsole.graph();
        const plain = await sqlConsole.plain();

        if (typeof graph === 'string') throw new Error(graph);
        if (typeof plain === 'string') throw new Error(plain);
        expect(graph.edges.filter(({ rel }) => rel === 'rw').map(({ from, to }) => [from, to])).toEqual([
          [1, 2],
          [2, 1],
        ]);
        expect(graph.edges[0]!.sentence).toMatch(/^T1’s SELECT \(statement 1\) read doctors 2/);
        const skew = graph.anomalies.find(({ anomaly }) => anomaly.shapes.includes('write skew'))!;
        expect(skew.anomaly.class).toBe('G2-item');
        expect(skew.judgement.verdict).toBe('documented');
        expect(plain.proof).toBe('results');
        expect(plain.serialOrders.map(({ order, explains }) => [order, explains])).toEqual([
          [[1, 2], false],
          [[2, 1], false],
        ]);
        expect(plain.serialOrders[0]!.sentence).toContain("T2's SELECT would return (2); observed (1) (2)");
      });
      expect(await leftovers()).toEqual([]);
    });

    it.skipIf(TESTER === undefined)(
      `saves it as a .spec that isolationtester runs${TESTER ? '' : ', skipped: it is not among the embedded binaries here'}`,
      async () => {
        const spec = await at('doctors', 'repeatable-read', async (sqlConsole) => {
          for (const [session, sql] of SKEW) await stepped(sqlConsole.consoleSessions, session, sql);
          const saved = await sqlConsole.saved('spec');
          if (typeof saved === 'string') throw new Error(saved);
          return saved.text;
        });

        const { status, stdout, stderr } = tested(spec, tester!.url);

        expect(spec).toContain('# write skew (G2-item), stepped by hand at REPEATABLE READ');
        expect(stderr).toBe('');
        expect(status).toBe(0);
        // Both committed, and nobody is on call: PostgreSQL has the skew at this level too.
        expect(stdout.slice(stdout.lastIndexOf('step end_')).match(/^ *\d+\| *0$/gm)).toHaveLength(2);
      },
    );

    it('says who waits for whom, and takes the reply when it comes', async () => {
      // That somebody waits may be seen before it is seen for whom.
      let named: readonly number[] = [];
      for (let tries = 0; named.length === 0 && tries < MOST_TRIES; tries++) named = await waitedFor();
      expect(named).toEqual([0]);
    });

    /** For whom the second session is said to wait; none: the server did not say it. */
    async function waitedFor(): Promise<readonly number[]> {
      return at(
        'account',
        'read-committed',
        async ({ consoleSessions }) => {
          await stepped(consoleSessions, 0, 'UPDATE accounts SET balance = balance + 1 WHERE id = 1');
          const [waiting] = await stepped(consoleSessions, 1, 'UPDATE accounts SET balance = balance + 10 WHERE id = 1');
          expect(waiting!.reply).toBeUndefined();
          expect(await refused(consoleSessions, 1, 'COMMIT')).toMatch(/^S2 waits with UPDATE/);
          // Another session goes on.
          const [other] = await stepped(consoleSessions, 2, 'SELECT balance FROM accounts');
          expect(other!.reply!.rows).toEqual([['100']]);

          const came = await stepped(consoleSessions, 0, 'COMMIT');

          // Whichever of the two replies was here first.
          const [commit, late] = came;
          expect([commit, late].map((step) => step?.kind)).toEqual(['commit', 'statement']);
          expect(late!.reply!.affected).toBe(1);
          expect(late!.repliedAfter).toBe(commit!.n);
          return waiting!.waitsFor!;
        },
        3,
      );
    }

    it('shows the rows as a session sees them, and disturbs nobody', async () => {
      await at('account', 'repeatable-read', async (sqlConsole) => {
        await stepped(sqlConsole.consoleSessions, 0, 'UPDATE accounts SET balance = 7 WHERE id = 1');
        const rows = async (session: number): Promise<unknown> => {
          const seen = await sqlConsole.see(session);
          return typeof seen === 'string' ? seen : seen[0]!.rows;
        };

        expect(await rows(0)).toEqual([['1', '7']]);
        expect(await rows(1)).toEqual([['1', '100']]);
        await stepped(sqlConsole.consoleSessions, 0, 'COMMIT');
        // Had the look been its own, its snapshot would be from before the commit.
        expect((await stepped(sqlConsole.consoleSessions, 1, 'SELECT balance FROM accounts'))[0]!.reply!.rows).toEqual([['7']]);
      });
    });

    it('goes on behind statements that are wrong, and runs the same again with them', async () => {
      await at('account', 'read-committed', async (sqlConsole) => {
        const { consoleSessions: own } = sqlConsole;
        expect(await refused(own, 0, 'SELEKT 1')).not.toBe('');
        expect(await refused(own, 0, 'SELECT nothing FROM accounts')).toContain('nothing');
        expect(await refused(own, 0, 'DROP TABLE accounts')).toContain('DROP');
        expect(await refused(own, 0, 'SELECT 1; SELECT 2')).toContain('2 statements');
        expect(await refused(own, 0, 'COMMIT')).toContain('no transaction is open');
        expect(await refused(own, 7, 'SELECT 1')).toContain('there is no session S8');
        expect(own.record.steps).toEqual([]);
        await stepped(own, 0, 'UPDATE accounts SET balance = 1 WHERE id = 1');
        await stepped(own, 0, 'SAVEPOINT a');
        const [failed] = await stepped(own, 0, 'INSERT INTO accounts (id, balance) VALUES (1, 1)');
        expect(failed!.reply!.error!.class).toBe('constraint');
        await stepped(own, 0, 'ROLLBACK TO a');
        const [committed] = await stepped(own, 0, 'COMMIT');
        expect(committed!.reply!.error).toBeUndefined();
        await stepped(own, 1, 'SELECT balance FROM accounts');
        await stepped(own, 1, 'COMMIT');

        const graph = await sqlConsole.graph();

        expect(typeof graph === 'string' ? graph : graph.edges.map(({ from, to, rel }) => [from, to, rel])).toContainEqual([1, 2, 'wr']);
      });
    });

    it('is not believed where it went otherwise in the second schema', async () => {
      await at('account', 'read-committed', async ({ consoleSessions, fixture: { schema } }) => {
        await stepped(consoleSessions, 0, 'SELECT balance FROM accounts');
        await stepped(consoleSessions, 0, 'COMMIT');
        const shadow = new ShadowRun({ dialect, url: suite.server.url, schema });
        const otherwise = consoleSessions.record.transactions.map((txn) => ({
          ...txn,
          steps: txn.steps.map((step) => ({ ...step, reply: { ...step.reply!, rows: [['99']] } })),
        }));
        try {
          expect(await shadow.graph(consoleSessions.record)).toMatchObject({ edges: [], anomalies: [] });
          const told = await shadow.graph({ ...consoleSessions.record, transactions: otherwise });
          expect(told).toBe(
            "run again in the same order it went otherwise: S1's SELECT balance FROM accounts was told (99) here and (100) there",
          );
        } finally {
          await shadow.close();
        }
      });
    });

    it('has sessions at levels of their own', async () => {
      await at('account', 'read-committed', async (sqlConsole) => {
        expect(sqlConsole.setLevel('serializable', 0)).toBeUndefined();
        expect(sqlConsole.setLevel('quick', 0)).toContain('there is no level quick');
        await stepped(sqlConsole.consoleSessions, 0, 'UPDATE accounts SET balance = 1 WHERE id = 1');
        expect(sqlConsole.setLevel('read-committed')).toContain('S1 is inside a transaction');
        await stepped(sqlConsole.consoleSessions, 0, 'COMMIT');
        await stepped(sqlConsole.consoleSessions, 1, 'SELECT balance FROM accounts');
        await stepped(sqlConsole.consoleSessions, 1, 'COMMIT');

        const graph = await sqlConsole.graph();
        const saved = await sqlConsole.saved('sql');

        expect(sqlConsole.record.transactions.map(({ level }) => level.level)).toEqual(['serializable', 'read-committed']);
        expect(typeof graph === 'string' ? graph : graph.edges.map(({ from, to, rel }) => [from, to, rel])).toContainEqual([1, 2, 'wr']);
        expect(typeof saved === 'string' ? saved : saved.text).toContain('SERIALIZABLE, READ COMMITTED');
      });
    });

    it('takes tables of any name, and never another one', async () => {
      const q = dialect.vendor.quote;
      const name = `${q}we ird${q}${q} ';--${q}`;
      const path = join(suite.folder, 'hostile.sql');
      writeFileSync(path, `CREATE TABLE ${name} (${q}order${q} int PRIMARY KEY, v int);\nINSERT INTO ${name} VALUES (1, 1), (2, 2);\n`);
      await at(path, 'repeatable-read', async (sqlConsole) => {
        for (const session of [0, 1]) await stepped(sqlConsole.consoleSessions, session, `SELECT * FROM ${name}`);
        await stepped(sqlConsole.consoleSessions, 0, `UPDATE ${name} SET v = 0 WHERE ${q}order${q} = 1`);
        await stepped(sqlConsole.consoleSessions, 1, `UPDATE ${name} SET v = 0 WHERE ${q}order${q} = 2`);
        for (const session of [0, 1]) await stepped(sqlConsole.consoleSessions, session, 'COMMIT');
        expect(await refused(sqlConsole.consoleSessions, 0, 'SELECT 1 FROM information_schema.tables')).not.toBe('');

        const graph = await sqlConsole.graph();

        expect(typeof graph === 'string' ? graph : graph.anomalies.flatMap(({ anomaly }) => anomaly.shapes)).toContain('write skew');
        for (const form of ['spec', 'sql', 'workload'] as const) expect(await sqlConsole.saved(form)).toHaveProperty('text');
        const spec = await sqlConsole.saved('spec');
        if (TESTER !== undefined && typeof spec !== 'string')
          expect(tested(spec.text, tester!.url)).toMatchObject({ status: 0, stderr: '' });
      });
      expect(await leftovers()).toEqual([]);
    });

    it('saves a workload file that explore takes', async () => {
      const path = join(suite.folder, 'skew.workload.sql');
      await at('doctors', 'repeatable-read', async (sqlConsole) => {
        for (const [session, sql] of SKEW) await stepped(sqlConsole.consoleSessions, session, sql);
        const saved = await sqlConsole.saved('workload');
        if (typeof saved === 'string') throw new Error(saved);
        writeFileSync(path, saved.text);
      });

      const { code, stdout, stderr } = await cli([
        'explore',
        path,
        '--url',
        suite.server.url,
        '--level',
        'repeatable-read',
        '--draws',
        '1',
        '--seed',
        '1',
      ]);

      expect(stderr).not.toMatch(/refused|cannot/);
      expect(stdout).toContain('write skew');
      expect(code).toBe(0);
    });

    it('is a command that reads its steps from a file, and ends in order', async () => {
      const steps = join(suite.folder, 'skew.steps');
      writeFileSync(steps, [...SKEW.map(([session, sql]) => `S${session + 1}: ${sql};`), ':serial', ':nonsense', ''].join('\n'));

      const { code, stdout } = await cli(['shell', '--url', suite.server.url, '--steps', steps]);

      expect(stdout).toMatch(/T1 -rw-> T2 .*\n/);
      expect(stdout).toContain('write skew (G2-item): documented; it violates repeatable-read, serializable');
      expect(stdout).toContain("T1, then T2: T2's SELECT would return (2); observed (1) (2).");
      expect(stdout).toContain('No serial order gives what was answered.');
      expect(stdout).toContain('there is no :nonsense');
      expect(code).toBe(0);
      expect(await leftovers()).toEqual([]);
    });

    it('ends in order by Ctrl-C, whoever is inside a transaction and whoever waits', async () => {
      const child = spawn(process.execPath, ['dist/app/cli.js', 'shell', 'account', '--url', suite.server.url], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise((resolve) => child.on('close', resolve));
      child.stdin.write('S1: UPDATE accounts SET balance = 1 WHERE id = 1\nS2: UPDATE accounts SET balance = 2 WHERE id = 1\n');
      expect(await until(() => said.includes('waits for S1'))).toBe(true);
      expect(await leftovers()).toHaveLength(1);

      child.kill('SIGINT');

      expect(await ended).toBe(130);
      expect(await leftovers()).toEqual([]);
    });
  },
  { fits: (each) => each.importer !== undefined, protocol: true },
);

describeEachServer(
  'a server that dies while sessions are stepped',
  ({ target, start }) => {
    it('is told with what is known, and the console ends', async () => {
      const server = await start();
      try {
        const sqlConsole = await SqlConsole.open({
          open: () => openTarget([server.url], target),
          started: false,
          fixture: fixtureText('account'),
          sessions: 3,
          levels: ['read-committed'],
        });
        const own = sqlConsole.consoleSessions;
        await stepped(own, 0, 'UPDATE accounts SET balance = 1 WHERE id = 1');
        await stepped(own, 1, 'UPDATE accounts SET balance = 2 WHERE id = 1');
        server.kill('SIGKILL');
        expect(await until(async () => !(await answers(server.url)))).toBe(true);

        await stepped(own, 0, 'COMMIT');

        expect(own.lost).toBeDefined();
        // Its COMMIT was sent; the others' work was not to be committed.
        expect(own.record.transactions.map(({ outcome }) => outcome)).toEqual(['unknown', 'aborted']);
        expect(own.record.steps.every(({ reply }) => reply !== undefined)).toBe(true);
        expect(await refused(own, 2, 'SELECT balance FROM accounts')).toContain('the server was lost');
        expect(await sqlConsole.graph()).toMatch(/nobody knows whether T1 committed/);
        expect(await sqlConsole.close()).toMatch(/could not be dropped/);
      } finally {
        await server.stop();
      }
    });
  },
  { fits: (each) => each.importer !== undefined, protocol: true },
);

describe('a console', () => {
  it('is refused what it cannot be', async () => {
    const options: SqlConsoleOptions = {
      open: () => Promise.reject(new Error('a server was asked for')),
      started: true,
      fixture: fixtureText('doctors'),
      sessions: 2,
      levels: ['serializable'],
    };

    await expect(SqlConsole.open({ ...options, sessions: 5 })).rejects.toThrow('expected 2 to 4');
    await expect(SqlConsole.open({ ...options, sessions: 3, levels: ['serializable', 'read-committed'] })).rejects.toThrow('one for each');
    await expect(SqlConsole.open(options)).rejects.toThrow('a server was asked for');
    expect(() => fixtureText('no-such.sql')).toThrow('cannot be read');
  });
});
