/** Programs that change tables: the catalogue of them, what a document allows beside such a change, and what a constraint that was added asks of the rows. */
import { describe, expect, it } from 'vitest';
import type { TableChange } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import type { Program, FixtureState } from '../../../core/program/index.ts';
import { mysql, postgres } from '../../../dialects/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Alone } from '../../../src/explore/alone.ts';
import { judgeDifference } from '../../../src/explore/difference.ts';
import { brokenAdditions } from '../../../src/explore/oracles/added.ts';
import { followsCommitOrder } from '../../../src/explore/oracles/commit-order.ts';
import type { Played, TranscriptStep } from '../../../src/explore/play.ts';
import type { SingleRunViolation } from '../../../src/explore/single-run-violation.ts';
import { changeRowFor } from '../../../src/explore/table-changes.ts';
import { judgedViolation } from '../../../src/explore/violation-families.ts';
import { schemaOf, statementOf } from '../../sql.ts';

const catalogueOf = (seed: string, capabilities: Capabilities, only?: readonly string[]): Catalogue =>
  new Catalogue(createRandom(seed), { catalogueSet: 'ddl', capabilities, canForceIndexes: true, ...(only && { only }) });

describe('the catalogue of DDL', () => {
  it('has somebody change a table in every program, in each way, and covers every pair', () => {
    const catalogue = catalogueOf('7', postgres.capabilities);
    const seen = new Set<string>();
    let programs = 0;
    while (catalogue.coverage().covered < catalogue.coverage().pairs && programs < 20_000) {
      const { transactions, fixture, made } = catalogue.next()!;
      programs++;
      const changes = transactions.flatMap(({ steps }) => steps).filter(({ statement }) => statement.kind === 'changeTable');
      expect(changes.length).toBeGreaterThan(0);
      for (const { plainRead, tables } of changes) expect([plainRead, tables]).toEqual([false, fixture.tables.map(({ name }) => name)]);
      expect(fixture.changesSchema).toBe(true);
      seen.add(made['change']!);
    }
    console.log(`${programs} programs cover ${catalogue.coverage().pairs} pairs`);
    expect(catalogue.coverage().covered).toBe(catalogue.coverage().pairs);
    expect(seen.size).toBe(12);
  });

  it('changes tables by statements alone where these end a transaction', () => {
    const catalogue = catalogueOf('7', mysql.capabilities);
    expect(catalogue.lacking).toContain('read skew by a change');
    for (let i = 0; i < 300; i++)
      for (const { steps, autocommit } of catalogue.next()!.transactions)
        if (steps.some(({ statement }) => statement.kind === 'changeTable')) expect([steps.length, autocommit]).toEqual([1, true]);
  });

  it('is cut to a change by its name, which is in that of a family', () => {
    const catalogue = catalogueOf('7', postgres.capabilities, ['truncate', 'read skew by a change']);
    const program = catalogue.next()!;
    expect(program.made['change']).toBe('truncate');
    expect(catalogue.nameOf(program).family).toMatch(/^truncate, read skew by a change/);
  });
});

/** Session 0 reads the one table and then the other, session 1 changes the second one and writes the first. */
function programOf(change: TableChange): Program {
  const schema = schemaOf(`CREATE TABLE a (k int PRIMARY KEY, v int); INSERT INTO a VALUES (1, 10);
    CREATE TABLE b (k int PRIMARY KEY, v int); INSERT INTO b VALUES (1, 10)`);
  const read = (name: string): Program['transactions'][number]['steps'][number] => ({
    statement: statementOf(schema, `SELECT v FROM ${name}`),
    tables: [name],
    plainRead: true,
  });
  const changed = { statement: { kind: 'changeTable', table: 'b', change } as const, tables: ['a', 'b'], plainRead: false };
  return {
    number: 0,
    made: {},
    fixture: { ...schema, name: '', changesSchema: true, byIndex: false },
    transactions: [
      { steps: [read('a'), read('b')], end: 'commit' },
      { steps: [changed], end: 'commit' },
    ],
  };
}

const OK = { rows: [], affected: 0 };

/** `order`: the sessions; a third of each is its end. `failed`: the code that session 0 is told of at its second statement. */
function played(order: readonly number[], ends: readonly ('committed' | 'aborted')[], failed?: string): Played {
  const at = [0, 0];
  const transcript = order.map((session): TranscriptStep => {
    const step = at[session]!++;
    const last = step === (session === 0 ? 2 : 1);
    const error = session === 0 && step === 1 && failed !== undefined ? { class: 'other' as const, code: failed, message: '' } : undefined;
    return { session, step, state: 'replies', reply: { ...OK, ...(last && { ended: ends[session]! }), ...(error && { error }) } };
  });
  const replies = (session: number): Played['outcome']['transactions'][number]['replies'] =>
    transcript.flatMap((entry) => (entry.session === session && entry.reply!.ended === undefined ? [entry.reply!] : []));
  return {
    outcome: { transactions: [0, 1].map((session) => ({ replies: replies(session), end: ends[session]! })), state: {} },
    choices: order,
    transcript,
  };
}

