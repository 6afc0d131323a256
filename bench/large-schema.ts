/** The text of a workload file whose schema is as large as wanted: tables, foreign keys, indexes, triggers, rows. */

interface Words {
  /** Foreign keys stand behind all tables, as pg_dump writes them; otherwise within their table. */
  readonly keysApart: boolean;
  trigger(name: string, event: string, table: string): readonly string[];
}

export const WORDS: Readonly<Record<string, Words>> = {
  postgres: {
    keysApart: true,
    trigger: (name, event, table) => [
      `CREATE FUNCTION watch_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.amount < 0 THEN NEW.amount := 0; END IF; RETURN NEW; END $$;`,
      `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION watch_${name}();`,
    ],
  },
  mysql: {
    keysApart: false,
    trigger: (name, event, table) => [
      `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW BEGIN IF NEW.amount < 0 THEN SET NEW.amount = 0; END IF; END;`,
    ],
  },
};

/** Every table but the first has a foreign key to the one before it, and seven of ten one more. */
export function largeSchema(tables: number, words: Words): string {
  const all = Array.from({ length: tables }, (_, n) => n);
  return [
    '-- @schema',
    // A dump makes tables by their names: many stand before those that they refer to.
    ...all.toSorted((a, b) => ((a * 7919) % tables) - ((b * 7919) % tables)).map((n) => table(n, words.keysApart ? [] : keys(n))),
    ...(words.keysApart ? all.flatMap((n) => keys(n).map((key) => `ALTER TABLE table_${n} ADD ${key};`)) : []),
    ...all.map((n) => `CREATE INDEX index_${n} ON table_${n} (name, amount);`),
    ...all.filter((n) => n % 10 < 5).map((n) => `CREATE VIEW view_${n} AS SELECT id, name FROM table_${n} WHERE amount > ${n};`),
    ...all.flatMap((n) => triggers(n, words)),
    '-- @data',
    ...all.map((n) => `INSERT INTO table_${n} (id, name, amount) VALUES (1, 'one', 1), (2, 'two', 2);`),
    ...all.filter((n) => n % 10 === 0).flatMap((n) => transaction(n)),
  ].join('\n');
}

function table(n: number, keys: readonly string[]): string {
  const parts = [
    'id int PRIMARY KEY',
    'name varchar(40) NOT NULL',
    `amount int NOT NULL CHECK (amount > -${n + 1})`,
    'previous_id int',
    'other_id int',
    'changes int NOT NULL DEFAULT 0',
    'UNIQUE (name)',
  ];
  return `CREATE TABLE table_${n} (${[...parts, ...keys].join(', ')});`;
}

/** Foreign keys of a table to some that have a lower number. */
function keys(n: number): readonly string[] {
  const key = (column: string, target: number): string =>
    `CONSTRAINT key_${n}_${column} FOREIGN KEY (${column}) REFERENCES table_${target} (id)`;
  return [...(n > 0 ? [key('previous_id', n - 1)] : []), ...(n > 1 && n % 10 < 7 ? [key('other_id', (n * 7919) % n)] : [])];
}

/** One on each table, and a second on every fifth. */
function triggers(n: number, words: Words): readonly string[] {
  const events = n % 5 === 0 ? ['UPDATE', 'INSERT'] : ['UPDATE'];
  return events.flatMap((event) => words.trigger(`trigger_${event.toLowerCase()}_${n}`, event, `table_${n}`));
}

function transaction(n: number): readonly string[] {
  return [
    `-- @transaction change-${n}`,
    `-- @parameter :id int 1..2`,
    `SELECT amount INTO :amount FROM table_${n} WHERE id = :id;`,
    `UPDATE table_${n} SET amount = :amount + 1 WHERE id = :id;`,
    `-- @invariant positive-${n}`,
    `SELECT id FROM table_${n} WHERE amount < 0;`,
  ];
}
