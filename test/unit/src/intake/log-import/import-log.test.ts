/** Logs as servers write them, whole and hostile, and what of them becomes a workload file. */
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../../schema-gen/index.ts';
import type { LiveSchema } from '../../../../../src/intake/live-schema/draft-schema.ts';
import { draftOfLog, type LogDraft } from '../../../../../src/intake/log-import/draft-log.ts';
import { readLog } from '../../../../../src/intake/log-import/read-log.ts';

const SCHEMA: LiveSchema = {
  name: 'public',
  database: 'shop',
  lines: [
    `CREATE TABLE items (id int PRIMARY KEY, state varchar(20) NOT NULL DEFAULT 'open', stock int NOT NULL, name varchar(40) NOT NULL);`,
    'CREATE TABLE parts (id int PRIMARY KEY, item_id int NOT NULL, note varchar(40) NOT NULL, amount int, FOREIGN KEY (item_id) REFERENCES items (id));',
  ],
  leftOut: [],
};

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield* lines;
}

interface Options {
  readonly schema?: LiveSchema | undefined;
  readonly database?: string;
}

async function drafted(lines: readonly string[], { schema = SCHEMA, database }: Options = {}): Promise<LogDraft> {
  const log = await readLog(linesOf(lines));
  const dialect = DIALECTS.find(({ name }) => name === log.format.dialect)!;
  const draft = await draftOfLog(log, { dialect, most: 30, schema, database });
  const { file, refused } = parseWorkloadFile(draft.file);
  expect([...refused, ...importWorkload(file, await dialect.importer!(dialect.capabilities)).refused], draft.file).toEqual([]);
  return draft;
}

/** The transactions alone, without comments of prose. */
function transactionsOf({ file }: LogDraft): string {
  const text = file.slice(file.indexOf('-- @transaction'));
  return text
    .replace(/^-- (?!@).*\n/gm, '')
    .replace(/\n\n+/g, '\n')
    .trim();
}

const at = (session: number | string, rest: string): string => `2026-11-24 21:59:24.123 UTC [${session}] app@shop ${rest}`;
const sent = (session: number, sql: string): string => at(session, `LOG:  statement: ${sql}`);

/** Of item `id`: looks, and writes what it has computed. */
function sale(session: number, id: number, stock: number): readonly string[] {
  return [
    sent(session, 'BEGIN'),
    at(session, 'LOG:  execute <unnamed>: SELECT stock FROM items WHERE id = $1'),
    at(session, `DETAIL:  Parameters: $1 = '${id}'`),
    at(session, 'LOG:  execute S_1: UPDATE items SET stock = $1 WHERE id = $2'),
    at(session, `DETAIL:  parameters: $1 = '${stock}', $2 = '${id}'`),
    sent(session, 'COMMIT'),
  ];
}

const SALE = `-- @transaction update-items
-- @parameter :items_id key of items
-- @parameter :stock int 7..9
SELECT stock FROM items WHERE id = :items_id;
UPDATE items SET stock = :stock WHERE id = :items_id;`;

