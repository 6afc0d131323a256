/**
 * The kinds of a difference by its outcome alone, and what each leaves open. No serial order gives any of them. About
 * snapshots, a kind says only what was tried.
 */
import type { AnomalyClass } from '../../core/index.ts';

/**
 * `skew`: snapshots explain it. `skew, actions`: snapshots explain it if foreign keys act on the newest rows. `no
 * snapshot`: no snapshots explain it. `unsettled`: whether snapshots do could not be tried.
 *
 * `a change`: tables themselves changed in it. Then only the replies of two transactions are compared with snapshots.
 *
 * With `an error`, a committed transaction got the error of a violated constraint, which it does not get in some order.
 * Some vendors check keys against rows that the snapshot does not show.
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
/** The first class is the most likely one. The vendor is quoted with its row. */
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
  /** One class of each list has occurred. An outcome without dependencies says no more than that. */
  readonly oneOf: readonly (readonly AnomalyClass[])[];
  /** The server may check keys against other rows than it reads, so the vendor is not blamed. */
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
