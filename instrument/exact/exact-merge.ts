/**
 * Exact mode, MERGE: RETURNING names each row that a branch inserted, updated or deleted. Only written rows have the
 * statement's entry last in their list (the role `change`). Every row of the source that satisfies its FROM and WHERE
 * was read, whatever its branch did. It is collected beside the statement, on its snapshot. Rows of the table that
 * matched a source row and were left as they were, or that matched none, are predicate reads.
 *
 * Without RETURNING of MERGE, its rows get their ids and entries, and later reads show them, but the statement names
 * none.
 */
import { hasSubquery, imageOf, listEntry, readsItem, versionItems } from '../../core/index.ts';
import type { Expression, Merge, Probe } from '../../core/index.ts';
import { isLocking } from '../shape.ts';
import { markedMerge } from '../marked-merge.ts';
import { collectReads } from './collect-reads.ts';
import type { WriteSetting } from './write-setting.ts';

export function exactMerge(
  merge: Merge,
  txn: number,
  seq: number,
  { views, capabilities, imaged }: WriteSetting,
): { readonly statement: Merge; readonly probe: Probe } {
  const marked = markedMerge(merge, txn, seq);
  const probe = { role: 'change', entry: listEntry(txn, seq), userColumns: merge.returning?.length ?? 0 } as const;
  if (capabilities.merge !== 'whole')
    return {
      statement: marked,
      probe: { ...probe, layout: { kind: 'none' }, reads: 'none', reason: 'this DBMS has no MERGE ... RETURNING' },
    };
  const { table } = merge;
  const own: Expression = {
    kind: 'jsonArray',
    items: [...versionItems(table, table), ...(imaged === undefined ? [] : [imageOf(imaged, table)])],
  };
  const statement: Merge = { ...marked, returning: [...(merge.returning ?? []), readsItem(own)] };
  const shown = { ...probe, layout: { kind: 'json' } } as const;
  const partial = (reason: string): { readonly statement: Merge; readonly probe: Probe } => ({
    statement,
    probe: { ...shown, reads: 'partial', reason },
  });
  if (capabilities.readBeside !== true) return partial('what a write read beside its own rows cannot be collected here');
  if (isLocking(merge, views)) return partial('a locking read inside a write may see newer rows than its snapshot');
  if (ofBranches(merge).some(hasSubquery)) return partial('a subquery in a MERGE is read only for the rows that ask for it');
  const { json, reasons } = collectReads({ kind: 'select', items: [], from: merge.source }, views);
  if (reasons[0] !== undefined) return partial(reasons[0]);
  return { statement: { ...statement, reads: { kind: 'jsonArray', items: json } }, probe: { ...shown, reads: 'exact' } };
}

function ofBranches({ on, branches }: Merge): readonly Expression[] {
  return [
    on,
    ...branches.flatMap(({ and, set = [], values = [] }) => [
      ...(and === undefined ? [] : [and]),
      ...set.map(({ value }) => value),
      ...values,
    ]),
  ];
}
