/**
 * Databases as people have them, one for each DBMS (test/samples/), made on a live server by its own driver: what `import` says of
 * each, to the letter, and that what it writes, completed with a few rows and two transactions, is explored as it is.
 * `npx vitest run --project db test/db/sample-databases.test.ts -u` writes what it says anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseWorkloadFile } from '../../schema-gen/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

/** By the target whose words the expectation is in: releases write schemas down in words of their own. */
const NAMES: Readonly<Record<string, string>> = {
  'postgres@18': 'video-club.postgres',
  'mysql@9.7': 'lending.mysql',
  'mariadb@11.8': 'company.mariadb',
};

describeEachServer(
  'import of a sample database',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const name = NAMES[target];

    it.skipIf(name === undefined)(
      `says what is carried over, approximated and left out, and writes a file that runs (of ${Object.keys(NAMES).join(', ')})`,
      async () => {
        const namespace = `theirs_${name!.split('.')[0]!.replace('-', '_')}`;
        const connection = await dialect.connect(suite.server.url, {});
        try {
          await connection.query(`CREATE SCHEMA ${namespace}`);
          await connection.query(dialect.enterNamespace(namespace));
          const text = readFileSync(path.join(SAMPLES, `${name}.sql`), 'utf8');
          for (const { sql } of parseWorkloadFile(`-- @schema\n${text}`).file.schema) await connection.query(sql);
        } finally {
          await connection.end();
        }

        const { code, stdout, stderr } = await cli(['import', '--url', suite.server.url, '--schema', namespace]);
        expect(code, stderr).toBe(0);
        const told = stderr.replace(/^anomalist: /gm, '-- ');
        await expect(`${stdout}\n-- On stderr:\n\n${told}`).toMatchFileSnapshot(path.join(SAMPLES, `${name}.imported.sql`));

        const file = path.join(suite.folder, `${name}.sql`);
        writeFileSync(file, `${stdout}\n${readFileSync(path.join(SAMPLES, `${name}.rows.sql`), 'utf8')}`);
        const options = ['--url', suite.server.url, '--level', 'read-committed', '--seed', '1', '--draws', '1', '--json'];
        const explored = await cli(['explore', file, ...options, '--out', path.join(suite.folder, 'out')]);
        expect(explored.code, explored.stderr).toBe(0);
        const { levels } = JSON.parse(explored.stdout) as { readonly levels: readonly { readonly together: readonly unknown[] }[] };
        expect(levels[0]?.together, explored.stdout).toHaveLength(3);
      },
    );
  },
  { fits: (dialect) => dialect.schemaText !== undefined },
);
