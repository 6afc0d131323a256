/** Canonical schedules of a reader that sees two states at once: read skew and related phenomena. */
import type { CanonicalRow, Phenomenon } from './row.ts';
import { add, addWhere, integers, column, compare, divisible, find, number, read, remove, set, valueIs } from './vocabulary.ts';

const HERMITAGE = 'Hermitage (ept/hermitage)';
const PSI = 'Sovran et al. 2011 (PSI)';
const RAMP = 'Bailis et al. 2014 (RAMP)';
const CAUSAL = 'Biswas, Enea 2019 (causal consistency)';

const READ_SKEW = { class: 'G-single-item', shapes: ['read skew', 'fractured read'], cycle: 'rw wr' } as const;
const VANISHES = {
  class: 'G-single-item',
  shapes: ['read skew', 'fractured read', 'observed transaction vanishes'],
  cycle: 'rw wr',
} as const;
const TWICE = { class: 'G-single-item', shapes: ['non-repeatable read'], cycle: 'rw wr' } as const;
const FORK = { class: 'G-nonadjacent-item', shapes: ['long fork'], cycle: 'rw wr rw wr' } as const;
const CAUSE = { class: 'G-single-item', shapes: ['causality violation'], cycle: 'rw wr wr' } as const;

/** A transaction that writes both rows. */
const BOTH = { do: [set(1, 12), set(2, 18)] } as const;

type Skewed = Extract<Phenomenon, 'OTV' | 'G-single' | 'non-repeatable read' | 'fractured read' | 'long fork' | 'causality'>;

