/** Row versions as a database could hold them: ids, lists (perhaps cut at the front), and the texts of user columns. */
import * as fc from 'fast-check';
import { LIST_WINDOW, listEntry, rowId } from '../../core/history/index.ts';

export interface Stored {
  readonly table: string;
  readonly rid: string;
  readonly list: string;
  readonly columns: readonly (string | null)[];
}

const id = (): fc.Arbitrary<number> => fc.nat({ max: 999_999_999 });

export type Entry = readonly [txn: number, seq: number];

export function entries(): fc.Arbitrary<readonly Entry[]> {
  return fc.array(fc.tuple(id(), fc.nat({ max: 99 })), { minLength: 1, maxLength: 60, size: 'max' });
}

/** As the statements of the entries would have left it. */
export function listOf(written: readonly Entry[]): string {
  return written
    .map(([txn, seq]) => listEntry(txn, seq))
    .join('')
    .slice(-LIST_WINDOW);
}

/** Rows of one table have `width` user columns. */
export function storedRow(table: string, width: number): fc.Arbitrary<Stored> {
  return fc.record({
    table: fc.constant(table),
    rid: fc.tuple(id(), fc.nat({ max: 99 }), fc.nat({ max: 999 })).map(([txn, seq, n]) => rowId(txn, seq, n)),
    list: entries().map(listOf),
    columns: fc.array(fc.option(fc.string({ unit: 'binary' })), { minLength: width, maxLength: width }),
  });
}
