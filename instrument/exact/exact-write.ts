/**
 * Exact mode, writes: RETURNING names the versions. INSERT brings its row ids and first entries along. UPDATE appends
 * its entry and returns the new list, own entry last. DELETE returns the list it removed. An upsert returns the rows
 * that it inserted or updated. Rows that the server reads because of a foreign key, a unique constraint or a conflict
 * are no item reads of the statement and are not shown.
 *
 * A write may read more than its own rows: the other tables of its joins, its subqueries, the source of INSERT ...
 * SELECT. These reads belong to the state before it, which RETURNING does not show. They are collected beside the
 * write, on the statement's own snapshot, or the statement is tagged as partial.
 *
 * Without RETURNING the statement captures its rows (captured-write.ts). If that is impossible too, the rows still get
 * their ids and entries, but the statement is tagged as unseen.
 */
import { hasSubquery, readsItem, versionItems } from '../../core/index.ts';
import type { Capture, Expression, Insert, PlainWrite, Probe, SelectItem, WriteStatement } from '../../core/index.ts';
import { capturedWrite } from './captured-write.ts';
import type { WriteSetting } from './write-setting.ts';
import { exactMerge } from './exact-merge.ts';
import { collectWriteReads } from './collect-reads.ts';
import { returnedImage } from './images.ts';
import { markedWrite } from '../marked-write.ts';
import { isLocking } from '../shape.ts';

export function exactWrite(
  write: WriteStatement,
  txn: number,
  seq: number,
  { views, capabilities, imaged }: WriteSetting,
): { readonly statement: WriteStatement; readonly probe: Probe } {
  if (write.kind === 'merge') return exactMerge(write, txn, seq, { views, capabilities, imaged });
  const role = write.kind === 'delete' ? 'delete' : 'write';
  const userColumns = write.returning?.length ?? 0;
  const marked = markedWrite(write, txn, seq);
  const { capture, readBeside } = capabilities;
  const returns = capabilities.returning[write.kind] && !(capture !== undefined && returnsTooLittle(write, capture));
  if (!returns && capture !== undefined) return capturedWrite(write, txn, seq, { views, capture, imaged });
  if (!returns) {
    const reason = `there is no ${write.kind.toUpperCase()} ... RETURNING here`;
    return { statement: marked, probe: { layout: { kind: 'none' }, role, reads: 'none', reason, userColumns } };
  }
  const alias = (write.kind === 'update' && write.through) || write.table;
  const own: SelectItem = readsItem({
    kind: 'jsonArray',
    items: [...versionItems(write.table, alias), ...returnedImage(write, imaged, views)],
  });
  const statement: WriteStatement = { ...marked, returning: [...(write.returning ?? []), own] };
  const probe: Probe = { layout: { kind: 'json' }, role, reads: 'exact', userColumns };
  if (!readsBeside(write)) return { statement, probe };
  if (readBeside !== true && capture !== undefined) return capturedWrite(write, txn, seq, { views, capture, imaged, returned: own });
  const partial = (reason: string): { readonly statement: WriteStatement; readonly probe: Probe } => ({
    statement,
    probe: { ...probe, reads: 'partial', reason },
  });
  if (readBeside !== true) return partial('what a write read beside its own rows cannot be collected here');
  if (isLocking(write, views)) return partial('a locking read inside a write may see newer rows than its snapshot');
  const { json, reasons } = collectWriteReads(write, views);
  if (reasons[0] !== undefined) return partial(reasons[0]);
  return { statement: { ...statement, reads: { kind: 'jsonArray', items: json } }, probe };
}

/**
 * RETURNING does not say which rows REPLACE removed, or that an upsert left a row as it is. A write that names other
 * tables may not have it.
 */
function returnsTooLittle(write: PlainWrite, { joinedReturning }: Capture): boolean {
  const { conflict } = write.kind === 'insert' ? write : {};
  if (conflict !== undefined)
    return conflict.action === 'replace' || (conflict.action === 'update' && conflict.where !== undefined && !write.returning?.length);
  return write.kind === 'delete' && write.using !== undefined && !joinedReturning;
}

function readsBeside(write: PlainWrite): boolean {
  if (write.kind === 'insert') return write.query !== undefined || [...write.rows.flat(), ...conflictExpressions(write)].some(hasSubquery);
  if (write.kind === 'delete') return write.using !== undefined || [write.where].some(holdsSubquery);
  return write.from !== undefined || [write.where, ...write.set.map(({ value }) => value)].some(holdsSubquery);
}

function conflictExpressions({ conflict }: Insert): readonly Expression[] {
  return conflict?.action === 'update' ? [...conflict.set.map(({ value }) => value), ...(conflict.where ? [conflict.where] : [])] : [];
}

function holdsSubquery(expression: Expression | undefined): boolean {
  return expression !== undefined && hasSubquery(expression);
}