const BOTH = ['committed', 'committed'] as const;
const TRUNCATE: TableChange = { does: 'truncate' };
const SERIALIZABLE = postgres.levels.find(({ level }) => level === 'serializable')!;

describe('what a document allows beside a change of a table', () => {
  const row = (
    of: typeof postgres,
    change: TableChange,
    run: Played,
    level: 'read-committed' | 'serializable' = 'serializable',
  ): string | undefined => changeRowFor(programOf(change), run, of, level)?.says;

  it('applies to a transaction that had begun before and came to the table afterwards', () => {
    expect(row(postgres, TRUNCATE, played([0, 1, 1, 0, 0], BOTH))).toMatch(/not MVCC-safe/);
    expect(row(postgres, { does: 'widen column', column: 'v' }, played([0, 1, 1, 0, 0], BOTH))).toMatch(/not MVCC-safe/);
  });

  it('applies to one that waited for the commit and is heard before it, or behind it', () => {
    const { outcome, choices, transcript } = played([0, 1, 0, 1, 0], BOTH);
    const [first, change, read, commit, end] = transcript as [
      TranscriptStep,
      TranscriptStep,
      TranscriptStep,
      TranscriptStep,
      TranscriptStep,
    ];
    const { reply: _, ...sent } = read;
    const waits: TranscriptStep = { ...sent, state: 'waits' };
    const late: TranscriptStep = { ...read, state: 'replies late' };
    for (const heard of [
      [late, commit],
      [commit, late],
    ])
      // prettier-ignore
      expect(row(postgres, TRUNCATE, { outcome, choices, transcript: [first, change, waits, ...heard, end] })).toMatch(/not MVCC-safe/);
    // Whoever let the change go on was sent behind what it waited for.
    expect(row(postgres, TRUNCATE, { outcome, choices, transcript: [first, read, change, commit, end] })).not.toMatch(/appears empty/);
  });

  it.each([
    ['that had ended before', [0, 0, 0, 1, 1], BOTH],
    ['that began afterwards', [1, 1, 0, 0, 0], BOTH],
    ['that came to nothing', [0, 1, 1, 0, 0], ['aborted', 'committed']],
    ['beside a change that came to nothing', [0, 1, 1, 0, 0], ['committed', 'aborted']],
  ] as const)('does not apply to one %s', (_, order, ends) => {
    expect(row(postgres, TRUNCATE, played(order, ends))).toBeUndefined();
  });

  it('decides on a mixed snapshot beside it, and on no other violation of the run', () => {
    const beside = played([0, 1, 1, 0, 0], BOTH);
    const judged = (violation: Pick<SingleRunViolation, 'kind' | 'reading'>, run: Played): string =>
      judgedViolation({ dialect: postgres, level: SERIALIZABLE }, programOf(TRUNCATE), {
        violation: { ...violation, seen: [] },
        played: run,
      }).verdict;
    const mixed = { kind: 'part of a transaction', reading: 'plain' } as const;
    expect(judged(mixed, beside)).toBe('documented');
    expect(judged(mixed, played([0, 0, 0, 1, 1], BOTH))).toBe('bug');
    expect(judged({ kind: 'transaction state' }, beside)).toBe('bug');
  });

  it('says of names and columns that they are in no snapshot, whoever came to the table first', () => {
    for (const order of [
      [0, 0, 1, 1, 0],
      [0, 1, 1, 0, 0],
      [1, 0, 0, 0, 1],
    ])
      // prettier-ignore
      expect(row(postgres, { does: 'rename', to: 'c' }, played(order, BOTH))).toMatch(/catalogs/);
    for (const order of [
      [0, 0, 0, 1, 1],
      [1, 1, 0, 0, 0],
    ])
      // prettier-ignore
      expect(row(postgres, { does: 'rename', to: 'c' }, played(order, BOTH))).toBeUndefined();
  });

  it('has no word of a TRUNCATE whose own snapshot is older', () => {
    const judged = changeRowFor(programOf(TRUNCATE), played([1, 0, 0, 0, 1], BOTH), postgres, 'serializable');
    expect([judged?.verdict, judged?.says]).toEqual(['undocumented', expect.stringMatching(/does not speak/)]);
  });

  it.each([
    { does: 'add check', name: 'c', column: 'v', below: 9 },
    { does: 'add unique', name: 'u', columns: ['v'] },
    { does: 'add foreign key', name: 'f', column: 'v', to: 'a', references: 'k' },
    { does: 'create index', name: 'i', columns: ['v'], unique: true },
  ] as const)('does not settle by which snapshot rows are checked: $does', (change) => {
    for (const order of [
      [0, 1, 1, 0, 0],
      [1, 0, 0, 0, 1],
    ]) {
      const judged = changeRowFor(programOf(change), played(order, BOTH), postgres, 'serializable');
      expect([judged?.verdict, judged?.says]).toEqual(['undocumented', expect.stringMatching(/does not say/)]);
      expect(changeRowFor(programOf(change), played(order, BOTH), postgres, 'repeatable-read')).toBeUndefined();
    }
    for (const order of [
      [0, 0, 0, 1, 1],
      [1, 1, 0, 0, 0],
    ])
      // prettier-ignore
      expect(row(postgres, change, played(order, BOTH))).toBeUndefined();
  });

  it('does not apply to another change, to another level, or beside an error of which it does not speak', () => {
    expect(row(postgres, { does: 'create index', name: 'i', columns: ['v'] }, played([0, 1, 1, 0, 0], BOTH))).toBeUndefined();
    expect(row(postgres, TRUNCATE, played([0, 1, 1, 0, 0], BOTH), 'read-committed')).toBeUndefined();
    expect(row(postgres, TRUNCATE, played([0, 1, 1, 0, 0], BOTH, '23505'))).toBeUndefined();
  });

  it('is on MySQL the error, and nothing without it', () => {
    expect(row(mysql, TRUNCATE, played([0, 1, 1, 0, 0], BOTH, '1412'))).toMatch(/1412/);
    expect(row(mysql, TRUNCATE, played([0, 1, 1, 0, 0], BOTH))).toBeUndefined();
  });

  it('decides before the promises of the level', () => {
    const judge = (): { readonly verdict: 'bug' } => ({ verdict: 'bug' });
    const change = postgres.tableChanges!.rows[0]!;
    expect(judgeDifference({ kind: 'a change', codes: [] }, { judge, errors: [], change })).toEqual({ verdict: 'documented', row: change });
    expect(judgeDifference({ kind: 'a change', codes: [] }, { judge, errors: [] }).verdict).toBe('bug');
  });
});

