/**
 * Exact mode, writes without RETURNING (Capabilities.capture): the statement appends the rows that it writes to a
 * variable of the session, which is read after it.
 *
 * UPDATE and upsert capture in the last assignment, that of the list. It is reached once for each row that is written.
 * The list and the row id in it are still the old ones, and the other columns already hold the new version's values.
 * DELETE captures in a last condition, which repeats the whole WHERE, since engines order conditions as they like. The
 * row ids of an INSERT are ours, so the count of affected rows shows that all rows went in. Rows that are read beside
 * the written ones are captured where they are read (capture-reads.ts).
 *
 * REPLACE removes rows that no expression of the statement sees. Before it, in a transaction, the rows that hold one of
 * its keys are read FOR UPDATE, as in the paper.
 */
import {
  LIST_COLUMN,
  conjunction,
  conjunctsOf,
  contentsOf,
  contentsOfExpressions,
  hasSubquery,
  listEntry,
  mapExpression,
  metArray,
  rowIdPrefix,
  versionItems,
} from '../../core/index.ts';
import type {
  Assignment,
  Capture,
  CapturedRows,
  Conflict,
  Delete,
  Expression,
  From,
  Insert,
  Probe,
  SelectItem,
  Table,
  Update,
  PlainWrite,
} from '../../core/index.ts';
import {
  TRUE,
  capturingConjuncts,
  capturingExpression,
  capturingFrom,
  capturingQuery,
  capturingWhere,
  guardedCapture,
} from './capture-reads.ts';
import type { Capturing } from './capture-reads.ts';
import type { Views } from '../schema/carried-view.ts';
import { capturedImage } from './images.ts';
import { statedImages } from './stated-image.ts';
import { markedWrite } from '../marked-write.ts';

export interface CapturedWrite {
  readonly statement: PlainWrite;
  readonly probe: Probe;
}

export interface CaptureSetting {
  readonly views: Views;
  readonly capture: Capture;
  /** The table written, if the user columns of its new versions are wanted (images.ts). */
  readonly imaged: Table | undefined;
  /** RETURNING of this item brings the written rows back. Only the rows read beside them are captured. */
  readonly returned?: SelectItem;
}

export function capturedWrite(
  write: PlainWrite,
  txn: number,
  seq: number,
  { views, capture, imaged, returned }: CaptureSetting,
): CapturedWrite {
  const { newValues, flattens, reattempts } = capture;
  const to: Capturing = { views, flattens, reasons: [] };
  const marked = markedWrite(write, txn, seq);
  const own = returned === undefined;
  const captured: CapturedRows = {
    own,
    ...(reattempts && { auxiliaryReads: false }),
    ...(write.kind !== 'delete' && { entry: listEntry(txn, seq) }),
    ...(write.kind === 'insert' && { inserted: insertedBy(write, txn, seq, own ? imaged : undefined) }),
  };
  const statement = capturing(marked, { ...to, own, newValues, imaged });
  const silent = !contentsOf(statement).expressions.some(({ kind }) => kind === 'capture');
  const reason =
    to.reasons[0] ??
    (reattempts && readsBeside(write) ? 'the server may run it twice: what the first attempt read is captured too' : undefined);
  return {
    statement: returned === undefined ? statement : { ...statement, returning: [...(write.returning ?? []), returned] },
    probe: {
      layout: { kind: returned === undefined ? 'none' : 'json' },
      role: write.kind === 'delete' ? 'delete' : 'write',
      reads: reason === undefined ? 'exact' : 'partial',
      ...(reason !== undefined && { reason }),
      captured: { ...captured, ...(silent && { silent }) },
      userColumns: write.returning?.length ?? 0,
    },
  };
}

/** Tells whether it reads more than the rows that it writes. */
function readsBeside(write: PlainWrite): boolean {
  return (
    contentsOf(write).queries.length > 0 ||
    (write.kind === 'update' && write.from !== undefined) ||
    (write.kind === 'delete' && write.using !== undefined)
  );
}

/**
 * `own` says that the written rows are captured too. `newValues` says that the last assignment sees the new values of
 * the other columns.
 */
interface CapturingWrite extends Capturing {
  readonly own: boolean;
  readonly newValues: boolean;
  readonly imaged: Table | undefined;
}

function capturing(write: PlainWrite, to: CapturingWrite): PlainWrite {
  if (write.kind === 'insert') return capturingInsert(write, to);
  return write.kind === 'update' ? capturingUpdate(write, to) : capturingDelete(write, to);
}

