/**
 * Each server says which of its settings are not its vendor's defaults: those of our tables and no others, but for paths and
 * ports. Turned the vendor's way it starts, and has the vendor's values. With ANOMALIST_SETTINGS_MATRIX=each the matrix of
 * the canonical schedules is run with each setting turned alone, and is the same.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Connection, Dialect, OwnSetting } from '../../core/dialect/index.ts';
import { DIALECTS, availableServers, mysql, startServer } from '../../dialects/index.ts';
import type { StartedServer, StartOptions } from '../../dialects/index.ts';
import type { MatrixReport } from '../../reports/index.ts';
import { openTarget } from '../../src/target/target.ts';
import { runMatrix } from '../../src/reproduce/matrix/index.ts';
import { Progress } from '../../src/process/progress.ts';

const EACH = process.env['ANOMALIST_SETTINGS_MATRIX'] === 'each';
const NEVER = new AbortController().signal;

/** Settings that a server got on its command line, and all values as it shows them. */
interface Shown {
  readonly given: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** Paths, ports and names of nodes, which a server cannot do without. */
const PLACES =
  /^(port|basedir|datadir|tmpdir|socket|pid_file|plugin_dir|lc_messages_dir|character_sets_dir|primary_conninfo|wsrep_(provider|cluster_name|cluster_address|node_name|node_address|node_incoming_address|sst_receive_address|start_position))$/;

const ASK: Readonly<Record<string, string>> = {
  postgres: `SELECT name, current_setting(name), source = 'command line' FROM pg_catalog.pg_settings`,
  mysql: `SELECT VARIABLE_NAME, VARIABLE_VALUE, VARIABLE_SOURCE = 'COMMAND_LINE' FROM performance_schema.variables_info JOIN performance_schema.global_variables USING (VARIABLE_NAME)`,
  mariadb: `SELECT lower(VARIABLE_NAME), GLOBAL_VALUE, GLOBAL_VALUE_ORIGIN = 'COMMAND-LINE' FROM information_schema.SYSTEM_VARIABLES`,
};

async function shownBy(dialect: Dialect, url: string): Promise<Shown> {
  return asking(dialect, url, async (connection) => {
    const { rows } = await connection.query(ASK[dialect.name]!);
    const named = rows.map(([name, value, given]) => [name!.toLowerCase(), value ?? '', given] as const);
    const given = named.filter(([name, , is]) => (is === '1' || is === 't') && !PLACES.test(name)).map(([name]) => name);
    return { given, values: new Map(named.map(([name, value]) => [name, value])) };
  });
}

async function asking<T>(dialect: Dialect, url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await dialect.connect(url, {});
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

async function on<T>(target: string, options: StartOptions, work: (server: StartedServer) => Promise<T>): Promise<T> {
  const server = await startServer(target, options);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Sizes as numbers, and the words of a switch as one of them. */
function plain(value: string): string {
  const [, number, unit] = /^(\d+)([KMG])B?$/i.exec(value) ?? [];
  if (number !== undefined) return String(Number(number) * 1024 ** (1 + 'KMG'.indexOf(unit!.toUpperCase())));
  return value.toUpperCase();
}

const servers = availableServers();
for (const { target, why } of servers.skipped) describe.skip(`settings of ${target}, skipped: ${why}`, () => it('', () => {}));

describe.each(servers.chosen.filter(({ dialect }) => dialect in ASK))('settings of $target', ({ target, dialect: name }) => {
  const dialect = DIALECTS.find((each) => each.name === name)!;

  let asked: Promise<readonly OwnSetting[]> | undefined;
  const tableInForce = (): Promise<readonly OwnSetting[]> =>
    (asked ??= on(target, { vendorsWay: [] }, async (server) => server.ownSettings));

  it('that differ from its defaults are those of the table', async () => {
    await on(target, { vendorsWay: [] }, async ({ urls, ownSettings }) => {
      asked = Promise.resolve(ownSettings);
      const own = ownSettings.filter((each) => !each.name.includes(' '));
      expect(own.length).toBeGreaterThan(5);
      for (const url of urls) {
        const { given, values } = await shownBy(dialect, url);
        // The provider adds options of its own to its one setting; the driver sets the time zone of its session.
        const comparable = own.filter((each) => each.name !== 'wsrep_provider_options' && each.name !== 'timezone');
        expect(given.filter((each) => !own.some((row) => row.name === each) && each !== 'mysqlx')).toEqual([]);
        for (const row of comparable) if (values.has(row.name)) expect(plain(values.get(row.name)!), row.name).toBe(plain(row.value));
        // An option of the command line alone, as that of MySQL's X protocol, is shown by nobody.
        expect(comparable.filter((row) => !values.has(row.name) && !row.fixed)).toEqual([]);
      }
    });
  });

  it('can be the vendor’s, and the server has the vendor’s values then', async () => {
    const own = await tableInForce();
    await on(target, { vendorsWay: ['all'] }, async ({ urls, ownSettings }) => {
      expect(ownSettings).toEqual(own.filter(({ fixed }) => fixed));
      for (const url of urls) {
        const { given, values } = await shownBy(dialect, url);
        for (const row of own.filter(({ fixed }) => !fixed)) {
          if (row.name === 'wsrep_provider_options') continue; // one setting of many options, some of which are addresses
          expect(given).not.toContain(row.name);
          if (!row.vendor.includes(' ')) expect(plain(values.get(row.name)!), row.name).toBe(plain(row.vendor));
        }
      }
    });
  });

  describe.runIf(EACH && !/galera|\+/.test(target))('turned one by one', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('leave the matrix as it is', async () => {
      const own = await tableInForce();
      const usual = cellsOf(await matrix(target, ''));
      for (const turned of ['all', ...own.filter(({ fixed }) => !fixed).map((row) => row.name)]) {
        const differing = cellsOf(await matrix(target, turned)).filter((cell, i) => cell !== usual[i]);
        console.log(`${target}, ${turned} as the vendor has it: ${usual.length} cells, ${differing.length} differ`);
        expect(differing, turned).toEqual([]);
      }
    });
  });
});

async function matrix(name: string, vendorsWay: string): Promise<MatrixReport> {
  vi.stubEnv('ANOMALIST_VENDOR_SETTINGS', vendorsWay);
  const target = await openTarget([], name);
  try {
    const report = await runMatrix({ target, levels: [], command: '', signal: NEVER, progress: new Progress(process.stderr, true) });
    expect([report.notes, report.endedEarly]).toEqual([[], undefined]);
    return report;
  } finally {
    await target.close();
  }
}

/** Of each schedule at each level whether it occurs, since the error that prevents it may be another one in another run. */
function cellsOf(report: MatrixReport): readonly string[] {
  return report.phenomena.flatMap(({ schedules }) =>
    schedules.flatMap(({ name, cells }) =>
      cells.map(({ level, observed }) => `${name} at ${level}: ${['occurs', 'unknown'].includes(observed) ? observed : 'does not occur'}`),
    ),
  );
}

const mysqls = servers.chosen.filter(({ target }) => target.startsWith('mysql@') && target !== 'mysql@url');

describe.each(mysqls)('the binary log of $target', ({ target }) => {
  const dialect = mysql;

  /** T1 writes the value that T2 has committed since T1's snapshot: the value that T1 reads then. */
  async function readAfterSameValue(url: string): Promise<string | null | undefined> {
    return asking(dialect, url, async (first) =>
      asking(dialect, url, async (second) => {
        await first.query('CREATE TABLE test.same_value (k int PRIMARY KEY, v int NOT NULL)');
        await first.query('INSERT INTO test.same_value VALUES (1, 1)');
        await first.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        await first.query('START TRANSACTION');
        await first.query('SELECT v FROM test.same_value');
        await second.query('UPDATE test.same_value SET v = 5');
        await first.query('UPDATE test.same_value SET v = 5');
        const { rows } = await first.query('SELECT v FROM test.same_value');
        await first.query('COMMIT');
        return rows[0]![0];
      }),
    );
  }

  it('is on, as its vendor has it: a transaction that writes the value which another has just committed does not see it', async () => {
    await on(target, {}, async ({ url }) => {
      expect((await asking(dialect, url, async (connection) => connection.query('SELECT @@log_bin'))).rows).toEqual([['1']]);
      expect(await readAfterSameValue(url)).toBe('1');
    });
  });

  it('can be switched off behind a target, and the transaction sees the value', async () => {
    await on(target, { settings: { disable_log_bin: '1' } }, async ({ url }) => {
      expect((await asking(dialect, url, async (connection) => connection.query('SELECT @@log_bin'))).rows).toEqual([['0']]);
      expect(await readAfterSameValue(url)).toBe('5');
    });
  });

  it('refuses no function and no trigger of a file (1418, 1419), unless that is as the vendor has it', async () => {
    const MAKE = [
      'CREATE FUNCTION test.one() RETURNS int RETURN 1',
      'CREATE TRIGGER test.t_one BEFORE INSERT ON test.t FOR EACH ROW SET NEW.k = 1',
    ];
    const madeBy = async (url: string): Promise<readonly (number | undefined)[]> =>
      asking(dialect, url, async (connection) => {
        const errors: (number | undefined)[] = [];
        for (const sql of MAKE)
          errors.push(
            await connection.query(sql).then(
              () => undefined,
              (error: { errno?: number }) => error.errno,
            ),
          );
        return errors;
      });
    /** Errors of a superuser, and of a user with all rights in one database. */
    const made = async (options: StartOptions): Promise<readonly (readonly (number | undefined)[])[]> =>
      on(target, options, async ({ url }) => {
        const each = (...sql: readonly string[]): Promise<void> =>
          asking(dialect, url, async (root) => {
            for (const statement of sql) await root.query(statement);
          });
        await each(
          'CREATE TABLE test.t (k int PRIMARY KEY)',
          "CREATE USER plain@'%' IDENTIFIED BY 'plain'",
          "GRANT ALL ON test.* TO plain@'%'",
        );
        const ofRoot = await madeBy(url);
        await each('DROP FUNCTION IF EXISTS test.one', 'DROP TRIGGER IF EXISTS test.t_one');
        return [ofRoot, await madeBy(Object.assign(new URL(url), { username: 'plain', password: 'plain' }).href)];
      });

    expect(await made({})).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(await made({ vendorsWay: ['log_bin_trust_function_creators'] })).toEqual([
      [1418, undefined],
      [1418, 1419],
    ]);
  });
});
