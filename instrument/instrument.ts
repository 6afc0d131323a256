/**
 * Rewrites every statement of a test case so that its result names the row versions it read or wrote.
 *
 * `exact` is the default of the tool. A statement keeps its own columns and result and gets one extra last column,
 * `iso_reads`, with table, row id and write list of every row that went into that result row. Writes answer through
 * RETURNING. `paper` is Table 1 of IsoRel as published, blind spots included (paper-statement.ts). `none` adds nothing.
 *
 * A write's number counts the write statements of its transaction from 1, sent or not. A version's name therefore does
 * not depend on what happened in the run.
 */
import {
  effectsOfStatement,
  followedTables,
  isQuery,
  isWrite,
  listEntry,
  itemsOf,
  locksOf,
  routinesCalled,
  writtenTables,
  withoutWholeLimit,
} from '../core/index.ts';
import type {
  Capabilities,
  InstrumentMode,
  Level,
  Probe,
  ProbedCase,
  ProbedStatement,
  ProbedTxn,
  Query,
  Schema,
  Statement,
  Table,
  TestCase,
  TxnPlan,
  WithWrites,
  WriteStatement,
} from '../core/index.ts';
import { withAuxiliaryColumns } from './schema/auxiliary-columns.ts';
import { beforeReplace } from './exact/before-replace.ts';
import type { Views } from './schema/carried-view.ts';
import { exactRead } from './exact/exact-read.ts';
import { exactWithWrites, markedWithWrites, widthOf } from './exact/exact-with-writes.ts';
import { exactWrite } from './exact/exact-write.ts';
import { paperRead, paperWrite } from './paper/paper-statement.ts';
import { withoutNatural } from './shape.ts';
import { carriedViews } from './schema/views.ts';

export interface InstrumentOptions {
  readonly mode: InstrumentMode;
  readonly capabilities: Capabilities;
  /**
   * In exact mode, lets writes return the user columns of the versions they make, for predicate dependencies. Default
   * false.
   */
  readonly images?: boolean;
  /** The level of the run, needed where evaluations differ at it. */
  readonly level?: Level;
}

interface Plan extends InstrumentOptions {
  readonly views: Views;
  readonly schema: Schema;
  readonly followed: ReadonlySet<string>;
  readonly tables: ReadonlyMap<string, Table>;
}

export function instrument(testCase: TestCase, options: InstrumentOptions): ProbedCase {
  const images = options.images === true && options.mode === 'exact';
  const views = carriedViews(testCase.schema, images && options.capabilities.returning.update);
  const { schema } = testCase;
  const followed = followedTables(schema);
  const plan = { ...options, images, views, schema, followed, tables: new Map(testCase.schema.tables.map((table) => [table.name, table])) };
  return {
    testCase,
    mode: options.mode,
    ...(images && { images }),
    ...(options.level !== undefined && { level: options.level }),
    schema: options.mode === 'none' ? testCase.schema : withAuxiliaryColumns(testCase.schema, views),
    sessions: testCase.sessions.map((session) => ({ transactions: session.transactions.map((txn) => probedTxn(txn, plan)) })),
  };
}

function probedTxn(txn: TxnPlan, plan: Plan): ProbedTxn {
  let writes = 0;
  const statements = txn.statements.map((original): ProbedStatement => {
    const locks = locksOf(original, (view) => plan.views.get(view)?.view.query);
    const own = { original, ...(locks !== undefined && { locks }) };
    const written =
      original.kind === 'withWrites'
        ? probedWithWrites(original, txn.id, ++writes, plan)
        : isWrite(original)
          ? probedWrite(original, txn, ++writes, plan)
          : undefined;
    if (written !== undefined) return { ...own, ...withRoutines(original, written, plan, txn) };
    if (isQuery(original)) return { ...own, ...withCalls(original, probedRead(original, plan), plan) };
    return { original, statement: original, probe: NOTHING_READ };
  });
  const { id, end, autocommit, begin, level, retryOf } = txn;
  return { id, statements, end, autocommit, ...(begin && { begin }), ...(level && { level }), ...(retryOf !== undefined && { retryOf }) };
}

