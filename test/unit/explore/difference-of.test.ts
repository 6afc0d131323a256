/**
 * What a run without a serial order is called, with a server of a few lines that answers each transaction alone: whose row an
 * error met, what an error that was not raised changes, and what is said of snapshots where these were not asked.
 */
import { describe, expect, it } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { Statement, Table } from '../../../core/sql/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { Program, ProgramStep, ProgramTxn, Fixture, FixtureState } from '../../../core/program/index.ts';
import { postgres } from '../../../dialects/index.ts';
import type { Alone } from '../../../src/explore/alone.ts';
import type { Reply } from '../../../src/explore/program-runner.ts';
import { KINDS } from '../../../src/explore/difference-kinds.ts';
import { differenceOf, judgeDifference } from '../../../src/explore/difference.ts';
import type { Difference } from '../../../src/explore/difference.ts';
import type { Played, TranscriptStep } from '../../../src/explore/play.ts';
import { schemaOf, tableOf } from '../../sql.ts';

const UNIQUE = '23505';
const table = (name: string, more: Partial<Table> = {}): Table => ({
  ...tableOf(`CREATE TABLE ${name} (k int PRIMARY KEY, v int NOT NULL)`),
  ...more,
});
const CHILD = schemaOf(`CREATE TABLE t (k int PRIMARY KEY);
  CREATE TABLE c (k int PRIMARY KEY, v int NOT NULL, CONSTRAINT fk FOREIGN KEY (v) REFERENCES t ON DELETE CASCADE)`).tables[1]!;

type Rows = Record<string, ResultRow[]>;
interface Op {
  readonly statement: Statement;
  readonly does: (rows: Rows) => Reply;
}

const NO_ROWS = { rows: [], affected: 0 };
const done = (affected: number): Reply => ({ rows: [], affected });
const refused: Reply = { ...NO_ROWS, error: { class: 'constraint', code: UNIQUE, message: 'taken' } };
const has = (rows: readonly ResultRow[], k: string): boolean => rows.some((row) => row[0] === k);

const savepoint: Op = { statement: { kind: 'savepoint', name: 's' }, does: () => NO_ROWS };
const insert = (k: string, v = '0', named?: string): Op => ({
  statement: {
    kind: 'insert',
    table: 't',
    columns: ['k', 'v'],
    rows: named === undefined ? [] : [[{ kind: 'parameter', name: named, type: 'integer' }]],
  } as unknown as Statement,
  does: (rows) => {
    if (has(rows['t']!, k)) return refused;
    rows['t']!.push([k, v]);
    return done(1);
  },
});
const upsert = (k: string): Op => ({
  statement: { kind: 'insert', table: 't', columns: ['k'], rows: [], conflict: { action: 'nothing', columns: [] } } as unknown as Statement,
  does: (rows) => {
    if (has(rows['t']!, k)) return done(0);
    rows['t']!.push([k, '0']);
    return done(1);
  },
});
/** With the children that refer to it. */
const remove = (k: string): Op => ({
  statement: { kind: 'delete', table: 't' },
  does: (rows) => {
    const affected = has(rows['t']!, k) ? 1 : 0;
    rows['t'] = rows['t']!.filter((row) => row[0] !== k);
    rows['c'] = rows['c']!.filter((row) => row[1] !== k);
    return done(affected);
  },
});
const set = (k: string, v: string, of = 't'): Op => ({
  statement: { kind: 'update', table: of, set: [] } as unknown as Statement,
  does: (rows) => {
    const affected = has(rows[of]!, k) ? 1 : 0;
    rows[of] = rows[of]!.map((row) => (row[0] === k ? [k, v] : row));
    return done(affected);
  },
});
const read = (of = 't'): Op => ({
  statement: { kind: 'select', columns: [], from: [] } as unknown as Statement,
  does: (rows) => ({ rows: rows[of]!.map((row) => [...row]), affected: 0 }),
});

interface Scene {
  readonly tables?: readonly Table[];
  readonly first?: FixtureState;
  readonly fixture?: Partial<Fixture>;
  readonly transactions: readonly (readonly Op[])[];
}

/** Runs in which each session was told this, by the choices of an order. */
interface Ran {
  readonly told: readonly (readonly Reply[])[];
  readonly left: FixtureState;
  readonly choices?: readonly number[];
}

