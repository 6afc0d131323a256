/**
 * The closing audit on real servers: every index of the catalogue's fixtures is really what is read, sound tables are found sound,
 * and tables that were damaged from outside are found damaged, whatever the server itself says of them.
 */
import { expect, it } from 'vitest';
import { firstState } from '../../core/program/index.ts';
import type { Table } from '../../core/sql/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { tableCorruption } from '../../src/explore/single-run-violation.ts';
import { confirmViolation } from '../../src/explore/confirm-violation.ts';
import { brokenKeys } from '../../src/explore/oracles/audit.ts';
import { oneByOne, play } from '../../src/explore/play.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { POSTGRES_WIRE, wireOf } from './message-proxy.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { suiteServer } from './suite-server.ts';

const integer = (name: string, nullable = false): Table['columns'][number] => ({ name, type: { kind: 'integer' }, nullable });
const PARENT: Table = {
  name: 'audited_parent',
  columns: [integer('a'), integer('b'), integer('u', true)],
  primaryKey: ['a', 'b'],
  uniques: [['u']],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [
    [1, 1, null],
    [1, 2, null],
  ],
};
const CHILD: Table = {
  name: 'audited_child',
  columns: [integer('k'), integer('a', true), integer('b', true)],
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  foreignKeys: [
    {
      name: 'audited_child_parent',
      columns: ['a', 'b'],
      table: 'audited_parent',
      references: ['a', 'b'],
      onDelete: 'no action',
      onUpdate: 'no action',
    },
  ],
  indexes: [{ name: 'audited_child_b', columns: ['b'] }],
  rows: [
    [1, 1, 2],
    [2, 7, null],
  ],
};
const FIXTURE: Fixture = { name: 'keys', tables: [PARENT, CHILD], byIndex: false };
/** Adds a child of the parent (1, 1). */
const PROGRAM = {
  number: 0,
  made: {},
  fixture: FIXTURE,
  transactions: [
    {
      steps: [
        {
          statement: {
            kind: 'insert',
            table: 'audited_child',
            columns: ['k', 'a', 'b'],
            rows: [[3, 1, 1].map((value) => ({ kind: 'literal', type: 'integer', value }) as const)],
          },
          tables: ['audited_child', 'audited_parent'],
          plainRead: false,
        },
      ],
      end: 'commit',
    },
  ],
} as const;