/** INSERT IGNORE changes values that do not fit. */
function insertedBy(insert: Insert, txn: number, seq: number, imaged: Table | undefined): NonNullable<CapturedRows['inserted']> {
  const { table, rows, query, conflict } = insert;
  const images = imaged === undefined || conflict?.action === 'nothing' ? undefined : statedImages(insert, imaged);
  return {
    table,
    prefix: rowIdPrefix(txn, seq),
    ...(query === undefined && { rows: rows.length }),
    ...(conflict !== undefined && { conflict: conflict.action }),
    ...(images !== undefined && { images }),
  };
}

function capturingInsert(insert: Insert, to: CapturingWrite): Insert {
  const { rows, query, conflict } = insert;
  return {
    ...insert,
    rows: rows.map((row) => row.map((value) => capturingExpression(value, to))),
    ...(query !== undefined && { query: capturingQuery(query, to) }),
    ...(conflict?.action === 'update' && { conflict: capturingConflict(insert.table, conflict, to) }),
  };
}

function capturingConflict(table: string, conflict: Extract<Conflict, { action: 'update' }>, to: CapturingWrite): Conflict {
  const { own, newValues } = to;
  const set = conflict.set.map((each) => ({ ...each, value: capturingExpression(each.value, to) }));
  return {
    ...conflict,
    set: own ? withCapture(set, metArray(versionItems(table, table)), newValues) : set,
    // A row that conflicts and does not satisfy the condition stays as it is, and is not inserted either.
    ...(conflict.where !== undefined && {
      where: conjunction([
        ...(own ? [{ kind: 'capture', reads: [metArray([])], value: TRUE } as const] : []),
        capturingExpression(conflict.where, to),
      ])!,
    }),
  };
}

function capturingUpdate(update: Update, around: CapturingWrite): Update {
  const alias = update.through ?? update.table;
  // The check is needed only if the WHERE has a subquery.
  const shown =
    update.through === undefined || !hasSubquery(conjunction(conjunctsOf(update.where)) ?? TRUE)
      ? []
      : conditionsOf(update.through, around);
  const to: Capturing = { ...around, outer: shown };
  const set = update.set.map((each) => ({ ...each, value: capturingExpression(each.value, to) }));
  const where =
    update.from === undefined
      ? conjunction(capturingConjuncts(update.where, to))
      : capturingWhere(joinOf(update.table, alias, update.from), update.where, to, { alias });
  return {
    ...update,
    set: withCapture(
      set,
      {
        kind: 'jsonArray',
        items: [...versionItems(update.table, alias), ...(around.own && around.newValues ? capturedImage(update, around.imaged) : [])],
      },
      around.newValues,
    ),
    ...(update.from !== undefined && { from: capturingFrom(update.from, to) }),
    ...(where !== undefined && { where }),
  };
}

/**
 * Returns the WHERE of a simple view as a condition on the view itself. Rows of the table outside the view are no
 * candidates.
 */
function conditionsOf(name: string, { views, reasons }: Capturing): readonly Expression[] {
  const query = views.get(name)?.view.query;
  if (query?.kind !== 'select' || query.where === undefined) return [];
  const columns = new Set(query.items.map(({ alias }) => alias));
  const where = mapExpression(query.where, { expression: (each) => (each.kind === 'column' ? { ...each, table: name } : each) });
  const used = contentsOfExpressions([where]).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : []));
  if (!hasSubquery(where) && used.every((each) => columns.has(each))) return [where];
  reasons.push(`the condition of view ${name} cannot be evaluated again`);
  return [{ kind: 'logic', op: 'or', operands: [] }];
}

/**
 * Lets the assignment of the list capture the row. It is the last one if it sees new values there, else it stays where
 * it stands.
 */
function withCapture(set: readonly Assignment[], reads: Expression, newValues: boolean): readonly Assignment[] {
  const others = set.filter((each) => each.column !== LIST_COLUMN);
  const list = set.find((each) => each.column === LIST_COLUMN)!;
  const captured: Assignment = { ...list, value: { kind: 'capture', reads: [reads], value: list.value } };
  return newValues ? [...others, captured] : [captured, ...others];
}

function capturingDelete(statement: Delete, to: CapturingWrite): Delete {
  const { own } = to;
  const { table, using, where } = statement;
  const reads: Expression = { kind: 'jsonArray', items: versionItems(table, table) };
  if (using !== undefined)
    return {
      ...statement,
      using: capturingFrom(using, to),
      where: capturingWhere(joinOf(table, table, using), where, to, { alias: table, ...(own && { reads }) })!,
    };
  const conditions = capturingConjuncts(where, to);
  const all = conjunction(
    own ? [...conditions, guardedCapture({ kind: 'capture', reads: [reads], value: TRUE }, conjunctsOf(where))] : conditions,
  );
  return { ...statement, ...(all !== undefined && { where: all }) };
}

function joinOf(table: string, alias: string, others: From): From {
  return { kind: 'join', type: 'cross', left: { kind: 'table', table, alias }, right: others };
}
