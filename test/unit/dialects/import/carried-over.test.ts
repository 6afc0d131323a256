/**
 * docs/CARRIED-OVER.md says what the importers say today: `npx vitest run --project unit carried-over -u` writes it anew. Every
 * row of the tables of refusals has a statement in test/samples/refused.*.sql, all of them are told at once, and the cures are taken.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mysql, postgres } from '../../../../dialects/index.ts';
import * as family from '../../../../dialects/mysql-family/import/refused-tables.ts';
import * as signs from '../../../../dialects/postgres/import/read-expression.ts';
import * as tables from '../../../../dialects/postgres/import/refused.ts';
import { cured, refusedFile, saidOf, tablesOf } from './refused-file.ts';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/CARRIED-OVER.md', import.meta.url));

/** Each as it is told, or a part of it. */
const ROWS = {
  postgres: [
    ...[tables.REFUSED_FIELDS, tables.REFUSED_STATEMENTS, tables.REFUSED_EXPRESSIONS, signs.REFUSED_OPERATORS].flatMap(Object.values),
    ...Object.entries(signs.REFUSED_SIGNS).map(([sign, why]) => `the operator ${sign} is not supported: ${why}`),
    ...Object.entries(tables.REFUSED_FUNCTIONS).map(([name, why]) => `the function ${name}() is not supported: ${why}`),
    tables.REFUSED_CONTROL,
  ],
  mysql: family.rows(),
} as const;

for (const dialect of [postgres, mysql])
  describe(`what ${dialect.title} has and a workload file has not`, () => {
    const text = refusedFile(`refused.${dialect.name}`);

    it('is told all at once, with a statement for each row of the tables of refusals', async () => {
      const said = await saidOf(text, dialect);
      const missing = ROWS[dialect.name as keyof typeof ROWS].filter((row) => !said.some(({ what }) => what.includes(row)));
      expect(missing).toEqual([]);
    });

    it('has a cure that is taken', async () => {
      const { text: mended, cures } = cured(text, await saidOf(text, dialect));
      expect((await saidOf(mended, dialect)).filter(({ refused }) => refused)).toEqual([]);
      expect(cures).toBeGreaterThanOrEqual(25);
    });
  });

it('docs/CARRIED-OVER.md says what the importers say', async () => {
  const parts = await Promise.all(
    [postgres, mysql].map(async (dialect) => {
      const text = refusedFile(`refused.${dialect.name}`);
      return `## ${dialect.title}\n\n${tablesOf(text, await saidOf(text, dialect))}\n`;
    }),
  );
  await expect(`${HEAD}\n${parts.join('\n')}`).toMatchFileSnapshot(DOCUMENT);
});

const HEAD = `# What is carried over, and what is refused

A file of SQL for PostgreSQL and one for MySQL that have everything which is imported as something else, passed over or refused, line by line, with what the tool says of it: all of it at once, when the file is read. "Taken instead" is the statement as the cure words it; where it is empty, nothing has to stand there, or what does is for you to know. The pages behind it: [WORKLOADS.md](WORKLOADS.md#refusals), [SQL-IMPORT-MYSQL.md](SQL-IMPORT-MYSQL.md).

\`anomalist import --url\` leaves what is refused of a live schema in comments, so that the file that it writes runs as it is ([YOUR-APP.md](YOUR-APP.md#the-schema-from-a-live-database)).

This page is written by \`npx vitest run --project unit carried-over -u\`, and a test compares it.
`;
