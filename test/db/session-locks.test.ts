/**
 * GET_LOCK of MySQL and MariaDB, a lock of the session: the connection gives it back once the transaction has ended, the
 * server says who waits for it, and the double booking that it forbids is not called unsafe.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Statement } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const UNSAFE = readFileSync(fileURLToPath(new URL('../samples/double-booking-by-time.sql', import.meta.url)), 'utf8');
const COUNT = 'SELECT count(*) INTO :n';

describeEachServer(
  'locks of the session',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const level = dialect.levels.find((each) => each.level === 'read-committed')!;
    const lock = (name: string, namespace: string): string => {
      const statement: Statement = { kind: 'advisoryLock', key: { kind: 'literal', type: 'text', value: name } };
      return dialect.print(statement, namespace);
    };

    const within = async (work: (a: Connection, b: Connection, control: Connection) => Promise<void>): Promise<void> => {
      const all = await Promise.all([1, 2, 3].map(() => dialect.connect(suite.server.url, {})));
      try {
        await work(...(all as [Connection, Connection, Connection]));
      } finally {
        await Promise.all(all.map((each) => each.end()));
      }
    };

    const seenWaiting = async (control: Connection, who: Connection): Promise<void> => {
      // A run asks the first of these watchers, the explorer the second.
      for (const watcher of [dialect.watchBlocked(control), dialect.tableChanges?.watch?.(control) ?? dialect.watchBlocked(control)])
        while (!(await watcher.blocked([who.backend])).has(who.backend));
    };

    it.each(['commit', 'rollback'] as const)(
      'are given back behind %s, and until then are waited for, which the server says',
      async (end) => {
        await within(async (a, b, control) => {
          await a.begin(level);
          await a.query(lock('x', 'one'));
          await b.begin(level);
          // The same name is another lock in another namespace.
          await b.query(lock('x', 'two'));
          const second = b.query(lock('x', 'one'));
          await seenWaiting(control, b);
          await a[end]();
          expect((await second).rows).toEqual([['1']]);
          await b.rollback();
          // The other one has it for itself: nothing is left on a session that goes on.
          await a.begin(level);
          expect((await a.query(lock('x', 'one'))).rows).toEqual([['1']]);
          await a.commit();
          expect((await control.query('SELECT RELEASE_ALL_LOCKS()')).rows).toEqual([['0']]);
        });
      },
    );

    it('are not got as a result that says so: the wait ends with the limit of the statement, as an error', async () => {
      await within(async (a) => {
        const b = await dialect.connect(suite.server.url, { statementTimeoutMs: 5000 });
        try {
          await a.begin(level);
          await a.query(lock('x', 'one'));
          await b.begin(level);
          const error: unknown = await b.query(lock('x', 'one')).then(
            ({ rows }) => rows,
            (reason: unknown) => reason,
          );
          expect(dialect.classifyError(error)).toMatchObject({
            class: expect.stringMatching(/^(statement|lock) timeout$/),
            scope: 'statement',
          });
          await b.rollback();
          await a.rollback();
        } finally {
          await b.end();
        }
      });
    });

    it('are given back where the statement behind them failed', async () => {
      await within(async (a, b) => {
        await a.begin(level);
        await a.query(lock('x', 'one'));
        await expect(a.query('SELECT nothing FROM nowhere.there')).rejects.toThrow();
        await a.rollback();
        await b.begin(level);
        expect((await b.query(lock('x', 'one'))).rows).toEqual([['1']]);
        await b.rollback();
      });
    });

    const explored = async (text: string, cures = false): Promise<ExploreReport> => {
      const file = join(suite.folder, 'locks.sql');
      writeFileSync(file, text);
      return exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: ['read-committed'], orders: 'pruned', workers: 2, draws: 1, cures },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    };

    it.each([
      ['of the room', "SELECT GET_LOCK(CONCAT('room ', :room), 10);", 'safe'],
      ['of all rooms', "DO GET_LOCK('rooms', -1);", 'safe'],
      ['of the booking', 'SELECT GET_LOCK(:id, 10) AS got;', 'not safe'],
    ])('in front of the count forbid the double booking, or not: %s', async (_, words, answer) => {
      const report = await explored(UNSAFE.replace(COUNT, `${words}\n${COUNT}`));
      expect(report.levels[0]!.together![0]!.answer, exploreText(report)).toBe(answer);
    });

    it('are offered as what stops it', async () => {
      const report = await explored(UNSAFE, true);
      const about = exploreText(report);
      const cures = report.levels[0]!.together![0]!.cures!.filter(({ what }) => what.startsWith('an advisory lock'));
      expect(
        cures.map(({ what, stops, sql }) => [what, stops, sql]),
        about,
      ).toEqual([
        [
          'an advisory lock under the key of rooms, in front of statement 1 of book, and RELEASE_LOCK behind each COMMIT and ROLLBACK',
          true,
          ["SELECT GET_LOCK(CONCAT('rooms ', :room), 10)"],
        ],
        [
          'an advisory lock at the beginning of book, and RELEASE_LOCK behind each COMMIT and ROLLBACK: all of them wait for one another',
          true,
          ["SELECT GET_LOCK('one at a time', 10)"],
        ],
      ]);
    });
  },
  { fits: (dialect) => dialect.capabilities.advisoryLocks === 'of the session', protocol: true },
);
