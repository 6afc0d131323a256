/**
 * One canonical schedule as a row of data. It becomes a test case with an order. It also gives the anomaly that it is
 * made to show in its purest form, by which a promise can be looked up before (or although) it does not occur.
 *
 * A plan is a list of lines, one per session in session order. An order names the session that takes the next step
 * (BEGIN, each statement, COMMIT or ROLLBACK). A session that is blocked is passed over and catches up later. A cycle
 * is spelt edge by edge. `rw wr` is read by plain SELECTs, and `!` marks a current read (of a write, of a locking
 * read). `+` marks a plain read of a transaction that had written or locked before.
 */
import type { AnomalyClass, CycleStep, RelName, Shape, Statement, Table, TestCase, TxnPlan } from '../../core/index.ts';

/** The columns of the matrix (Adya 1999, Berenson et al. 1995, Hermitage's names; docs/MATRIX.md). */
export type Phenomenon =
  | 'G0'
  | 'G1a'
  | 'G1b'
  | 'G1c'
  | 'OTV'
  | 'PMP'
  | 'P4'
  | 'G-single'
  | 'RW-skew'
  | 'G2-item'
  | 'G2'
  | 'non-repeatable read'
  | 'fractured read'
  | 'long fork'
  | 'causality';

/** The kind of reads in the statements at issue. Some vendors promise more of plain reads than of the others. */
export type Variant = 'plain reads' | 'locking reads' | 'mixed' | 'writes';

export interface Line {
  readonly do: readonly Statement[];
  readonly end?: 'rollback';
}

export interface CanonicalRow {
  /** A short, unique name. */
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly variant: Variant;
  /** The default is TEST. */
  readonly tables?: readonly Table[];
  /** A list of transactions per session. */
  readonly sessions: readonly (readonly Line[])[];
  readonly order: string;
  readonly class: AnomalyClass;
  readonly shapes?: readonly Shape[];
  readonly cycle?: string;
  /** Each reader of the cycle reads both sides in one SELECT. */
  readonly oneSelect?: true;
  /** Classes and shapes that show the phenomenon here besides those of its column. */
  readonly also?: readonly (AnomalyClass | Shape)[];
}

/** The anomaly that a schedule is made for, with the fields that a promise depends on. */
export interface PurestForm {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly cycle: readonly CycleStep[];
}

export function purestForm({
  class: name,
  shapes = [],
  cycle = '',
  oneSelect,
}: Pick<CanonicalRow, 'class' | 'shapes' | 'cycle' | 'oneSelect'>): PurestForm {
  const words = cycle.split(' ').filter((word) => word !== '');
  return {
    class: name,
    shapes,
    cycle: words.map((word, i) => ({
      from: i + 1,
      to: i + 1 === words.length ? 1 : i + 2,
      rel: word.replace(/[!+]$/, '') as RelName,
      ...(/^(rw|wr)/.test(word) ? { readPoint: word.endsWith('!') ? 'current' : 'snapshot' } : {}),
      ...(word.endsWith('+') ? { afterWrite: true } : {}),
      // A reader has one statement, which is the target of the edge to it and the source of the edge from it.
      ...(oneSelect ? { fromStatement: i, toStatement: (i + 1) % words.length } : {}),
      explanation: '',
    })),
  };
}

/** Transaction ids are given in reading order. */
export function caseOf({ name, sessions, order }: CanonicalRow, tables: readonly Table[]): TestCase {
  let id = 0;
  return {
    seed: `canonical ${name}`,
    schema: { tables },
    sessions: sessions.map((lines) => ({
      transactions: lines.map((line): TxnPlan => ({ id: ++id, statements: line.do, end: line.end ?? 'commit', autocommit: false })),
    })),
    schedule: order.split(' ').map((session) => Number(session) - 1),
  };
}
