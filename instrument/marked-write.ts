/**
 * Marks a write with its entry in the rows that it leaves behind, and gives ids to new rows. It is the same in every
 * mode.
 */
import { LIST_COLUMN, RID_COLUMN, appendedList, itemsOf, listEntry, rowId, rowIdPrefix } from '../core/index.ts';
import type { Assignment, Expression, Insert, Query, SelectItem, Update, PlainWrite } from '../core/index.ts';
import { column, text } from './expressions.ts';

/** `first` is the number of the first row that an INSERT makes. */
export function markedWrite(write: PlainWrite, txn: number, seq: number, first = 0): PlainWrite {
  if (write.kind === 'insert') return markedInsert(write, txn, seq, first);
  if (write.kind === 'update') return markedUpdate(write, txn, seq);
  return write;
}

function markedInsert(insert: Insert, txn: number, seq: number, first: number): Insert {
  const { conflict } = insert;
  const list = text(listEntry(txn, seq));
  return {
    ...insert,
    columns: [...insert.columns, RID_COLUMN, LIST_COLUMN],
    rows: insert.rows.map((row, n) => [...row, text(rowId(txn, seq, first + n)), list]),
    ...(insert.query !== undefined && { query: markedSource(insert.query, list, rowIdPrefix(txn, seq), first) }),
    // The existing row keeps its id and gets the entry.
    ...(conflict?.action === 'update' && { conflict: { ...conflict, set: [...conflict.set, entry(insert.table, txn, seq)] } }),
  };
}

function markedUpdate(update: Update, txn: number, seq: number): Update {
  return { ...update, set: [...update.set, entry(update.through ?? update.table, txn, seq)] };
}

function entry(alias: string, txn: number, seq: number): Assignment {
  return { column: LIST_COLUMN, value: appendedList(alias, txn, seq) };
}

/** Returns the source of INSERT ... SELECT, its rows numbered as they come. */
function markedSource(query: Query, list: Expression, prefix: string, first: number): Query {
  const number: Expression = {
    kind: 'arithmetic',
    op: first === 0 ? '-' : '+',
    left: { kind: 'rank', name: 'row_number', over: { partitionBy: [], orderBy: [] } },
    right: { kind: 'literal', type: 'integer', value: first === 0 ? 1 : first - 1 },
  };
  const rid: Expression = { kind: 'concat', operands: [text(prefix), { kind: 'cast', operand: number, type: 'text' }] };
  const named = withDistinctNames(query);
  return {
    kind: 'select',
    items: [
      ...itemsOf(named).map(({ alias }): SelectItem => ({ expression: column(SOURCE, alias), alias })),
      { expression: rid, alias: RID_COLUMN },
      { expression: list, alias: LIST_COLUMN },
    ],
    from: { kind: 'derived', query: named, alias: SOURCE },
  };
}

const SOURCE = 'iso_s';

/** The names of a source's columns do not matter to INSERT, but they do to the select around it. */
function withDistinctNames(query: Query): Query {
  if (query.kind === 'select') return { ...query, items: query.items.map((item, i) => ({ ...item, alias: `iso_c${i}` })) };
  if (query.kind === 'setOperation') return { ...query, left: withDistinctNames(query.left) };
  return { ...query, arms: query.arms.map((arm) => withDistinctNames(arm) as typeof arm) };
}
