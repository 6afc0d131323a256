/**
 * The cycle classes as data, strongest evidence first: Adya 1999 (G0, G1c, G2-item, G2, G-single) with Elle's
 * refinements (G-nonadjacent, the -item split, -session and -realtime). Each row takes the cycles that no earlier row
 * takes, so every cycle has one class. `G-single` here has exactly one predicate anti-dependency, and `G2-item` has two
 * item anti-dependencies side by side. levels.ts says which levels rule out each class (elle txn.clj's cycle-exists
 * specs).
 */
import { REL } from '../../core/index.ts';
import type { CycleBase, CycleClass } from '../../core/index.ts';
import type { CycleSpec } from '../../graph/index.ts';

export interface CycleClassRow {
  readonly class: CycleClass;
  readonly base: CycleBase;
  readonly family: 'data' | 'session' | 'realtime';
  readonly spec: CycleSpec;
}

interface FamilyRow {
  readonly family: CycleClassRow['family'];
  readonly suffix: '' | '-session' | '-realtime';
  /** The edges that cycles of the family may have besides data edges, and the kinds of which they must have one. */
  readonly adds: number;
  readonly needs: readonly number[];
}

const { ww, wr, rw, wrp, rwp, so, rt } = REL;
export const DEPENDS: number = ww | wr | wrp;
const ANTI = rw | rwp;

const BASES: Readonly<Record<CycleBase, CycleSpec>> = {
  G0: { allowed: ww, anti: ANTI, antis: 'none', first: ww, some: [ww] },
  G1c: { allowed: DEPENDS, anti: ANTI, antis: 'none', first: wr | wrp, some: [wr | wrp] },
  'G-single-item': { allowed: DEPENDS | rw, anti: ANTI, antis: 'one', first: rw, some: [] },
  'G-single': { allowed: DEPENDS | rwp, anti: ANTI, antis: 'one', first: rwp, some: [] },
  'G-nonadjacent-item': { allowed: DEPENDS | rw, anti: ANTI, antis: 'nonadjacent', first: rw, some: [] },
  'G-nonadjacent': { allowed: DEPENDS | ANTI, anti: ANTI, antis: 'nonadjacent', first: rwp, some: [rwp] },
  'G2-item': { allowed: DEPENDS | rw, anti: ANTI, antis: 'adjacent', first: rw, some: [] },
  G2: { allowed: DEPENDS | ANTI, anti: ANTI, antis: 'adjacent', first: ANTI, some: [rwp] },
};

export const CYCLE_BASES = Object.keys(BASES) as readonly CycleBase[];

export const FAMILIES: readonly FamilyRow[] = [
  { family: 'data', suffix: '', adds: 0, needs: [] },
  { family: 'session', suffix: '-session', adds: so, needs: [so] },
  { family: 'realtime', suffix: '-realtime', adds: so | rt, needs: [rt] },
];

/** Data edges. The cycles of the first family consist of these. */
export const DATA: number = DEPENDS | ANTI;

/** The classes in order of classification: all of one family before the next. */
export const CYCLE_CLASSES: readonly CycleClassRow[] = FAMILIES.flatMap(({ family, suffix, adds, needs }) =>
  CYCLE_BASES.map((base) => ({
    class: `${base}${suffix}`,
    base,
    family,
    spec: { ...BASES[base], allowed: BASES[base].allowed | adds, some: [...BASES[base].some, ...needs] },
  })),
);

/**
 * Returns the class of a cycle given as the relation bits of its edges. It is undefined if the cycle has none (session
 * edges only).
 */
export function classifyCycle(rels: readonly number[]): CycleClass | undefined {
  const all = rels.reduce((mask, rel) => mask | rel, 0);
  const antis = rels.filter((rel) => (rel & ANTI) !== 0).length;
  const adjacent = antis > 1 && rels.some((rel, i) => (rel & ANTI) !== 0 && (rels[(i + 1) % rels.length] & ANTI) !== 0);
  const form = antis === 0 ? 'none' : antis === 1 ? 'one' : adjacent ? 'adjacent' : 'nonadjacent';
  return CYCLE_CLASSES.find(
    ({ spec }) =>
      spec.antis === form && (all & ~spec.allowed) === 0 && (all & spec.first) !== 0 && spec.some.every((mask) => (all & mask) !== 0),
  )?.class;
}
