/** What is proposed against transactions of a file that are not safe together: as changed templates, nothing being run. */
import { describe, expect, it } from 'vitest';
import { mysql, postgres } from '../../../dialects/index.ts';
import type { Dialect } from '../../../core/index.ts';
import { mitigationsOf, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { ReadWorkload } from '../../../schema-gen/index.ts';

const FILE = `
-- @schema
CREATE TABLE users (id int PRIMARY KEY, name varchar(20) NOT NULL, gone date);
CREATE TABLE limits (id int PRIMARY KEY, most int NOT NULL);
-- @data
INSERT INTO limits (id, most) VALUES (1, 5);
-- @transaction sign-up
-- @parameter :id unique
-- @parameter :name one of 'ada', 'alan'
SELECT most FROM limits WHERE id = 1;
SELECT count(*) AS found FROM users WHERE lower(name) = :name AND gone IS NULL;
INSERT INTO users (id, name) VALUES (:id, :name);
-- @transaction look
SELECT most FROM limits;
`;

async function workloadFor(dialect: Dialect, text: string = FILE): Promise<ReadWorkload> {
  const { file } = parseWorkloadFile(text);
  const importer = await dialect.importer!(dialect.capabilities);
  const { templates, refused } = importWorkload(file, importer);
  expect(refused).toEqual([]);
  return { file, templates, importer };
}

describe('cures', () => {
  it('lock rows of one table that are read as they are, one read after the other, then all of both transactions', async () => {
    const cures = mitigationsOf(await workloadFor(postgres), [0, 1], postgres.capabilities);
    expect(cures.map(({ what }) => what)).toEqual([
      'FOR UPDATE on statement 1 of sign-up: SELECT most FROM limits WHERE id = 1',
      'FOR UPDATE on statement 1 of look: SELECT most FROM limits',
      'FOR UPDATE on every read of sign-up and look',
      'an advisory lock at the beginning of sign-up and look: all of them wait for one another',
      'UNIQUE (lower(name)) on users of the rows that its query looks among (WHERE gone as there)',
    ]);
    const [signUp] = cures[0]!.templates.transactions;
    const locks = signUp!.steps.flatMap((step) =>
      step.kind === 'statement' && step.statement.kind === 'select' ? [step.statement.lock] : [],
    );
    expect(locks).toEqual([{ strength: 'update' }, undefined]);
  });

  it('make what is looked for unique among the rows that are looked at, where the DBMS has such an index', async () => {
    const [unique] = mitigationsOf(await workloadFor(postgres), [0, 0], postgres.capabilities).slice(-1);
    expect(unique!.templates.schema.tables[0]!.indexes).toMatchObject([
      { columns: ['name', 'gone'], unique: true, shape: { kind: 'expression', where: { kind: 'isNull' } } },
    ]);
    expect(mitigationsOf(await workloadFor(mysql), [0, 0], mysql.capabilities).map(({ what }) => what)).toEqual([
      'FOR UPDATE on statement 1 of sign-up: SELECT most FROM limits WHERE id = 1',
      'an advisory lock at the beginning of sign-up, and RELEASE_LOCK behind each COMMIT and ROLLBACK: all of them wait for one another',
    ]);
  });

  it('make unique what is counted up by hand, among the rows that are looked at', async () => {
    const issue = `
-- @schema
CREATE TABLE invoices (id int PRIMARY KEY, company int NOT NULL, number int NOT NULL);
-- @transaction issue
-- @parameter :id unique
SELECT max(number) INTO :last FROM invoices WHERE company = :id;
INSERT INTO invoices (id, company, number) VALUES (:id, 1, :last + 1);
`;
    const all = mitigationsOf(await workloadFor(mysql, issue), [0, 0], mysql.capabilities);
    const cures = all.filter(({ what }) => !what.startsWith('an advisory lock'));
    expect(cures.map(({ what }) => what)).toEqual(['UNIQUE (company, number) on invoices']);
    expect(cures[0]!.templates.schema.tables[0]!.uniques).toEqual([['company', 'number']]);
  });

  const PAY = `
-- @schema
CREATE TABLE orders (id int PRIMARY KEY, buyer int NOT NULL, state varchar(9) NOT NULL, invoice int);
CREATE UNIQUE INDEX one_cart ON orders (buyer) WHERE state = 'cart';
-- @transaction pay
-- @parameter :buyer int 1..2
SELECT id INTO :cart FROM orders WHERE buyer = :buyer AND state = 'cart';
READ
WRITE
`;
  const unique = async (dialect: Dialect, read: string, write: string): Promise<readonly string[]> => {
    const templates = await workloadFor(dialect, PAY.replace('READ', read).replace('WRITE', write));
    return mitigationsOf(templates, [0, 0], dialect.capabilities).flatMap(({ what }) => (what.startsWith('UNIQUE') ? [what] : []));
  };

  it.each([
    ['SELECT coalesce(max(invoice), 0) INTO :last FROM orders;', 'UPDATE orders SET invoice = :last + 1 WHERE id = :cart;'],
    ['SELECT count(*) INTO :n FROM orders;', "INSERT INTO orders (id, buyer, state, invoice) VALUES (:cart, 1, 'paid', :n + 1);"],
    ['SELECT invoice INTO :last FROM orders ORDER BY invoice DESC, id LIMIT 1;', 'UPDATE orders SET invoice = :last + 1 WHERE id = :cart;'],
    ['', 'UPDATE orders SET invoice = (SELECT max(o.invoice) FROM orders AS o) + 1 WHERE id = :cart;'],
    ['', "INSERT INTO orders (id, buyer, state, invoice) SELECT :cart, 1, 'paid', coalesce(max(invoice), 0) + 1 FROM orders;"],
  ])(
    'make unique the column that is numbered by what was read, without a WHERE, and what stands there not again: %s %s',
    async (...both) => {
      expect(await unique(postgres, ...both)).toEqual(['UNIQUE (invoice) on orders']);
    },
  );

  it('number by several columns together, and propose what the own index says of fewer rows only', async () => {
    const read = 'SELECT max(invoice) INTO :last FROM orders WHERE buyer = :buyer AND id = :cart;';
    expect(await unique(postgres, read, 'UPDATE orders SET invoice = :last + 1 WHERE id = :cart;')).toEqual([]); // of one id there is one
    expect(
      await unique(
        postgres,
        "SELECT count(*) INTO :n FROM orders WHERE buyer = :buyer AND state = 'paid';",
        'DELETE FROM orders WHERE id = :n;',
      ),
    ).toEqual(['UNIQUE (buyer) on orders of the rows that its query looks among (WHERE state as there)']);
    expect(
      await unique(postgres, 'SELECT count(*) INTO :n FROM orders WHERE buyer = :buyer;', 'DELETE FROM orders WHERE id = :n;'),
    ).toEqual(['UNIQUE (buyer) on orders']);
  });
});

describe('an exclusion constraint', () => {
  const PARAMETERS = {
    id: 'unique',
    room: 'int 1..2',
    low: 'int 1..5',
    day: 'date 2026-01-01..2026-01-05',
    from: "timestamp '2026-01-01 10:00' + 0..3 hours",
    to: "timestamp '2026-01-01 12:00' + 0..3 hours",
  };
  const BOOK = (columns: string, condition: string, last = 'UPDATE "Stays" SET room = room + 1 WHERE room = 1;'): string => `
-- @schema
CREATE TABLE "Stays" (id int PRIMARY KEY, room int NOT NULL, ${columns}, gone date, paid boolean NOT NULL);
-- @transaction book
${Object.entries(PARAMETERS)
  .flatMap(([name, rule]) => (`${condition} ${last}`.includes(`:${name}`) ? [`-- @parameter :${name} ${rule}`] : []))
  .join('\n')}
SELECT count(*) INTO :n FROM "Stays" AS s WHERE ${condition};
IF :n > 0 ROLLBACK;
${last}
`;
  const proposed = async (...given: Parameters<typeof BOOK>): Promise<readonly string[]> =>
    mitigationsOf(await workloadFor(postgres, BOOK(...given)), [0, 0], postgres.capabilities).flatMap(({ sql = [] }) =>
      sql.filter((each) => each.includes('EXCLUDE')).map((each) => each.replace(/^.* gist /, '')),
    );
  const MOMENTS = 'a timestamp NOT NULL, b timestamp NOT NULL';

  it.each([
    ['room = :room AND a < :to AND b > :from', MOMENTS, '(room WITH =, tsrange(a, b) WITH &&)'],
    [':from < b AND s.room = :room AND :to > a', MOMENTS, '(room WITH =, tsrange(a, b) WITH &&)'],
    ['a <= :to AND b >= :from', MOMENTS, "(tsrange(a, b, '[]') WITH &&)"],
    ['a < :to AND b >= :from', MOMENTS, '(tsrange(a, b) WITH &&)'],
    ['room = :room AND (a, b) OVERLAPS (:from, :to)', 'a timestamptz NOT NULL, b timestamptz', '(room WITH =, tstzrange(a, b) WITH &&)'],
    ['tsrange(:from, :to) && tsrange(a, b)', MOMENTS, '(tsrange(a, b) WITH &&)'],
    ["tsrange(a, b, '[]') && tsrange(:from, :to, '[]')", MOMENTS, "(tsrange(a, b, '[]') WITH &&)"],
    ['a < :low + 1 AND b > :low', 'a int NOT NULL, b int NOT NULL', '(int4range(a, b) WITH &&)'],
    ['a <= :day AND b >= :day', 'a date NOT NULL, b date NOT NULL', "(daterange(a, b, '[]') WITH &&)"],
    ['gone IS NULL AND NOT paid AND a < :to AND b > :from', MOMENTS, '(tsrange(a, b) WITH &&) WHERE (gone IS NULL AND NOT (paid))'],
    ['id <> :id AND a < :to AND b > :from', MOMENTS, '(tsrange(a, b) WITH &&)'],
  ])('is proposed over what is looked for: %s', async (condition, columns, constraint) => {
    expect(await proposed(columns, condition)).toEqual([constraint]);
  });

  it.each([
    ['no range is asked for', 'room = :room', MOMENTS],
    ['one column is asked for', 'a < :to AND a > :from', MOMENTS],
    ['a third end is asked for', 'a < :to AND b > :from AND b < :to', MOMENTS],
    ['the ends are of two types', 'a < :to AND b > :from', 'a timestamptz NOT NULL, b timestamp NOT NULL'],
    ['a condition is of another kind', 'a < :to AND b > :from AND (room = :room OR paid)', MOMENTS],
    ['the table has one over the same range', 'a < :to AND b > :from', `${MOMENTS}, EXCLUDE USING gist (tsrange(a, b) WITH &&)`],
  ])('is not proposed where %s', async (_, condition, columns) => {
    expect(await proposed(columns, condition)).toEqual([]);
  });

  it('is not proposed where the transaction does not write to the table, nor for a DBMS without ranges', async () => {
    const look = ['room = :room AND a < :to AND b > :from', 'SELECT id FROM "Stays";'] as const;
    expect(await proposed(MOMENTS, ...look)).toEqual([]);
    const workload = await workloadFor(postgres, BOOK(MOMENTS, look[0]));
    const { ranges: _, ...others } = postgres.capabilities;
    expect(mitigationsOf(workload, [0, 0], others).filter(({ what }) => what.startsWith('EXCLUDE'))).toEqual([]);
  });
});

/** A transaction on products that is written down as given. */
const SELL = (...statements: readonly string[]): string => `
-- @schema
CREATE TABLE products (id int PRIMARY KEY, stock int NOT NULL, sold int NOT NULL);
CREATE TABLE sales (id int PRIMARY KEY, product int NOT NULL, stock_before int);
-- @transaction sell
-- @parameter :p int 1..2
-- @parameter :n int 1..2
-- @parameter :id unique
${statements.join('\n')}
INSERT INTO sales (id, product) VALUES (:id, :n);
`;

describe('one statement instead of two', () => {
  const READ = 'SELECT stock INTO :stock FROM products WHERE id = :p;';
  const WRITE = 'UPDATE products SET stock = :stock - :n WHERE id = :p;';

  async function proposed(dialect: Dialect, ...statements: readonly string[]) {
    const cures = mitigationsOf(await workloadFor(dialect, SELL(...statements)), [0, 0], dialect.capabilities);
    return cures.filter(({ what }) => what.startsWith('one statement'));
  }

  it('computes from the row itself, and the read is gone', async () => {
    for (const dialect of [postgres, mysql]) {
      const [cure, ...others] = await proposed(dialect, READ, WRITE);
      expect([cure!.what, cure!.sql, others]).toEqual([
        'one statement instead of two in sell, of statements 1 and 2',
        ['UPDATE products SET stock = stock - :n WHERE id = :p'],
        [],
      ]);
      const statements = cure!.templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
      expect(statements.map(({ kind }) => kind)).toEqual(['update', 'insert']);
      expect(statements[0]).toMatchObject({ set: [{ column: 'stock', value: { op: '-', left: { kind: 'column', column: 'stock' } } }] });
    }
  });

  it('asks what the application had asked, and rolls back where no row was changed', async () => {
    const asked = [READ, 'IF :stock < :n OR :stock IS NULL ROLLBACK;', WRITE];
    for (const dialect of [postgres, mysql]) {
      const [cure] = await proposed(dialect, ...asked);
      expect(cure!.sql).toEqual([
        'UPDATE products SET stock = stock - :n WHERE id = :p AND (stock >= :n AND stock IS NOT NULL)',
        'GET DIAGNOSTICS :changed = ROW_COUNT',
        'IF :changed = 0 ROLLBACK',
      ]);
      const [update] = cure!.templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
      expect(update).toMatchObject({ counted: 'changed', stops: [{ when: { op: '=', right: { value: '0' } }, end: 'rollback' }] });
    }
  });

  it('leaves a read that somebody else needs', async () => {
    const [cure] = await proposed(postgres, READ, WRITE, 'INSERT INTO sales (id, product, stock_before) VALUES (:p, :n, :stock);');
    expect(cure!.templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement.kind] : []))).toEqual([
      'select',
      'update',
      'insert',
      'insert',
    ]);
  });

  it('reads before it what somebody else needs, and nothing else', async () => {
    const [cure] = await proposed(
      postgres,
      'SELECT stock, sold INTO :stock, :sold FROM products WHERE id = :p;',
      'IF :stock < :n ROLLBACK;',
      'INSERT INTO sales (id, product, stock_before) VALUES (:p, :n, :sold);',
      WRITE,
    );
    expect(cure!.sql).toEqual([
      'SELECT sold INTO :sold FROM products WHERE id = :p',
      'UPDATE products SET stock = stock - :n WHERE id = :p AND stock >= :n',
      'GET DIAGNOSTICS :changed = ROW_COUNT',
      'IF :changed = 0 ROLLBACK',
    ]);
    const [read] = cure!.templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
    expect(read).toMatchObject({ items: [{ expression: { column: 'sold' } }], into: ['sold'] });
    expect(read).not.toHaveProperty('stops');
  });

  it.each([
    ['of another row', READ, 'UPDATE products SET stock = :stock - :n WHERE id = :n;'],
    ['of a sum', 'SELECT sum(stock) INTO :stock FROM products WHERE id = :p;', WRITE],
    ['that is locked', 'SELECT stock INTO :stock FROM products WHERE id = :p FOR UPDATE;', WRITE],
    ['whose write is looked at already', READ, WRITE, 'GET DIAGNOSTICS :sold = ROW_COUNT;'],
    ['that ends in a commit', READ, 'IF :stock < :n COMMIT;', WRITE],
    ['one of whose two ends is a commit', READ, 'IF :stock < :n ROLLBACK;', 'IF :stock > 7 COMMIT;', WRITE],
    [
      'that the write does not use',
      READ,
      'UPDATE products SET sold = sold + 1 WHERE id = :p;',
      'UPDATE sales SET stock_before = :stock WHERE id = :p;',
    ],
  ])('is not proposed for a read %s', async (_, ...statements) => {
    expect(await proposed(postgres, ...statements)).toEqual([]);
  });
});