const FIRST: FixtureState = {
  t: [
    ['1', '10'],
    ['2', '20'],
  ],
  c: [],
};

function programOf({ tables = [table('t')], transactions, fixture }: Scene): Program {
  const txn = (ops: readonly Op[]): ProgramTxn => ({
    steps: ops.map(({ statement }): ProgramStep => ({ statement, tables: ['t'], plainRead: false })),
    end: 'commit',
  });
  return { number: 1, made: {}, fixture: { name: 'w', tables, byIndex: false, ...fixture }, transactions: transactions.map(txn) };
}

function aloneOf({ transactions }: Scene): Alone {
  return (session, from) => {
    const rows: Rows = Object.fromEntries(Object.entries(from).map(([name, all]) => [name, all.map((row) => [...row])]));
    const replies = transactions[session]!.map(({ does }) => does(rows));
    return Promise.resolve({ result: { replies, end: 'committed' }, state: rows });
  };
}

function playedOf({ told, left, choices }: Ran): Pick<Played, 'outcome' | 'transcript'> {
  const next = told.map(() => 0);
  // Default: each its first step, then all else.
  const order = choices ?? [...told.keys(), ...told.flatMap((replies, session) => replies.map(() => session))];
  const transcript = order.map((session): TranscriptStep => {
    const step = next[session]!++;
    const reply = told[session]![step] ?? { ...NO_ROWS, ended: 'committed' };
    return { session, step, state: 'replies', reply };
  });
  return { outcome: { transactions: told.map((replies) => ({ replies, end: 'committed' })), state: left }, transcript };
}

async function difference(scene: Scene, ran: Ran): Promise<Difference | undefined> {
  return differenceOf(playedOf(ran), scene.first ?? FIRST, aloneOf(scene), programOf(scene));
}

function verdictAt(level: Level, found: Difference): ReturnType<typeof judgeDifference> {
  return judgeDifference(found, {
    judge: (anomaly) => judge(anomaly, level, {}, postgres.promises),
    errors: postgres.allowedErrors!.filter(({ levels }) => levels.includes(level)),
  });
}

