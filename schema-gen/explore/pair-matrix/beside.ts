/** The row beside a pair: one row of a table of its own, so that no look and no change of the pair touches it. */
import type { Table } from '../../../core/sql/index.ts';
import type { Statement } from '../../../core/sql/index.ts';
import { compare, number, rowsWhere, set } from '../form.ts';
import type { FixtureRow } from '../item.ts';

const TABLE = 'beside';
const KEY = 1;

const BESIDE: Table = {
  name: TABLE,
  columns: ['k', 'g', 'v'].map((name) => ({ name, type: { kind: 'integer' }, nullable: name === 'v' })),
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [[KEY, KEY, 10 * KEY]],
};

export function withBeside(row: FixtureRow): FixtureRow {
  const { fixture } = row;
  return {
    ...row,
    fixture: {
      ...fixture,
      tables: [...fixture.tables, BESIDE],
      ...(fixture.rowNames && { rowNames: { ...fixture.rowNames, [TABLE]: [0] } }),
    },
  };
}

export const readBeside: Statement = rowsWhere(TABLE, compare(TABLE, 'k', '=', KEY));
export const writeBeside = (own: number): Statement => set(TABLE, 'v', number(own), compare(TABLE, 'k', '=', KEY));
