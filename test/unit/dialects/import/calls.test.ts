/**
 * Calls of a file's own functions in statements, in both grammars: which are taken, how they are printed, what is refused; and
 * that whatever a function reads or writes counts as what the statement touches.
 */
import { describe, expect, it } from 'vitest';
import type { AnyLevelFeature } from '../../../../core/level/index.ts';
import type { Statement, TypeKind } from '../../../../core/sql/index.ts';
import type { Dialect, ImportedSchema, SqlImporter } from '../../../../core/dialect/index.ts';
import type { Program } from '../../../../core/program/index.ts';
import { isRefusal } from '../../../../core/dialect/index.ts';
import { mysql, postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { independence } from '../../../../src/explore/independent.ts';
import { predicateReads } from '../../../../src/evaluate/predicate-read.ts';
import { wellFormed } from '../../../../src/reproduce/reduce/well-formed.ts';
import { caseFixture, importWorkload, parseWorkloadFile, programOf } from '../../../../schema-gen/index.ts';

const TABLES = [
  'CREATE TABLE items (id int PRIMARY KEY, price int NOT NULL, words varchar(20))',
  'CREATE TABLE taken (id int PRIMARY KEY, item int NOT NULL)',
  'CREATE TABLE numbers (id int PRIMARY KEY, last int NOT NULL)',
  'CREATE TABLE other (id int PRIMARY KEY, item int NOT NULL)',
];

interface Family {
  readonly dialect: Dialect;
  readonly functions: readonly string[];
  /** Of a call without a namespace and with one. */
  readonly called: readonly [bare: string, named: string];
}

const FAMILIES: Readonly<Record<string, Family>> = {
  postgres: {
    dialect: postgres,
    functions: [
      "CREATE FUNCTION with_tax(amount integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT amount + amount'",
      "CREATE FUNCTION counted(p integer) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM taken WHERE item = p'",
      "CREATE FUNCTION next_number() RETURNS integer LANGUAGE sql AS 'UPDATE numbers SET last = last + 1 WHERE id = 1 RETURNING last'",
    ],
    called: ['"with_tax"(', '"n"."with_tax"('],
  },
  mysql: {
    dialect: mysql,
    functions: [
      'CREATE FUNCTION with_tax(amount int) RETURNS int DETERMINISTIC RETURN amount + amount',
      'CREATE FUNCTION counted(p int) RETURNS bigint READS SQL DATA RETURN (SELECT COUNT(*) FROM taken WHERE item = p)',
      'CREATE FUNCTION next_number() RETURNS int BEGIN UPDATE numbers SET last = last + 1 WHERE id = 1; RETURN (SELECT last FROM numbers WHERE id = 1); END',
    ],
    called: ['`with_tax`(', '`n`.`with_tax`('],
  },
};

async function read(
  { dialect, functions }: Family,
  ...more: readonly string[]
): Promise<ImportedSchema & { readonly importer: SqlImporter }> {
  const importer = await dialect.importer!();
  return { ...importer.schema([...TABLES, ...functions, ...more].map((sql, n) => ({ sql, line: n + 1 }))), importer };
}

const PARAMETERS: ReadonlyMap<string, TypeKind> = new Map([['id', 'integer']]);

async function statement(family: Family, sql: string): Promise<Statement> {
  const { schema, importer } = await read(family);
  const imported = importer.statement({ sql, line: 1 }, schema, PARAMETERS);
  if (isRefusal(imported)) throw new Error(imported.reason);
  return imported;
}

describe.each(Object.entries(FAMILIES))('%s', (_, family) => {
  it.each([
    'SELECT with_tax(price) FROM items WHERE id = :id',
    'UPDATE items SET price = with_tax(price + 1) WHERE with_tax(id) = 4 AND counted(id) > 0',
    'SELECT id FROM items WHERE price < (SELECT max(with_tax(other.item)) FROM other)',
    'INSERT INTO taken (id, item) VALUES (next_number(), with_tax(:id))',
    'UPDATE items SET price = next_number() WHERE id = 1',
    'SELECT i.id FROM items AS i GROUP BY i.id HAVING counted(i.id) > 1 ORDER BY WITH_TAX(i.id)',
  ])('is taken, and read again: %s', async (sql) => {
    expect(JSON.stringify(await statement(family, sql))).toContain('"kind":"routine"');
  });

  it('names the namespace before the function, where there is one', async () => {
    const read = await statement(family, 'SELECT with_tax(price) FROM items');
    const { dialect, called } = family;
    expect([dialect.print(read).includes(called[0]), dialect.print(read, 'n').includes(called[1])]).toEqual([true, true]);
  });

  it.each([
    ['SELECT next_number() FROM items', /next_number\(\) writes to numbers: call it in the VALUES of an INSERT or behind SET/],
    ['UPDATE items SET price = 1 WHERE id = next_number()', /writes to numbers/],
    ['DELETE FROM items WHERE id = next_number()', /writes to numbers/],
    ['INSERT INTO taken (id, item) SELECT id, next_number() FROM items', /writes to numbers/],
    ['UPDATE items SET price = next_number() + (SELECT count(*) FROM taken)', /writes to numbers/],
    ['SELECT with_tax(price, 2) FROM items', /with_tax\(\) is called with 2 arguments: it takes 1/],
    ['SELECT nothing_of_it(price) FROM items', /nothing_of_it/],
  ])('is refused: %s', async (sql, reason) => {
    const { schema, importer } = await read(family);
    expect(importer.statement({ sql, line: 1 }, schema, PARAMETERS)).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  it.each([
    ['CREATE VIEW v AS SELECT with_tax(price) AS p FROM items', /with_tax\(\) is a function of the file: it is called in transactions/],
    ['CREATE TABLE x (id int PRIMARY KEY, a int, CHECK (with_tax(a) > 1))', /write here what it computes/],
    ['CREATE TABLE x (id int PRIMARY KEY, a int GENERATED ALWAYS AS (with_tax(id)) STORED)', /write here what it computes/],
    ['CREATE TABLE x (id int PRIMARY KEY, a int DEFAULT (with_tax(1)))', /no literal/],
    ['INSERT INTO items (id, price) VALUES (1, with_tax(2))', /no literal/],
  ])('is refused in a schema, with what to do: %s', async (sql, reason) => {
    const { refused } = await read(family, sql);
    expect(refused).toEqual([{ line: 8, reason: expect.stringMatching(reason) }]);
  });

  it('touches what its functions touch, so that it is swapped with no step that does', async () => {
    const { schema } = await read(family);
    const programWith = async (...texts: readonly string[]): Promise<Program> => {
      const statements = await Promise.all(texts.map((sql) => statement(family, sql)));
      const plans = statements.map((each, n) => ({ id: n + 1, statements: [each], end: 'commit' as const, autocommit: false }));
      return programOf(plans, caseFixture('', schema, false));
    };
    const [counts, numbers, computes] = [
      'SELECT counted(id) FROM items',
      'INSERT INTO other (id, item) VALUES (next_number(), 1)',
      'SELECT with_tax(id) FROM items',
    ];
    const { transactions } = await programWith(counts, numbers, computes);
    expect(transactions.map(({ steps: [step] }) => [step!.tables, step!.plainRead])).toEqual([
      [['items', 'taken'], false],
      [['numbers', 'other'], false],
      [['items'], true],
    ]);
    const swapped = async (one: string, other: string): Promise<boolean> =>
      independence(await programWith(one, other), { beginsCommute: true })(0, 0, 1, 0);
    expect(await swapped(counts, 'INSERT INTO taken (id, item) VALUES (1, 1)')).toBe(false);
    expect(await swapped(computes, 'INSERT INTO taken (id, item) VALUES (1, 1)')).toBe(true);
    expect(await swapped(numbers, 'UPDATE numbers SET last = 5')).toBe(false);
  });

  it('is partial where a function reads or writes, exact where it computes alone', async () => {
    const { schema } = await read(family);
    const plans = await Promise.all(
      [
        'SELECT with_tax(id) FROM items',
        'SELECT counted(id) FROM items',
        'UPDATE items SET price = counted(id)',
        'INSERT INTO taken (id, item) VALUES (next_number(), 1)',
      ].map((sql) => statement(family, sql)),
    );
    const { sessions } = instrument(
      { seed: '1', schema, sessions: [{ transactions: [{ id: 1, statements: plans, end: 'commit', autocommit: false }] }] },
      { mode: 'exact', capabilities: family.dialect.capabilities },
    );
    const { statements } = sessions[0]!.transactions[0]!;
    expect(statements.map(({ probe }) => probe.reads)).toEqual(['exact', 'partial', 'partial', 'partial']);
    expect(statements.map(({ announced, alsoWrites }) => [announced, alsoWrites])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      [',1.2', ['numbers']],
    ]);
  });

  it('leaves the conditions of its statement untold', async () => {
    const reads = predicateReads(
      await statement(family, 'SELECT price FROM items WHERE with_tax(id) = 2 AND EXISTS (SELECT 1 FROM other)'),
    );
    expect(reads?.reads).toEqual([]);
    expect(Object.fromEntries(reads!.otherwise)).toEqual({ items: 'a function', other: 'a function' });
  });

  it('stands only with its function', async () => {
    const { schema } = await read(family);
    const statements = [await statement(family, 'SELECT with_tax(id) FROM items')];
    const testCase = {
      seed: '1',
      schema,
      sessions: [{ transactions: [{ id: 1, statements, end: 'commit' as const, autocommit: false }] }],
    };
    const { routines, ...without } = schema;
    expect([wellFormed(testCase), wellFormed({ ...testCase, schema: without })]).toEqual([true, false]);
    expect(routines).toHaveLength(3);
  });

  it('in an invariant is unjudged where it reads rows that the server numbers', async () => {
    const { dialect, functions } = family;
    const judged = async (tables: readonly string[]): Promise<AnyLevelFeature | undefined> => {
      const invariant = '-- @transaction t\nSELECT id FROM items;\n-- @invariant i\nSELECT id FROM items WHERE counted(id) > 3;\n';
      const body = [...tables, ...functions.slice(0, 2)].map((sql) => `${sql};\n`).join('');
      const { file } = parseWorkloadFile(`-- @schema\n${body}${invariant}`);
      const { templates, refused } = importWorkload(file, await dialect.importer!());
      expect(refused).toEqual([]);
      return templates.invariants[0]!.unjudged;
    };
    expect(await judged(TABLES)).toBeUndefined();
    const numbered = dialect === mysql ? 'int AUTO_INCREMENT PRIMARY KEY' : 'serial PRIMARY KEY';
    expect(await judged(TABLES.map((sql) => (sql.includes(' taken ') ? sql.replace('int PRIMARY KEY', numbered) : sql)))).toEqual({
      code: 'function-reads-numbers',
      table: 'taken',
    });
  });
});

it("PostgreSQL's arguments are of the types that it would find the function by", async () => {
  const { schema, importer } = await read(FAMILIES['postgres']!);
  const reason = (sql: string): unknown => {
    const read = importer.statement({ sql, line: 1 }, schema, PARAMETERS);
    return isRefusal(read) ? read.reason : undefined;
  };
  expect(reason('SELECT with_tax(words) FROM items')).toMatch(/the argument 1 of with_tax\(\) is of the type integer and is given varchar/);
  expect(reason('SELECT with_tax(counted(id)) FROM items')).toMatch(/is given bigint: make it the same type with CAST/);
  expect(reason('SELECT with_tax(CAST(counted(id) AS integer)) FROM items')).toBeUndefined();
  expect(reason("SELECT public.with_tax('4') FROM items")).toBeUndefined();
  expect(reason('SELECT elsewhere.with_tax(4) FROM items')).toMatch(/elsewhere\.with_tax is not supported/);
});
