/**
 * Locking clauses that stand within a statement, or in a view: what they read is the newest row, what is read beside them is
 * a snapshot, and both are allowed by the manuals. Each schedule was called a bug, or recorded with versions that nobody
 * read, while the outermost clause alone was looked at.
 */
import { expect, it } from 'vitest';
import { postgres } from '../../dialects/index.ts';
import { describeEachServer } from './each-server.ts';
import { describeFamily } from './mysql-family.ts';
import { playSql } from './sql-schedule.ts';
import { sharedServer } from './suite-server.ts';

const SCHEMA = ['a', 'b', 'c', 'e'].flatMap((name) => [
  `CREATE TABLE ${name} (id int PRIMARY KEY, v int NOT NULL)`,
  `INSERT INTO ${name} (id, v) VALUES (1, 10), (2, 20)`,
]);
/** The writer of a, then b. */
const BOTH = { sql: ['UPDATE a SET v = 11 WHERE id = 1', 'UPDATE b SET v = 11 WHERE id = 1'] };
/** The reader comes between the two writes, and waits for the first. */
const BETWEEN = [0, 0, 1, 1, 0, 0, 1];

const HALVES: readonly (readonly [string, string])[] = [
  ['a derived table in a join', 'SELECT d.v, b.v AS w FROM (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR UPDATE) d JOIN b ON b.id = d.id'],
  [
    'a derived table that locks in share mode',
    'SELECT d.v, b.v AS w FROM (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR SHARE) d JOIN b ON b.id = d.id',
  ],
  [
    'a derived table under an aggregate',
    'SELECT sum(d.v + b.v) AS s FROM (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR UPDATE) d JOIN b ON b.id = d.id',
  ],
  [
    'a derived table in an arm of UNION ALL',
    'SELECT d.v FROM (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) d UNION ALL SELECT b.v FROM b WHERE b.id = 1',
  ],
  [
    'a derived table two levels down',
    'SELECT e.v, b.v AS w FROM (SELECT d.id, d.v FROM (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR UPDATE) d) e JOIN b ON b.id = e.id',
  ],
];
const LOCKING_VIEW = 'CREATE VIEW va AS SELECT a.id, a.v FROM a FOR UPDATE';

/** Statements of which every read of a takes a lock, how much of their reads is seen on PostgreSQL, and whether they return a's value. */
const WAITING: readonly (readonly [string, 'exact' | 'partial' | 'none', string])[] = [
  ['a scalar subquery that locks', 'partial', 'SELECT c.id, (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) AS av FROM c'],
  ['a scalar subquery that locks in share mode', 'partial', 'SELECT c.id, (SELECT a.v FROM a WHERE a.id = 1 FOR SHARE) AS av FROM c'],
  [
    'a scalar subquery that locks, in a derived table',
    'partial',
    'SELECT d.av FROM (SELECT c.id, (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) AS av FROM c) d',
  ],
  [
    'a scalar subquery over a derived table that locks',
    'partial',
    'SELECT c.id, (SELECT sum(d.v) FROM (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) d) AS av FROM c',
  ],
  ['an aggregate over a derived table that locks', 'exact', 'SELECT sum(d.v) AS av FROM (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) d'],
  ['a WITH query that locks', 'none', 'WITH w AS (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) SELECT w.v AS av FROM w'],
  [
    'EXISTS over a query that locks',
    'partial',
    'SELECT c.id FROM c WHERE EXISTS (SELECT a.id FROM a WHERE a.id = 1 AND a.v > 0 FOR UPDATE)',
  ],
  ['IN over a query that locks', 'partial', 'SELECT c.id FROM c WHERE c.id IN (SELECT a.id FROM a WHERE a.v > 0 FOR UPDATE)'],
  ['INSERT of a query that locks', 'partial', 'INSERT INTO c (id, v) SELECT a.id + 100, a.v FROM a WHERE a.id = 1 FOR UPDATE'],
  ['a join that locks both tables', 'exact', 'SELECT a.v AS av, b.v AS bv FROM a JOIN b ON b.id = a.id WHERE a.id = 1 FOR UPDATE'],
];
const WAITING_ON_POSTGRES: typeof WAITING = [
  [
    'UPDATE FROM a query that locks',
    'partial',
    'UPDATE c SET v = d.v FROM (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR UPDATE) d WHERE c.id = d.id',
  ],
  [
    'DELETE USING a query that locks',
    'partial',
    'DELETE FROM c USING (SELECT a.id, a.v FROM a WHERE a.id = 1 FOR UPDATE) d WHERE c.id = d.id',
  ],
  ['a view that locks', 'exact', 'SELECT va.v AS av FROM va'],
  ['a view that locks, rows dropped outside', 'partial', 'SELECT va.v AS av FROM va WHERE va.id = 1'],
  ['a view that locks, in a join', 'partial', 'SELECT c.v, va.v AS av FROM c JOIN va ON va.id = c.id WHERE c.id = 1'],
  ['a view of a view that locks', 'partial', 'SELECT vva.v AS av FROM vva WHERE vva.id = 1'],
  ['a view that locks, under an aggregate', 'exact', 'SELECT min(va.v) AS av FROM va'],
  ['a view with a scalar subquery that locks', 'partial', 'SELECT vs.av FROM vs'],
  ['a scalar subquery over a view that locks', 'partial', 'SELECT c.id, (SELECT va.v FROM va WHERE va.id = 1) AS av FROM c'],
  ['IN over a view that locks', 'partial', 'SELECT c.id FROM c WHERE c.id IN (SELECT va.id FROM va WHERE va.v > 0)'],
  ['HAVING over a view that locks', 'partial', 'SELECT va.id, max(va.v) AS av FROM va GROUP BY va.id HAVING va.id = 1'],
  ['EXCEPT over a view that locks', 'none', 'SELECT va.v AS av FROM va EXCEPT SELECT b.v FROM b WHERE b.id = 2'],
  ['INSERT of a query over a view that locks', 'partial', 'INSERT INTO c (id, v) SELECT va.id + 100, va.v FROM va WHERE va.id = 1'],
  ['UPDATE by a subquery over a view that locks', 'partial', 'UPDATE c SET v = (SELECT va.v FROM va WHERE va.id = 1) WHERE c.id = 1'],
  ['DELETE by a view that locks', 'partial', 'DELETE FROM c WHERE c.id IN (SELECT va.id FROM va WHERE va.id = 1)'],
];
const POSTGRES_VIEWS = [
  LOCKING_VIEW,
  'CREATE VIEW vva AS SELECT va.id, va.v FROM va',
  'CREATE VIEW vs AS SELECT c.id, (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) AS av FROM c',
];

