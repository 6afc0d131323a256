/**
 * Rewrites every statement of a test case so that its result names the row versions it read or wrote.
 *
 * `exact` (the default of the tool): a statement keeps its own columns and result and gets one extra last column,
 * `iso_reads`, with table, row id and write list of every row that went into that result row; writes answer through
 * RETURNING. `paper`: Table 1 of IsoRel as published, blind spots included (paper-statement.ts). `none`: nothing added.
 *
 * A write's number counts the write statements of its transaction from 1, sent or not, so that a version's name does
 * not depend on what happened in the run.
 */
import { InternalError, isQuery, isWrite, itemsOf } from '../core/index.ts';
import type { Capabilities, InstrumentMode, Probe, ProbedCase, ProbedStatement, ProbedTxn, Query, TestCase, TxnPlan, WriteStatement } from '../core/index.ts';
import { withAuxiliaryColumns } from './auxiliary-columns.ts';
import { exactRead } from './exact-read.ts';
import { exactWrite } from './exact-write.ts';
import { withImages } from './images.ts';
import { paperRead, paperWrite } from './paper-statement.ts';
import { unknownShape } from './unknown-shape.ts';

export interface InstrumentOptions {
  readonly mode: InstrumentMode;
  readonly capabilities: Capabilities;
  /** Exact mode: let writes return the user columns of the versions they make, for predicate dependencies. Default false. */
  readonly images?: boolean;
}

export function instrument(testCase: TestCase, options: InstrumentOptions): ProbedCase {
  const probed: ProbedCase = {
    testCase,
    mode: options.mode,
    schema: options.mode === 'none' ? testCase.schema : withAuxiliaryColumns(testCase.schema),
    sessions: testCase.sessions.map((session) => ({ transactions: session.transactions.map((plan) => probedTxn(plan, options)) })),
  };
  return options.images === true && options.mode === 'exact' ? withImages(probed) : probed;
}

function probedTxn(plan: TxnPlan, options: InstrumentOptions): ProbedTxn {
  let writes = 0;
  const statements = plan.statements.map((statement): ProbedStatement => {
    if (isWrite(statement)) return probedWrite(statement, plan, ++writes, options);
    if (isQuery(statement)) return probedRead(statement, options.mode);
    return { original: statement, statement, probe: NOTHING_READ };
  });
  return { id: plan.id, statements, end: plan.end, autocommit: plan.autocommit };
}

function probedRead(original: Query, mode: InstrumentMode): ProbedStatement {
  if (mode === 'none') return { original, statement: original, probe: bare('read', itemsOf(original).length) };
  const unknown = unknownShape(original);
  if (unknown !== undefined) return { original, statement: original, probe: { ...bare('read', itemsOf(original).length), reason: `${unknown} is not instrumented` } };
  return { original, ...(mode === 'exact' ? exactRead(original) : paperRead(original)) };
}

function probedWrite(
  original: WriteStatement,
  plan: TxnPlan,
  seq: number,
  { mode, capabilities }: InstrumentOptions,
): ProbedStatement {
  if (mode === 'none') {
    return { original, statement: original, probe: bare(original.kind === 'delete' ? 'delete' : 'write', original.returning?.length ?? 0), seq };
  }
  const unknown = unknownShape(original);
  if (unknown !== undefined) throw new InternalError(`cannot instrument ${unknown} in a write of ${original.table}`);
  return { original, seq, ...(mode === 'exact' ? exactWrite(original, plan.id, seq, capabilities) : paperWrite(original, plan.id, seq, plan.autocommit)) };
}

const NOTHING_READ: Probe = { layout: { kind: 'none' }, role: 'read', reads: 'exact', userColumns: 0 };

function bare(role: Probe['role'], userColumns: number): Probe {
  return { layout: { kind: 'none' }, role, reads: 'none', reason: 'the run is not instrumented', userColumns };
}
