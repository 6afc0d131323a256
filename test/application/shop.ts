/**
 * A small shop over HTTP, written as such applications are: an ORM, a transaction a request, what is decided is decided here. Of
 * its endpoints `sign-up`, `buy` and `like` look and then write what they have computed; `transfer` locks before it looks.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asc, eq, inArray } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial, varchar } from 'drizzle-orm/pg-core';
import mysql from 'mysql2/promise';
import { Pool } from 'pg';

const POSTGRES = {
  users: pgTable('users', { id: serial('id').primaryKey(), email: varchar('email', { length: 80 }).notNull() }),
  products: pgTable('products', { id: serial('id').primaryKey(), stock: integer('stock').notNull() }),
  orders: pgTable('orders', {
    id: serial('id').primaryKey(),
    userId: integer('user_id').notNull(),
    productId: integer('product_id').notNull(),
    quantity: integer('quantity').notNull(),
  }),
  accounts: pgTable('accounts', { id: integer('id').primaryKey(), balance: integer('balance').notNull() }),
  posts: pgTable('posts', { id: serial('id').primaryKey(), likes: integer('likes').notNull() }),
};

type Tables = typeof POSTGRES;

const MYSQL = {
  users: my.mysqlTable('users', { id: my.serial('id').primaryKey(), email: my.varchar('email', { length: 80 }).notNull() }),
  products: my.mysqlTable('products', { id: my.serial('id').primaryKey(), stock: my.int('stock').notNull() }),
  orders: my.mysqlTable('orders', {
    id: my.serial('id').primaryKey(),
    userId: my.int('user_id').notNull(),
    productId: my.int('product_id').notNull(),
    quantity: my.int('quantity').notNull(),
  }),
  accounts: my.mysqlTable('accounts', { id: my.int('id').primaryKey(), balance: my.int('balance').notNull() }),
  posts: my.mysqlTable('posts', { id: my.serial('id').primaryKey(), likes: my.int('likes').notNull() }),
};

interface Connected {
  readonly db: NodePgDatabase;
  readonly tables: Tables;
  end(): Promise<void>;
}

/** Where the application may keep its tables. */
export type Store = 'postgres' | 'mysql';

const CONNECT: Readonly<Record<Store, (url: string) => Connected>> = {
  postgres: (url) => {
    const pool = new Pool({ connectionString: url, max: 2 });
    return { db: onPostgres(pool), tables: POSTGRES, end: () => pool.end() };
  },
  mysql: (url) => {
    const pool = mysql.createPool({ uri: url, connectionLimit: 2 });
    // The application's code is one: what it calls is there on both.
    return { db: onMysql({ client: pool }) as unknown as NodePgDatabase, tables: MYSQL as unknown as Tables, end: () => pool.end() };
  },
};

type Session = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];
type Endpoint = (tx: Session, tables: Tables, body: Readonly<Record<string, unknown>>) => Promise<boolean>;

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/sign-up': async (tx, { users }, body) => {
    const email = String(body['email']);
    const known = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    if (known.length > 0) return false;
    await tx.insert(users).values({ email });
    return true;
  },
  '/buy': async (tx, { products, orders }, body) => {
    const [userId, productId, quantity] = ['user', 'product', 'quantity'].map((name) => Number(body[name])) as [number, number, number];
    const [product] = await tx.select({ stock: products.stock }).from(products).where(eq(products.id, productId));
    if (product === undefined || product.stock < quantity) return false;
    await tx.insert(orders).values({ userId, productId, quantity });
    await tx
      .update(products)
      .set({ stock: product.stock - quantity })
      .where(eq(products.id, productId));
    return true;
  },
  '/like': async (tx, { posts }, body) => {
    const [post] = await tx
      .select()
      .from(posts)
      .where(eq(posts.id, Number(body['post'])));
    if (post === undefined) return false;
    await tx
      .update(posts)
      .set({ likes: post.likes + 1 })
      .where(eq(posts.id, post.id));
    return true;
  },
  '/transfer': async (tx, { accounts }, body) => {
    const [from, to, amount] = ['from', 'to', 'amount'].map((name) => Number(body[name])) as [number, number, number];
    const both = await tx
      .select()
      .from(accounts)
      .where(inArray(accounts.id, [from, to]))
      .orderBy(asc(accounts.id))
      .for('update');
    const balanceOf = (id: number): number => both.find((account) => account.id === id)!.balance;
    if (balanceOf(from) < amount) return false;
    for (const [id, change] of [
      [from, -amount],
      [to, amount],
    ] as const)
      await tx
        .update(accounts)
        .set({ balance: balanceOf(id) + change })
        .where(eq(accounts.id, id));
    return true;
  },
};

export interface RunningApplication {
  /** POSTs to an endpoint; what it answered. */
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<number>;
  stop(): Promise<void>;
}

/** 200: done; 409: it was not to be done. */
export async function startShop(store: Store, url: string): Promise<RunningApplication> {
  const { db, tables, ...connected } = CONNECT[store](url);
  const server = createServer((request, response) => {
    const answer = async (): Promise<number> => {
      const endpoint = ENDPOINTS[request.url ?? ''];
      if (endpoint === undefined) return 404;
      const body = await bodyOf(request);
      return (await db.transaction((tx) => endpoint(tx, tables, body))) ? 200 : 409;
    };
    answer().then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    post: async (path, body) => {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(body) });
      return status;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await connected.end();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
