/** What the shop's database server is made to do: to hold its tables with a few rows, and to log what the shop sends. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Store } from './shop.ts';

const made = (number: string): readonly string[] => [
  `CREATE TABLE users (id ${number} PRIMARY KEY, email varchar(80) NOT NULL)`,
  `CREATE TABLE products (id ${number} PRIMARY KEY, stock int NOT NULL)`,
  `CREATE TABLE orders (id ${number} PRIMARY KEY, user_id int NOT NULL, product_id int NOT NULL, quantity int NOT NULL,
     FOREIGN KEY (user_id) REFERENCES users (id), FOREIGN KEY (product_id) REFERENCES products (id))`,
  'CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)',
  `CREATE TABLE posts (id ${number} PRIMARY KEY, likes int NOT NULL)`,
  `INSERT INTO users (email) VALUES ('ada@example.org'), ('bob@example.org')`,
  'INSERT INTO products (stock) VALUES (20), (30)',
  'INSERT INTO accounts (id, balance) VALUES (1, 100), (2, 100)',
  'INSERT INTO posts (likes) VALUES (0), (0)',
];

export const MADE: Readonly<Record<Store, readonly string[]>> = {
  // A connection of ours has chosen no schema and no database.
  postgres: ['SET search_path TO public', ...made('serial')],
  mysql: ['USE little_shop', ...made('int AUTO_INCREMENT')],
};

/** Has the server log every statement from now on; the file of its log. */
export const LOGGED: Readonly<Record<Store, (ask: (sql: string) => Promise<string>) => Promise<string>>> = {
  postgres: async (ask) => {
    await ask(`ALTER SYSTEM SET log_line_prefix = '%m [%p] %u@%d '`);
    await ask("ALTER SYSTEM SET log_statement = 'all'");
    await ask('SELECT pg_reload_conf()');
    const data = await ask('SHOW data_directory');
    return [join(dirname(data), 'postgres.log'), join(data, 'postgres.log')].find(existsSync)!;
  },
  mysql: async (ask) => {
    await ask('SET GLOBAL general_log = ON');
    return resolve(await ask('SELECT @@datadir'), await ask('SELECT @@general_log_file'));
  },
};