export const SKEWED_ROWS: Readonly<Record<Skewed, readonly CanonicalRow[]>> = {
  OTV: [
    {
      name: 'OTV',
      title: 'a reader sees a transaction and then no longer',
      source: HERMITAGE,
      variant: 'plain reads',
      ...VANISHES,
      sessions: [[{ do: [set(1, 11), set(2, 19)] }], [{ do: [set(1, 12), set(2, 18)] }], [{ do: [read(1), read(2), read(2), read(1)] }]],
      order: '1 2 3 1 1 2 1 3 2 3 2 3 3 3',
    },
    {
      name: 'OTV, unfinished writer',
      title: 'the reader comes between the writes of one transaction',
      source: 'Adya 1999, 4.3',
      variant: 'plain reads',
      ...VANISHES,
      sessions: [[{ do: [set(1, 11), set(2, 19)] }], [{ do: [read(1), read(2)] }]],
      order: '1 2 1 2 2 1 1 2',
    },
    {
      name: 'OTV, locking read',
      title: 'a locking read sees the transaction, a plain one after it does not',
      source: 'MySQL manual, transaction isolation levels',
      variant: 'mixed',
      ...VANISHES,
      cycle: 'rw+ wr!',
      sessions: [[{ do: [read(1), read(1, 'update'), read(2)] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1 1',
    },
    {
      name: 'OTV, own write',
      title: 'an UPDATE builds on the transaction, a plain read after it does not see it',
      source: 'Jepsen, MySQL 8.0.34',
      variant: 'mixed',
      ...VANISHES,
      cycle: 'rw+ wr!',
      sessions: [[{ do: [read(2), add(1, 1), read(2)] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1 1',
    },
  ],
  'G-single': [
    {
      name: 'G-single',
      title: 'one row before, the other after a transaction',
      source: HERMITAGE,
      variant: 'plain reads',
      ...READ_SKEW,
      sessions: [[{ do: [read(1), read(2)] }], [{ do: [read(), set(1, 12), set(2, 18)] }]],
      order: '1 2 1 2 2 2 2 1 1',
    },
    {
      name: 'G-single, predicates',
      title: 'two conditions, a row changed from one to the other',
      source: HERMITAGE,
      variant: 'plain reads',
      class: 'G-single-item',
      shapes: ['non-repeatable read'],
      cycle: 'rw wr',
      also: ['G-single', 'G-single-item'],
      sessions: [[{ do: [find(divisible(5)), find(divisible(3))] }], [{ do: [addWhere(2, valueIs('=', 10))] }]],
      order: '1 2 1 2 2 1 1',
    },
    {
      name: 'G-single, locking reads',
      title: 'both reads lock',
      source: HERMITAGE,
      variant: 'locking reads',
      ...READ_SKEW,
      cycle: 'rw! wr!',
      sessions: [[{ do: [read(1, 'share'), read(2, 'share')] }], [BOTH]],
      order: '1 2 1 2 1 1 2 2',
    },
    {
      name: 'G-single, locking read',
      title: 'a plain read before, a locking read after a transaction',
      source: 'MySQL manual, transaction isolation levels',
      variant: 'mixed',
      ...READ_SKEW,
      cycle: 'rw wr!',
      sessions: [[{ do: [read(1), read(2, 'update')] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1',
    },
    {
      name: 'G-single, write',
      title: 'a plain read before, a DELETE after a transaction',
      source: HERMITAGE,
      variant: 'mixed',
      class: 'G-single-item',
      shapes: ['read skew', 'fractured read'],
      cycle: 'rw wr!',
      also: ['G-single', 'G-single-item'],
      sessions: [[{ do: [read(1), remove('test', valueIs('=', 18))] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1',
    },
  ],
  'non-repeatable read': [
    {
      name: 'non-repeatable read',
      title: 'one row read twice, changed in between',
      source: 'Berenson et al. 1995 (P2)',
      variant: 'plain reads',
      ...TWICE,
      sessions: [[{ do: [read(1), read(1)] }], [{ do: [set(1, 11)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'non-repeatable read, locking reads',
      title: 'both reads lock',
      source: 'Berenson et al. 1995 (P2)',
      variant: 'locking reads',
      ...TWICE,
      cycle: 'rw! wr!',
      sessions: [[{ do: [read(1, 'share'), read(1, 'share')] }], [{ do: [set(1, 11)] }]],
      order: '1 2 1 2 1 1 2',
    },
    {
      name: 'non-repeatable read, locking read',
      title: 'a plain read before, a locking read after an update',
      source: 'IsoRel paper, Figure 5',
      variant: 'mixed',
      ...TWICE,
      cycle: 'rw wr!',
      sessions: [[{ do: [read(1), read(1, 'update')] }], [{ do: [set(1, 11)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'non-repeatable read, own write',
      title: 'a plain read before, an UPDATE of the row after an update',
      source: 'MySQL manual, transaction isolation levels',
      variant: 'mixed',
      ...TWICE,
      cycle: 'rw wr!',
      sessions: [[{ do: [read(1), add(1, 1)] }], [{ do: [set(1, 11)] }]],
      order: '1 1 2 2 2 1 1',
    },
  ],
  'fractured read': [
    {
      name: 'fractured read',
      title: 'one of two rows of a transaction seen, the other not',
      source: RAMP,
      variant: 'plain reads',
      ...READ_SKEW,
      sessions: [[{ do: [read(1), read(2)] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1',
    },
    {
      name: 'fractured read, one statement',
      title: 'both rows in one SELECT, while the writer is between its writes',
      source: RAMP,
      variant: 'plain reads',
      ...READ_SKEW,
      oneSelect: true,
      sessions: [[{ do: [read()] }], [BOTH]],
      order: '2 1 2 1 2 2 1',
    },
    {
      name: 'fractured read, own write',
      title: 'an UPDATE of one row brings one half of a transaction into view',
      source: 'Jepsen, MySQL 8.0.34',
      variant: 'mixed',
      ...READ_SKEW,
      cycle: 'rw+ wr!',
      sessions: [[{ do: [read(), add(1, 1), read()] }], [BOTH]],
      order: '1 1 2 2 2 2 1 1 1',
    },
    {
      name: 'fractured read, one UPDATE',
      title: "an UPDATE waits, sees the row as the other left it and its subquery's row as before",
      source: 'PostgreSQL manual, 13.2.1',
      variant: 'writes',
      ...READ_SKEW,
      cycle: 'rw wr!',
      tables: [integers('t1', ['id', 'value'], [[1, 10]]), integers('t2', ['id', 'value'], [[2, 20]])],
      sessions: [
        [{ do: [set(1, 12, 't1'), set(2, 18, 't2')] }],
        [
          {
            do: [
              {
                kind: 'update',
                table: 't1',
                where: compare('t1', 'id', '=', 1),
                set: [
                  {
                    column: 'value',
                    value: {
                      kind: 'arithmetic',
                      op: '+',
                      left: column('t1', 'value'),
                      right: {
                        kind: 'subquery',
                        query: {
                          kind: 'select',
                          items: [{ expression: column('t2', 'value'), alias: 'value' }],
                          from: { kind: 'table', table: 't2', alias: 't2' },
                          where: { kind: 'compare', op: '=', left: column('t2', 'id'), right: number(2) },
                        },
                      },
                    },
                  },
                ],
              },
            ],
          },
        ],
      ],
      order: '1 2 1 1 2 1 2',
    },
  ],
  'long fork': [
    {
      name: 'long fork',
      title: 'two readers see two independent writers in opposite orders',
      source: PSI,
      variant: 'plain reads',
      ...FORK,
      sessions: [[{ do: [set(1, 11)] }], [{ do: [set(2, 21)] }], [{ do: [read(1), read(2)] }], [{ do: [read(1), read(2)] }]],
      order: '4 4 1 1 1 3 3 3 3 2 2 2 4 4',
    },
    {
      name: 'long fork, one statement',
      title: 'each reader in one statement',
      source: PSI,
      variant: 'plain reads',
      ...FORK,
      oneSelect: true,
      sessions: [[{ do: [set(1, 11)] }], [{ do: [set(2, 21)] }], [{ do: [read()] }], [{ do: [read()] }]],
      order: '1 2 3 4 1 2 1 3 2 4 3 4',
    },
    {
      name: 'long fork, locking read',
      title: 'the second reader ends with a locking read',
      source: PSI,
      variant: 'mixed',
      ...FORK,
      cycle: 'rw wr rw wr!',
      sessions: [[{ do: [set(1, 11)] }], [{ do: [set(2, 21)] }], [{ do: [read(1), read(2)] }], [{ do: [read(1), read(2, 'update')] }]],
      order: '4 4 1 1 1 3 3 3 3 2 2 2 4 4',
    },
  ],
  causality: [
    {
      name: 'causality',
      title: 'the cause is read before it happens, its effect after',
      source: CAUSAL,
      variant: 'plain reads',
      ...CAUSE,
      sessions: [[{ do: [set(1, 11)] }], [{ do: [read(1), set(2, 21)] }], [{ do: [read(1), read(2)] }]],
      order: '3 3 1 1 1 2 2 2 2 3 3',
    },
    {
      name: 'causality, effect first',
      title: 'the effect is read, then its cause',
      source: CAUSAL,
      variant: 'plain reads',
      ...CAUSE,
      sessions: [[{ do: [set(1, 11)] }], [{ do: [read(1), set(2, 21)] }], [{ do: [read(2), read(1)] }]],
      order: '1 1 3 1 2 2 2 2 3 3 3',
    },
    {
      name: 'causality, one statement',
      title: 'cause and effect in one SELECT',
      source: CAUSAL,
      variant: 'plain reads',
      ...CAUSE,
      oneSelect: true,
      sessions: [[{ do: [set(1, 11)] }], [{ do: [read(1), set(2, 21)] }], [{ do: [read()] }]],
      order: '1 1 3 1 2 2 2 3 2 3',
    },
    {
      name: 'causality, one session',
      title: 'cause and effect are written by one session',
      source: CAUSAL,
      variant: 'plain reads',
      class: 'G-single-item-session',
      shapes: ['causality violation'],
      cycle: 'rw so wr',
      sessions: [[{ do: [set(1, 11)] }, { do: [set(2, 21)] }], [{ do: [read(1), read(2)] }]],
      order: '2 2 1 1 1 1 1 1 2 2',
    },
    {
      name: 'causality, locking read',
      title: 'the effect is read with a lock',
      source: CAUSAL,
      variant: 'mixed',
      ...CAUSE,
      cycle: 'rw wr wr!',
      sessions: [[{ do: [set(1, 11)] }], [{ do: [read(1), set(2, 21)] }], [{ do: [read(1), read(2, 'update')] }]],
      order: '3 3 1 1 1 2 2 2 2 3 3',
    },
  ],
};
