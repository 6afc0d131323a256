/**
 * Canonical schedules of phenomena that READ COMMITTED rules out already: dirty writes and reads, and circular reads.
 */
import type { CanonicalRow, Phenomenon } from './row.ts';
import { add, compare, integers, read, remove, select, set, update } from './vocabulary.ts';

const HERMITAGE = 'Hermitage (ept/hermitage)';
const ADYA = 'Adya 1999, 4.2';

export const DIRTY_ROWS: Readonly<Record<Extract<Phenomenon, 'G0' | 'G1a' | 'G1b' | 'G1c'>, readonly CanonicalRow[]>> = {
  G0: [
    {
      name: 'G0',
      title: 'two writers of two rows interleave',
      source: HERMITAGE,
      variant: 'writes',
      class: 'G0',
      shapes: ['dirty write'],
      cycle: 'ww ww',
      sessions: [[{ do: [set(1, 11), set(2, 21)] }], [{ do: [set(1, 12), set(2, 22)] }]],
      order: '1 2 1 2 1 1 2 2',
    },
    {
      name: 'G0, opposite orders',
      title: 'two writers of two rows, each begins with another',
      source: ADYA,
      variant: 'writes',
      class: 'G0',
      shapes: ['dirty write'],
      cycle: 'ww ww',
      sessions: [[{ do: [set(1, 11), set(2, 21)] }], [{ do: [set(2, 22), set(1, 12)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'G0, delete',
      title: 'a DELETE after an UPDATE of the row: two edges in one direction, no cycle',
      source: 'IsoRel paper, Figure 4',
      variant: 'writes',
      class: 'G0',
      shapes: ['dirty write'],
      cycle: 'ww ww',
      tables: [
        integers(
          't',
          ['c1', 'c2'],
          [
            [2, 1],
            [9, 9],
          ],
        ),
      ],
      sessions: [
        [{ do: [update('t', 'c1', 1, compare('t', 'c1', '<', 5)), select('t', 'c2', compare('t', 'c1', '<', 5))] }],
        [{ do: [remove('t', compare('t', 'c2', '<', 2))] }],
      ],
      order: '1 2 1 1 1 2 2',
    },
  ],
  G1a: [
    {
      name: 'G1a',
      title: 'the writer rolls back after the reader saw its row',
      source: HERMITAGE,
      variant: 'plain reads',
      class: 'G1a',
      shapes: ['dirty read'],
      sessions: [[{ do: [set(1, 101)], end: 'rollback' }], [{ do: [read(), read()] }]],
      order: '1 2 1 2 1 2 2',
    },
    {
      name: 'G1a, locking read',
      title: 'the reader locks the row',
      source: HERMITAGE,
      variant: 'locking reads',
      class: 'G1a',
      shapes: ['dirty read'],
      sessions: [[{ do: [set(1, 101)], end: 'rollback' }], [{ do: [read(1, 'share')] }]],
      order: '1 2 1 2 1 2',
    },
    {
      name: 'G1a, built on',
      title: 'the reader adds to the row',
      source: HERMITAGE,
      variant: 'writes',
      class: 'G1a',
      shapes: ['dirty read'],
      sessions: [[{ do: [set(1, 101)], end: 'rollback' }], [{ do: [add(1, 1)] }]],
      order: '1 2 1 2 1 2',
    },
  ],
  G1b: [
    {
      name: 'G1b',
      title: 'the reader sees a value that its writer overwrites',
      source: HERMITAGE,
      variant: 'plain reads',
      class: 'G1b',
      shapes: ['intermediate read'],
      sessions: [[{ do: [set(1, 101), set(1, 11)] }], [{ do: [read(), read()] }]],
      order: '1 2 1 2 1 1 2 2',
    },
    {
      name: 'G1b, locking read',
      title: 'the reader locks the row',
      source: HERMITAGE,
      variant: 'locking reads',
      class: 'G1b',
      shapes: ['intermediate read'],
      sessions: [[{ do: [set(1, 101), set(1, 11)] }], [{ do: [read(1, 'share')] }]],
      order: '1 2 1 2 1 1 2',
    },
  ],
  G1c: [
    {
      name: 'G1c',
      title: 'each of two writers reads the other',
      source: HERMITAGE,
      variant: 'plain reads',
      class: 'G1c',
      shapes: ['circular information flow'],
      cycle: 'wr wr',
      sessions: [[{ do: [set(1, 11), read(2)] }], [{ do: [set(2, 22), read(1)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'G1c, locking reads',
      title: 'each of two writers reads the other with a lock',
      source: HERMITAGE,
      variant: 'locking reads',
      class: 'G1c',
      shapes: ['circular information flow'],
      cycle: 'wr! wr!',
      sessions: [[{ do: [set(1, 11), read(2, 'share')] }], [{ do: [set(2, 22), read(1, 'share')] }]],
      order: '1 2 1 2 1 2 1 2',
    },
  ],
};
