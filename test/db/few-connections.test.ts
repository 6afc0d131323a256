/** A server that is full for a moment, as it is behind sessions that have just ended, is waited for; one that stays full is told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Connection } from '../../core/dialect/index.ts';
import { describeEachServer } from './each-server.ts';
import { suiteServer } from './suite-server.ts';

const USER = 'anomalist_few_connections';
const FAMILY = [`CREATE USER ${USER}@'%' IDENTIFIED BY 'few'`, 'SET GLOBAL max_connections = 10'];
/** What leaves a user few places. */
const LIMITED: Readonly<Record<string, readonly string[]>> = {
  postgres: [`CREATE ROLE ${USER} LOGIN PASSWORD 'few' CONNECTION LIMIT 3`],
  mysql: FAMILY,
  mariadb: FAMILY,
};
const MOST = 20;

describeEachServer(
  'a server with few connections',
  ({ dialect, start }) => {
    const suite = suiteServer(start);

    it('is waited for while it is full, and not for ever', async () => {
      const admin = await dialect.connect(suite.server.url, {});
      for (const sql of LIMITED[dialect.name]!) await admin.query(sql);
      const url = Object.assign(new URL(suite.server.url), { username: USER, password: 'few' }).href;
      const open: Connection[] = [];
      const opened = async (): Promise<unknown> =>
        dialect.connect(url, {}).then(
          (connection) => void open.push(connection),
          (error: unknown) => error,
        );
      let full = await opened();
      while (full === undefined && open.length < MOST) full = await opened();
      expect(String(full)).toMatch(/no free connection/);
      const next = dialect.connect(url, {});
      let isOpen = false;
      void next.then(() => (isOpen = true));
      await sleep(200);
      expect(isOpen).toBe(false);
      await open.pop()!.end();
      await (await next).end();
      await Promise.all(open.map((connection) => connection.end()));
      await admin.end();
    });
  },
  { fits: ({ name }) => LIMITED[name] !== undefined },
);
