/**
 * The phenomena that a pair of a look and a change can show, each with the orders that show it. One order is enough for a
 * fault of isolation, and it is known beforehand.
 */
import type { AnomalyClass } from '../../../core/level/index.ts';

/**
 * What a session does. `look` and `change` are the pair's. `read beside` and `write beside` are plain statements on a
 * row that the pair does not touch. `write looked` is a plain write of the row that the look is about, and `write changed`
 * one of the row that the change is about. `save` and `back` are a savepoint and the return to it.
 */
export type PairStep = 'look' | 'change' | 'read beside' | 'write beside' | 'write looked' | 'write changed' | 'save' | 'back';

type Turn = 1 | 2;

export interface PairPhenomenon {
  readonly name: string;
  /** A run of it that no serial order explains has one of these classes. */
  readonly classes: readonly AnomalyClass[];
  readonly sessions: readonly { readonly steps: readonly PairStep[]; readonly end: 'commit' | 'rollback' }[];
  /** The sessions in the order in which they take their next step, with the ends of the transactions. */
  readonly orders: readonly (readonly Turn[])[];
  /**
   * Whether it shows depends on how the server finds and locks the rows, so it is looked for in every fixture. The others
   * depend on what the statements see.
   */
  readonly everywhere?: true;
}

const commits = (...steps: readonly PairStep[]): PairPhenomenon['sessions'][number] => ({ steps, end: 'commit' });
const rollsBack = (...steps: readonly PairStep[]): PairPhenomenon['sessions'][number] => ({ steps, end: 'rollback' });

export const PAIR_PHENOMENA: readonly PairPhenomenon[] = [
  {
    name: 'write skew',
    everywhere: true,
    classes: ['G2-item', 'G2'],
    sessions: [commits('look', 'write beside'), commits('read beside', 'change')],
    orders: [
      [1, 2, 1, 2, 1, 2],
      [1, 2, 1, 2, 2, 1],
    ],
  },
  {
    name: 'old snapshot',
    classes: ['G-single-item', 'G-single'],
    sessions: [commits('read beside', 'look'), commits('change', 'write beside')],
    orders: [[1, 2, 2, 2, 1, 1]],
  },
  {
    name: 'half a transaction',
    classes: ['G-single-item', 'G-single'],
    sessions: [commits('look', 'read beside'), commits('change', 'write beside')],
    // In the second order the change has committed before the look begins.
    orders: [
      [2, 1, 2, 2, 1, 1],
      [2, 2, 2, 1, 1, 1],
    ],
  },
  {
    name: 'half a transaction, its other half first',
    classes: ['G-single-item', 'G-single'],
    sessions: [commits('look', 'read beside'), commits('write beside', 'change')],
    orders: [[2, 1, 2, 2, 1, 1]],
  },
  {
    name: 'not the last write',
    classes: ['G1b'],
    sessions: [commits('look', 'read beside'), commits('change', 'write changed', 'write beside')],
    orders: [
      [2, 1, 2, 2, 2, 1, 1],
      [2, 2, 2, 2, 1, 1, 1],
    ],
  },
  { name: 'undone', classes: ['G1a'], sessions: [commits('look'), rollsBack('change')], orders: [[2, 1, 2, 1]] },
  {
    name: 'undone to a savepoint',
    classes: ['G1a'],
    sessions: [commits('look'), commits('save', 'change', 'back')],
    orders: [[2, 2, 1, 2, 2, 1]],
  },
  {
    name: 'lost',
    classes: ['G-single-item', 'G-single', 'G2-item', 'G2'],
    sessions: [commits('look', 'write looked'), commits('change')],
    orders: [
      [1, 2, 2, 1, 1],
      [1, 2, 1, 2, 1],
    ],
  },
];
