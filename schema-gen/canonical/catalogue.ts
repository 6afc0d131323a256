/**
 * Canonical schedules. Each has the few statements in the one order that shows its phenomenon where a level allows it,
 * as Hermitage (github.com/ept/hermitage) and the IsoRel paper's figures do by hand. They are data only. Running them
 * shows what each DBMS does, and its promise table says what it should do.
 */
import type { AnomalyClass, Shape, TestCase } from '../../core/index.ts';
import { DIRTY_ROWS } from './dirty.ts';
import { LOST_ROWS } from './lost.ts';
import { PREDICATE_ROWS } from './predicates.ts';
import { caseOf, purestForm } from './row.ts';
import type { CanonicalRow, Phenomenon, PurestForm, Variant } from './row.ts';
import { SKEWED_ROWS } from './skewed.ts';
import { TEST } from './vocabulary.ts';

export type { Phenomenon, PurestForm, Variant } from './row.ts';

export interface CanonicalSchedule {
  /** A short, unique name: a row of the matrix. */
  readonly name: string;
  readonly phenomenon: Phenomenon;
  readonly variant: Variant;
  readonly title: string;
  readonly source: string;
  /** An anomaly of one of these classes or shapes is the phenomenon. */
  readonly looksFor: { readonly classes: readonly AnomalyClass[]; readonly shapes: readonly Shape[] };
  readonly purest: PurestForm;
  readonly testCase: TestCase;
}

export interface PhenomenonRow {
  readonly phenomenon: Phenomenon;
  readonly title: string;
  readonly classes: readonly AnomalyClass[];
  readonly shapes: readonly Shape[];
}

export const PHENOMENA: readonly PhenomenonRow[] = [
  { phenomenon: 'G0', title: 'dirty write', classes: ['G0'], shapes: [] },
  { phenomenon: 'G1a', title: 'aborted read', classes: ['G1a'], shapes: [] },
  { phenomenon: 'G1b', title: 'intermediate read', classes: ['G1b'], shapes: [] },
  { phenomenon: 'G1c', title: 'circular information flow', classes: ['G1c'], shapes: [] },
  { phenomenon: 'OTV', title: 'observed transaction vanishes', classes: [], shapes: ['observed transaction vanishes'] },
  { phenomenon: 'PMP', title: 'predicate-many-preceders', classes: [], shapes: ['predicate-many-preceders', 'phantom'] },
  { phenomenon: 'P4', title: 'lost update', classes: [], shapes: ['lost update'] },
  { phenomenon: 'G-single', title: 'read skew', classes: [], shapes: ['read skew'] },
  { phenomenon: 'RW-skew', title: 'read-write skew', classes: [], shapes: ['read-write skew'] },
  { phenomenon: 'G2-item', title: 'write skew', classes: [], shapes: ['write skew'] },
  { phenomenon: 'G2', title: 'phantom and predicate write skew', classes: ['G2'], shapes: ['predicate write skew', 'phantom'] },
  { phenomenon: 'non-repeatable read', title: 'one row, read twice, differs', classes: [], shapes: ['non-repeatable read'] },
  { phenomenon: 'fractured read', title: 'a part of a transaction seen', classes: [], shapes: ['fractured read'] },
  { phenomenon: 'long fork', title: 'two readers, opposite orders', classes: [], shapes: ['long fork'] },
  { phenomenon: 'causality', title: 'an effect seen without its cause', classes: [], shapes: ['causality violation'] },
];

const BY_PHENOMENON: Readonly<Record<Phenomenon, readonly CanonicalRow[]>> = {
  ...DIRTY_ROWS,
  ...LOST_ROWS,
  ...SKEWED_ROWS,
  ...PREDICATE_ROWS,
};

export const CANONICAL: readonly CanonicalSchedule[] = PHENOMENA.flatMap(({ phenomenon, classes, shapes }) =>
  BY_PHENOMENON[phenomenon].map((row) => ({
    name: row.name,
    phenomenon,
    variant: row.variant,
    title: row.title,
    source: row.source,
    looksFor: { classes: [...classes, ...((row.also ?? []) as AnomalyClass[])], shapes: [...shapes, ...((row.also ?? []) as Shape[])] },
    purest: purestForm(row),
    testCase: caseOf(row, row.tables ?? TEST),
  })),
);
