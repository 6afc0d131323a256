/** The refusal of an IF says why its condition cannot be decided here. */
import { expect, it } from 'vitest';
import { postgres } from '../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';

it.each([
  ['mod(:n, 2) = 1', 'it holds mod()'],
  [":n::text LIKE '1%'", 'it holds LIKE'],
  ['n = 1', 'there is no column n in the tables'],
  ['EXISTS (SELECT 1 FROM nowhere)', 'there is no table nowhere in the schema'],
])('IF %s: %s', async (condition, why) => {
  const { file } = parseWorkloadFile(
    `-- @schema\nCREATE TABLE t (k int PRIMARY KEY);\n-- @transaction a\nSELECT k INTO :n FROM t WHERE k = 1;\nIF ${condition} THEN ROLLBACK;\n`,
  );
  const { refused } = importWorkload(file, await postgres.importer!());
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining(`the condition of an IF cannot be decided without the server: ${why}`),
  ]);
});