describeEachServer(
  'the closing audit',
  ({ dialect, start }) => {
    const suite = suiteServer(start);
    let runners = 0;

    async function withRunner(
      fixtures: readonly Fixture[],
      work: (runner: ServerRunner, namespace: string) => Promise<void>,
      as: Dialect = dialect,
    ) {
      const namespace = `anomalist_audit_${runners++}`;
      const level = as.levels.find((each) => each.level === 'serializable')!;
      const runner = await ServerRunner.open({ dialect: as, url: suite.server.url, level, namespace, fixtures });
      try {
        await work(runner, namespace);
      } finally {
        await runner.close();
      }
    }

    async function connected<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        return await work(connection);
      } finally {
        await connection.end();
      }
    }

    /** What the audit says after the program has run. */
    async function found(runner: ServerRunner): Promise<readonly string[]> {
      await runner.load(PROGRAM);
      const played = (await play(runner, PROGRAM, firstState(FIXTURE), oneByOne([0])))!;
      expect(played.outcome.transactions[0]!.end).toBe('committed');
      return (await tableCorruption(runner, PROGRAM, played)).flatMap(({ seen }) => seen);
    }

    it('reads each table by its scan and each index by itself, as the server explains it', async () => {
      const { allFixtures } = new Catalogue(createRandom('1'), {
        capabilities: await capabilitiesOf(dialect, suite.server.url),
        canForceIndexes: false,
      });
      await withRunner([FIXTURE, ...allFixtures], async (_, namespace) => {
        await connected(async (connection) => {
          const { settings, of } = dialect.accessPaths!;
          for (const sql of settings) await connection.query(sql);
          const paths = await of(connection, namespace);
          const explained = async (sql: string): Promise<string> =>
            (await connection.query(`EXPLAIN ${sql}`)).rows.map((row) => row.join(' ')).join('\n');
          for (const { table, scan, indexes } of paths) {
            const scanned = await explained(scan);
            expect(scanned, table).not.toMatch(/index/i);
            for (const { name, read } of indexes) expect(await explained(read), `${table} ${name}`).toContain(name);
          }
          const of_child = paths.find(({ table }) => table === 'audited_child')!;
          expect(of_child.indexes.map(({ name }) => name)).toContain('audited_child_b');
          expect(paths.length).toBeGreaterThan(5);
        });
      });
    });

    it('finds sound tables sound: composite keys, NULLs in a unique and in a foreign key', async () => {
      await withRunner([FIXTURE], async (runner) => expect(await found(runner)).toEqual([]));
    });

    it('finds a row whose parent was taken away behind the back of the foreign key', async () => {
      await withRunner([FIXTURE], async (runner, namespace) => {
        await runner.load(PROGRAM);
        const played = (await play(runner, PROGRAM, firstState(FIXTURE), oneByOne([0])))!;
        await connected(async (connection) => {
          const postgres = wireOf(suite.server.url) === POSTGRES_WIRE;
          await connection.query(postgres ? 'SET session_replication_role TO replica' : 'SET SESSION foreign_key_checks = 0');
          await connection.query(
            dialect.print(
              {
                kind: 'delete',
                table: 'audited_parent',
                where: {
                  kind: 'compare',
                  op: '=',
                  left: { kind: 'column', table: 'audited_parent', column: 'b' },
                  right: { kind: 'literal', type: 'integer', value: 1 },
                },
              },
              namespace,
            ),
          );
        });
        const after = { ...played, outcome: { ...played.outcome, state: await runner.state() } };
        expect((await tableCorruption(runner, PROGRAM, after)).flatMap(({ seen }) => seen)).toEqual([
          'table audited_child: a row whose (a, b) ["1","1"] has no row in audited_parent (audited_child_parent)',
        ]);
      });
    });

    it('asks the server of a UNIQUE key over a hash, by which no row can be read, and finds two such rows', async ({ skip }) => {
      if (dialect.capabilities.hashedUniques !== true) skip(`${dialect.title} has no UNIQUE key over a hash`);
      const table: Table = {
        ...PARENT,
        name: 'audited_hash',
        uniques: [['u'], ['b', 'u']],
        hashed: [['u'], ['b', 'u']],
        rows: [
          [1, 1, 5],
          [1, 2, null],
        ],
      };
      const fixture: Fixture = { name: 'hashes', tables: [table], byIndex: false };
      await withRunner([fixture], async (runner, namespace) => {
        await connected(async (connection) => {
          const kinds = `SELECT DISTINCT lower(index_name), index_type FROM information_schema.statistics WHERE table_schema = '${namespace}' AND table_name = 'audited_hash' ORDER BY 1`;
          expect((await connection.query(kinds)).rows).toEqual([
            ['audited_hash_unique_1', 'HASH'],
            ['audited_hash_unique_2', 'HASH'],
            ['primary', 'BTREE'],
          ]);
          const insert = `INSERT INTO \`${namespace}\`.audited_hash VALUES (2, 2, 5)`;
          await expect(connection.query(insert)).rejects.toThrow(/Duplicate entry '5' for key 'audited_hash_unique_1'/);
          const [path] = await dialect.accessPaths!.of(connection, namespace);
          expect([path!.indexes, path!.check!.sql]).toEqual([[], `CHECK TABLE \`${namespace}\`.\`audited_hash\``]);
        });
        const values = [2, 1, 6].map((value) => ({ kind: 'literal', type: 'integer', value }) as const);
        const statement = { kind: 'insert', table: table.name, columns: ['a', 'b', 'u'], rows: [values] } as const;
        const program = {
          ...PROGRAM,
          fixture,
          transactions: [{ steps: [{ statement, tables: [table.name], plainRead: false }], end: 'commit' }],
        } as const;
        await runner.load(program);
        const played = (await play(runner, program, firstState(fixture), oneByOne([0])))!;
        expect(played.outcome.transactions[0]!.end).toBe('committed');
        expect((await tableCorruption(runner, program, played)).flatMap(({ seen }) => seen)).toEqual([]);
        const twice = {
          ...(await runner.state()),
          audited_hash: [
            ['1', '1', '5'],
            ['2', '2', '5'],
          ],
        };
        expect(brokenKeys(fixture, twice)).toEqual(['table audited_hash: two rows of the key (u) ["5"]']);
      });
    });

    it('finds an index that a write passed by, and finds it again', async ({ skip }) => {
      if (wireOf(suite.server.url) !== POSTGRES_WIRE) skip('only PostgreSQL lets its catalogue say that an index takes no rows');
      await withRunner([FIXTURE], async (runner, namespace) => {
        await connected((connection) =>
          connection.query(
            `UPDATE pg_catalog.pg_index SET indisready = false WHERE indexrelid = '"${namespace}".audited_child_b'::regclass`,
          ),
        );
        const seen = 'table audited_child (b): by a scan ["1"] ["2"] [null], by the index audited_child_b ';
        expect(await found(runner)).toEqual([expect.stringContaining(seen)]);
        const confirmed = await confirmViolation(runner, PROGRAM, { choices: [0, 0] }, { kind: 'damaged tables', seen: [] });
        expect([confirmed.times, confirmed.of]).toEqual([5, 5]);
      });
    });

    it('is a part of an exploration, whose finding is a bug, confirmed in a fresh fixture', async ({ skip }) => {
      if (wireOf(suite.server.url) !== POSTGRES_WIRE) skip('only PostgreSQL lets its catalogue say that an index takes no rows');
      const damaged: Dialect = {
        ...dialect,
        createNamespace: (namespace, schema) => [
          ...dialect.createNamespace(namespace, schema),
          `UPDATE pg_catalog.pg_index SET indisready = false WHERE indexrelid::regclass::text LIKE '${namespace}.%\\_g'`,
        ],
      };
      const { levels } = await exploreTarget(
        { name: '', dialect: damaged, urls: [suite.server.url], words: '', close: async () => {} },
        { level: ['serializable'], programs: 16, orders: 'pruned', workers: 1 },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      const [family] = levels[0]!.families.filter(({ difference }) => difference.startsWith('the tables contradict'));
      expect(family).toMatchObject({ verdict: 'bug', example: { times: 5, of: 5 } });
      expect(family!.seen!.join()).toMatch(/by the index \w+_g /);
      expect(exploreExit({ levels } as ExploreReport)).toBe(1);
    });

    it('finds an index that answers with other values', async () => {
      const { settings, of } = dialect.accessPaths!;
      const lying: Dialect = {
        ...dialect,
        accessPaths: {
          settings,
          of: async (connection, namespace) =>
            (await of(connection, namespace)).map((path) => ({
              ...path,
              indexes: path.indexes.map((index) =>
                index.name === 'audited_child_b' ? { ...index, read: index.read.replace('SELECT', 'SELECT 1 +') } : index,
              ),
            })),
        },
      };
      await withRunner(
        [FIXTURE],
        async (runner) =>
          expect(await found(runner)).toEqual([expect.stringMatching(/^table audited_child .* by the index audited_child_b /)]),
        lying,
      );
    });
  },
  { fits: ({ accessPaths }) => accessPaths !== undefined },
);