/** Lowers the probe's claim, since no statement returns the writes of a trigger or a function. */
function withRoutines(
  original: Statement,
  written: Omit<ProbedStatement, 'original'>,
  { mode, tables, schema, followed, capabilities }: Plan,
  txn: TxnPlan,
): Omit<ProbedStatement, 'original'> {
  const names = writtenTables(original);
  const { reads, writes, changes } = effectsOfStatement(schema, original);
  const reached = [...changes].filter((name) => followed.has(name));
  const alsoWrites = [...new Set([...names.flatMap((name) => tables.get(name)?.trigger?.table ?? []), ...reached])];
  const { probe } = written;
  const partial = alsoWrites.length > 0 || reads.size > 0;
  const by = routinesCalled(original).length > 0 ? 'a trigger or a function' : 'a trigger';
  const reason =
    writes.size > 0 || reached.length === 0
      ? `${by} writes what the statement does not show`
      : `${by} may read, change or pass over what the statement does not show`;
  const announced = mode !== 'none' && reached.length > 0 && capabilities.announces !== undefined;
  return {
    ...written,
    ...(alsoWrites.length > 0 && { alsoWrites }),
    ...(announced && { announced: listEntry(txn.id, written.seq!) }),
    probe: partial && probe.reads === 'exact' ? { ...probe, reads: 'partial', reason } : probe,
  };
}

/** Lowers the probe's claim, since no query shows the reads of a function. No query calls a function that writes. */
function withCalls(original: Query, read: Omit<ProbedStatement, 'original'>, { schema }: Plan): Omit<ProbedStatement, 'original'> {
  const { probe } = read;
  if (probe.reads !== 'exact' || effectsOfStatement(schema, original).reads.size === 0) return read;
  return { ...read, probe: { ...probe, reads: 'partial', reason: 'the query does not show the reads of a function' } };
}

function probedRead(original: Query, { mode, views, schema, capabilities, level }: Plan): Omit<ProbedStatement, 'original'> {
  if (mode === 'none') return { statement: original, probe: bare('read', itemsOf(original).length) };
  const query = withoutNatural(original);
  if (mode !== 'exact') return paperRead(query);
  const { statement, probe } = exactRead(withoutWholeLimit(query, schema), { views, capabilities, level });
  const limit = query.kind === 'select' ? query.limit : undefined;
  return { statement: statement.kind === 'select' && limit !== undefined ? { ...statement, limit } : statement, probe };
}

function probedWrite(
  original: WriteStatement,
  txn: TxnPlan,
  seq: number,
  { mode, views, tables, followed, capabilities, images }: Plan,
): Omit<ProbedStatement, 'original'> {
  if (mode === 'none') {
    return { statement: original, probe: bare(ROLES[original.kind], original.returning?.length ?? 0), seq };
  }
  const write = withoutNatural(original);
  const before =
    write.kind === 'insert' && write.conflict?.action === 'replace' && !txn.autocommit
      ? beforeReplace(write, tables.get(write.table)!)
      : undefined;
  return {
    seq,
    ...(mode === 'exact'
      ? exactWrite(write, txn.id, seq, {
          views,
          capabilities,
          imaged: images && !followed.has(write.table) ? tables.get(write.table) : undefined,
        })
      : paperWrite(write, txn.id, seq, txn.autocommit)),
    ...(before !== undefined && { before }),
  };
}

function probedWithWrites(
  original: WithWrites,
  txn: number,
  seq: number,
  { mode, views, tables, followed, images }: Plan,
): Omit<ProbedStatement, 'original'> {
  if (mode === 'none') return { statement: original, probe: bare('change', widthOf(original)), seq };
  const statement = withoutNatural(original);
  if (mode === 'exact')
    return {
      seq,
      ...exactWithWrites(statement, txn, seq, {
        views,
        imaged: (table) => (images && !isTallied(table, tables) && !followed.has(table) ? tables.get(table) : undefined),
      }),
    };
  const probe = { ...bare('change', widthOf(original)), reason: 'a WITH that writes is not in the published table' };
  return { seq, statement: markedWithWrites(statement, txn, seq), probe };
}

/** Tells whether a trigger may change rows again, after a part of the statement made them. */
function isTallied(name: string, tables: ReadonlyMap<string, Table>): boolean {
  return [...tables.values()].some(({ trigger }) => trigger?.table === name);
}

const NOTHING_READ: Probe = { layout: { kind: 'none' }, role: 'read', reads: 'exact', userColumns: 0 };

const ROLES = { insert: 'write', update: 'write', delete: 'delete', merge: 'change' } as const satisfies Record<
  WriteStatement['kind'],
  Probe['role']
>;

function bare(role: Probe['role'], userColumns: number): Probe {
  return { layout: { kind: 'none' }, role, reads: 'none', reason: 'the run is not instrumented', userColumns };
}
