/** Keys asked of rows: what breaks them is told, and what SQL allows is not. */
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../core/sql/index.ts';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { Fixture } from '../../../core/program/index.ts';
import { brokenKeys } from '../../../src/explore/oracles/audit.ts';
import { schemaOf } from '../../sql.ts';

const [PARENT, CHILD] = schemaOf(`CREATE TABLE p (a int, b int, PRIMARY KEY (a, b));
  CREATE TABLE c (a int, b int, UNIQUE (a, b), CONSTRAINT c_p FOREIGN KEY (b, a) REFERENCES p)`).tables as [Table, Table];

const broken = (p: readonly ResultRow[], c: readonly ResultRow[], child: Table = CHILD): readonly string[] => {
  const fixture: Fixture = { name: '', tables: [PARENT, child], byIndex: false };
  return brokenKeys(fixture, { p, c });
};

describe('keys of the rows that are left', () => {
  it('hold where each value is there once, has its row, or has a NULL in it', () => {
    expect(
      broken(
        [['1', '2']],
        [
          ['2', '1'],
          [null, '1'],
          [null, '1'],
          ['9', null],
          [null, null],
        ],
      ),
    ).toEqual([]);
  });

  it('are broken by two rows of one value, whole', () => {
    expect(
      broken(
        [
          ['1', '2'],
          ['1', '3'],
        ],
        [],
      ),
    ).toEqual([]);
    expect(
      broken(
        [
          ['1', '2'],
          ['1', '2'],
        ],
        [],
      ),
    ).toEqual(['table p: two rows of the key (a, b) ["1","2"]']);
    expect(
      broken(
        [['1', '2']],
        [
          ['2', '1'],
          ['2', '1'],
        ],
      ),
    ).toEqual(['table c: two rows of the key (a, b) ["2","1"]']);
  });

  it('are broken by a value without its row, column by column', () => {
    expect(broken([['1', '2']], [['1', '2']])).toEqual(['table c: a row whose (b, a) ["2","1"] has no row in p (c_p)']);
  });

  it('are not asked of columns whose texts may differ though their values do not', () => {
    const child: Table = {
      ...CHILD,
      columns: CHILD.columns.map((column) => ({ ...column, type: { kind: 'decimal', precision: 9, scale: 2 } })),
    };
    expect(broken([['1', '2']], [['2.00', '1.00']], child)).toEqual([]);
  });
});
