/**
 * The names users know for particular cycles, as data. A cycle is spelt one letter an edge, in some rotation. A shape
 * is a pattern over that word with a condition on rows or statements. One cycle may have several shapes.
 *
 *     w ww   r wr   a rw   p wrp   q rwp   s so   t rt
 */
import { REL } from '../../core/index.ts';
import type { CycleShape, Shape } from '../../core/index.ts';

/** One step of a cycle, with the fields that shapes need. */
export interface ShapeStep {
  readonly rel: number;
  readonly row: number;
  readonly fromStatement: number;
  readonly toStatement: number;
}

interface ShapeRow {
  readonly pattern: RegExp;
  readonly where?: (steps: readonly ShapeStep[]) => boolean;
}

const oneRow = (steps: readonly ShapeStep[]): boolean => steps.every((step) => step.row === steps[0].row);
const twoRows = (steps: readonly ShapeStep[]): boolean => steps[0].row !== steps[1].row;
const but = (steps: readonly ShapeStep[], last: number): readonly ShapeStep[] => steps.slice(0, steps.length - last);
const onRow = (steps: readonly ShapeStep[], rels: number): boolean => oneRow(steps.filter((step) => (step.rel & rels) !== 0));
const lastOf = (steps: readonly ShapeStep[]): ShapeStep => steps[steps.length - 1];

/** The shapes in the order in which a cycle's names are listed. */
const SHAPES: Readonly<Record<CycleShape, ShapeRow>> = {
  'dirty write': { pattern: /^w+$/ },
  'circular information flow': { pattern: /^[rp][wrp]*$/ },
  // Berenson et al. 1995, P4: the reader overwrote a version that it had not read. Others may have written in between.
  'lost update': { pattern: /^aw+$/, where: oneRow },
  'read-write skew': { pattern: /^aw$/, where: twoRows },
  'write skew': { pattern: /^aa$/, where: twoRows },
  // The same where at least one transaction read a condition instead of the row: two overlapping bookings.
  'predicate write skew': { pattern: /^q[qa]$/, where: twoRows },
  'read skew': { pattern: /^ar$/, where: twoRows },
  'non-repeatable read': { pattern: /^ar$/, where: oneRow },
  // RAMP (Bailis et al. 2014): the reader saw one row as Ti left it, and another from before Ti.
  'fractured read': { pattern: /^aw*r$/, where: (steps) => oneRow(but(steps, 1)) && lastOf(steps).row !== steps[0].row },
  // The same, and the older version was read after the newer one.
  'observed transaction vanishes': {
    pattern: /^aw*r$/,
    where: (steps) => oneRow(but(steps, 1)) && lastOf(steps).toStatement >= 0 && steps[0].fromStatement > lastOf(steps).toStatement,
  },
  'predicate-many-preceders': { pattern: /^q[rp]$/ },
  // Berenson et al. 1995, A3: a transaction changed the matches of a WHERE, and the reader saw that transaction in
  // another way.
  phantom: { pattern: /^q[wrp]+$/ },
  'long fork': {
    pattern: /^arar$/,
    where: (steps) => steps[0].row === steps[1].row && steps[2].row === steps[3].row && steps[0].row !== steps[2].row,
  },
  // Biswas, Enea 2019, CC. A single wr step is a fractured read, a single so step "read your writes".
  'causality violation': { pattern: /^aw*(?=[rs]*r)[rs]{2,}$/, where: (steps) => onRow(steps, REL.rw | REL.ww) },
  'read your writes': { pattern: /^aw*s+$/, where: (steps) => onRow(steps, REL.rw | REL.ww) },
  'monotonic reads': { pattern: /^aw*rs+$/, where: (steps) => onRow(steps, REL.rw | REL.ww | REL.wr) },
  'monotonic writes': { pattern: /^w+s+$/, where: (steps) => onRow(steps, REL.ww) },
  'writes follow reads': { pattern: /^w+rs+$/ },
  'stale read': { pattern: /^aw*t$/, where: (steps) => onRow(steps, REL.rw | REL.ww) },
};

const ROWS = Object.entries(SHAPES) as readonly (readonly [CycleShape, ShapeRow])[];

const LETTERS: Readonly<Record<number, string>> = {
  [REL.ww]: 'w',
  [REL.wr]: 'r',
  [REL.rw]: 'a',
  [REL.wrp]: 'p',
  [REL.rwp]: 'q',
  [REL.so]: 's',
  [REL.rt]: 't',
};

export function shapesOf(steps: readonly ShapeStep[]): readonly Shape[] {
  const found = new Set<Shape>();
  for (let i = 0; i < steps.length; i++) {
    const turned = [...steps.slice(i), ...steps.slice(0, i)];
    const word = turned.map((step) => LETTERS[step.rel]).join('');
    for (const [shape, { pattern, where }] of ROWS) if (pattern.test(word) && (where === undefined || where(turned))) found.add(shape);
  }
  return ROWS.map(([shape]) => shape).filter((shape) => found.has(shape));
}
