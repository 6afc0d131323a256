/**
 * Exact mode, writes: RETURNING names the versions. INSERT brings its row ids and first entries as literals; UPDATE
 * appends its entry and returns the new list, own entry last; DELETE returns the list it removed. What a foreign key or
 * a unique constraint makes the server read is not an item read of the statement and is not shown.
 *
 * Without RETURNING the rows still get their ids and entries, but the statement is tagged as unseen.
 */
import { LIST_COLUMN, READS_COLUMN, RID_COLUMN, listEntry, rowId } from '../core/index.ts';
import type { Capabilities, Probe, SelectItem, Update, Insert, WriteStatement } from '../core/index.ts';
import { appended, text, triple } from './expressions.ts';

export function exactWrite(
  write: WriteStatement,
  txn: number,
  seq: number,
  capabilities: Capabilities,
): { readonly statement: WriteStatement; readonly probe: Probe } {
  const role = write.kind === 'delete' ? 'delete' : 'write';
  const userColumns = write.returning?.length ?? 0;
  const marked = markedWrite(write, txn, seq);
  if (!capabilities.returning[write.kind]) {
    const reason = `there is no ${write.kind.toUpperCase()} ... RETURNING here`;
    return { statement: marked, probe: { layout: { kind: 'none' }, role, reads: 'none', reason, userColumns } };
  }
  const reads: SelectItem = { expression: { kind: 'jsonArray', items: triple(write.table, write.table) }, alias: READS_COLUMN };
  return {
    statement: { ...marked, returning: [...(write.returning ?? []), reads] },
    probe: { layout: { kind: 'json' }, role, reads: 'exact', userColumns },
  };
}

/** The write with its entry in the rows it leaves behind. */
export function markedWrite(write: WriteStatement, txn: number, seq: number): WriteStatement {
  if (write.kind === 'insert') return markedInsert(write, txn, seq);
  if (write.kind === 'update') return markedUpdate(write, txn, seq);
  return write;
}

function markedInsert(insert: Insert, txn: number, seq: number): Insert {
  const list = text(listEntry(txn, seq));
  return {
    ...insert,
    columns: [...insert.columns, RID_COLUMN, LIST_COLUMN],
    rows: insert.rows.map((row, n) => [...row, text(rowId(txn, seq, n)), list]),
  };
}

function markedUpdate(update: Update, txn: number, seq: number): Update {
  return { ...update, set: [...update.set, { column: LIST_COLUMN, value: appended(update.table, txn, seq) }] };
}
