/**
 * Canonical schedules: for each phenomenon the few statements in the one order that shows it where a level allows it,
 * as Hermitage (github.com/ept/hermitage) and the IsoRel paper's figures do by hand. Data only: what each DBMS does with
 * them is seen by running them, and what it should do is its promise table.
 *
 * A plan is a list of lines, one per session in session order; an order names the session that takes the next step
 * (BEGIN, each statement, COMMIT or ROLLBACK); a session that is blocked is passed over and caught up with later.
 */
import type { Column, Expression, Schema, Statement, Table, TestCase, TxnPlan } from '../core/index.ts';

export interface CanonicalSchedule {
  /** Short name, unique: the row of a matrix. */
  readonly name: string;
  /** What to look for in the verdict: a class or a shape must be one of these. */
  readonly looksFor: { readonly classes: readonly string[]; readonly shapes: readonly string[] };
  readonly title: string;
  readonly source: string;
  readonly testCase: TestCase;
}

const INT: Column['type'] = { kind: 'integer' };

/** A table of integer columns; the first is the primary key. */
function integers(name: string, columns: readonly string[], rows: readonly (readonly number[])[]): Table {
  return {
    name,
    columns: columns.map((column, i) => ({ name: column, type: INT, nullable: i > 0 })),
    primaryKey: columns.slice(0, 1),
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows,
  };
}