describeEachServer(
  'a lock within a statement',
  ({ dialect, start, target }) => {
    const suite = sharedServer({ target, dialect, start });

    it.each(HALVES)('%s sees the newest of one table and a snapshot of the other: documented', async (_, sql) => {
      const { verdicts, result, errors } = await playSql(dialect, suite.server.url, {
        schema: SCHEMA,
        transactions: [BOTH, { sql: [sql] }],
        order: BETWEEN,
        level: 'read-committed',
      });
      expect(errors).toEqual([]);
      expect(result(1, 0)!.flat().join(' ')).toMatch(/^(11 10|21)$/);
      expect(verdicts).toEqual(['G-single-item documented']);
    });

    it('a view that locks sees the newest of one table and a snapshot of the other: documented', async () => {
      const sql = 'SELECT va.v, b.v AS w FROM va JOIN b ON b.id = va.id WHERE va.id = 1';
      const { verdicts, result } = await playSql(dialect, suite.server.url, {
        schema: [...SCHEMA, LOCKING_VIEW],
        transactions: [BOTH, { sql: [sql] }],
        order: BETWEEN,
        level: 'read-committed',
      });
      expect(result(1, 0)).toEqual([['11', '10']]);
      expect(verdicts).toEqual(['G-single-item documented']);
    });

    it('two halves that no lock reaches are still ruled out in one SELECT', async () => {
      const { verdicts, history } = await playSql(dialect, suite.server.url, {
        schema: SCHEMA,
        transactions: [BOTH, { sql: [HALVES[0]![1].replace('JOIN b', 'JOIN c ON c.id = d.id JOIN b')] }],
        order: BETWEEN,
        level: 'read-committed',
      });
      expect(verdicts).toEqual(['G-single-item documented']);
      const reader = history.statements.kind.findIndex((kind) => kind === 'select');
      expect(history.statements.locks[reader]).toEqual(['a']);
    });

    it.each([...WAITING, ...WAITING_ON_POSTGRES])('%s is %s, and shows no version that it did not read', async (_, tag, sql) => {
      const played = await playSql(dialect, suite.server.url, {
        schema: [...SCHEMA, ...POSTGRES_VIEWS],
        transactions: [{ sql: BOTH.sql.slice(0, 1) }, { sql: [sql] }],
        order: [0, 0, 1, 1, 0, 1],
        level: 'read-committed',
      });
      expect(played.errors).toEqual([]);
      expect(played.tag(1, 0)).toBe(tag);
      // Row 2 of a was not written; row 1 was, before the lock was had.
      expect(played.seen(1, 0, 'a').filter((entry) => entry !== '0.0')).toEqual(played.seen(1, 0, 'a').filter((entry) => entry === '1.1'));
      expect(played.seen(1, 0, 'a').filter((entry) => entry === '0.0').length).toBeLessThanOrEqual(
        /FROM va(?! WHERE va.id)|IN \(SELECT/.test(sql) ? 1 : 0,
      );
      if (/ AS av/.test(sql) && played.result(1, 0) !== undefined) expect(played.result(1, 0)!.flat()).toContain('11');
      expect(played.verdicts.filter((each) => each.endsWith(' bug'))).toEqual([]);
    });
  },
  { fits: (dialect) => dialect === postgres },
);

/** Each hides what it reads from the clause outside: in a derived table, in a scalar subquery. */
const HIDING: readonly (readonly [string, (table: string) => string])[] = [
  ['a derived table', (table) => `CREATE VIEW n${table} AS SELECT d.s FROM (SELECT sum(${table}.v) AS s FROM ${table}) d`],
  [
    'a scalar subquery',
    (table) => `CREATE VIEW n${table} AS SELECT x.id, (SELECT sum(${table}.v) FROM ${table}) AS s FROM ${table === 'a' ? 'c' : 'e'} AS x`,
  ],
  [
    'a derived table in a view of a view',
    (table) =>
      `CREATE VIEW i${table} AS SELECT d.s FROM (SELECT sum(${table}.v) AS s FROM ${table}) d; CREATE VIEW n${table} AS SELECT i${table}.s FROM i${table}`,
  ],
  [
    'a UNION ALL',
    (table) =>
      `CREATE VIEW n${table} AS SELECT ${table}.v AS s FROM ${table} WHERE ${table}.id = 1 UNION ALL SELECT ${table}.v AS s FROM ${table} WHERE ${table}.id = 2`,
  ],
];
const hiding = (view: (table: string) => string): readonly string[] => [
  ...SCHEMA,
  ...['a', 'b'].flatMap((table) => view(table).split('; ')),
];

describeFamily('a locking read over a view that hides a query', ({ dialect, start, target }) => {
  const suite = sharedServer({ target, dialect, start });

  it.each(HIDING)('%s takes no lock at REPEATABLE READ: write skew is documented', async (_, view) => {
    const one = { sql: ['SELECT nb.s FROM nb FOR UPDATE', 'UPDATE a SET v = v + 1 WHERE id = 1'] };
    const other = { sql: ['SELECT na.s FROM na FOR UPDATE', 'UPDATE b SET v = v + 1 WHERE id = 1'] };
    const { verdicts, errors } = await playSql(dialect, suite.server.url, {
      schema: hiding(view),
      transactions: [one, other],
      order: [0, 0, 1, 1, 0, 1, 0, 1],
      level: 'repeatable-read',
    });
    expect(errors).toEqual([]);
    expect(verdicts).toEqual(['G2-item documented']);
  });

  it('a simple view is locked whole: the same transactions wait for one another', async () => {
    const view = (table: string): string => `CREATE VIEW n${table} AS SELECT ${table}.v AS s FROM ${table} WHERE ${table}.v > 0`;
    const one = { sql: ['SELECT nb.s FROM nb FOR UPDATE', 'UPDATE a SET v = v + 1 WHERE id = 1'] };
    const other = { sql: ['SELECT na.s FROM na FOR UPDATE', 'UPDATE b SET v = v + 1 WHERE id = 1'] };
    const { verdicts, errors, history } = await playSql(dialect, suite.server.url, {
      schema: hiding(view),
      transactions: [one, other],
      order: [0, 0, 1, 1, 0, 1, 0, 1],
      level: 'repeatable-read',
    });
    expect(errors).toEqual([expect.stringContaining('1213')]);
    expect(verdicts).toEqual([]);
    const reader = history.statements.kind.findIndex((kind) => kind === 'select for update');
    expect([history.statements.locks[reader], history.statements.nested[reader]]).toEqual([['b'], 0]);
  });

  it('an autocommit one at SERIALIZABLE sees half of a transaction, as documented, or is refused by innodb_snapshot_isolation', async () => {
    const schema = [...SCHEMA, 'CREATE VIEW pairs AS SELECT a.id, a.v, (SELECT min(b.v) FROM b WHERE b.id = a.id) AS w FROM a'];
    // When row 2 of a is free the snapshot is open: row 1 came before it.
    const { verdicts, errors, configuration } = await playSql(dialect, suite.server.url, {
      schema,
      transactions: [
        { sql: ['UPDATE a SET v = 21 WHERE id = 2', 'UPDATE b SET v = 21 WHERE id = 2'] },
        { auto: true, sql: ['SELECT pairs.v, pairs.w FROM pairs WHERE pairs.v >= pairs.w FOR UPDATE'] },
      ],
      order: [0, 0, 0, 1, 0],
      level: 'serializable',
    });
    const refuses = configuration['innodb_snapshot_isolation'] === 'ON';
    expect(errors).toEqual(refuses ? [expect.stringContaining('1020')] : []);
    expect(verdicts).toEqual(refuses ? [] : ['G-single-item documented']);
  });
});
