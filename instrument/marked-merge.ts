/**
 * Marks MERGE with its entry in the rows that its branches leave behind. Inserted rows take their number from the
 * source, whose rows are numbered, because no branch may count.
 */
import { InternalError } from '../core/base/index.ts';
import { contentsOfExpressions } from '../core/sql/index.ts';
import { LIST_COLUMN, RID_COLUMN, appendedList, listEntry, rowIdPrefix } from '../core/history/index.ts';
import type { Expression, From, Merge, MergeBranch, SelectItem } from '../core/sql/index.ts';
import { column, text } from './expressions.ts';

const NUMBER = 'iso_n';

export function markedMerge(merge: Merge, txn: number, seq: number): Merge {
  const inserts = merge.branches.some(({ action }) => action === 'insert');
  if (inserts && merge.source.kind === 'join') throw new InternalError('cannot number the rows of a join, the source of a MERGE');
  const { source } = merge;
  const alias = source.kind === 'join' ? '' : source.alias;
  const rid: Expression = {
    kind: 'concat',
    operands: [text(rowIdPrefix(txn, seq)), { kind: 'cast', operand: column(alias, NUMBER), type: 'text' }],
  };
  const branches = merge.branches.map((branch): MergeBranch => {
    if (branch.action === 'update')
      return { ...branch, set: [...(branch.set ?? []), { column: LIST_COLUMN, value: appendedList(merge.table, txn, seq) }] };
    if (branch.action !== 'insert') return branch;
    return {
      ...branch,
      columns: [...(branch.columns ?? []), RID_COLUMN, LIST_COLUMN],
      values: [...(branch.values ?? []), rid, text(listEntry(txn, seq))],
    };
  });
  return { ...merge, branches, ...(inserts && source.kind !== 'join' && { source: numbered(merge, source) }) };
}

/** Returns the columns of the source that the statement names, with the number after them. */
function numbered({ on, branches, returning = [] }: Merge, source: Exclude<From, { kind: 'join' }>): From {
  const parts = [
    on,
    ...branches.flatMap(({ and, set = [], values = [] }) => [...(and ? [and] : []), ...set.map(({ value }) => value), ...values]),
    ...returning.map(({ expression }) => expression),
  ];
  const { expressions } = contentsOfExpressions(parts);
  const names = new Set(expressions.flatMap((each) => (each.kind === 'column' && each.table === source.alias ? [each.column] : [])));
  const number: Expression = {
    kind: 'arithmetic',
    op: '-',
    left: { kind: 'rank', name: 'row_number', over: { partitionBy: [], orderBy: [] } },
    right: { kind: 'literal', type: 'integer', value: 1 },
  };
  const items = [...names].map((name): SelectItem => ({ expression: column(source.alias, name), alias: name }));
  return {
    kind: 'derived',
    query: { kind: 'select', items: [...items, { expression: number, alias: NUMBER }], from: source },
    alias: source.alias,
  };
}
