/**
 * What a difference is by its outcome alone, and what each kind leaves open. No serial order gives any of them; of snapshots a
 * kind says only what was tried.
 */
import type { AnomalyClass } from '../../core/index.ts';

/**
 * `skew`: snapshots explain it; `skew, actions`: they do with the actions of foreign keys on the newest rows. `no snapshot`: none
 * does. `unsettled`: whether any does could not be tried. `a change`: tables themselves changed in it, so that of snapshots the
 * replies alone are asked, and of two transactions only. With `an error` a committed transaction was told of a violated
 * constraint of which some order does not tell it: some vendors check keys against rows that the snapshot does not show.
 */
export type DifferenceKind =
  | 'skew'
  | 'skew, an error'
  | 'skew, actions'
  | 'skew, actions, an error'
  | 'no snapshot'
  | 'an error'
  | 'unsettled, actions'
  | 'unsettled, actions, an error'
  | 'unsettled, rows alike'
  | 'unsettled, rows alike, an error'
  | 'a change'
  | 'a change, an error'
  | 'a change, no snapshot';

const SKEW: readonly AnomalyClass[] = ['G2-item', 'G2'];
/** The first one is the most likely: its row is what the vendor is quoted with. */
const BELOW_SNAPSHOT: readonly AnomalyClass[] = [
  'G-single',
  'G-single-item',
  'G-nonadjacent',
  'G-nonadjacent-item',
  'G0',
  'G1a',
  'G1b',
  'G1c',
  'internal',
  'fork',
];

interface KindOfDifference {
  /** One of these has happened, of one of these lists: what can be said of an outcome without a dependency. */
  readonly oneOf: readonly (readonly AnomalyClass[])[];
  /** Keys may be checked against other rows than those that are read, so nothing of it is held against a vendor. */
  readonly byConstraint?: true;
  readonly words: string;
}

const CONSTRAINT = 'no serial order gives this, of which a violated constraint is a part';
const CHANGES = 'no serial order gives this, each run with its changes of tables';
const OWN = 'each transaction on a snapshot of its own';
const ACTING = `${OWN} does, with the actions of foreign keys on the newest rows`;
const MAY_ACT = 'whether snapshots do is not settled, as foreign keys or triggers may act on newer rows';
const ALIKE = 'whether snapshots do is not settled, as rows are alike that nothing tells apart';
const ANY = [SKEW, BELOW_SNAPSHOT];

export const KINDS: Readonly<Record<DifferenceKind, KindOfDifference>> = {
  skew: { oneOf: [SKEW], words: `no serial order gives this; ${OWN} does` },
  'skew, an error': { oneOf: [SKEW], byConstraint: true, words: `${CONSTRAINT}; ${OWN} does` },
  'skew, actions': { oneOf: [SKEW], words: `no serial order gives this; ${ACTING}` },
  'skew, actions, an error': { oneOf: [SKEW], byConstraint: true, words: `${CONSTRAINT}; ${ACTING}` },
  'no snapshot': { oneOf: [BELOW_SNAPSHOT], words: `no serial order gives this, nor does ${OWN}` },
  'an error': { oneOf: [BELOW_SNAPSHOT], byConstraint: true, words: CONSTRAINT },
  'unsettled, actions': { oneOf: ANY, words: `no serial order gives this; ${MAY_ACT}` },
  'unsettled, actions, an error': { oneOf: ANY, byConstraint: true, words: `${CONSTRAINT}; ${MAY_ACT}` },
  'unsettled, rows alike': { oneOf: ANY, words: `no serial order gives this; ${ALIKE}` },
  'unsettled, rows alike, an error': { oneOf: ANY, byConstraint: true, words: `${CONSTRAINT}; ${ALIKE}` },
  'a change': { oneOf: [[...SKEW, ...BELOW_SNAPSHOT]], words: CHANGES },
  'a change, an error': {
    oneOf: [[...SKEW, ...BELOW_SNAPSHOT]],
    byConstraint: true,
    words: `${CHANGES}; a violated constraint is a part of it`,
  },
  'a change, no snapshot': { oneOf: [BELOW_SNAPSHOT], words: `${CHANGES}, nor was each transaction told what it is told on a snapshot` },
};

export function byConstraint(kind: DifferenceKind): boolean {
  return KINDS[kind].byConstraint === true;
}

export function classesOf(kind: DifferenceKind): readonly AnomalyClass[] {
  return KINDS[kind].oneOf.flat();
}