describe('an error of a key at SERIALIZABLE', () => {
  /** Each meets a row that was there from the start, and removes the other's. */
  const CROSSED: Scene = {
    transactions: [
      [savepoint, insert('1'), savepoint, remove('2')],
      [savepoint, insert('2'), savepoint, remove('1')],
    ],
  };
  const BOTH_REFUSED = [NO_ROWS, refused, NO_ROWS, done(1)];

  it('is not excused where the row that it met was there from the start', async () => {
    const found = (await difference(CROSSED, { told: [BOTH_REFUSED, BOTH_REFUSED], left: { t: [], c: [] } }))!;
    expect(found).toMatchObject({ kind: 'skew, an error', codes: [UNIQUE] });
    expect(found.overlapping).toBeUndefined();
    expect(verdictAt('serializable', found)).toEqual({
      verdict: 'undocumented',
      says: expect.stringContaining('an error of a constraint') as string,
    });
  });

  /** The first one looks, finds no 3 and is refused all the same, as the second one has put it there. */
  const MEETS: Scene = {
    transactions: [
      [read(), savepoint, insert('3')],
      [set('1', '11'), insert('3', '7')],
    ],
  };
  const MET = {
    told: [
      [{ rows: FIRST['t']!, affected: 0 }, NO_ROWS, refused],
      [done(1), done(1)],
    ],
    left: {
      t: [
        ['1', '11'],
        ['2', '20'],
        ['3', '7'],
      ] as const,
      c: [],
    },
  };

  it('is documented where the row came from a transaction that overlapped', async () => {
    const found = (await difference(MEETS, MET))!;
    expect(found).toMatchObject({ codes: [UNIQUE], overlapping: true });
    expect(verdictAt('serializable', found)).toMatchObject({
      verdict: 'documented',
      row: { says: expect.stringContaining('unique constraints') as string },
    });
  });

  it('is not excused by a transaction that had committed before its own began', async () => {
    // Session 1 commits, then session 0 begins and is told what was before it.
    const found = (await difference(MEETS, { ...MET, choices: [1, 1, 1, 0, 0, 0, 0] }))!;
    expect(found.overlapping).toBeUndefined();
    expect(verdictAt('serializable', found).verdict).toBe('undocumented');
  });

  it('is not excused by the state that earlier ones left, nor where nobody knows it', async () => {
    // Sessions: 2 puts the key 3 or takes 1 and is over; then 0 and 1 overlap.
    const scene = (third: Op): Scene => ({ transactions: [...MEETS.transactions, [third]] });
    const choices = [2, 2, 0, 1, 1, 1, 0, 0, 0];
    const ran = (third: Reply, t: readonly ResultRow[], seen: readonly ResultRow[]): Ran => ({
      told: [[{ rows: seen, affected: 0 }, NO_ROWS, refused], MET.told[1]!, [third]],
      left: { t, c: [] },
      choices,
    });
    const behind = [
      ['1', '10'],
      ['2', '22'],
    ] as const;
    const left = [
      ['1', '11'],
      ['2', '22'],
      ['3', '7'],
    ] as const;
    const plain = (await difference(scene(set('2', '22')), ran(done(1), left, behind)))!;
    expect(plain.overlapping).toBe(true);
    // It was told what it is not told alone: what it left is not known.
    const strange = (await difference(scene(set('2', '22')), ran(done(0), left, behind)))!;
    expect(strange.overlapping).toBeUndefined();
    // The earlier one put the row there: without the others it is met as well.
    const put = (await difference(scene(insert('3', '9')), ran(done(1), left, behind)))!;
    expect(put.overlapping).toBeUndefined();
  });

  it('is looked at in the last attempt of a transaction that was tried again', async () => {
    const { outcome, transcript } = playedOf({ ...MET, choices: [1, 1, 1, 0, 0, 0, 0] });
    // Its first attempt began before the other one committed, its last one behind it.
    const early: TranscriptStep = { session: 0, step: 0, state: 'replies', reply: { ...refused, ended: 'aborted' } };
    const again = transcript.map((entry) => (entry.session === 0 ? { ...entry, attempt: 2 } : entry));
    const run = { outcome, transcript: [early, ...again] };
    const found = (await differenceOf(run, FIRST, aloneOf(MEETS), programOf(MEETS)))!;
    expect(found.overlapping).toBeUndefined();
  });

  it('may be of a transaction that is heard late, whose commit may have come after the beginning', async () => {
    const { outcome, transcript } = playedOf({ ...MET, choices: [1, 1, 1, 0, 0, 0, 0] });
    const late = transcript.map((entry) =>
      entry.session === 1 && entry.reply?.ended !== undefined ? { ...entry, state: 'replies late' as const } : entry,
    );
    expect((await differenceOf({ outcome, transcript: late }, FIRST, aloneOf(MEETS), programOf(MEETS)))!.overlapping).toBe(true);
  });

  it('is not excused where one of two errors is not', async () => {
    const scene: Scene = {
      transactions: [
        [read(), savepoint, insert('3'), savepoint, insert('1')],
        [insert('3', '7'), remove('1')],
      ],
    };
    const found = (await difference(scene, {
      told: [
        [{ rows: FIRST['t']!, affected: 0 }, NO_ROWS, refused, NO_ROWS, refused],
        [done(1), done(1)],
      ],
      left: {
        t: [
          ['2', '20'],
          ['3', '7'],
        ],
        c: [],
      },
    }))!;
    expect(found.codes).toEqual([UNIQUE]);
    expect(found.overlapping).toBeUndefined();
  });

  it('needs no excuse where the level allows the difference itself', async () => {
    const found = (await difference(CROSSED, { told: [BOTH_REFUSED, BOTH_REFUSED], left: { t: [], c: [] } }))!;
    expect(verdictAt('repeatable-read', found)).toMatchObject({ verdict: 'documented', row: { level: 'repeatable-read' } });
  });

  it('is excused beside one that had come to nothing before', async () => {
    const { outcome, transcript } = playedOf({ ...MET, told: [...MET.told, [done(1)]], choices: [2, 2, 0, 1, 1, 1, 0, 0, 0] });
    const nothing = transcript.map((entry) =>
      entry.session === 2 && entry.reply?.ended !== undefined ? { ...entry, reply: { ...NO_ROWS, ended: 'aborted' as const } } : entry,
    );
    const transactions = outcome.transactions.map((each, session) => (session === 2 ? { ...each, end: 'aborted' as const } : each));
    const scene: Scene = { transactions: [...MEETS.transactions, [set('2', '22')]] };
    const run = { outcome: { ...outcome, transactions }, transcript: nothing };
    expect((await differenceOf(run, FIRST, aloneOf(scene), programOf(scene)))!.overlapping).toBe(true);
  });

  it('is not excused where another statement may have been sent than alone', async () => {
    const scene = (named?: string): Scene => ({
      transactions: [
        [read(), savepoint, insert('3', '0', named)],
        [set('1', '11'), insert('3', '7')],
      ],
    });
    const told = { ...MET, told: [[{ rows: [], affected: 0 }, NO_ROWS, refused], MET.told[1]!] };
    expect((await difference(scene(), told))!.overlapping).toBe(true);
    expect((await difference(scene('found'), told))!.overlapping).toBeUndefined();
    expect((await difference(scene('found'), MET))!.overlapping).toBe(true);
  });

  it('is no part of a difference where every serial order raises it too', async () => {
    // Both are refused in every order; what no order gives is that neither read what the other wrote.
    const scene: Scene = {
      transactions: [
        [savepoint, insert('1'), read(), set('1', '11')],
        [savepoint, insert('2'), read(), set('2', '21')],
      ],
    };
    const told = [NO_ROWS, refused, { rows: FIRST['t']!, affected: 0 }, done(1)];
    const found = (await difference(scene, {
      told: [told, told],
      left: {
        t: [
          ['1', '11'],
          ['2', '21'],
        ],
        c: [],
      },
    }))!;
    expect(found).toMatchObject({ kind: 'skew', codes: [] });
    expect(verdictAt('serializable', found).verdict).toBe('bug');
  });
});

