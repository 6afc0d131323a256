import { expect, test } from 'vitest';
import type { Expression, From, Select, Statement } from '../../../core/sql/index.ts';
import type { Capabilities, InstrumentMode } from '../../../core/dialect/index.ts';
import type { ProbedStatement } from '../../../core/program/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, schemaOf, statementOf } from '../../sql.ts';

const ALL: Capabilities = { returning: { insert: true, update: true, delete: true }, lockStrengths: ['update', 'share'], lockWait: [] };

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const one = literal(1);
const table = (name: string, alias = name): From => ({ kind: 'table', table: name, alias });
const where = (alias: string): Expression => ({ kind: 'compare', op: '>', left: column(alias, 'c'), right: one });
const select = (from: From, alias: string, rest: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [{ expression: column(alias, 'c'), alias: 'x' }],
  from,
  ...rest,
});
const reads = (...items: Expression[]): unknown => ({ expression: { kind: 'jsonArray', items }, alias: 'iso_reads' });
const triple = (name: string, alias = name): Expression[] => [literal(name), column(alias, 'iso_rid'), column(alias, 'iso_w')];

const SCHEMA = schemaOf(`CREATE TABLE t (c int); INSERT INTO t VALUES (1), (2);
  CREATE TABLE u (c int); INSERT INTO u VALUES (1), (2)`);

function probe(statements: Statement[], mode: InstrumentMode, capabilities = ALL): readonly ProbedStatement[] {
  const probed = instrument(
    { seed: 's', schema: SCHEMA, sessions: [{ transactions: [{ id: 7, statements, end: 'commit', autocommit: false }] }] },
    { mode, capabilities },
  );
  return probed.sessions[0]!.transactions[0]!.statements;
}

const exact = (statement: Statement): ProbedStatement => probe([statement], 'exact')[0]!;
const paper = (statement: Statement): ProbedStatement => probe([statement], 'paper')[0]!;

test('every table gets a row id and a write list, with ids that are unique over the case', () => {
  const { schema } = instrument({ seed: 's', schema: SCHEMA, sessions: [] }, { mode: 'exact', capabilities: ALL });

  expect(schema.tables.map((t) => t.columns.map((c) => c.name))).toEqual([
    ['c', 'iso_rid', 'iso_w'],
    ['c', 'iso_rid', 'iso_w'],
  ]);
  expect(schema.tables.flatMap((t) => t.rows)).toEqual([
    [1, 'r0.0_0', ',0.0'],
    [2, 'r0.0_1', ',0.0'],
    [1, 'r0.0_2', ',0.0'],
    [2, 'r0.0_3', ',0.0'],
  ]);
});

test('mode none leaves schema and statements alone and says that nothing is seen', () => {
  const statement = select(table('t'), 't');
  const probed = instrument(
    { seed: 's', schema: SCHEMA, sessions: [{ transactions: [{ id: 1, statements: [statement], end: 'commit', autocommit: true }] }] },
    { mode: 'none', capabilities: ALL },
  );

  expect(probed.schema).toBe(SCHEMA);
  expect(probed.sessions[0]!.transactions[0]!.statements[0]).toMatchObject({
    statement,
    probe: { layout: { kind: 'none' }, reads: 'none', userColumns: 1 },
  });
});

test('exact: a plain SELECT keeps everything it had and shows its row in one last column', () => {
  const lock = { strength: 'update' } as const;
  const orderBy = [{ expression: column('a', 'c'), descending: true }];
  const statement = select(table('t', 'a'), 'a', { where: where('a'), orderBy, lock });

  const got = exact(statement);

  expect(got.statement).toEqual({ ...statement, items: [...statement.items, reads(...triple('t', 'a'))] });
  expect(got.probe).toEqual({ layout: { kind: 'json' }, role: 'read', reads: 'exact', userColumns: 1 });
  expect(got.original).toBe(statement);
});

test('exact: a join shows every base table', () => {
  const from: From = { kind: 'join', type: 'left', left: table('t', 'a'), right: table('u', 'b'), on: where('a') };

  const got = exact(select(from, 'a', { where: where('b') }));

  expect((got.statement as Select).items[1]).toEqual(reads(...triple('t', 'a'), ...triple('u', 'b')));
  expect(got.probe.reads).toBe('exact');
});

test('exact: a derived table carries its own reads, nested in the outer array', () => {
  const inner = select(table('t'), 't', { where: where('t') });
  const got = exact(select({ kind: 'derived', query: inner, alias: 'd' }, 'd'));

  expect(got.statement).toMatchObject({
    items: [{}, reads(column('d', 'iso_reads'))],
    from: { kind: 'derived', query: { items: [{}, reads(...triple('t'))] } },
  });
  expect(got.probe.reads).toBe('exact');
});

