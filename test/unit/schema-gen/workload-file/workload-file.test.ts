// Workload files: directives, parameters and their draws, rows, invariants, and refusals with their lines.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bindStatement } from '../../../../core/index.ts';
import type { Expression, Statement, TestCase } from '../../../../core/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../../../schema-gen/index.ts';
import type { WorkloadTemplates } from '../../../../schema-gen/index.ts';
import { TINY_IMPORTER } from './tiny-importer.ts';

const HEAD = `-- Two accounts, as prose may say: schema, data and transaction are no words of ours without an @.
-- @schema
CREATE TABLE kv (k int primary key, v int);
-- @data
-- @for :i 1..2*scale
INSERT INTO kv VALUES (:i, 100);
`;

const FILE = `${HEAD}
-- @transaction move weight=3 rollback=50%
-- @parameter :from key of kv
-- @parameter :to key of kv except :from
SELECT v FROM kv WHERE k = :from;
-- @repeat :n 2..3
-- @parameter :amount zipfian int 1..9
UPDATE kv SET v = :amount WHERE k = :to;
UPDATE kv SET v = :n WHERE k = :from;
-- @end repeat
SELECT v FROM kv WHERE k = :to;

-- @transaction peek autocommit
-- @parameter :k one of 1, 2
SELECT v FROM kv WHERE k = :k;

-- @invariant nothing-is-lost
SELECT v FROM kv WHERE v = 0;
`;

function imported(text: string, scale = 1): { readonly templates: WorkloadTemplates; readonly refused: readonly string[] } {
  const { file, refused } = parseWorkloadFile(text, { scale });
  const made = importWorkload(file, TINY_IMPORTER);
  return {
    templates: made.templates,
    refused: [...refused, ...made.refused].sort((a, b) => a.line - b.line).map(({ line, reason }) => `${line}: ${reason}`),
  };
}

function refusals(body: string): readonly string[] {
  return imported(`${HEAD}${body}`).refused.map((each) => each.replace(/^(\d+)/, (line) => String(Number(line) - 6)));
}

function statements(testCase: TestCase): readonly Statement[] {
  return testCase.sessions.flatMap(({ transactions }) => transactions.flatMap((txn) => txn.statements));
}