describe('two transactions of which one changes a table', () => {
  const rows = (text: string): Played['outcome']['transactions'][number] => ({
    replies: [{ rows: [[text]], affected: 0 }],
    end: 'committed',
  });
  const FROM: FixtureState = {};
  const LATER: FixtureState = {};
  /** Each is told where it stands: before or behind the other one. */
  const alone: Alone = async (session, from) => ({ result: rows(`${session} ${from === FROM ? 'first' : 'behind'}`), state: LATER });
  const told = (...texts: readonly string[]): Promise<boolean> =>
    followsCommitOrder({ transactions: texts.map(rows), state: {} }, FROM, alone);

  it.each([
    ['both at first', ['0 first', '1 first'], true],
    ['one behind the other', ['0 behind', '1 first'], true],
    ['each behind the other', ['0 behind', '1 behind'], false],
    ['one what neither state tells', ['0 first', '1 otherwise'], false],
    ['of three, whatever', ['0 x', '1 x', '2 x'], true],
  ] as const)('are told by commits: %s', async (_, texts, expected) => {
    expect(await told(...texts)).toBe(expected);
  });
});

describe('a constraint that was added', () => {
  const broken = (change: TableChange, state: FixtureState, ends: readonly ('committed' | 'aborted')[] = BOTH): readonly string[] =>
    brokenAdditions(programOf(change), played([0, 0, 0, 1, 1], ends), state);
  const A: FixtureState = { a: [['1', '10']] };

  it.each<readonly [TableChange, FixtureState, FixtureState]>([
    [{ does: 'add check', name: 'c', column: 'v', below: 100 }, { b: [['1', '99'], ['2', null]] }, { b: [['1', '100']] }], // prettier-ignore
    [{ does: 'add unique', name: 'c', columns: ['v'] }, { b: [['1', null], ['2', null], ['3', '5']] }, { b: [['1', '5'], ['2', '5']] }], // prettier-ignore
    [{ does: 'create index', name: 'c', columns: ['v'], unique: true }, { b: [['1', '5']] }, { b: [['1', '5'], ['2', '5']] }], // prettier-ignore
    [{ does: 'add foreign key', name: 'c', column: 'v', to: 'a', references: 'k' }, { b: [['1', '1'], ['2', null]] }, { b: [['1', '2']] }], // prettier-ignore
  ])('%o is kept, or broken, by the rows that are left', (change, kept, left) => {
    expect(broken(change, { ...A, ...kept })).toEqual([]);
    expect(broken(change, { ...A, ...left })).toHaveLength(1);
    expect(broken(change, { ...A, ...left }, ['committed', 'aborted'])).toEqual([]);
  });

  it('asks nothing of an index that is not unique', () => {
    expect(broken({ does: 'create index', name: 'c', columns: ['v'] }, { ...A, b: [['1', '5'], ['2', '5']] })).toEqual([]); // prettier-ignore
  });
});