describe('an error that only a serial order raises', () => {
  it('makes no verdict milder', async () => {
    // Write skew, in which each is refused behind the other: 1 and 3, 2 and 4 are one row by their keys.
    const scene: Scene = {
      transactions: [
        [read(), insert('3')],
        [read(), remove('1'), insert('3', '7'), remove('3')],
      ],
    };
    const seen = { rows: FIRST['t']!, affected: 0 };
    const ran: Ran = {
      told: [
        [seen, done(1)],
        [seen, done(1), done(1), done(1)],
      ],
      left: {
        t: [
          ['2', '20'],
          ['3', '0'],
        ],
        c: [],
      },
    };
    const found = (await difference(scene, ran))!;
    expect(found.kind.includes('error')).toBe(false);
    expect(found.codes).toEqual([]);
    expect(verdictAt('serializable', found).verdict).toBe('bug');
  });

  it.each([
    ['an INSERT', insert('1')],
    ['an upsert', upsert('1')],
  ])('is of a key that was freed, of which a row of its own speaks: %s', async (_, write) => {
    // The key is taken in the snapshot that was read, and free by the time of the write.
    const scene: Scene = { transactions: [[read(), write], [remove('1')]] };
    const ran: Ran = {
      told: [[{ rows: FIRST['t']!, affected: 0 }, done(1)], [done(1)]],
      left: {
        t: [
          ['2', '20'],
          ['1', '0'],
        ],
        c: [],
      },
    };
    const found = (await difference(scene, ran))!;
    expect(found).toMatchObject({ kind: 'no snapshot', freedKey: true });
    expect(verdictAt('repeatable-read', found).verdict).toBe('undocumented');
    expect(verdictAt('serializable', found).verdict).toBe('bug');
    // If nobody asked all snapshots, nothing is said of it.
    const beside = (await difference({ ...scene, tables: [table('t'), CHILD] }, ran))!;
    expect([beside.kind, beside.freedKey]).toEqual(['unsettled, actions', undefined]);
  });

  it('is of no key where a CHECK may have refused it', async () => {
    const write: Op = { ...insert('1'), statement: { kind: 'update', table: 't', set: [] } as unknown as Statement };
    const scene = (checks: readonly unknown[]): Scene => ({
      tables: [table('t', { checks } as Partial<Table>)],
      transactions: [[read(), write], [remove('1')]],
    });
    const ran: Ran = {
      told: [[{ rows: FIRST['t']!, affected: 0 }, done(1)], [done(1)]],
      left: {
        t: [
          ['2', '20'],
          ['1', '0'],
        ],
        c: [],
      },
    };
    // A CHECK says the same of values that stand in the statement.
    const values: Scene = {
      tables: [table('t', { checks: [{}] } as unknown as Partial<Table>)],
      transactions: [[read(), insert('1')], [remove('1')]],
    };
    expect((await difference(values, ran))!.freedKey).toBe(true);
    const queried: Op = {
      ...insert('1'),
      statement: {
        kind: 'insert',
        table: 't',
        columns: ['k', 'v'],
        rows: [],
        query: { kind: 'select', items: [], from: { kind: 'table', table: 't', alias: 't' } },
      },
    };
    expect((await difference({ ...values, transactions: [[read(), queried], [remove('1')]] }, ran))!.freedKey).toBeUndefined();
    expect((await difference(scene([]), ran))!.freedKey).toBe(true);
    expect((await difference(scene([{}]), ran))!.freedKey).toBeUndefined();
  });

  it('nor of one where its transaction was told otherwise before', async () => {
    const scene: Scene = { transactions: [[read(), upsert('1')], [remove('1')]] };
    const ran = (seen: readonly ResultRow[]): Ran => ({
      told: [[{ rows: seen, affected: 0 }, done(1)], [done(1)]],
      left: { t: [['1', '5']], c: [] },
    });
    expect((await difference(scene, ran([['9', '9']])))!).toMatchObject({ kind: 'no snapshot' });
    expect((await difference(scene, ran([['9', '9']])))!.freedKey).toBeUndefined();
    expect((await difference(scene, ran(FIRST['t']!)))!.freedKey).toBe(true);
  });

  /** The first reply that differs from the one alone, which is `alone`. */
  async function freed(write: Op, told: Reply): Promise<boolean> {
    const scene: Scene = { transactions: [[read(), write], [remove('1')]] };
    const ran: Ran = { told: [[{ rows: FIRST['t']!, affected: 0 }, told], [done(1)]], left: { t: [['1', '5']], c: [] } };
    const found = (await difference(scene, ran))!;
    expect(found.kind.includes('error') || found.kind === 'no snapshot').toBe(true);
    return found.freedKey === true;
  }

  it('nor of one where the write changed nothing, or was refused too, or was no write of a row that meets one', async () => {
    const update = (k: string): Op => set(k, '5');
    expect(await freed(upsert('1'), done(1))).toBe(true);
    expect(await freed(insert('1'), done(0))).toBe(false);
    expect(await freed(insert('1'), { ...refused, error: { ...refused.error!, code: '23503' } })).toBe(false);
    // Told of no row alone, and of one here: an upsert may find its key freed, an UPDATE does not.
    expect(await freed(update('7'), done(1))).toBe(false);
    // An upsert that put a row in alone and two here.
    expect(await freed(upsert('7'), done(2))).toBe(false);
  });

  it('nor of one that another error than that of a constraint refuses there', async () => {
    const refuses: Op = {
      ...insert('1'),
      does: (rows) => (has(rows['t']!, '1') ? { ...refused, error: { class: 'data', code: '22003', message: 'out of range' } } : done(1)),
    };
    expect(await freed(refuses, done(1))).toBe(false);
  });
});

