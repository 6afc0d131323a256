/** Which values a parameter can take: asked about one by one, and listed. */
import { expect, it } from 'vitest';
import { postgres } from '../../../../dialects/postgres/index.ts';
import { createRandom, importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';
import type { WorkloadTemplates } from '../../../../schema-gen/index.ts';

type Step = WorkloadTemplates['transactions'][number]['steps'][number];
type Domain = NonNullable<Extract<Step, { kind: 'parameter' }>['parameter']['domain']>;

async function domainOf(words: string): Promise<Domain> {
  const text = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, n bigint);
-- @data
INSERT INTO t VALUES (1, 1), (2, 9007199254740993);
-- @transaction look
-- @parameter :p ${words}
SELECT :p AS p FROM t WHERE id = 1;
`;
  const { file, refused } = parseWorkloadFile(text);
  expect(refused).toEqual([]);
  const [step] = importWorkload(file, await postgres.importer!()).templates.transactions[0]!.steps;
  expect(step!.kind).toBe('parameter');
  return (step as Extract<Step, { kind: 'parameter' }>).parameter.domain!;
}

it.each<readonly [string, readonly (string | number)[], readonly (string | number)[]]>([
  ['int 3..9', [3, 9, '4'], [2, 10, 3.5, 'x']],
  ['decimal 1.10..1.30', ['1.10', '1.29', '1.3'], ['1.09', '1.31', '1.205']],
  ["timestamp '2026-01-01 10:00' + 0..2 hours", ['2026-01-01 11:00:00'], ['2026-01-01 11:30:00', '2026-01-01 13:00:00', '11:00']],
  ['value of t.n', [1, '9007199254740993'], [2, '9007199254740992']],
  ['text 2..3', ['ab', 'abc'], ['a', 'abcd', 'AB', 12]],
])('%s holds its own values and no others', async (words, own, others) => {
  const { holds } = await domainOf(words);
  expect(own.map((value) => holds(value))).toEqual(own.map(() => true));
  expect(others.map((value) => holds(value))).toEqual(others.map(() => false));
});

it('a domain lists all of its values, or some with both ends', async () => {
  const random = createRandom('1');
  expect((await domainOf('int 3..6')).some(4, random)).toEqual([3, 4, 5, 6]);
  const some = (await domainOf('int 1..1000')).some(10, random);
  expect(some).toContain(1);
  expect(some).toContain(1000);
  expect(some.length).toBeLessThanOrEqual(10);
  const hours = await domainOf("timestamp '2026-01-01 10:00' + 0..2 hours");
  expect(hours.some(5, random)).toEqual(['2026-01-01 10:00:00', '2026-01-01 11:00:00', '2026-01-01 12:00:00']);
  expect([(await domainOf('key of t')).ofRows, hours.ofRows]).toEqual([true, undefined]);
});
