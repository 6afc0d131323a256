/** WITH that writes, and hints of indexes: who prints them and in which words, what is walked through, what is written. */
import { expect, it } from 'vitest';
import { contentsOf, locksOf, mapStatement, writtenTables } from '../../../core/sql/index.ts';
import type { Expression, From, Select, WithWrites } from '../../../core/sql/index.ts';
import { cockroachdb, mariadb, mysql, postgres } from '../../../dialects/index.ts';

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const part: From = { kind: 'cte', name: 'w', alias: 'w' };
const gone = { kind: 'select', items: [{ expression: column('w', 'v'), alias: 'v' }], from: part } as const satisfies Select;
const WRITES: WithWrites = {
  kind: 'withWrites',
  writes: [
    {
      name: 'w',
      write: {
        kind: 'delete',
        table: 't',
        where: {
          kind: 'exists',
          negated: false,
          query: { ...gone, from: { kind: 'table', table: 'u', alias: 'w' }, lock: { strength: 'update' } },
        },
        returning: [{ expression: column('t', 'v'), alias: 'v' }],
      },
    },
  ],
  last: { kind: 'insert', table: 'n', columns: ['v'], rows: [], query: gone },
};

it('is printed part by part, in front of its statement', () => {
  expect(postgres.print(WRITES)).toBe(
    'WITH "w" AS (DELETE FROM "t" WHERE (EXISTS (SELECT "w"."v" AS "v" FROM "u" AS "w" FOR UPDATE)) RETURNING "t"."v" AS "v") ' +
      'INSERT INTO "n" ("v") (SELECT "w"."v" AS "v" FROM "w" AS "w")',
  );
  expect(postgres.print({ ...WRITES, last: gone }, 's')).toMatch(
    /^WITH "w" AS \(DELETE FROM "s"\."t" .*\) SELECT "w"\."v" AS "v" FROM "w" AS "w"$/,
  );
  for (const dialect of [mysql, mariadb]) expect(() => dialect.print(WRITES)).toThrow('capability writingWith');
  expect([postgres, cockroachdb, mysql, mariadb].map(({ capabilities }) => capabilities.writingWith)).toEqual([
    true,
    undefined,
    undefined,
    undefined,
  ]);
});

it('is walked through, its parts and what comes behind them', () => {
  const { expressions, leaves, queries } = contentsOf({ ...WRITES, last: gone });
  expect(leaves.map((leaf) => (leaf.kind === 'table' ? leaf.table : leaf.kind)).toSorted()).toEqual(['cte', 'u']);
  expect(queries).toHaveLength(2);
  expect(expressions.filter(({ kind }) => kind === 'column')).toHaveLength(3);
  expect(writtenTables(WRITES)).toEqual(['t', 'n']);
  expect(writtenTables({ ...WRITES, last: gone })).toEqual(['t']);
  expect(writtenTables(gone)).toEqual([]);
  expect(locksOf(WRITES)).toEqual({ tables: ['u'], nested: false });
});

it('is rewritten wherever it stands', () => {
  const renamed = mapStatement(WRITES, { expression: (each) => (each.kind === 'column' ? { ...each, column: 'x' } : each) });
  expect(postgres.print(renamed)).not.toContain('."v"');
  expect(postgres.print(renamed).match(/\."x"/g)).toHaveLength(3);
});

it('an index is forced, or passed over, behind the name of its table', () => {
  const hinted = (use: 'force' | 'ignore'): Select => ({
    ...gone,
    from: { kind: 'table', table: 't', alias: 'w', hint: { use, index: 'i' } },
  });
  for (const dialect of [mysql, mariadb]) {
    expect(dialect.print(hinted('force'), 's')).toBe('SELECT `w`.`v` AS `v` FROM `s`.`t` AS `w` FORCE INDEX (`i`)');
    expect(dialect.print(hinted('ignore'))).toContain('IGNORE INDEX (`i`)');
  }
  expect(() => postgres.print(hinted('force'))).toThrow('capability indexHints');
});
