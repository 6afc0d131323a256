/**
 * INSERT ... ON CONFLICT of one row, in PostgreSQL's order: the row's own constraints first, then the keys that the
 * conflict names, then the lock on the row that is met; its WHERE comes last, on the newest version of that row.
 */
import { InternalError } from '../../core/base/index.ts';
import type { Conflict } from '../../core/sql/index.ts';
import type { LiveVersion, StoredTable, Version } from './store.ts';
import { lockRow } from './transaction.ts';
import { SqlError } from './values.ts';
import type { SqlValue } from './values.ts';
import { checkRow, holderOf, insertRow, probeForKey, refuseNewer, replaceRow, uniqueKeys } from './write-rows.ts';
import type { Writing } from './write-rows.ts';

type Values = readonly SqlValue[];

/** The version made, if any. `change` gives the values of the existing row after SET, undefined if WHERE says no. */
export function upsertRow(
  writing: Writing,
  table: StoredTable,
  values: Values,
  conflict: Conflict,
  change: (old: Values) => Values | undefined,
): Version | undefined {
  if (conflict.action === 'replace') throw new InternalError('the model has no REPLACE, as PostgreSQL has none');
  checkRow(table, values);
  const met = meeting(writing, table, values, conflict.columns);
  if (met === undefined) return insertRow(writing, table, values);
  const own = met.txn === writing.txn.id && met.commitAt === Infinity;
  const arbiters = conflict.columns.length > 0 ? [conflict.columns] : uniqueKeys(table);
  const predicateRead = probeForKey(
    writing,
    table,
    arbiters,
    arbiters.map((key) => key.map((name) => values[table.columns.indexOf(name)]!)),
  );
  if (conflict.action === 'nothing') {
    if (!own) refuseNewer(writing, met.row);
    writing.predicateReads.push(predicateRead);
    return undefined;
  }
  const keys = uniqueKeys(table).flat();
  lockRow(writing.txn, met.row, conflict.set.some(({ column }) => keys.includes(column)) ? 'update' : 'no key update', writing.stamp);
  if (own && met.statement === writing.statement)
    throw new SqlError('21000', 'data', 'ON CONFLICT DO UPDATE command cannot affect row a second time');
  if (!own) refuseNewer(writing, met.row);
  const changed = change(met.values);
  if (changed === undefined) writing.predicateReads.push(predicateRead);
  return changed && replaceRow(writing, met, changed, false);
}

function meeting(writing: Writing, table: StoredTable, values: Values, columns: readonly string[]): LiveVersion | undefined {
  for (const key of columns.length > 0 ? [columns] : uniqueKeys(table)) {
    const met = holderOf(writing, table, key, values);
    if (met) return met;
  }
  return undefined;
}
