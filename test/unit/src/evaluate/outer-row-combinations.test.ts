/** A combination of versions witnesses a subquery's read only if all that it is told by is known of every one of them. */
import { expect, test } from 'vitest';
import type { ColumnExpression, TypeKind } from '../../../../core/sql/index.ts';
import type { Connection } from '../../../../core/dialect/index.ts';
import type { ProbedCase } from '../../../../core/program/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import type { Candidates } from '../../../../src/evaluate/candidates.ts';
import { outerRowCombinations } from '../../../../src/evaluate/outer-row-combinations.ts';
import type { VersionImage } from '../../../../src/evaluate/images.ts';

const column = (table: string): ColumnExpression => ({ kind: 'column', table, column: 'v' });
const within: Candidates = {
  leaves: [
    { table: 't', alias: 'a' },
    { table: 'u', alias: 'b' },
  ],
  columnOf: (each) => each,
  named: new Set(['a', 'b']),
};
const probedCase = {
  schema: { tables: ['t', 'u'].map((name) => ({ name, columns: [{ name: 'v', type: { kind: 'integer' }, nullable: true }] })) },
} as unknown as ProbedCase;
const versions: readonly VersionImage[] = [0, 1].map((n) => ({ row: n, txn: 0, seq: 0, values: [n] }));

const known = new Map(['t', 'u'].map((name) => [name, versions]));

/** The server answers with all four combinations of the versions 0 and 1 of t and u, and b.v, which is 5. */
function connection(answers: readonly string[] = ['005', '015', '105', '115']): Connection {
  return { query: async () => ({ columns: [], rows: answers.map((each) => each.split('')), affected: 4 }) } as unknown as Connection;
}

async function outerRows(certain: (table: string, n: number) => boolean, answers?: readonly string[], states = 1): Promise<unknown> {
  const setup = { probedCase, dialect: postgres, connection: connection(answers), namespace: 'n' };
  const found = await outerRowCombinations(setup, { table: 's', within, outer: [column('b')] }, known, ({ table }, n) =>
    certain(table, n) ? (table === 'u' ? states : 1) : undefined,
  );
  return typeof found === 'string'
    ? found
    : found.outerRows.map(({ values, when }) => [
        values.map((value) => (value.kind === 'literal' ? value.value : value.kind)),
        when.versions,
      ]);
}

test('every combination counts where all is known', async () => {
  expect(await outerRows(() => true)).toEqual([[[5], [0, 0, 0, 1, 1, 0, 1, 1]]]);
});

test('one uncertain version of one table leaves out the combinations that it is in, and no others', async () => {
  expect(await outerRows((table, n) => table !== 'u' || n === 0)).toEqual([[[5], [0, 0, 1, 0]]]);
  expect(await outerRows((table, n) => table !== 't' || n === 1)).toEqual([[[5], [1, 0, 1, 1]]]);
});

test('there are none where none is certain', async () => {
  expect(await outerRows(() => false)).toEqual([]);
});

test('a version that can have had two states counts where both are among the candidates, with the same values', async () => {
  expect(await outerRows(() => true, ['005', '005', '015', '105', '106'], 2)).toEqual([[[5], [0, 0]]]);
});

test('of rows that are made one a text is not known: a collation may take two for equal, and shows one', async () => {
  const of = (kind: TypeKind): Promise<unknown> => {
    const tables = ['t', 'u'].map((name) => ({ name, columns: [{ name: 'v', type: { kind }, nullable: true }] }));
    const setup = {
      probedCase: { schema: { tables } } as unknown as ProbedCase,
      dialect: postgres,
      connection: connection(),
      namespace: 'n',
    };
    const merged: Candidates = { ...within, leaves: within.leaves.map((leaf) => ({ ...leaf, merged: true })) };
    return outerRowCombinations(setup, { table: 's', within: merged, outer: [column('b')] }, known, () => 1);
  };
  expect(await of('text')).toBe('it names a text of rows that are made one');
  expect(await of('integer')).toMatchObject({ whole: true });
});