describe('a log of PostgreSQL', () => {
  it('becomes transactions with parameters: what was always equal is one, a key is drawn from the rows', async () => {
    const draft = await drafted([...sale(1, 5, 9), ...sale(2, 6, 8), ...sale(1, 5, 7)]);
    expect(transactionsOf(draft)).toBe(SALE);
    expect(draft.file).toContain('-- Seen 3 times.');
    expect(draft.file).toContain('Not known: how the application computes :stock; statement 1 reads items before it');
    expect(draft.summary[0]).toContain('12 statements, 3 transactions, of which 1 shapes are written');
  });

  it('tells interleaved sessions apart', async () => {
    const [a, b] = [sale(1, 5, 9), sale(2, 6, 7)];
    // An entry and its DETAIL stand together.
    const woven = [0, 1, 3, 5].flatMap((i) => [a, b].flatMap((lines) => lines.slice(i, i === 1 || i === 3 ? i + 2 : i + 1)));
    expect(transactionsOf(await drafted(woven))).toBe(SALE);
  });

  it('reads csvlog and jsonlog as it reads stderr', async () => {
    const csv = (message: string, detail = ''): string =>
      `2026-11-24 21:59:24.123 UTC,"app","shop",77,"127.0.0.1:1",6924.4d,1,"SELECT",2026-11-24 21:59:20 UTC,3/7,0,LOG,00000,"${message.replaceAll('"', '""')}",${detail === '' ? '' : `"${detail}"`},,,,,,,,"","client backend",,0`;
    const json = (message: string, detail?: string): string =>
      JSON.stringify({
        timestamp: '2026-11-24',
        dbname: 'shop',
        pid: 77,
        session_id: '6924.4d',
        vxid: '3/7',
        error_severity: 'LOG',
        message,
        detail,
      });
    for (const entry of [csv, json]) {
      const lines = [5, 6].flatMap((id) => [
        entry('statement: BEGIN'),
        entry('execute <unnamed>: SELECT stock FROM items\nWHERE id = $1', `Parameters: $1 = '${id}'`),
        entry('execute <unnamed>: UPDATE items SET stock = $1 WHERE id = $2', `Parameters: $1 = '${id + 2}', $2 = '${id}'`),
        entry('statement: COMMIT'),
      ]);
      expect(transactionsOf(await drafted(lines.flatMap((line) => line.split('\n'))))).toBe(SALE.replace('7..9', '7..8'));
    }
  });

  it('goes by the virtual transaction where the log has no BEGIN, and by durations where statements are told when they are done', async () => {
    const line = (transaction: string, sql: string): string =>
      `2026-11-24 21:59:24 UTC [9] ${transaction} LOG:  duration: 0.123 ms  statement: ${sql}`;
    const lines = [1, 2].flatMap((n) => [
      line(`4/${n}`, `SELECT stock FROM items WHERE id = ${n}`),
      line(`4/${n}`, `UPDATE items SET stock = ${n + 6} WHERE id = ${n}`),
    ]);
    expect(transactionsOf(await drafted([...lines, line('4/3', 'SELECT count(*) FROM items')]))).toContain(
      SALE.replace('7..9', '7..8').replace('update-items', 'update-items weight=2'),
    );
  });

  it('carries over no text that the schema does not name, and the same word for the same text', async () => {
    const draft = await drafted([
      ...['grace@example.org', 'ada@example.org'].flatMap((name) => [
        sent(1, 'BEGIN'),
        sent(1, `SELECT id FROM items WHERE name = '${name}' AND state = 'open' /* traceparent='secret-trace' */`),
        sent(1, `UPDATE items SET name = '${name}', state = 'hidden-state' WHERE name = 'O''Hara' -- secret`),
        sent(1, 'COMMIT'),
      ]),
      sent(2, `UPDATE items SET name = 'O''Hara' WHERE id = 3`),
    ]);
    expect(draft.file).not.toMatch(/example|secret|Hara|hidden/);
    expect(transactionsOf(draft)).toContain(`WHERE name = :name AND state = 'open'`);
    expect(transactionsOf(draft)).toContain(`state = 'state-1' WHERE name = 'name-1'`);
    expect(transactionsOf(draft)).toContain(`SET name = 'name-1' WHERE id = :items_id`);
  });

  it('counts what it leaves out, and repeats nothing of it: passwords, cut statements, failures, other databases', async () => {
    const draft = await drafted([
      'a line of something else',
      ...sale(1, 5, 9),
      ...sale(1, 6, 7),
      sent(1, `ALTER ROLE app PASSWORD 'hunter2'`),
      sent(1, `COPY items FROM STDIN`),
      // Failed.
      ...sale(3, 5, 2).slice(0, -1),
      at(3, 'ERROR:  could not serialize access'),
      at(3, 'STATEMENT:  UPDATE items SET stock = $1'),
      sent(3, 'ROLLBACK'),
      // A serialization failure of the COMMIT itself.
      ...sale(4, 5, 2),
      at(4, 'ERROR:  could not serialize access'),
      // Cut, and not ended.
      sent(5, 'BEGIN'),
      sent(5, `UPDATE items SET name = 'hunter2`),
      sent(5, 'COMMIT'),
      ...sale(6, 5, 2).slice(0, 3),
      `2026-11-24 21:59:24.123 UTC [8] app@other LOG:  statement: UPDATE items SET stock = 999 WHERE id = 1`,
      // A statement of several lines that looks like entries.
      sent(7, `SELECT id`),
      '\tFROM items',
      "\t2026-11-24 21:59:24.123 UTC [8] app@shop LOG:  statement: DELETE FROM items WHERE name = 'x'",
    ]);
    expect(draft.file).not.toMatch(/hunter2|999/);
    // It is of the statement, which is refused as a whole.
    expect(draft.file).not.toMatch(/^delete/im);
    expect(transactionsOf(draft)).toContain(SALE.replace('update-items', 'update-items weight=2'));
    expect(draft.summary.join('\n')).not.toContain('hunter2');
    expect(draft.summary).toEqual(
      expect.arrayContaining([
        'left out: 2 transactions in which a statement failed',
        'left out: 1 transactions whose end is not in the log',
        'left out: 1 lines that are no entry',
        'left out: 1 transactions of other databases (other)',
        'left out: 1 x ALTER ROLE',
        'left out: 1 x COPY',
      ]),
    );
    expect(
      draft.summary.some((line) =>
        /left out: 2 transactions or statements whose text is cut|left out: 1 transactions or statements/.test(line),
      ),
    ).toBe(true);
    expect(transactionsOf(await drafted([...sale(1, 5, 9), ...sale(2, 6, 7)], { database: 'shop' }))).toBe(SALE);
    await expect(drafted([...sale(1, 5, 9)], { database: 'nobody' })).rejects.toThrow('--database with one of "shop"');
  });

  describe('of several databases', () => {
    const other = (session: number, lines: readonly string[]): readonly string[] =>
      lines.map((line) => line.replace(`[${session}] app@shop`, `[${session}] app@other`));
    const busier = [...sale(1, 5, 9), ...sale(2, 6, 7), ...[3, 4, 5, 6].flatMap((session) => other(session, sale(session, 3, 2)))];

    it('takes that of the URL, although another one has more transactions, and says what it left out', async () => {
      const draft = await drafted(busier);
      expect(transactionsOf(draft)).toBe(SALE);
      expect(draft.file).toContain('sessions of the database shop');
      expect(draft.summary).toContain('left out: 4 transactions of other databases (other)');
    });

    it('takes the one with the most without a URL, and the one that is named', async () => {
      const log = await readLog(linesOf(busier));
      const dialect = DIALECTS.find(({ name }) => name === log.format.dialect)!;
      expect((await draftOfLog(log, { dialect, most: 30 })).summary).toContain('left out: 2 transactions of other databases (shop)');
      expect((await drafted(busier, { database: 'other' })).summary).toContain('left out: 2 transactions of other databases (shop)');
    });

    it('asks which one is meant where none is that of the URL; one alone is taken whatever it is called', async () => {
      await expect(drafted(busier, { schema: { ...SCHEMA, database: 'copy' } })).rejects.toThrow(
        'it has transactions of 2 databases, and none is "copy", the one of --url; expected --database with one of "shop", "other"',
      );
      expect(transactionsOf(await drafted([...sale(1, 5, 9), ...sale(2, 6, 7)], { schema: { ...SCHEMA, database: 'copy' } }))).toBe(SALE);
    });
  });

  it('leaves a read that is refused out of its transaction, and a transaction with what is essential and refused whole', async () => {
    const draft = await drafted(
      [1, 2].flatMap((id) => [
        sent(1, 'BEGIN ISOLATION LEVEL SERIALIZABLE'),
        sent(1, `SELECT DISTINCT ON (state) id FROM items WHERE id = ${id}`),
        sent(1, `UPDATE items SET stock = stock - 1 WHERE id = ${id}`),
        sent(1, 'COMMIT'),
        sent(1, 'BEGIN'),
        sent(1, `SELECT pg_advisory_xact_lock(${id})`),
        sent(1, `DELETE FROM items WHERE id = ${id}`),
        sent(1, 'COMMIT'),
        sent(1, `DELETE FROM missing WHERE id = ${id}`),
      ]),
    );
    expect(transactionsOf(draft)).toBe(`-- @transaction update-items
-- @parameter :items_id key of items
UPDATE items SET stock = stock - 1 WHERE id = :items_id;`);
    expect(draft.file).toContain('-- It asked for SERIALIZABLE.');
    expect(draft.file).toMatch(/-- Left out, a read that is refused: .*DISTINCT ON/);
    expect(draft.file).toContain(
      '-- Left out: between its statements the log has a function that locks, without which it is another transaction.',
    );
    expect(draft.file).toMatch(/-- Left out: a statement that writes or locks is refused: there is no table missing/);
  });

  it('tells two keys of one table apart where they never were the same, and a new key from one that is there', async () => {
    const draft = await drafted(
      [
        [1, 2, 10],
        [2, 3, 11],
      ].flatMap(([from, to, line]) => [
        sent(1, 'BEGIN'),
        sent(1, `UPDATE items SET stock = stock - 1 WHERE id = ${from}`),
        sent(1, `UPDATE items SET stock = stock + 1 WHERE id = ${to}`),
        sent(1, `INSERT INTO parts (id, item_id, note) VALUES (${line}, ${to}, 'n')`),
        sent(1, 'COMMIT'),
      ]),
    );
    expect(transactionsOf(draft)).toBe(`-- @transaction update-items-insert-parts
-- @parameter :items_id key of items
-- @parameter :item_id key of items except :items_id
-- @parameter :parts_id unique
UPDATE items SET stock = stock - 1 WHERE id = :items_id;
UPDATE items SET stock = stock + 1 WHERE id = :item_id;
INSERT INTO parts (id, item_id, note) VALUES (:parts_id, :item_id, 'note-1');`);
  });

  it('takes what is written for computed from what is read, where that is so of each write that the log shows after another', async () => {
    const computed = `SELECT stock INTO :stock_read FROM items WHERE id = :items_id;
UPDATE items SET stock = :stock_read - 1 WHERE id = :items_id;`;
    const counted = await drafted([9, 8, 7].flatMap((stock) => sale(1, 5, stock)));
    expect(transactionsOf(counted)).toBe(`-- @transaction update-items\n-- @parameter :items_id key of items\n${computed}`);
    expect(counted.file).toContain('Taken from the log: stock was the value written before less 1, each of 2 times');
    // Once is chance; another value in between is another writer; and what differs each time is not known.
    const between = sent(1, 'UPDATE items SET stock = stock + 5 WHERE id = 5');
    for (const lines of [
      [...sale(1, 5, 9), ...sale(1, 5, 8)],
      [...sale(1, 5, 9), ...sale(1, 5, 8), between, ...sale(1, 5, 7)],
      [9, 8, 6].flatMap((stock) => sale(1, 5, stock)),
    ])
      expect(transactionsOf(await drafted(lines))).toContain('SET stock = :stock WHERE');
    // By another value of the transaction.
    const bought = (stock: number, quantity: number): readonly string[] =>
      sale(1, 5, stock).toSpliced(
        5,
        0,
        sent(1, `INSERT INTO parts (id, item_id, note, amount) VALUES (${stock + 100}, 5, 'n', ${quantity})`),
      );
    expect(transactionsOf(await drafted([...bought(9, 3), ...bought(7, 2), ...bought(4, 3)]))).toContain(
      'UPDATE items SET stock = :stock_read - :amount WHERE id = :item_id;',
    );
  });

  describe('takes nothing for computed', () => {
    const TWO_TABLES: LiveSchema = {
      ...SCHEMA,
      lines: [...SCHEMA.lines, 'CREATE TABLE stocks (id int PRIMARY KEY, stock int NOT NULL, items_id int NOT NULL);'],
    };
    /** The sale of item 5, with another read, or more around the write. */
    const sold = (stock: number, read: readonly string[], behind: readonly string[] = []): readonly string[] => [
      sent(1, 'BEGIN'),
      ...read.map((sql) => sent(1, sql)),
      sent(1, `UPDATE items SET stock = ${stock} WHERE id = 5`),
      ...behind.map((sql) => sent(1, sql)),
      sent(1, 'COMMIT'),
    ];
    const READ = 'SELECT stock FROM items WHERE id = 5';

    it.each<readonly [string, (stock: number) => readonly string[]]>([
      ['from a read of another table', (stock) => sold(stock, ['SELECT stock FROM stocks WHERE id = 5'])],
      ['from a read that comes behind the write', (stock) => sold(stock, [], [READ])],
      ['from a read of another row', (stock) => sold(stock, [`SELECT stock FROM items WHERE id = ${stock + 20}`])],
      ['from a read by something else than a key', (stock) => sold(stock, ['SELECT stock FROM items WHERE stock = 5'])],
      ['from a read that may leave the row out', (stock) => sold(stock, [`SELECT stock FROM items WHERE id = 5 AND state = 'open'`])],
      ['from a read of other columns', (stock) => sold(stock, ['SELECT name FROM items WHERE id = 5'])],
      ['from a read of something else than columns', (stock) => sold(stock, ['SELECT stock, stock + 1 FROM items WHERE id = 5'])],
      ['from a read that gives a column twice', (stock) => sold(stock, ['SELECT stock, stock FROM items WHERE id = 5'])],
      ['from a read of all columns', (stock) => sold(stock, ['SELECT * FROM items WHERE id = 5'])],
      ['where every write is of the value that was there', () => sold(9, [READ])],
    ])('%s', async (_, lines) => {
      const differing = (stock: number): readonly string[] => lines(stock);
      const { file } = await drafted([9, 8, 7].flatMap(differing), { schema: TWO_TABLES });
      expect(file).toContain('UPDATE items SET stock =');
      expect(file).not.toMatch(/INTO :|Taken from the log/);
    });

    it('from which of two values, where both would do', async () => {
      const part = (id: number, amount: number): string =>
        `INSERT INTO parts (id, item_id, note, amount) VALUES (${id}, 5, 'n', ${amount})`;
      const bought = (stock: number, a: number, b: number): readonly string[] =>
        sold(stock, [READ], [part(stock + 100, a), part(stock + 200, b)]);
      // Only the first of them tells the two apart, and by it no difference is known.
      const { file } = await drafted([...bought(12, 3, 7), ...bought(9, 3, 3), ...bought(7, 2, 2)]);
      expect(file).not.toMatch(/INTO :|Taken from the log/);
      const one = await drafted([...bought(12, 3, 7), ...bought(9, 3, 8), ...bought(7, 2, 9)]);
      expect(one.file).toContain('SET stock = :stock_read - :amount WHERE');
    });

    it('but from the read of the row, whichever statement it is', async () => {
      const { file } = await drafted(
        [9, 8, 7].flatMap((stock) => sold(stock, ['SELECT stock FROM stocks WHERE id = 5', READ])),
        { schema: TWO_TABLES },
      );
      expect(file).toContain('SELECT stock INTO :stock_read2 FROM items');
      expect(file).toContain('UPDATE items SET stock = :stock_read2 - 1 WHERE');
    });
  });

  it('writes rows and keys of a table under its own name, where the tool has that name for itself', async () => {
    const table = "CREATE TABLE iso_w (iso_rid integer PRIMARY KEY, iso_reads text NOT NULL CHECK (iso_reads IN ('new', 'old')));";
    const lines = [5, 6].map((id) => sent(id, `UPDATE iso_w SET iso_reads = 'old' WHERE iso_rid = ${id}`));
    const { file } = await drafted(lines, { schema: { ...SCHEMA, lines: [table] } });
    expect(file).toContain('INSERT INTO "iso_w" ("iso_rid", "iso_reads") VALUES\n  (');
    expect(file).toContain("'new')");
    expect(file).toMatch(/key of iso_w\nUPDATE iso_w SET iso_reads =/);
  });

  it('without a schema writes what the values show, and says what is missing', async () => {
    const log = await readLog(linesOf([...sale(1, 5, 9), ...sale(1, 6, 7)]));
    const draft = await draftOfLog(log, { dialect: DIALECTS[0]!, most: 30 });
    expect(draft.file).toContain('-- Not known: give --url');
    expect(draft.file).toContain('-- @parameter :items_id int 5..6');
    expect(draft.summary).toContain('not known: the schema, without which the file cannot be run; give --url');
  });
});

