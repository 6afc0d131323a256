/**
 * A small application with an ORM runs on a real server and answers real requests; the server's log of them becomes a workload
 * file, and exploring that file finds the races that the application has, and none in what it guards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExploreReport } from '../../reports/index.ts';
import { LOGGED, MADE } from '../application/shop-server.ts';
import { startShop, type Store } from '../application/shop.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** One after the other: what races is not the log, but what is made of it. */
const REQUESTS: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>, status: number])[] = [
  ['/sign-up', { email: 'grace@example.org' }, 200],
  ['/sign-up', { email: 'ada@example.org' }, 409],
  ['/sign-up', { email: 'edgar@example.org' }, 200],
  ['/buy', { user: 1, product: 2, quantity: 3 }, 200],
  ['/buy', { user: 2, product: 1, quantity: 1 }, 200],
  ['/buy', { user: 2, product: 2, quantity: 2 }, 200],
  ['/buy', { user: 1, product: 2, quantity: 1 }, 200],
  ['/buy', { user: 1, product: 1, quantity: 500 }, 409],
  ['/like', { post: 1 }, 200],
  ['/like', { post: 2 }, 200],
  ['/like', { post: 1 }, 200],
  ['/like', { post: 1 }, 200],
  ['/transfer', { from: 1, to: 2, amount: 30 }, 200],
  ['/transfer', { from: 2, to: 1, amount: 45 }, 200],
  ['/transfer', { from: 1, to: 2, amount: 5000 }, 409],
  ['/nowhere', {}, 404],
];

/** Two that run together -> whether they are safe at READ COMMITTED. */
const ANSWERS: readonly (readonly [transaction: string, answer: string])[] = [
  ['insert-users', 'not safe'],
  ['insert-orders-update-products', 'not safe'],
  ['update-posts', 'not safe'],
  ['update-accounts', 'safe'],
];

describeEachServer(
  'import of a log',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const store = dialect.name as Store;

    async function asked(statements: readonly string[], url: string = suite.server.url): Promise<string> {
      const connection = await dialect.connect(url, {});
      try {
        let answer = '';
        for (const sql of statements) answer = (await connection.query(sql)).rows[0]?.[0] ?? '';
        return answer;
      } finally {
        await connection.end();
      }
    }

    it('finds the races of an application with an ORM, by the log of its requests', async () => {
      await asked(['CREATE DATABASE little_shop']);
      const url = Object.assign(new URL(suite.server.url), { pathname: '/little_shop' }).href;
      await asked(MADE[store], url);
      const log = await LOGGED[store]((sql) => asked([sql]));
      const shop = await startShop(store, url);
      for (const [path, body, status] of REQUESTS) expect([path, body, await shop.post(path, body)]).toEqual([path, body, status]);
      await shop.stop();
      // Nobody's address is carried over.
      expect(readFileSync(log, 'utf8')).toContain('grace@example.org');

      const imported = await cli(['import', '--log', log, '--url', url, '--most', String(ANSWERS.length)]);
      expect(imported.code, imported.stderr).toBe(0);
      expect(imported.stderr).not.toContain('is refused');
      expect(imported.stdout).not.toContain('example');
      // What was written is computed from what was read: by what was bought, and by one.
      expect(imported.stdout).toMatch(/ set .stock. = :stock_read - :quantity where /);
      expect(imported.stdout).toMatch(/ set .likes. = :likes_read \+ 1 where /);
      const file = join(suite.folder, 'drafted.sql');
      writeFileSync(file, imported.stdout);

      const explored = await cli(['explore', file, '--url', suite.server.url, '--level', 'read-committed', '--seed', '1', '--json']);
      expect([0, 1], explored.stderr).toContain(explored.code);
      const [{ together = [] } = {}] = (JSON.parse(explored.stdout) as ExploreReport).levels;
      const answers = together.map(({ name, answer }) => [name, answer]);
      expect(answers, explored.stdout).toEqual(
        expect.arrayContaining(ANSWERS.map(([transaction, answer]) => [`${transaction} + ${transaction}`, answer])),
      );
    });
  },
  { fits: ({ name }) => Object.hasOwn(LOGGED, name) },
);
