/** Canonical schedules of two transactions that read and both write: lost update, read-write skew, write skew. */
import type { CanonicalRow, Phenomenon } from './row.ts';
import { add, compare, insert, integers, read, select, set, update } from './vocabulary.ts';

const HERMITAGE = 'Hermitage (ept/hermitage)';
const PAPER = 'IsoRel paper';
const LOST_UPDATE = { class: 'G-single-item', shapes: ['lost update'], cycle: 'rw ww' } as const;
const RW_SKEW = { class: 'G-single-item', shapes: ['read-write skew'], cycle: 'rw ww' } as const;
const WRITE_SKEW = { class: 'G2-item', shapes: ['write skew'], cycle: 'rw rw' } as const;

export const LOST_ROWS: Readonly<Record<Extract<Phenomenon, 'P4' | 'RW-skew' | 'G2-item'>, readonly CanonicalRow[]>> = {
  P4: [
    {
      name: 'P4',
      title: 'two transactions read one row, both write it',
      source: HERMITAGE,
      variant: 'plain reads',
      ...LOST_UPDATE,
      sessions: [[{ do: [read(1), set(1, 11)] }], [{ do: [read(1), set(1, 12)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'P4, one ends first',
      title: 'the first writer has committed when the second writes',
      source: 'Berenson et al. 1995 (P4)',
      variant: 'plain reads',
      ...LOST_UPDATE,
      sessions: [[{ do: [read(1), set(1, 11)] }], [{ do: [read(1), set(1, 12)] }]],
      order: '1 2 1 2 1 1 2 2',
    },
    {
      name: 'P4, FOR SHARE',
      title: 'both lock the row in share mode, then write it',
      source: HERMITAGE,
      variant: 'locking reads',
      ...LOST_UPDATE,
      cycle: 'rw! ww',
      sessions: [[{ do: [read(1, 'share'), set(1, 11)] }], [{ do: [read(1, 'share'), set(1, 12)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'P4, FOR UPDATE',
      title: 'both lock the row before they write it',
      source: HERMITAGE,
      variant: 'locking reads',
      ...LOST_UPDATE,
      cycle: 'rw! ww',
      sessions: [[{ do: [read(1, 'update'), set(1, 11)] }], [{ do: [read(1, 'update'), set(1, 12)] }]],
      order: '1 2 1 2 1 1 2 2',
    },
    {
      name: 'P4, increments',
      title: 'two increments by expression: the second builds on the first',
      source: HERMITAGE,
      variant: 'writes',
      ...LOST_UPDATE,
      cycle: 'rw! ww',
      sessions: [[{ do: [add(1, 1)] }], [{ do: [add(2, 1)] }]],
      order: '1 2 1 2 1 2',
    },
  ],
  'RW-skew': [
    {
      name: 'RW-skew',
      title: 'the row read before a transaction, another row overwritten after it',
      source: PAPER,
      variant: 'plain reads',
      ...RW_SKEW,
      sessions: [[{ do: [read(1), set(2, 21)] }], [{ do: [set(1, 12), set(2, 22)] }]],
      order: '1 2 1 2 2 2 1 1',
    },
    {
      name: 'RW-skew, two tables',
      title: 'over two tables, with ranges',
      source: `${PAPER}, Figure 1`,
      variant: 'plain reads',
      ...RW_SKEW,
      tables: [
        integers(
          't1',
          ['c1', 'c2'],
          [
            [1, 1],
            [2, 1],
            [3, 2],
          ],
        ),
        integers('t2', ['c1', 'c2'], [[4, 4]]),
      ],
      sessions: [
        [
          { do: [select('t1', 'c2', compare('t1', 'c1', '<', 2)), update('t2', 'c2', 8, compare('t2', 'c1', '>', 2))] },
          { do: [select('t1', 'c2'), select('t2', 'c2')] },
        ],
        [{ do: [update('t1', 'c2', 2, compare('t1', 'c1', '<', 2)), insert('t2', ['c1', 'c2'], [5, 5])] }],
      ],
      order: '1 1 2 2 2 2 1 1 1 1 1 1',
    },
    {
      name: 'RW-skew, locking read',
      title: 'the row is locked when it is read',
      source: PAPER,
      variant: 'locking reads',
      ...RW_SKEW,
      cycle: 'rw! ww',
      sessions: [[{ do: [read(1, 'share'), set(2, 21)] }], [{ do: [set(1, 12), set(2, 22)] }]],
      order: '1 2 1 2 1 1 2 2',
    },
  ],
  'G2-item': [
    {
      name: 'G2-item',
      title: 'both read both rows, each writes one',
      source: HERMITAGE,
      variant: 'plain reads',
      ...WRITE_SKEW,
      sessions: [[{ do: [read(1), read(2), set(1, 11)] }], [{ do: [read(1), read(2), set(2, 21)] }]],
      order: '1 2 1 1 2 2 1 2 1 2',
    },
    {
      name: 'G2-item, two tables',
      title: 'over two tables',
      source: `${PAPER}, Figure 6`,
      variant: 'plain reads',
      ...WRITE_SKEW,
      tables: [
        integers(
          't1',
          ['id', 'value'],
          [
            [1, 1],
            [2, 2],
          ],
        ),
        integers('t2', ['id', 'value'], [[3, 3]]),
      ],
      sessions: [
        [
          { do: [read(1, undefined, 't1'), set(3, 33, 't2')] },
          { do: [read(undefined, undefined, 't1'), read(undefined, undefined, 't2')] },
        ],
        [{ do: [read(3, undefined, 't2'), set(1, 11, 't1')] }],
      ],
      order: '1 2 1 2 1 2 1 2 1 1 1 1',
    },
    {
      name: 'G2-item, three transactions',
      title: 'a reader sees the second writer and not the first, who had read before both',
      source: "Fekete, O'Neil, O'Neil 2004 (read-only anomaly)",
      variant: 'plain reads',
      class: 'G2-item',
      cycle: 'rw rw wr',
      also: ['G2-item'],
      sessions: [[{ do: [read(), set(1, 0)] }], [{ do: [add(5, 2)] }], [{ do: [read()] }]],
      order: '1 2 3 1 2 2 3 3 1 1',
    },
    {
      name: 'G2-item, FOR SHARE',
      title: 'both lock both rows in share mode, each writes one',
      source: HERMITAGE,
      variant: 'locking reads',
      ...WRITE_SKEW,
      cycle: 'rw! rw!',
      sessions: [[{ do: [read(1, 'share'), read(2, 'share'), set(1, 11)] }], [{ do: [read(1, 'share'), read(2, 'share'), set(2, 21)] }]],
      order: '1 2 1 1 2 2 1 2 1 2',
    },
    {
      name: 'G2-item, FOR UPDATE',
      title: 'both lock both rows, each writes one',
      source: HERMITAGE,
      variant: 'locking reads',
      ...WRITE_SKEW,
      cycle: 'rw! rw!',
      sessions: [[{ do: [read(undefined, 'update'), set(1, 11)] }], [{ do: [read(undefined, 'update'), set(2, 21)] }]],
      order: '1 2 1 2 1 1 2 2',
    },
  ],
};