describe('a workload file', () => {
  it('is a schema with its rows, transactions with their options, and invariants', () => {
    const { templates, refused } = imported(FILE);
    expect(refused).toEqual([]);
    expect(templates.schema.tables.map(({ name, rows }) => [name, rows])).toEqual([
      [
        'kv',
        [
          [1, 100],
          [2, 100],
        ],
      ],
    ]);
    expect(templates.transactions.map(({ name, weight, rollback, autocommit }) => [name, weight, rollback, autocommit])).toEqual([
      ['move', 3, 0.5, false],
      ['peek', 1, 0, true],
    ]);
    expect(templates.invariants.map(({ name, query }) => [name, query.kind])).toEqual([['nothing-is-lost', 'select']]);
  });

  it('has as many rows as its scale says', () => {
    expect(imported(FILE, 3).templates.schema.tables[0]?.rows).toHaveLength(6);
  });

  it('makes rows of every combination of its counters, with the values that are drawn for them, always the same', () => {
    const text = `-- @data
-- @for :a 1..2, :b 0..1
-- @parameter :day date 2026-02-27..2026-03-02
INSERT INTO t VALUES (:a, :b, ':a', :day);`;
    const rows = parseWorkloadFile(text).file.schema.map(({ sql }) =>
      /^INSERT INTO t VALUES \((\d), (\d), ':a', '(2026-0(?:2-2[78]|3-0[12]))'\)$/.exec(sql),
    );
    expect(rows.map((row) => row?.slice(1, 3).join())).toEqual(['1,0', '1,1', '2,0', '2,1']);
    expect(parseWorkloadFile(text).file.schema).toEqual(parseWorkloadFile(text).file.schema);
  });

  it('gives no number of unique twice, in all of its rows and transactions', () => {
    const insert = '-- @for :a 1..3\n-- @parameter :u unique\nINSERT INTO kv VALUES (:u, 1);\n';
    const { templates } = imported(`${HEAD}${insert}${insert}-- @transaction t\n-- @parameter :u unique\nSELECT v FROM kv WHERE k = :u;`);
    const keys = templates.schema.tables[0]!.rows.map(([key]) => key);
    expect(keys).toEqual([1, 2, 1_000_000, 1_000_001, 1_000_002, 1_000_003, 1_000_004, 1_000_005]);
    const drawn = statements(workloadCase('unique', templates, { mode: 'stress' })).map((each) =>
      'where' in each ? valueOf(each.where) : undefined,
    );
    expect(new Set([...keys, ...drawn]).size).toBe(keys.length + drawn.length);
  });

  it('draws no new uuid that stands for a number, as those of the first rows do', () => {
    const { templates, refused } = imported(`-- @schema
CREATE TABLE users (n int primary key, id text);
-- @data
-- @for :n 0..40
-- @parameter :id uuid of :n
INSERT INTO users VALUES (:n, :id);
-- @transaction t
-- @parameter :new uuid
UPDATE users SET id = :new WHERE n = 1;`);
    expect(refused).toEqual([]);
    const there = templates.schema.tables[0]!.rows.map(([, id]) => String(id));
    const drawn = statements(workloadCase('new', templates, { mode: 'stress' })).flatMap((each) =>
      each.kind === 'update' ? [literalOf(each.set[0]!.value)] : [],
    );
    expect(drawn.length).toBeGreaterThan(1);
    expect(new Set([...there, ...drawn]).size).toBe(there.length + drawn.length);
  });

  it('ends statements at semicolons outside of strings, names, dollar quotes and comments', () => {
    const { file, refused } = parseWorkloadFile(`-- @schema
CREATE TABLE a (x text default 'it''s; here'); -- not; here
/* nor; here */ CREATE TABLE "b;" (y int);
CREATE TABLE \`c;\` (d text default $q$ ; 'x $q$);
`);
    expect(refused.map(({ reason }) => reason)).toEqual([expect.stringContaining('no transaction')]);
    expect(file.schema).toEqual([
      { sql: `CREATE TABLE a (x text default 'it''s; here')`, line: 2 },
      { sql: 'CREATE TABLE "b;" (y int)', line: 3 },
      { sql: `CREATE TABLE \`c;\` (d text default $q$ ; 'x $q$)`, line: 4 },
    ]);
  });

  it('takes no cast, no assignment and no text for a parameter', () => {
    const { refused } = imported(`${HEAD}-- @transaction t\nSELECT v::int FROM kv WHERE w = ':x' /* :y */ -- :z\n;`);
    expect(refused).toEqual([expect.stringContaining('8: not understood: SELECT v::int')]);
  });
});

