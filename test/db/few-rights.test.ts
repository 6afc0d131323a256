/** A user with the rights that docs/YOUR-SERVER.md asks for and no other: what is lacking is named, and what is granted is enough. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../core/dialect/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { raceSeeds } from './race-seeds.ts';
import { suiteServer } from './suite-server.ts';

const USER = 'anomalist_few_rights';
const FAMILY = {
  make: [`CREATE USER ${USER}@'%' IDENTIFIED BY 'few'`, `GRANT ALL ON \`anomalist\\_%\`.* TO ${USER}@'%'`],
  drop: [`DROP USER ${USER}@'%'`],
  holder: `${USER}@'%'`,
};
const POSTGRES = {
  make: [`CREATE ROLE ${USER} LOGIN PASSWORD 'few'`, `GRANT CREATE ON DATABASE postgres TO ${USER}`],
  drop: [`DROP OWNED BY ${USER}`, `DROP ROLE ${USER}`],
  holder: USER,
};
const RIGHTS: Readonly<Record<string, typeof FAMILY>> = { mysql: FAMILY, mariadb: FAMILY, postgres: POSTGRES };

describeEachServer(
  'a user with few rights',
  ({ dialect, start }) => {
    const suite = suiteServer(start);
    const rights = RIGHTS[dialect.name]!;
    let admin: Connection;
    beforeAll(async () => {
      admin = await dialect.connect(suite.server.url, {});
      for (const sql of rights.make) await admin.query(sql);
    });
    afterAll(async () => {
      for (const sql of rights.drop) await admin.query(sql);
      await admin.end();
    });
    const url = (): string => Object.assign(new URL(suite.server.url), { username: USER, password: 'few' }).href;

    it('runs the rounds', async () => {
      // One in which no two transactions met is inconclusive.
      const codes: (number | null)[] = [];
      for (const seed of raceSeeds()) {
        if (codes.includes(0)) break;
        const words = ['--cases', '1', '--level', 'serializable', '--seed', seed, '--out', suite.folder];
        const { code, stderr } = await cli(['run', '--url', url(), ...words]);
        expect([0, 3], stderr).toContain(code);
        codes.push(code);
      }
      expect(codes).toContain(0);
    });

    it('is told which right the small programs need, and explores with it', async () => {
      const words = ['explore', '--url', url(), '--programs', '3', '--seed', '1'];
      if (dialect.waitsGrant !== undefined) {
        const { code, stderr } = await cli(words);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`which session waits for a lock`) as string]);
        expect(stderr).toContain(dialect.waitsGrant);
        await admin.query(dialect.waitsGrant.replace('...', rights.holder));
      }
      const { code, stdout, stderr } = await cli(words);
      expect([0, 1], stderr).toContain(code);
      expect(stdout).toMatch(/^serializable: [1-9]\d* programs?, /m);
    });
  },
  { fits: ({ name }) => RIGHTS[name] !== undefined },
);