test('exact: each arm of a UNION ALL has its own reads', () => {
  const got = exact({ kind: 'unionAll', arms: [select(table('t'), 't'), select(table('u'), 'u')] });

  expect(got.statement).toMatchObject({ arms: [{ items: [{}, reads(...triple('t'))] }, { items: [{}, reads(...triple('u'))] }] });
  expect(got.probe).toMatchObject({ reads: 'exact', userColumns: 1 });
});

const derived = (query: Select): From => ({ kind: 'derived', query, alias: 'd' });
const plain = select(table('t'), 't');
const HIDING: readonly (readonly [string, Select])[] = [
  ['LIMIT', select(table('t'), 't', { limit: 1 })],
  ['SKIP LOCKED', select(table('t'), 't', { lock: { strength: 'update', wait: 'skip locked' } })],
  ['a LIMIT inside a derived table', select(derived({ ...plain, limit: 1 }), 'd')],
  ['an outer WHERE over a derived table', select(derived(plain), 'd', { where: where('d') })],
  [
    'an inner join with a derived table',
    select({ kind: 'join', type: 'inner', left: derived(plain), right: table('u'), on: where('d') }, 'd'),
  ],
  [
    'a left join that brings a derived table',
    select({ kind: 'join', type: 'left', left: table('u'), right: derived(plain), on: where('d') }, 'd'),
  ],
];

test.each(HIDING)('%s makes the reads partial, with a reason', (_name, statement) => {
  for (const got of [exact(statement), paper(statement)]) {
    expect(got.probe.reads).toBe('partial');
    expect(got.probe.reason).toBeTruthy();
  }
});

test('a derived table on the kept side of a left join is shown in full', () => {
  const statement = select({ kind: 'join', type: 'left', left: derived(plain), right: table('u'), on: where('d') }, 'd');

  expect(exact(statement).probe).toMatchObject({ reads: 'exact' });
});

test('exact: writes are numbered from 1, mark their rows and return them', () => {
  const got = probe(
    [
      { kind: 'savepoint', name: 's1' },
      { kind: 'insert', table: 't', columns: ['c'], rows: [[one], [one]] },
      plain,
      { kind: 'update', table: 't', set: [{ column: 'c', value: one }], where: where('t') },
      { kind: 'delete', table: 'u', returning: [{ expression: column('u', 'c'), alias: 'c' }] },
    ],
    'exact',
  );

  expect(got.map((s) => s.seq)).toEqual([undefined, 1, undefined, 2, 3]);
  expect(got[0]!.probe).toEqual({ layout: { kind: 'none' }, role: 'read', reads: 'exact', userColumns: 0 });
  expect(got[1]!.statement).toEqual({
    kind: 'insert',
    table: 't',
    columns: ['c', 'iso_rid', 'iso_w'],
    rows: [
      [one, literal('r7.1_0'), literal(',7.1')],
      [one, literal('r7.1_1'), literal(',7.1')],
    ],
    returning: [reads(...triple('t'))],
  });
  const grown: Expression = { kind: 'concat', operands: [column('t', 'iso_w'), literal(',7.2')] };
  expect(got[3]!.statement).toEqual({
    kind: 'update',
    table: 't',
    set: [
      { column: 'c', value: one },
      { column: 'iso_w', value: { kind: 'call', name: 'right', args: [grown, literal(480)] } },
    ],
    where: where('t'),
    returning: [reads(...triple('t'))],
  });
  expect(got[4]!.statement).toMatchObject({ returning: [{ alias: 'c' }, reads(...triple('u'))] });
  expect(got.slice(1).map((s) => [s.probe.role, s.probe.reads, s.probe.userColumns])).toEqual([
    ['write', 'exact', 0],
    ['read', 'exact', 1],
    ['write', 'exact', 0],
    ['delete', 'exact', 1],
  ]);
});

test('exact: without RETURNING the row is still marked and the statement is tagged as unseen', () => {
  const capabilities = { ...ALL, returning: { insert: true, update: false, delete: false } };
  const [got] = probe([{ kind: 'update', table: 't', set: [] }], 'exact', capabilities);

  expect(got!.statement).toMatchObject({ set: [{ column: 'iso_w' }] });
  expect(got!.statement).not.toHaveProperty('returning');
  expect(got!.probe).toMatchObject({
    layout: { kind: 'none' },
    reads: 'none',
    reason: expect.stringContaining('UPDATE ... RETURNING') as string,
  });
});

const plainColumns = (alias: string, n = ''): unknown[] => [
  { expression: column(alias, `iso_rid${n}`), alias: `iso_rid${n}` },
  { expression: column(alias, `iso_w${n}`), alias: `iso_w${n}` },
];

