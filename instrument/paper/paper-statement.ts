/**
 * Paper mode: the cases of IsoRel's Table 1 as published, with row id and list as plain extra columns.
 *
 * 1, 2, 5 plain SELECT, joins, FOR UPDATE: the columns of every table. 3 compound query: each arm its own. 4 subquery:
 * the columns are carried through the derived table. 6 INSERT: id and entry as values. 7 UPDATE: appends its entry. 8
 * DELETE: SELECT id, list ... WHERE (same) FOR UPDATE sent before it. 9 and 10 are REPLACE, which PostgreSQL does not
 * have and the statement tree does not know.
 *
 * Its blind spots stay. Only a later reader of a row sees what INSERT and UPDATE wrote or read. The rows that a
 * DELETE's probe locked need not be the ones it removed. There are two deviations, so that one inference reads both
 * modes. The tester makes the row ids (the paper calls gen_random_uuid()). Entries are <txn>.<seq> in a window (the
 * paper: the bare transaction id, unbounded). Arms of different width are padded with NULLs, which the paper does not
 * show.
 */
import { InternalError, LIST_COLUMN, RID_COLUMN, itemsOf, versionColumns } from '../../core/index.ts';
import type { Delete, From, Probe, ProbedStatement, Query, Select, SelectItem, WriteStatement } from '../../core/index.ts';
import { markedMerge } from '../marked-merge.ts';
import { markedWrite } from '../marked-write.ts';
import { column, leaves, text, type Leaf } from '../expressions.ts';
import { hiddenRows } from './hidden-rows.ts';
import { beyondTable } from './beyond-table.ts';

export function paperRead(query: Query): { readonly statement: Query; readonly probe: Probe } {
  const userColumns = itemsOf(query).length;
  const unknown = beyondTable(query);
  if (unknown !== undefined) {
    return {
      statement: query,
      probe: { layout: { kind: 'none' }, role: 'read', reads: 'none', reason: `${unknown} is not in the published table`, userColumns },
    };
  }
  const reason = hiddenRows(query);
  const pairs = tablesOf(query).map((table, i) => ({ table, rid: userColumns + 2 * i, list: userColumns + 2 * i + 1 }));
  return {
    statement: withColumns(query),
    probe: {
      layout: { kind: 'columns', pairs },
      role: 'read',
      reads: reason === undefined ? 'exact' : 'partial',
      ...(reason !== undefined && { reason }),
      userColumns,
    },
  };
}

export function paperWrite(
  write: WriteStatement,
  txn: number,
  seq: number,
  autocommit: boolean,
): Pick<ProbedStatement, 'statement' | 'probe' | 'before'> {
  const userColumns = write.returning?.length ?? 0;
  const role = write.kind === 'merge' ? 'change' : write.kind === 'delete' ? 'delete' : 'write';
  const probe = { layout: { kind: 'none' }, role, ...BLIND[write.kind], userColumns } as const;
  const statement = write.kind === 'merge' ? markedMerge(write, txn, seq) : markedWrite(write, txn, seq);
  if (write.kind !== 'delete') return { statement, probe };
  if (write.using !== undefined)
    return { statement, probe: { ...probe, reads: 'none', reason: 'DELETE ... USING is not in the published table' } };
  if (autocommit)
    return {
      statement,
      probe: { ...probe, reads: 'none', reason: 'a SELECT FOR UPDATE before an autocommit DELETE would be another transaction' },
    };
  return { statement, probe, before: beforeDelete(write) };
}

const BLIND = {
  insert: { reads: 'none', reason: 'the published INSERT returns nothing: a later read shows the row' },
  update: { reads: 'none', reason: 'the published UPDATE returns nothing, so its reads are not seen' },
  merge: { reads: 'none', reason: 'MERGE is not in the published table' },
  delete: { reads: 'partial', reason: 'read by a SELECT FOR UPDATE before the DELETE, not by the DELETE itself' },
} as const satisfies Record<WriteStatement['kind'], Pick<Probe, 'reads' | 'reason'>>;

function beforeDelete(statement: Delete): { readonly statement: Select; readonly probe: Probe } {
  const { table, where } = statement;
  return {
    statement: {
      kind: 'select',
      items: versionColumns(table),
      from: { kind: 'table', table, alias: table },
      ...(where !== undefined && { where }),
      lock: { strength: 'update' },
    },
    probe: { layout: { kind: 'columns', pairs: [{ table, rid: 0, list: 1 }] }, role: 'delete', reads: 'exact', userColumns: 0 },
  };
}

/**
 * Returns the base table behind each pair of columns. It is '' if the arms of a compound query differ: only the row id
 * tells then.
 */
function tablesOf(query: Query): readonly string[] {
  if (query.kind === 'select') return leaves(query.from).flatMap((leaf) => (leaf.kind === 'table' ? [leaf.table] : tablesOf(leaf.query)));
  if (query.kind === 'setOperation') throw new InternalError(`cannot instrument ${query.op.toUpperCase()}`);
  const arms = query.arms.map(tablesOf);
  const widest = arms.reduce((a, b) => (b.length > a.length ? b : a), []);
  return widest.map((table, i) => (arms.every((arm) => arm[i] === undefined || arm[i] === table) ? table : ''));
}

function withColumns(query: Query): Query {
  if (query.kind === 'select') return selectWithColumns(query);
  if (query.kind === 'setOperation') throw new InternalError(`cannot instrument ${query.op.toUpperCase()}`);
  const width = tablesOf(query).length;
  return { ...query, arms: query.arms.map((arm) => padded(selectWithColumns(arm), arm.items.length + 2 * width)) };
}

function selectWithColumns(select: Select): Select {
  const sources = leaves(select.from).flatMap((leaf) => pairsOf(leaf));
  const extra = sources.flatMap(([alias, position], i): SelectItem[] => [
    { expression: column(alias, numbered(RID_COLUMN, position)), alias: numbered(RID_COLUMN, i) },
    { expression: column(alias, numbered(LIST_COLUMN, position)), alias: numbered(LIST_COLUMN, i) },
  ]);
  return { ...select, from: fromWithColumns(select.from), items: [...select.items, ...extra] };
}

/** Returns alias and number of each pair that a table or derived table offers. */
function pairsOf(leaf: Leaf): readonly (readonly [string, number])[] {
  return leaf.kind === 'table' ? [[leaf.alias, 0]] : tablesOf(leaf.query).map((_, i) => [leaf.alias, i] as const);
}

/** Returns iso_rid, iso_rid_2, iso_rid_3 ... */
function numbered(name: string, position: number): string {
  return position === 0 ? name : `${name}_${position + 1}`;
}

function padded(select: Select, width: number): Select {
  const missing = Array.from({ length: width - select.items.length }, (_, i): SelectItem => ({
    expression: text(null),
    alias: `iso_pad_${i + 1}`,
  }));
  return missing.length === 0 ? select : { ...select, items: [...select.items, ...missing] };
}

function fromWithColumns(from: From): From {
  if (from.kind === 'derived') return { ...from, query: withColumns(from.query) };
  if (from.kind !== 'join') return from;
  return { ...from, left: fromWithColumns(from.left), right: fromWithColumns(from.right) };
}
