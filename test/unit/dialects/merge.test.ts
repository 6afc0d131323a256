/** MERGE as PostgreSQL reads it, and on which of its releases there is one. */
import { expect, it } from 'vitest';
import type { Expression, Merge } from '../../../core/sql/index.ts';
import { contentsOf } from '../../../core/sql/index.ts';
import { cockroachdb, postgres } from '../../../dialects/index.ts';

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const int = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });

const MERGE: Merge = {
  kind: 'merge',
  table: 't',
  source: { kind: 'table', table: 'u', alias: 's' },
  on: { kind: 'compare', op: '=', left: column('t', 'k'), right: column('s', 'k') },
  branches: [
    { when: 'matched', and: { kind: 'compare', op: '>', left: column('t', 'v'), right: int(5) }, action: 'delete' },
    { when: 'matched', action: 'update', set: [{ column: 'v', value: column('s', 'v') }] },
    { when: 'not matched', action: 'insert', columns: ['k', 'v'], values: [column('s', 'k'), int(0)] },
    { when: 'not matched by source', action: 'nothing' },
  ],
  returning: [{ expression: column('t', 'v'), alias: 'v' }],
};

it('is printed branch by branch', () => {
  expect(postgres.print(MERGE, 'n')).toBe(
    'MERGE INTO "n"."t" AS "t" USING "n"."u" AS "s" ON ("t"."k" = "s"."k") ' +
      'WHEN MATCHED AND ("t"."v" > 5) THEN DELETE ' +
      'WHEN MATCHED THEN UPDATE SET "v" = "s"."v" ' +
      'WHEN NOT MATCHED THEN INSERT ("k", "v") VALUES ("s"."k", 0) ' +
      'WHEN NOT MATCHED BY SOURCE THEN DO NOTHING RETURNING "t"."v" AS "v"',
  );
});

it('is walked through like every statement', () => {
  const { expressions, leaves } = contentsOf(MERGE);
  expect(leaves.map((leaf) => (leaf.kind === 'table' ? leaf.table : leaf.kind))).toEqual(['u']);
  const named = expressions.flatMap((each) => (each.kind === 'column' ? [`${each.table}.${each.column}`] : []));
  expect(named.toSorted()).toEqual(['s.k', 's.k', 's.v', 't.k', 't.v', 't.v']);
});

it.each([
  ['18.4', 'whole'],
  ['17.1', 'whole'],
  ['16.9', 'plain'],
  ['15.18', 'plain'],
  ['14.2', undefined],
  ['12.22', undefined],
])('of PostgreSQL %s: %s', (number, has) => {
  expect(postgres.capabilitiesOf!({ words: `PostgreSQL ${number}`, number }).merge).toBe(has);
  expect(cockroachdb.capabilities.merge).toBeUndefined();
  expect(cockroachdb.capabilitiesOf).toBeUndefined();
});