describe('a case of a workload file', () => {
  const { templates } = imported(FILE);

  it('is the same for the same seed, and another for another', () => {
    const hash = (seed: string): string => {
      const { written, ...run } = workloadCase(seed, templates, { mode: 'stress' });
      expect(Object.keys(written ?? {})).not.toEqual([]);
      return createHash('sha256').update(JSON.stringify(run)).digest('hex');
    };
    expect(hash('7/0')).toBe(hash('7/0'));
    expect(hash('7/1')).not.toBe(hash('7/0'));
    // Every finding's replay command rests on it.
    expect(hash('7/0').slice(0, 16)).toBe('d012f694a5bdf74e');
  });

  it('draws transactions by their weights, rollbacks by their share, and numbers them from 1', () => {
    const { sessions } = workloadCase('weights', templates, {
      mode: 'stress',
      sessions: { min: 10, max: 10 },
      transactions: { min: 100, max: 100 },
    });
    const all = sessions.flatMap(({ transactions }) => transactions);
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
    const moves = all.filter(({ autocommit }) => !autocommit);
    expect(moves.length / all.length).toBeCloseTo(0.75, 1);
    expect(moves.filter(({ end }) => end === 'rollback').length / moves.length).toBeCloseTo(0.5, 1);
    expect(all.filter(({ autocommit, end }) => autocommit && end === 'rollback')).toEqual([]);
  });

  it('draws a parameter once for its transaction, one of a repeat each time, and never what it excepts', () => {
    const { sessions } = workloadCase('draws', templates, { mode: 'stress' });
    const shapes = new Set<number>();
    const amounts = new Set<unknown>();
    for (const { statements: own } of sessions.flatMap(({ transactions }) => transactions).filter(({ autocommit }) => !autocommit)) {
      shapes.add(own.length);
      const keys = own.map((each) => valueOf('where' in each ? each.where : undefined));
      const [from, to] = [keys[0], keys.at(-1)];
      expect(new Set([from, to])).toEqual(new Set([1, 2]));
      expect(keys.slice(1, -1)).toEqual(Array.from({ length: own.length - 2 }, (_, i) => (i % 2 === 0 ? to : from)));
      const sets = own.slice(1, -1).map((each) => (each.kind === 'update' ? literalOf(each.set[0]?.value) : undefined));
      expect(sets.filter((_, i) => i % 2 === 1)).toEqual(Array.from({ length: sets.length / 2 }, (_, i) => i + 1));
      for (const [i, amount] of sets.entries()) if (i % 2 === 0) amounts.add(amount);
    }
    expect(shapes).toEqual(new Set([6, 8]));
    expect(amounts.size).toBeGreaterThan(5);
  });

  it('has a schedule of as many steps as its sessions, where one is asked for', () => {
    const testCase = workloadCase('scheduled', templates, { mode: 'schedule', sessions: { min: 3, max: 3 } });
    const steps = testCase.sessions.map(({ transactions }) =>
      transactions.reduce((sum, txn) => sum + (txn.autocommit ? 1 : txn.statements.length + 2), 0),
    );
    expect(testCase.schedule).toHaveLength(steps.reduce((a, b) => a + b));
    expect(statements(testCase).length).toBeGreaterThan(0);
  });

  it.each([
    ['int 3..5', 'integer', /^[345]$/],
    ['decimal 1.00..1.05', 'decimal', /^1\.0[0-5]$/],
    ['date 2026-02-28..2026-03-01', 'date', /^2026-0(2-28|3-01)$/],
    ['timestamp 2026-02-28..2026-03-01', 'timestamp', /^2026-0(2-28|3-01) \d\d:\d\d:\d\d$/],
    ['text 2..4', 'text', /^[a-z]{2,4}$/],
    ['boolean', 'boolean', /^(true|false)$/],
    [`one of 'it''s', 'b;'`, 'text', /^(it's|b;)$/],
    ['one of 1, 2.5', 'decimal', /^(1|2\.5)$/],
    ['one of 1234567890123456789, -9223372036854775808, 2', 'bigint', /^(1234567890123456789|-9223372036854775808|2)$/],
    ['hotspot int 1..100*scale', 'integer', /^\d+$/],
    ['exponential key of kv', 'integer', /^[12]$/],
    ['value of kv.v', 'integer', /^100$/],
    ['unique from 10', 'integer', /^\d\d+$/],
  ])('draws %s', (words, type, form) => {
    const { templates: own, refused } = imported(
      `${HEAD}-- @transaction t autocommit\n-- @parameter :x ${words}\nSELECT v FROM kv WHERE k = :x;`,
    );
    expect(refused).toEqual([]);
    const drawn = statements(workloadCase('kinds', own, { mode: 'stress' })).map((each) =>
      'where' in each && each.where?.kind === 'compare' ? each.where.right : undefined,
    );
    for (const each of drawn) {
      expect(each).toMatchObject({ kind: 'literal', type });
      expect(String(literalOf(each))).toMatch(form);
    }
    if (words.startsWith('unique')) expect(new Set(drawn.map(literalOf)).size).toBe(drawn.length);
  });

  it('draws no number that is excepted, be one a bigint and one an integer', () => {
    const { templates: own } = imported(
      `${HEAD}-- @transaction t\n-- @parameter :a one of 1, 2\n-- @parameter :b one of 1, 2, 1234567890123456789 except :a\nUPDATE kv SET v = :a WHERE k = :b;`,
    );
    const drawn = statements(workloadCase('excepted', own, { mode: 'stress' })).map((each) =>
      each.kind === 'update' ? [String(literalOf(each.set[0]?.value)), String(valueOf(each.where))] : [],
    );
    expect(drawn.filter(([a, b]) => a === b)).toEqual([]);
    expect(new Set(drawn.map(([, b]) => b)).size).toBe(3);
  });

  it('draws a date behind a date', () => {
    const { templates: own } = imported(
      `${HEAD}-- @transaction t\n-- @parameter :a date 2026-02-28..2026-02-28\n-- @parameter :b :a + 1..2\nUPDATE kv SET v = :a WHERE k = :b;`,
    );
    const days = new Set(
      statements(workloadCase('later', own, { mode: 'stress' })).map((each) => ('where' in each ? valueOf(each.where) : undefined)),
    );
    expect(days).toEqual(new Set(['2026-03-01', '2026-03-02']));
  });
});

describe('what is wrong with a workload file', () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      'an unknown directive',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @transactoin t\n',
      ['3: there is no directive @transactoin; expected one of @schema, @data'],
    ],
    [
      'an option of a transaction',
      '-- @transaction t weight=0\nSELECT v FROM kv WHERE k = 1;',
      ['1: transaction t: got weight=0, expected weight=3'],
    ],
    [
      'a second transaction of one name',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @transaction t\nSELECT v FROM kv WHERE k = 1;',
      ['3: there is a transaction t already; expected another name'],
    ],
    ['no statement', '-- @transaction t\n', ['1: transaction t has no statement; expected at least one']],
    [
      'two statements in autocommit',
      '-- @transaction t autocommit\nSELECT v FROM kv WHERE k = 1;\nSELECT v FROM kv WHERE k = 2;',
      ['1: transaction t is autocommit: it takes exactly one statement'],
    ],
    [
      'a repeat in autocommit',
      '-- @transaction t autocommit\n-- @repeat :n 2..2\nSELECT v FROM kv WHERE k = :n;\n-- @end',
      ['1: transaction t is autocommit'],
    ],
    [
      'a parameter without a rule',
      '-- @transaction t\n-- @parameter :x\nSELECT v FROM kv WHERE k = 1;',
      ['2: got "@parameter :x", expected a name with a colon'],
    ],
    [
      'an unknown rule',
      '-- @transaction t\n-- @parameter :x something\nSELECT v FROM kv WHERE k = :x;',
      ['2: parameter :x: got "something", expected int 1..20', '3: there is no parameter :x'],
    ],
    [
      'a number of more than 64 bits',
      '-- @transaction t\n-- @parameter :x one of 1, 9223372036854775808\nSELECT v FROM kv WHERE k = :x;',
      ['2: parameter :x: the number 9223372036854775808 has more than 64 bits', '3: there is no parameter :x'],
    ],
    [
      'an empty range',
      '-- @transaction t\n-- @parameter :x int 5..1\nSELECT v FROM kv WHERE k = 1;',
      ['2: parameter :x: the range 5..1 is empty; expected the lower bound first'],
    ],
    [
      'more ranks than a zipfian draw takes',
      '-- @transaction t\n-- @parameter :x zipfian int 1..1000000\nSELECT v FROM kv WHERE k = :x;',
      ['2: parameter :x: zipfian ranks every value, and there are 1000000'],
    ],
    [
      'half a row',
      '-- @data\n-- @for :j 1..1.5\nINSERT INTO kv VALUES (:j, 1);\n-- @transaction t\nSELECT v FROM kv WHERE k = 1;',
      ['2: got "@for :j 1..1.5"', '3: there is no parameter :j'],
    ],
    [
      'an unused parameter',
      '-- @transaction t\n-- @parameter :x int 1..5\nSELECT v FROM kv WHERE k = 1;',
      ['2: parameter :x is never used; leave it out'],
    ],
    [
      'an undeclared parameter',
      '-- @transaction t\nSELECT v FROM kv WHERE k = :x;',
      ['2: there is no parameter :x; expected -- @parameter :x above the statement'],
    ],
    [
      'a parameter declared too late',
      '-- @transaction t\nSELECT v FROM kv WHERE k = :x;\n-- @parameter :x int 1..2',
      ['2: there is no parameter :x'],
    ],
    [
      'a table that is not there',
      '-- @transaction t\n-- @parameter :x key of nothing\nSELECT v FROM kv WHERE k = :x;',
      ['2: parameter :x: there is no table nothing'],
    ],
    [
      'a column that is not there',
      '-- @transaction t\n-- @parameter :x value of kv.w\nSELECT v FROM kv WHERE k = :x;',
      ['2: parameter :x: there is no column kv.w'],
    ],
    [
      'a repeat without an end',
      '-- @transaction t\n-- @repeat :n 1..2\nSELECT v FROM kv WHERE k = :n;\n',
      ['2: this @repeat has no @end; expected @end behind its last statement'],
    ],
    [
      'an end without a repeat',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @end\n',
      ['3: this @end has no @repeat; expected @repeat above it'],
    ],
    [
      'a statement without a semicolon',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1\n-- @transaction u\nSELECT v FROM kv WHERE k = 1;',
      ['2: this statement has no semicolon'],
    ],
    [
      'a string without an end',
      `-- @transaction t\nSELECT v FROM kv WHERE k = 'x;\n`,
      ["2: the text that begins here with ' has no end; expected its closing mark", '2: not understood'],
    ],
    [
      'a backslash before a quote',
      `-- @transaction t\nSELECT v FROM kv WHERE k = 'it\\'s';\n`,
      ['2: a backslash before a quote', "2: the text that begins here with ' has no end; expected its closing mark", '2: not understood'],
    ],
    [
      'an invariant without a query',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @invariant i\n',
      ['3: invariant i has no query; expected a SELECT that returns no row while it holds'],
    ],
    [
      'an invariant that writes',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @invariant i\nUPDATE kv SET v = 1 WHERE k = 1;',
      ['4: invariant i is no query'],
    ],
    [
      'an invariant with a parameter',
      '-- @transaction t\nSELECT v FROM kv WHERE k = 1;\n-- @invariant i\nSELECT v FROM kv WHERE k = :x;',
      ['4: invariant i names the parameter :x'],
    ],
    ['what the importer does not take', '-- @transaction t\nVACUUM;\nSELECT v FROM kv WHERE k = 1;', ['2: not understood: VACUUM']],
    [
      'a parameter of the data that nothing draws',
      '-- @data\nINSERT INTO kv VALUES (:j, 1);\n-- @transaction t\nSELECT v FROM kv WHERE k = 1;',
      ['2: there is no parameter :j; expected a @for'],
    ],
    [
      'more rows than can be meant',
      '-- @data\n-- @for :j 1..1000000\nINSERT INTO kv VALUES (:j, 1);\n-- @transaction t\nSELECT v FROM kv WHERE k = 1;',
      ['3: the data section would have more than'],
    ],
  ])('is told with its line: %s', (_, body, expected) => {
    expect(refusals(body)).toEqual(expected.map((each) => expect.stringContaining(each)));
  });

  it('is told all at once', () => {
    const many = Array.from({ length: 10 }, (_, i) => `VACUUM ${i};`).join('\n');
    expect(refusals(`-- @transaction t\n${many}`)).toEqual(Array.from({ length: 10 }, (_, i) => `${i + 2}: not understood: VACUUM ${i}`));
  });
});