test('paper, cases 1, 2 and 5: id and list of every table stand behind the columns', () => {
  const from: From = { kind: 'join', type: 'inner', left: table('t', 'a'), right: table('u', 'b'), on: where('a') };
  const got = paper(select(from, 'a', { lock: { strength: 'update' } }));

  expect((got.statement as Select).items.slice(1)).toEqual([
    ...plainColumns('a'),
    { expression: column('b', 'iso_rid'), alias: 'iso_rid_2' },
    { expression: column('b', 'iso_w'), alias: 'iso_w_2' },
  ]);
  expect(got.probe.layout).toEqual({
    kind: 'columns',
    pairs: [
      { table: 't', rid: 1, list: 2 },
      { table: 'u', rid: 3, list: 4 },
    ],
  });
});

test('paper, case 3: arms of different width are padded, and a pair that is not of one table names none', () => {
  const wide = select({ kind: 'join', type: 'cross', left: table('t', 'a'), right: table('u', 'b') }, 'a');
  const got = paper({ kind: 'unionAll', arms: [select(table('u'), 'u'), wide] });

  expect(got.statement).toMatchObject({ arms: [{ items: { length: 5 } }, { items: { length: 5 } }] });
  expect(got.probe.layout).toEqual({
    kind: 'columns',
    pairs: [
      { table: '', rid: 1, list: 2 },
      { table: 'u', rid: 3, list: 4 },
    ],
  });
});

test('paper, case 4: the columns are carried through a derived table', () => {
  const from: From = { kind: 'join', type: 'cross', left: table('t', 'a'), right: table('u', 'b') };
  const got = paper(select({ kind: 'derived', query: select(from, 'a'), alias: 'd' }, 'd'));

  expect((got.statement as Select).items.slice(1)).toEqual([...plainColumns('d'), ...plainColumns('d', '_2')]);
});

test('paper, cases 6 and 7: INSERT and UPDATE mark their rows and return nothing', () => {
  const [insert, update] = probe(
    [
      { kind: 'insert', table: 't', columns: [], rows: [[]] },
      { kind: 'update', table: 't', set: [] },
    ],
    'paper',
  );

  expect(insert!.statement).toEqual({
    kind: 'insert',
    table: 't',
    columns: ['iso_rid', 'iso_w'],
    rows: [[literal('r7.1_0'), literal(',7.1')]],
  });
  expect(update!.statement).toMatchObject({ set: [{ column: 'iso_w' }] });
  expect([insert, update].map((s) => s!.probe)).toEqual([
    expect.objectContaining({ layout: { kind: 'none' }, reads: 'none' }),
    expect.objectContaining({ layout: { kind: 'none' }, reads: 'none' }),
  ]);
});

test('paper, case 8: a DELETE is preceded by a locking SELECT of the same rows', () => {
  const statement: Statement = { kind: 'delete', table: 't', where: where('t') };
  const got = paper(statement);

  expect(got.statement).toEqual(statement);
  expect(got.before).toEqual({
    statement: { kind: 'select', items: plainColumns('t'), from: table('t'), where: where('t'), lock: { strength: 'update' } },
    probe: { layout: { kind: 'columns', pairs: [{ table: 't', rid: 0, list: 1 }] }, role: 'delete', reads: 'exact', userColumns: 0 },
  });
});

test('an UPDATE through a view returns all that its table has, by names of ours where the view leaves a column out', () => {
  const schema = schemaOf('CREATE TABLE t (a int, b int, c int); CREATE VIEW w AS SELECT b FROM t AS x');
  const update = statementOf(schema, 'UPDATE w SET b = 1');
  const plan = {
    seed: 's',
    schema,
    sessions: [{ transactions: [{ id: 7, statements: [update], end: 'commit', autocommit: false }] }],
  } as const;
  const shown = (images: boolean, capabilities = ALL): unknown => {
    const probed = instrument(plan, { mode: 'exact', capabilities, images });
    const { statement } = probed.sessions[0]!.transactions[0]!.statements[0]!;
    const { query } = probed.schema.views![0]!;
    return {
      view:
        query.kind === 'select' &&
        query.items.map(({ expression, alias }) => [expression.kind === 'column' && expression.column, alias].join()),
      returned: 'returning' in statement && statement.returning,
    };
  };
  const asText = (name: string): Expression => ({ kind: 'concat', operands: [column('w', name), literal('')] });
  expect(shown(true)).toEqual({
    view: ['b,b', 'a,iso_h0', 'c,iso_h2', 'iso_rid,iso_rid', 'iso_w,iso_w'],
    returned: [reads(...triple('t', 'w'), { kind: 'jsonArray', items: [literal(''), ...['iso_h0', 'b', 'iso_h2'].map(asText)] })],
  });
  const plain = ['b,b', 'iso_rid,iso_rid', 'iso_w,iso_w'];
  expect(shown(false)).toEqual({ view: plain, returned: [reads(...triple('t', 'w'))] });
  expect(shown(true, { ...ALL, returning: { insert: true, update: false, delete: true } })).toMatchObject({ view: plain });
});
