import { expect, test } from 'vitest';
import type { Expression, From, Query, Select, Statement, WriteStatement, Schema } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import { decodeObservations } from '../../../core/history/index.ts';
import type { Probe, ProbedStatement } from '../../../core/program/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, schemaOf } from '../../sql.ts';

const WITHOUT: Capabilities = { returning: { insert: true, update: true, delete: true }, lockStrengths: ['update', 'share'], lockWait: [] };
const BESIDE: Capabilities = { ...WITHOUT, readBeside: true };

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const one = literal(1);
const from = (table: string): From => ({ kind: 'table', table, alias: table });
const count: Expression = { kind: 'aggregate', name: 'count' };
const select = (table: string, rest: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [{ expression: column(table, 'c'), alias: 'x' }],
  from: from(table),
  ...rest,
});
const sameAs = (table: string): Select =>
  select('u', { where: { kind: 'compare', op: '=', left: column('u', 'c'), right: column(table, 'c') } });
const exists = (query: Query): Expression => ({ kind: 'exists', query, negated: true });
const having: Select = { ...select('t'), groupBy: [column('t', 'c')], having: { kind: 'compare', op: '>', left: count, right: one } };
const except: Query = { kind: 'setOperation', op: 'except', all: false, left: select('t'), right: select('u') };

const SCHEMA = schemaOf('CREATE TABLE t (c int); CREATE TABLE u (c int)');

function planned(statement: Statement, capabilities: Capabilities): ProbedStatement {
  const txn = { id: 7, statements: [statement], end: 'commit', autocommit: false } as const;
  return instrument({ seed: 's', schema: SCHEMA, sessions: [{ transactions: [txn] }] }, { mode: 'exact', capabilities }).sessions[0]!
    .transactions[0]!.statements[0]!;
}

const beside = ({ statement }: ProbedStatement): boolean => 'reads' in statement && statement.reads !== undefined;

test('what the rows of a result cannot carry is read beside it where the server allows that', () => {
  for (const query of [having, except, select('t', { where: exists(sameAs('t')) })]) {
    const got = planned(query, BESIDE);

    expect(got.probe).toMatchObject({ reads: 'exact', layout: { kind: 'json' } });
    expect(beside(got)).toBe(true);
    const { reads: _, ...own } = got.statement as Select;
    expect(own).toEqual(query);
  }
});

test('elsewhere what the rows can carry is carried, and the reason given', () => {
  const groups = planned(having, WITHOUT);
  const minus = planned(except, WITHOUT);

  expect(groups.probe).toMatchObject({ reads: 'partial', reason: 'the groups that HAVING drops are not shown' });
  expect(groups.statement).toMatchObject({ items: [{}, { alias: 'iso_reads', expression: { items: [{ kind: 'jsonAgg' }] } }] });
  expect(minus.probe).toMatchObject({ reads: 'none', layout: { kind: 'none' }, reason: 'rows that EXCEPT drops are not shown' });
  expect(minus.statement).toEqual(except);
});

test('a query that locks is never evaluated twice', () => {
  const got = planned(select('t', { where: exists(sameAs('t')), lock: { strength: 'update' } }), BESIDE);

  expect(beside(got)).toBe(false);
  expect(got.probe).toMatchObject({ reads: 'partial', reason: expect.stringContaining('subquery') as string });
});

test('nothing is claimed behind a LIMIT, wherever it stands', () => {
  const limited = select('u', { limit: 1 });
  const places: Query[] = [
    select('t', { limit: 1 }),
    select('t', { items: [{ expression: { kind: 'subquery', query: limited }, alias: 'x' }] }),
    select('t', { where: exists(limited) }),
    select('d', {
      from: { kind: 'derived', query: limited, alias: 'd' },
      where: { kind: 'isNull', operand: column('d', 'x'), negated: false },
    }),
  ];

  for (const query of places)
    expect(planned(query, BESIDE).probe).toMatchObject({
      reads: 'partial',
      reason: 'LIMIT may leave rows unread that satisfied the WHERE',
    });
});

test('DISTINCT and UNION become groups that show what was merged', () => {
  const distinct = planned(select('t', { distinct: true }), WITHOUT);
  const union = planned({ ...except, op: 'union' }, WITHOUT);

  expect(distinct.statement).toMatchObject({ groupBy: [column('t', 'c')], items: [{}, { expression: { kind: 'jsonAgg' } }] });
  expect(distinct.statement).not.toHaveProperty('distinct');
  expect(union.statement).toMatchObject({
    kind: 'select',
    from: { query: { kind: 'setOperation', all: true } },
    items: [{}, { expression: { kind: 'jsonAgg' } }],
  });
  expect([distinct.probe.reads, union.probe.reads]).toEqual(['exact', 'exact']);
});