const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const num = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
const all = (...operands: readonly Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const cmp = (table: string, column: string, op: '=' | '<' | '>', value: number): Expression => ({ kind: 'compare', op, left: col(table, column), right: num(value) });
const where = (table: string, id?: number): { where?: Expression } => (id === undefined ? {} : { where: cmp(table, 'id', '=', id) });

/** The whole table or one row of `test(id, value)`. */
const read = (id?: number, lock?: 'update' | 'share', table = 'test'): Statement => ({
  kind: 'select',
  items: [{ expression: col(table, 'id'), alias: 'id' }, { expression: col(table, 'value'), alias: 'value' }],
  from: { kind: 'table', table, alias: table },
  ...where(table, id),
  ...(lock ? { lock: { strength: lock } } : {}),
});
const set = (id: number, value: number, table = 'test'): Statement => ({ kind: 'update', table, set: [{ column: 'value', value: num(value) }], ...where(table, id) });
const add = (id: number, amount: number): Statement => ({
  kind: 'update', table: 'test', set: [{ column: 'value', value: { kind: 'arithmetic', op: '+', left: col('test', 'value'), right: num(amount) } }], ...where('test', id),
});
const insert = (table: string, columns: readonly string[], values: readonly number[]): Statement => ({ kind: 'insert', table, columns, rows: [values.map(num)] });
const select = (table: string, column: string, condition?: Expression, lock?: 'update'): Statement => ({
  kind: 'select',
  items: [{ expression: col(table, column), alias: column }],
  from: { kind: 'table', table, alias: table },
  ...(condition ? { where: condition } : {}),
  ...(lock ? { lock: { strength: lock } } : {}),
});

/** SELECT count(*): how many doctors of a shift are on call. */
const onCall = (): Statement => ({
  kind: 'select',
  items: [{ expression: { kind: 'aggregate', name: 'count' }, alias: 'doctors' }],
  from: { kind: 'table', table: 'doctors', alias: 'doctors' },
  where: all(cmp('doctors', 'shift', '=', 1), cmp('doctors', 'on_call', '=', 1)),
});
const offCall = (id: number): Statement => ({ kind: 'update', table: 'doctors', set: [{ column: 'on_call', value: num(0) }], where: cmp('doctors', 'id', '=', id) });
/** Bookings of a room that overlap the hours. */
const overlapping = (room: number, from: number, to: number): Statement =>
  select('bookings', 'id', all(cmp('bookings', 'room', '=', room), cmp('bookings', 'from_hour', '<', to), cmp('bookings', 'to_hour', '>', from)));

type Line = { readonly do: readonly Statement[]; readonly end?: 'commit' | 'rollback' } | { readonly auto: Statement };

/** One list of transactions per session; ids are given in reading order. */
function testCase(name: string, tables: readonly Table[], sessions: readonly (readonly Line[])[], order: string): TestCase {
  let id = 0;
  const schema: Schema = { tables };
  return {
    seed: `canonical ${name}`,
    schema,
    sessions: sessions.map((lines) => ({
      transactions: lines.map((line): TxnPlan =>
        'auto' in line
          ? { id: ++id, statements: [line.auto], end: 'commit', autocommit: true }
          : { id: ++id, statements: line.do, end: line.end ?? 'commit', autocommit: false },
      ),
    })),
    schedule: order.split(' ').map((session) => Number(session) - 1),
  };
}

const TEST = [integers('test', ['id', 'value'], [[1, 10], [2, 20]])];
const HERMITAGE = 'Hermitage (ept/hermitage)';
const PAPER = 'IsoRel paper';

type Row = readonly [
  name: string, title: string, source: string, classes: readonly string[], shapes: readonly string[], tables: readonly Table[], sessions: readonly (readonly Line[])[], order: string,
];

const READ_ALL: Line = { do: [read()] };

const ROWS: readonly Row[] = [
  ['G0', 'dirty write: two writers of two rows interleave', HERMITAGE, ['G0'], [], TEST,
    [[{ do: [set(1, 11), set(2, 21)] }], [{ do: [set(1, 12), set(2, 22)] }], [READ_ALL]], '1 2 1 2 1 1 2 2 2 3 3 3'],
  ['G1a', 'aborted read: the writer rolls back after the reader saw its row', HERMITAGE, ['G1a'], [], TEST,
    [[{ do: [set(1, 101)], end: 'rollback' }], [{ do: [read(), read()] }]], '1 2 1 2 1 2 2'],
  ['G1b', 'intermediate read: the reader sees a value that its writer overwrites', HERMITAGE, ['G1b'], [], TEST,
    [[{ do: [set(1, 101), set(1, 11)] }], [{ do: [read(), read()] }]], '1 2 1 2 1 1 2 2'],
  ['G1c', 'circular information flow: each of two writers reads the other', HERMITAGE, ['G1c'], [], TEST,
    [[{ do: [set(1, 11), read(2)] }], [{ do: [set(2, 22), read(1)] }]], '1 2 1 2 1 2 1 2'],
  ['OTV', 'observed transaction vanishes: a reader sees a transaction and then no longer', HERMITAGE, [], ['observed transaction vanishes'], TEST,
    [[{ do: [set(1, 11), set(2, 19)] }], [{ do: [set(1, 12), set(2, 18)] }], [{ do: [read(1), read(2), read(2), read(1)] }]], '1 2 3 1 1 2 1 3 2 3 2 3 3 3'],
  ['PMP', 'predicate-many-preceders: a row appears in a repeated range', HERMITAGE, [], ['phantom', 'predicate-many-preceders'], TEST,
    [[{ do: [select('test', 'id', cmp('test', 'value', '=', 30)), select('test', 'id', cmp('test', 'value', '>', 25))] }], [{ do: [insert('test', ['id', 'value'], [3, 30])] }]], '1 1 2 2 2 1 1'],
  ['P4', 'lost update: two transactions read one row, both write it', HERMITAGE, [], ['lost update'], TEST,
    [[{ do: [read(1), set(1, 11)] }], [{ do: [read(1), set(1, 12)] }], [READ_ALL]], '1 2 1 2 1 2 1 2 3 3 3'],
  ['G-single', 'read skew: one row before, the other after a transaction', HERMITAGE, [], ['read skew'], TEST,
    [[{ do: [read(1), read(2)] }], [{ do: [read(), set(1, 12), set(2, 18)] }]], '1 2 1 2 2 2 2 1 1'],
  ['RW-skew', 'read-write skew: the row read before a transaction, another row overwritten after it', PAPER, [], ['read-write skew'], TEST,
    [[{ do: [read(1), set(2, 21)] }], [{ do: [set(1, 12), set(2, 22)] }], [READ_ALL]], '1 2 1 2 2 2 1 1 3 3 3'],
  ['G2-item', 'write skew: both read both rows, each writes one', HERMITAGE, [], ['write skew'], TEST,
    [[{ do: [read(1), read(2), set(1, 11)] }], [{ do: [read(1), read(2), set(2, 21)] }], [READ_ALL]], '1 2 1 1 2 2 1 2 1 2 3 3 3'],
  ['long fork', 'two readers see two independent writers in opposite orders', 'Sovran et al. 2011 (PSI)', [], ['long fork'], TEST,
    [[{ do: [set(1, 11)] }], [{ do: [set(2, 21)] }], [{ do: [read(1), read(2)] }], [{ do: [read(1), read(2)] }]], '4 4 1 1 1 3 3 3 3 2 2 2 4 4'],
  ['long fork, one statement', 'as long fork, each reader in one statement', 'Sovran et al. 2011 (PSI)', [], ['long fork'], TEST,
    [[{ do: [set(1, 11)] }], [{ do: [set(2, 21)] }], [{ do: [read()] }], [{ do: [read()] }]], '1 2 3 4 1 2 1 3 4 2 3 4'],
  ['fractured read', 'one of two rows of a transaction seen, the other not', 'Bailis et al. 2014 (RAMP)', [], ['fractured read'], TEST,
    [[{ do: [read(1), read(2)] }], [{ do: [set(1, 11), set(2, 21)] }]], '1 1 2 2 2 2 1 1'],
  ['non-repeatable read', 'one row read twice, changed in between', 'Berenson et al. 1995 (P2)', [], ['non-repeatable read'], TEST,
    [[{ do: [read(1), read(1)] }], [{ do: [set(1, 11)] }]], '1 1 2 2 2 1 1'],
  ['Figure 1', 'read-write skew over two tables', `${PAPER}, Figure 1`, [], ['read-write skew'],
    [integers('t1', ['c1', 'c2'], [[1, 1], [2, 1], [3, 2]]), integers('t2', ['c1', 'c2'], [[4, 4]])],
    [
      [
        { do: [select('t1', 'c2', cmp('t1', 'c1', '<', 2)), { kind: 'update', table: 't2', set: [{ column: 'c2', value: num(8) }], where: cmp('t2', 'c1', '>', 2) }] },
        { do: [select('t1', 'c2'), select('t2', 'c2')] },
      ],
      [{ do: [{ kind: 'update', table: 't1', set: [{ column: 'c2', value: num(2) }], where: cmp('t1', 'c1', '<', 2) }, insert('t2', ['c1', 'c2'], [5, 5])] }],
    ], '1 1 2 2 2 2 1 1 1 1 1 1'],
  ['Figure 4', 'a delete after an update: two edges in one direction, no cycle', `${PAPER}, Figure 4`, [], [],
    [integers('t', ['c1', 'c2'], [[2, 1], [9, 9]])],
    [
      [{ do: [{ kind: 'update', table: 't', set: [{ column: 'c1', value: num(1) }], where: cmp('t', 'c1', '<', 5) }, select('t', 'c2', cmp('t', 'c1', '<', 5))] }],
      [{ do: [{ kind: 'delete', table: 't', where: cmp('t', 'c2', '<', 2) }] }],
    ], '1 2 1 1 1 2 2'],
  ['Figure 5', 'a plain read before, a locking read after an update: a snapshot and a current read differ', `${PAPER}, Figure 5`, [], ['non-repeatable read'], TEST,
    [[{ do: [read(1), read(1, 'update')] }], [{ do: [set(1, 11)] }]], '1 1 2 2 2 1 1'],
  ['Figure 6', 'write skew over two tables', `${PAPER}, Figure 6`, [], ['write skew'],
    [integers('t1', ['id', 'value'], [[1, 1], [2, 2]]), integers('t2', ['id', 'value'], [[3, 3]])],
    [
      [{ do: [read(1, undefined, 't1'), set(3, 33, 't2')] }, { do: [read(undefined, undefined, 't1'), read(undefined, undefined, 't2')] }],
      [{ do: [read(3, undefined, 't2'), set(1, 11, 't1')] }],
    ], '1 2 1 2 1 2 1 2 1 1 1 1'],
  ['on-call doctors', 'predicate write skew: both count two doctors on call, each goes off call', 'Cahill, Roehm, Fekete 2008', [], ['write skew', 'predicate write skew'],
    [integers('doctors', ['id', 'shift', 'on_call'], [[1, 1, 1], [2, 1, 1], [3, 2, 1]])],
    [
      [{ do: [onCall(), offCall(1)] }],
      [{ do: [onCall(), offCall(2)] }],
    ], '1 2 1 2 1 2 1 2'],
  ['overlapping bookings', 'predicate write skew: both find the room free, both book it', 'Cahill, Roehm, Fekete 2008', [], ['predicate write skew'],
    [integers('bookings', ['id', 'room', 'from_hour', 'to_hour'], [[1, 1, 8, 9], [2, 2, 9, 17]])],
    [
      [{ do: [overlapping(1, 10, 12), insert('bookings', ['id', 'room', 'from_hour', 'to_hour'], [3, 1, 10, 12])] }],
      [{ do: [overlapping(1, 11, 13), insert('bookings', ['id', 'room', 'from_hour', 'to_hour'], [4, 1, 11, 13])] }],
    ], '1 2 1 2 1 2 1 2'],
  ['P4, increments', 'two increments by expression: the second waits and builds on the first', HERMITAGE, [], ['lost update'], TEST,
    [[{ do: [add(1, 1)] }], [{ do: [add(1, 2)] }], [READ_ALL]], '1 2 1 2 1 2 3 3 3'],
];

export const CANONICAL: readonly CanonicalSchedule[] = ROWS.map(([name, title, source, classes, shapes, tables, sessions, order]) => ({
  name, title, source, looksFor: { classes, shapes }, testCase: testCase(name, tables, sessions, order),
}));
