/** The parts of writes that all DBMSs share, and the statements that all spell alike. */
import type { Assignment, Insert, Savepoint } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import type { Printer, Words } from './printer.ts';

export function printRows<To>(insert: Insert, { expressions }: Printer<To>, to: To): string {
  if (insert.rows.length === 0) throw new InternalError(`INSERT into ${insert.table} without a row`);
  const rows = insert.rows.map((row) => {
    if (row.length !== insert.columns.length) {
      throw new InternalError(`INSERT into ${insert.table}: ${row.length} values for ${insert.columns.length} columns`);
    }
    return `(${expressions(row, ', ', to)})`;
  });
  return `VALUES ${rows.join(', ')}`;
}

/** `qualifier`: the text before each column. */
export function printSet<To>(
  set: readonly Assignment[],
  { expression }: Printer<To>,
  { identifier }: Words<To>,
  to: To,
  qualifier = '',
): string {
  return set.map((each) => `${qualifier}${identifier(each.column)} = ${expression(each.value, to)}`).join(', ');
}

const VERBS: Readonly<Record<Savepoint['kind'], string>> = {
  savepoint: 'SAVEPOINT',
  rollbackTo: 'ROLLBACK TO SAVEPOINT',
  release: 'RELEASE SAVEPOINT',
};

export function printSavepoint({ kind, name }: Savepoint, identifier: (name: string) => string): string {
  return `${VERBS[kind]} ${identifier(name)}`;
}