describe('a bound template', () => {
  it('has a literal wherever a parameter stood, at any depth, and is otherwise the same', () => {
    const parameter: Expression = { kind: 'parameter', name: 'x', type: 'text' };
    const template: Statement = {
      kind: 'select',
      items: [{ expression: parameter, alias: 'parameter' }],
      from: { kind: 'table', table: 't', alias: 't' },
      where: {
        kind: 'exists',
        negated: false,
        query: {
          kind: 'select',
          items: [{ expression: { kind: 'literal', type: 'text', value: 'x' }, alias: 'one' }],
          from: { kind: 'table', table: 'u', alias: 'u' },
          where: { kind: 'not', operand: parameter },
        },
      },
    };
    const bound = bindStatement(template, new Map([['x', { type: 'text', value: `it's` }]]));
    expect(JSON.stringify(bound)).toBe(
      JSON.stringify(template).replaceAll(
        '{"kind":"parameter","name":"x","type":"text"}',
        `{"kind":"literal","type":"text","value":"it's"}`,
      ),
    );
    expect(() => bindStatement(template, new Map())).toThrow(/no value for the parameter :x/);
  });
});

function literalOf(expression: Expression | undefined): unknown {
  return expression?.kind === 'literal' ? expression.value : undefined;
}

function valueOf(where: Expression | undefined): unknown {
  return where?.kind === 'compare' ? literalOf(where.right) : undefined;
}
