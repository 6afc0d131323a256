/**
 * Exact mode, reads: one extra last column `iso_reads`, a JSON array of table, row id, list for each base table of the
 * FROM. A derived table carries an `iso_reads` of its own, nested in the outer array; each arm of a UNION ALL has its
 * own. Nothing else of the statement changes: same rows, same order, same locks. The missing side of a left join gives
 * null ids (null arrays for a derived table), which the decoder skips.
 */
import { InternalError, READS_COLUMN, itemsOf } from '../core/index.ts';
import type { Expression, From, Probe, Query, Select } from '../core/index.ts';
import { column, leaves, triple, type Leaf } from './expressions.ts';
import { hiddenRows } from './hidden-rows.ts';

export function exactRead(query: Query): { readonly statement: Query; readonly probe: Probe } {
  const reason = hiddenRows(query);
  const userColumns = itemsOf(query).length;
  return {
    statement: withReads(query),
    probe: { layout: { kind: 'json' }, role: 'read', reads: reason === undefined ? 'exact' : 'partial', ...(reason !== undefined && { reason }), userColumns },
  };
}

function withReads(query: Query): Query {
  if (query.kind === 'setOperation') throw new InternalError(`cannot instrument ${query.op.toUpperCase()}`);
  return query.kind === 'select' ? selectWithReads(query) : { ...query, arms: query.arms.map(selectWithReads) };
}

function selectWithReads(select: Select): Select {
  const reads: Expression = { kind: 'jsonArray', items: leaves(select.from).flatMap((leaf) => shown(leaf)) };
  return { ...select, from: fromWithReads(select.from), items: [...select.items, { expression: reads, alias: READS_COLUMN }] };
}

function shown(leaf: Leaf): readonly Expression[] {
  return leaf.kind === 'table' ? triple(leaf.table, leaf.alias) : [column(leaf.alias, READS_COLUMN)];
}

function fromWithReads(from: From): From {
  if (from.kind === 'derived') return { ...from, query: withReads(from.query) };
  if (from.kind !== 'join') return from;
  return { ...from, left: fromWithReads(from.left), right: fromWithReads(from.right) };
}
