/** A live schema becomes a file that runs: what is refused stands in comments, and as little as can be goes with it. */
import { describe, expect, it } from 'vitest';
import { mysql, postgres } from '../../../../../dialects/index.ts';
import type { Dialect } from '../../../../../core/dialect/index.ts';
import { draftOf, runnableSchema } from '../../../../../src/intake/live-schema/draft-schema.ts';

async function drafted(
  dialect: Dialect,
  ...statements: readonly string[]
): Promise<{ readonly schema: string; readonly summary: readonly string[] }> {
  const { file, summary } = await draftOf(
    await runnableSchema({ name: 'theirs', database: 'theirs', statements, leftOut: ['the rule r'] }, dialect, true),
    dialect,
  );
  return { schema: file.slice(file.indexOf('-- @schema\n') + 11, file.indexOf('\n\n-- @data')), summary };
}

describe('a live schema', () => {
  it('loses of a table what is refused, then what names that, and tells each by its line', async () => {
    const { schema, summary } = await drafted(
      postgres,
      "CREATE TABLE a (\n  k integer NOT NULL,\n  words vector,\n  slug text NOT NULL DEFAULT lower(' DEFAULT '::text),\n  PRIMARY KEY (k),\n  UNIQUE (words)\n)",
      'CREATE TABLE b (\n  only_one vector\n)',
      'CREATE TABLE c (\n  k integer NOT NULL,\n  FOREIGN KEY (k) REFERENCES b(k)\n)',
      'CREATE VIEW v AS\nSELECT words\n   FROM a',
    );
    expect(schema).toBe(`CREATE TABLE a (
  k integer NOT NULL,
  -- Left out: the type vector is not supported: use one of integer, bigint, numeric(p, s), varchar(n), text, boolean, date, timestamp
  --   words vector
  -- Left out: the DEFAULT of the column slug is no literal: initial values and defaults are literals only
  --   slug text NOT NULL DEFAULT lower(' DEFAULT '::text)
  slug text NOT NULL,
  PRIMARY KEY (k)
  -- Left out: there is no column words in a
  --   UNIQUE (words)
);
-- Left out: the type vector is not supported: use one of integer, bigint, numeric(p, s), varchar(n), text, boolean, date, timestamp
--   CREATE TABLE b (
  --   only_one vector
--   )
CREATE TABLE c (
  k integer NOT NULL
  -- Left out: there is no column k in b
  --   FOREIGN KEY (k) REFERENCES b(k)
);
-- Left out: there is no column words in the tables that the statement names there
--   CREATE VIEW v AS
--   SELECT words
--      FROM a`);
    expect(summary.map((line) => /^stdout:(\d+): left out: /.exec(line)?.[1])).toEqual(['2', '7', '9', '13', '16', '22', '25']);
  });

  it('keeps the columns of a table whose last line is refused, and those with commas and parentheses in their texts', async () => {
    const { schema } = await drafted(
      mysql,
      "CREATE TABLE `a` (\n  `k` int NOT NULL,\n  `state` enum('a,b',')') NOT NULL DEFAULT 'a,b' COMMENT 'x; DEFAULT y',\n  `bits` bit(3) DEFAULT NULL\n) ENGINE=InnoDB",
    );
    expect(schema).toBe(`CREATE TABLE \`a\` (
  \`k\` int NOT NULL,
  \`state\` enum('a,b',')') NOT NULL DEFAULT 'a,b' COMMENT 'x; DEFAULT y'
  -- Left out: the type BIT of more than one bit is not supported: use BIGINT
  --   \`bits\` bit(3) DEFAULT NULL
) ENGINE=InnoDB;`);
  });

  it('of which nothing is refused is written as it was read', async () => {
    const sql = 'CREATE TABLE a (\n  k integer NOT NULL,\n  PRIMARY KEY (k)\n)';
    expect((await drafted(postgres, sql)).schema).toBe(`${sql};`);
  });
});
