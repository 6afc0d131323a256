/**
 * Exact mode, a WITH whose parts write. Each part returns its versions behind the columns that the user asked for. The
 * statement's own result cannot hold them, so they are collected beside it, with the reads of the parts and of the
 * statement. They stand after the statement, so that writes and waits keep the order that they have without them. All
 * parts have the one number of the statement. The rows that each of them inserts are numbered in a range of their own.
 *
 *     WITH w AS (UPDATE t ... RETURNING v, [t, rid, list] AS iso_reads) SELECT v FROM w
 *     beside it: [false, [reads ..., [1, [[t, rid, list], ...]]]]
 */
import { InternalError } from '../../core/base/index.ts';
import { isQuery, itemsOf } from '../../core/sql/index.ts';
import { READS_COLUMN, listEntry, readsItem, writtenArray } from '../../core/history/index.ts';
import type { Expression, PlainWrite, SelectItem, Table, WithWrites, WriteStatement, WrittenCte } from '../../core/sql/index.ts';
import type { Probe } from '../../core/program/index.ts';
import { column } from '../expressions.ts';
import { markedWrite } from '../marked-write.ts';
import { isLocking } from '../shape.ts';
import { collectReads, collectWriteReads } from './collect-reads.ts';
import type { WriteSetting } from './write-setting.ts';
import { returnedRow } from './images.ts';

/** The number of rows that one part may insert. */
const RANGE = 1_000_000;

export interface WithSetting extends Pick<WriteSetting, 'views'> {
  /** Returns the written table if the user columns of its new versions are wanted. */
  readonly imaged: (table: string) => Table | undefined;
}

export function exactWithWrites(
  statement: WithWrites,
  txn: number,
  seq: number,
  setting: WithSetting,
): { readonly statement: WithWrites; readonly probe: Probe } {
  const { views } = setting;
  const { writes, last } = markedWithWrites(statement, txn, seq);
  const returning = (write: WriteStatement): WriteStatement => {
    const item = readsItem({ kind: 'jsonArray', items: returnedRow(plain(write), setting.imaged(write.table)) });
    return { ...write, returning: [...(write.returning ?? []), item] };
  };
  const parts = writes.map((part): WrittenCte => ({ ...part, write: returning(part.write) }));
  const collected = [
    ...statement.writes.map(({ write }) => collectWriteReads(plain(write), views)),
    isQuery(statement.last) ? collectReads(statement.last, views) : collectWriteReads(plain(statement.last), views),
  ];
  const reason = isLocking(statement, views)
    ? 'a locking read inside a write may see newer rows than its snapshot'
    : collected.flatMap(({ reasons }) => reasons)[0];
  const written = writtenArray(parts.map(({ name }) => versionsOf(name)));
  const beside = reason === undefined ? collected.flatMap(({ json }) => json) : [];
  return {
    statement: {
      kind: 'withWrites',
      writes: parts,
      last: isQuery(last) ? last : returning(last),
      reads: { kind: 'jsonArray', items: [...beside, written] },
    },
    probe: {
      layout: { kind: 'json' },
      role: 'change',
      entry: listEntry(txn, seq),
      reads: reason === undefined ? 'exact' : 'partial',
      ...(reason !== undefined && { reason }),
      userColumns: widthOf(statement),
    },
  };
}

/** Adds its entry to the rows that its parts and its statement leave behind, and ids to new ones. */
export function markedWithWrites({ kind, writes, last }: WithWrites, txn: number, seq: number): WithWrites {
  const marked = (write: WriteStatement, part: number): WriteStatement => markedWrite(plain(write), txn, seq, RANGE * part);
  return {
    kind,
    writes: writes.map((each, part) => ({ ...each, write: marked(each.write, part) })),
    last: isQuery(last) ? last : marked(last, writes.length),
  };
}

/** Returns the number of columns of the user's statement. */
export function widthOf({ last }: WithWrites): number {
  return isQuery(last) ? itemsOf(last).length : (last.returning?.length ?? 0);
}

/** Returns the rows that the part has returned, whichever query names it. */
function versionsOf(name: string): Expression {
  const all: SelectItem = readsItem({ kind: 'jsonAgg', item: column(name, READS_COLUMN) });
  return { kind: 'subquery', query: { kind: 'select', items: [all], from: { kind: 'cte', name, alias: name } } };
}

function plain(write: WriteStatement): PlainWrite {
  if (write.kind !== 'merge') return write;
  throw new InternalError(`a MERGE into ${write.table} within a WITH is not instrumented: none may be planned for a run`);
}