describe('a run', () => {
  it('is no difference where a serial order gives it', async () => {
    const scene: Scene = { transactions: [[read(), set('1', '11')], [set('2', '21')]] };
    const ran: Ran = {
      told: [[{ rows: FIRST['t']!, affected: 0 }, done(1)], [done(1)]],
      left: {
        t: [
          ['1', '11'],
          ['2', '21'],
        ],
        c: [],
      },
    };
    expect(await difference(scene, ran)).toBeUndefined();
  });

  it('in which tables themselves change is told by the replies, and by an error of which it is made', async () => {
    const fixture = { changesSchema: true } as const;
    const seen = { rows: FIRST['t']!, affected: 0 };
    const skew: Scene = {
      fixture,
      transactions: [
        [read(), set('1', '11')],
        [read(), set('2', '21')],
      ],
    };
    const left: FixtureState = {
      t: [
        ['1', '11'],
        ['2', '21'],
      ],
      c: [],
    };
    expect(
      (await difference(skew, {
        told: [
          [seen, done(1)],
          [seen, done(1)],
        ],
        left,
      }))!.kind,
    ).toBe('a change');
    const nobody = { rows: [['7', '7']], affected: 0 };
    expect(
      (await difference(skew, {
        told: [
          [nobody, done(1)],
          [seen, done(1)],
        ],
        left,
      }))!.kind,
    ).toBe('a change, no snapshot');
    const met: Scene = {
      fixture,
      transactions: [
        [read(), savepoint, insert('3')],
        [set('1', '11'), insert('3', '7')],
      ],
    };
    const told = [
      [seen, NO_ROWS, refused],
      [done(1), done(1)],
    ];
    expect((await difference(met, { told, left: { t: [...left['t']!, ['3', '7']], c: [] } }))!.kind).toBe('a change, an error');
  });
});