describe('an export of pg_stat_statements', () => {
  it('gives each statement by itself, with domains by the schema', async () => {
    const draft = await drafted([
      'userid,dbid,query,calls,total_exec_time',
      '10,5,"SELECT stock FROM items',
      'WHERE id = $1",40,1.5',
      '10,5,UPDATE items SET stock = $1 WHERE id = $2,20,1.5',
      '10,5,BEGIN,20,0.1',
    ]);
    expect(transactionsOf(draft)).toBe(`-- @transaction read-items weight=2 autocommit
-- @parameter :items_id key of items
SELECT stock FROM items WHERE id = :items_id;
-- @transaction update-items autocommit
-- @parameter :stock int 1..10
-- @parameter :items_id key of items
UPDATE items SET stock = :stock WHERE id = :items_id;`);
    expect(draft.summary).toContain('not known: which statements belong to one transaction, and their values; group them by hand');
  });
});

describe('a general log', () => {
  const MYSQL = (rest: string): string => `2026-11-24T21:59:24.123456Z\t${rest}`;
  const MARIADB = (rest: string): string => `\t\t${rest}`;

  it('of MySQL and of MariaDB becomes transactions, statements of several lines included', async () => {
    for (const entry of [MYSQL, MARIADB]) {
      const lines = [
        '/usr/sbin/mysqld, Version: 9.7.0 (MySQL). started with:',
        'Tcp port: 3306  Unix socket: /tmp/s.sock',
        'Time                 Id Command    Argument',
        entry('    8 Connect\tapp@localhost on shop using TCP/IP'),
        entry('    8 Query\tSET NAMES utf8mb4'),
        ...[5, 6].flatMap((id) => [
          entry('    8 Query\tSTART TRANSACTION'),
          entry(`    8 Execute\tSELECT stock FROM items`),
          `WHERE id = ${id}`,
          entry(`    8 Query\tUPDATE items SET stock = ${id + 2} WHERE id = ${id} # it's`),
          entry('    8 Query\tCOMMIT'),
        ]),
        entry(`    9 Query\tSET PASSWORD = 'hunter2'`),
        entry('    8 Quit\t'),
      ];
      const draft = await drafted(lines);
      expect(transactionsOf(draft)).toBe(SALE.replace('7..9', '7..8'));
      expect(`${draft.file}${draft.summary.join('\n')}`).not.toContain('hunter2');
      expect(draft.summary).toContain('not known: which statements failed; this log does not tell');
    }
  });

  it('follows SET autocommit = 0, and texts in double quotes', async () => {
    const draft = await drafted([
      MYSQL('    8 Init DB\tshop'),
      MYSQL('    8 Query\tSET autocommit=0'),
      MYSQL('    8 Query\tSELECT stock FROM items WHERE name = "O\\"Hara"'),
      MYSQL('    8 Query\tUPDATE items SET stock = 1 WHERE id = 3'),
      MYSQL('    8 Query\tCOMMIT'),
    ]);
    expect(transactionsOf(draft)).toBe(`-- @transaction update-items
-- @parameter :items_id key of items
SELECT stock FROM items WHERE name = 'name-1';
UPDATE items SET stock = 1 WHERE id = :items_id;`);
  });
});