test('a natural join names its columns, so that ours do not take part in it', () => {
  const join: From = { kind: 'join', type: 'inner', left: from('t'), right: from('u'), using: ['c'], natural: true };
  const got = planned(select('t', { from: join }), WITHOUT);

  expect((got.statement as Select).from).toEqual({ kind: 'join', type: 'inner', left: from('t'), right: from('u'), using: ['c'] });
  expect((got.original as Select).from).toEqual(join);
});

test('what a write reads beside its rows is read beside it, or the write is partial', () => {
  const writes: WriteStatement[] = [
    { kind: 'update', table: 't', set: [{ column: 'c', value: one }], from: from('u') },
    { kind: 'delete', table: 't', where: exists(sameAs('t')) },
    { kind: 'insert', table: 't', columns: ['c'], rows: [], query: select('u') },
  ];

  for (const write of writes) {
    expect(planned(write, BESIDE).probe.reads).toBe('exact');
    expect(beside(planned(write, BESIDE))).toBe(true);
    expect(planned(write, WITHOUT).probe).toMatchObject({ reads: 'partial', reason: expect.stringContaining('beside') as string });
    expect(beside(planned(write, WITHOUT))).toBe(false);
  }
});

test('INSERT ... SELECT numbers its rows in SQL, and an upsert appends its entry', () => {
  const source = planned({ kind: 'insert', table: 't', columns: ['c'], rows: [], query: select('u') }, BESIDE).statement;
  const upsert = planned(
    { kind: 'insert', table: 't', columns: ['c'], rows: [[one]], conflict: { action: 'update', columns: ['c'], set: [] } },
    BESIDE,
  ).statement;

  expect(source).toMatchObject({
    columns: ['c', 'iso_rid', 'iso_w'],
    query: {
      items: [
        {},
        { alias: 'iso_rid', expression: { operands: [{ value: 'r7.1_' }, { kind: 'cast' }] } },
        { expression: { value: ',7.1' } },
      ],
    },
  });
  expect(upsert).toMatchObject({ conflict: { set: [{ column: 'iso_w', value: { kind: 'call', name: 'right' } }] } });
});

const probe = (role: Probe['role']): Probe => ({ layout: { kind: 'json' }, role, reads: 'exact', userColumns: 1 });
const ROWS = [
  ['5', '["t","r0.0_1",",0.0,7.1"]'],
  [null, '[false, [[["u","r0.0_2",",0.0"]], ["u","r0.0_2",",0.0"], null]]'],
] as const;

test('the row of what was read beside a write is no row of the user, and its versions are reads', () => {
  const got = decodeObservations(probe('write'), { columns: [], rows: ROWS, affected: 2 });

  expect(got).toEqual({ triples: ['t', 'r0.0_1', ',0.0,7.1'], auxiliaryReads: ['u', 'r0.0_2', ',0.0'], rows: 1, userRows: [['5']] });
});

test('beside a read its versions join the others', () => {
  const got = decodeObservations(probe('read'), { columns: [], rows: ROWS.map(([user, reads]) => [user, reads]), affected: 2 });

  expect(got.triples).toEqual(['t', 'r0.0_1', ',0.0,7.1', 'u', 'r0.0_2', ',0.0']);
  expect(got).toMatchObject({ rows: 1, userRows: [['5']] });
});

test('false anywhere else is refused', () => {
  expect(() => decodeObservations(probe('read'), { columns: [], rows: [['5', '["t","r0.0_1",",0.0", false]']], affected: 1 })).toThrow(
    /iso_reads/,
  );
});

test('a LIMIT beside a whole key cuts nothing off, and stands where it stood', () => {
  const schema: Schema = { tables: [{ ...SCHEMA.tables[0]!, primaryKey: ['c'] }] };
  const where = { kind: 'compare', op: '=', left: column('t', 'c'), right: one } as const;
  const txn = (statement: Select) => ({ id: 7, statements: [statement], end: 'commit', autocommit: false }) as const;
  const [whole, cut] = [select('t', { where, limit: 1 }), select('t', { limit: 1 })].map(
    (statement) =>
      instrument({ seed: 's', schema, sessions: [{ transactions: [txn(statement)] }] }, { mode: 'exact', capabilities: WITHOUT })
        .sessions[0]!.transactions[0]!.statements[0]!,
  );

  expect(whole!.probe).toMatchObject({ reads: 'exact' });
  expect(whole!.statement).toMatchObject({ limit: 1 });
  expect(cut!.probe).toMatchObject({ reads: 'partial' });
});