describe('what is said of snapshots', () => {
  const first: FixtureState = { t: FIRST['t']!, c: [['1', '1']] };
  const tables = [table('t'), CHILD];
  /** One counts the children and removes the parent, the other one moves the child. */
  const MOVED: Scene = { tables, first, transactions: [[read('c'), remove('1')], [set('1', '2', 'c')]] };
  const CHILD_LEFT = { t: [['2', '20']], c: [['1', '2']] } as const;
  const told = [[{ rows: first['c']!, affected: 0 }, done(1)], [done(1)]];

  it('names the actions of foreign keys where snapshots with these on the newest rows explain it', async () => {
    const found = (await difference(MOVED, { told, left: CHILD_LEFT }))!;
    expect(found.kind).toBe('skew, actions');
    expect(KINDS[found.kind].words).toContain('with the actions of foreign keys on the newest rows');
    expect(verdictAt('repeatable-read', found).verdict).toBe('documented');
    expect(verdictAt('serializable', found).verdict).toBe('bug');
  });

  it('is that nothing is settled where not even these do', async () => {
    // The parent's other child is gone too, and nobody removed it.
    const found = (await difference(
      {
        ...MOVED,
        first: {
          ...first,
          c: [
            ['1', '1'],
            ['3', '2'],
          ],
        },
      },
      {
        told: [
          [
            {
              rows: [
                ['1', '1'],
                ['3', '2'],
              ],
              affected: 0,
            },
            done(1),
          ],
          [done(1)],
        ],
        left: CHILD_LEFT,
      },
    ))!;
    expect(found.kind).toBe('unsettled, actions');
    expect(KINDS[found.kind].words).not.toContain('on a snapshot of its own');
    expect(verdictAt('repeatable-read', found)).toEqual({
      verdict: 'undocumented',
      says: expect.stringContaining('could not be tried') as string,
    });
    expect(verdictAt('read-committed', found).verdict).toBe('documented');
    expect(verdictAt('serializable', found).verdict).toBe('bug');
  });

  it('takes what foreign keys do from the newest rows', async () => {
    // The other one adds a child of the parent that goes: the cascade takes it along, though it is in no snapshot.
    const adds: Op = {
      statement: { kind: 'insert', table: 'c', columns: ['k', 'v'], rows: [] },
      does: (rows) => {
        rows['c']!.push(['9', '1']);
        return done(1);
      },
    };
    const scene: Scene = { ...MOVED, transactions: [MOVED.transactions[0]!, [adds]] };
    const found = (await difference(scene, { told, left: { t: [['2', '20']], c: [] } }))!;
    expect(found.kind).toBe('skew, actions');
  });

  it('takes no more than that from them: what a transaction writes itself is as its snapshot has it', async () => {
    /** Each parent that has a child goes, with it. */
    const removesParents: Op = {
      statement: { kind: 'delete', table: 't' },
      does: (rows) => {
        const parents = new Set(rows['c']!.map((row) => row[1]));
        rows['t'] = rows['t']!.filter((row) => !parents.has(row[0]));
        rows['c'] = [];
        return done(1);
      },
    };
    const scene: Scene = { ...MOVED, transactions: [[read('c'), removesParents], [set('1', '2', 'c')]] };
    const found = (await difference(scene, { told, left: { t: [['1', '10']], c: [] } }))!;
    expect(found.kind).toBe('unsettled, actions');
  });

  it('is that nothing is settled where triggers write, with foreign keys or without', async () => {
    const lost: Scene = {
      transactions: [
        [read(), set('1', '11')],
        [read(), set('1', '12')],
      ],
    };
    const seen = [{ rows: FIRST['t']!, affected: 0 }, done(1)];
    const writes = [{ kind: 'trigger', table: 't', name: 'g', reads: [], inserts: [], writes: ['c'], calls: [] }] as never;
    const left: FixtureState = {
      t: [
        ['1', '12'],
        ['2', '20'],
      ],
      c: [],
    };
    expect((await difference({ ...lost, fixture: { routines: writes } }, { told: [seen, seen], left }))!.kind).toBe('unsettled, actions');
    const routines = [{ kind: 'trigger', table: 't', name: 'g', reads: [], inserts: [], writes: ['c'], calls: [] }] as never;
    expect((await difference({ ...MOVED, fixture: { routines } }, { told, left: CHILD_LEFT }))!.kind).toBe('unsettled, actions');
    const counting = [table('t', { trigger: { does: 'counts', table: 'c', column: 'v' } }), CHILD];
    expect((await difference({ ...MOVED, tables: counting }, { told, left: CHILD_LEFT }))!.kind).toBe('unsettled, actions');
  });

  it('is that snapshots explain it where they do, foreign keys or none', async () => {
    const scene: Scene = {
      tables,
      first,
      transactions: [
        [read(), set('1', '11')],
        [read(), set('2', '21')],
      ],
    };
    const seen = [{ rows: first['t']!, affected: 0 }, done(1)];
    const found = (await difference(scene, {
      told: [seen, seen],
      left: {
        t: [
          ['1', '11'],
          ['2', '21'],
        ],
        c: first['c']!,
      },
    }))!;
    expect(found.kind).toBe('skew');
  });

  it('is that nothing is settled where rows are alike', async () => {
    const alike: FixtureState = {
      t: [
        ['1', '1'],
        ['1', '2'],
      ],
      c: [],
    };
    const scene: Scene = {
      first: alike,
      transactions: [
        [read(), set('1', '3')],
        [read(), set('1', '4')],
      ],
    };
    const seen = [{ rows: alike['t']!, affected: 0 }, done(1)];
    const found = (await difference(scene, {
      told: [seen, seen],
      left: {
        t: [
          ['1', '3'],
          ['1', '4'],
        ],
        c: [],
      },
    }))!;
    expect(found.kind).toBe('unsettled, rows alike');
    expect(verdictAt('repeatable-read', found).verdict).toBe('undocumented');
    // Beside foreign keys their actions explain nothing either, where rows are alike.
    const keyed = { ...scene, tables };
    const beside = (await difference(keyed, {
      told: [seen, seen],
      left: {
        t: [
          ['1', '3'],
          ['1', '4'],
        ],
        c: [],
      },
    }))!;
    expect(beside.kind).toBe('unsettled, actions');
  });

  it('is that none gives it where none does', async () => {
    const scene: Scene = {
      transactions: [
        [read(), set('1', '11')],
        [read(), set('1', '12')],
      ],
    };
    const seen = [{ rows: FIRST['t']!, affected: 0 }, done(1)];
    const found = (await difference(scene, {
      told: [seen, seen],
      left: {
        t: [
          ['1', '12'],
          ['2', '20'],
        ],
        c: [],
      },
    }))!;
    expect(found.kind).toBe('no snapshot');
    expect(verdictAt('repeatable-read', found).verdict).toBe('bug');
  });

  it('says of an error beside it no more than was asked', () => {
    for (const [kind, { words, byConstraint, oneOf }] of Object.entries(KINDS)) {
      expect(byConstraint === true, kind).toBe(kind.endsWith('an error'));
      expect(words.includes('constraint is a part'), kind).toBe(kind.endsWith('an error'));
      expect(words.includes('a snapshot of its own does'), kind).toBe(kind.startsWith('skew'));
      expect(words.includes('is not settled'), kind).toBe(kind.startsWith('unsettled'));
      expect(oneOf.length, kind).toBe(kind.startsWith('unsettled') ? 2 : 1);
    }
  });
});