describe('what is no log', () => {
  it('is refused with what is expected', async () => {
    await expect(drafted(['hello', 'world'])).rejects.toThrow(
      "--log: the first 2 lines are of no format that is known here; expected one of: a general log of MySQL or MariaDB, PostgreSQL's jsonlog",
    );
    await expect(drafted([at(1, 'LOG:  database system is ready to accept connections')])).rejects.toThrow('log_statement = all');
  });
});

describe('a file of SQL', () => {
  it.each([
    ['PostgreSQL', undefined, 'postgres', "it''s; so"],
    ['MySQL', 'mysql', 'mysql', "it\\'s; so"],
  ])('reads a file of SQL as one session: of %s', async (_, whose, dialect, name) => {
    const sale = (id: number, stock: number): readonly string[] => [
      'BEGIN;',
      `SELECT stock FROM items`,
      `WHERE id = ${id}; -- looks`,
      `UPDATE items SET stock = ${stock},`,
      `  name = '${name}`,
      `;' WHERE id = ${id};`,
      'COMMIT;',
    ];
    const log = await readLog(linesOf(['-- typed by hand', ...sale(1, 4), '', ...sale(2, 7), "SELECT 'never ended;"]), whose);
    expect([log.format.title, log.format.dialect]).toEqual(['a file of SQL', dialect]);
    const draft = await draftOfLog(log, { dialect: DIALECTS.find((each) => each.name === dialect)!, most: 30, schema: SCHEMA });
    expect(transactionsOf(draft)).toBe(
      [
        '-- @transaction update-items',
        '-- @parameter :items_id key of items',
        '-- @parameter :stock int 4..7',
        'SELECT stock FROM items WHERE id = :items_id;',
        "UPDATE items SET stock = :stock, name = 'name-1' WHERE id = :items_id;",
      ].join('\n'),
    );
  });

  it('takes backticks for MySQL', async () => {
    const log = await readLog(linesOf(['SELECT `stock` FROM `items`;']));
    expect(log.format.dialect).toBe('mysql');
  });
});
