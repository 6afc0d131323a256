/** What tests do to a server that a tester would do by hand: each in the words of the servers that the suites run on. */
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import { cockroachdb, mariadb, mysql, postgres, tidb } from '../../dialects/index.ts';

interface Words {
  /** A user without any right. */
  readonly createUser: (name: string, password: string) => string;
  /** The sessions of others that are at work, each with the text of its statement. */
  readonly busy: string;
  /** All that clients have open. */
  readonly sessions: string;
  readonly end: (session: string) => string;
}

const MYSQL: Words = {
  createUser: (name, password) => `CREATE USER ${name} IDENTIFIED BY '${password}'`,
  busy: "SELECT id, info FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command = 'Query' AND user = 'root'",
  sessions: "SELECT id FROM information_schema.processlist WHERE user = 'root'",
  end: (session) => `KILL ${session}`,
};
const POSTGRES: Words = {
  createUser: (name, password) => `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
  busy: "SELECT pid, query FROM pg_stat_activity WHERE application_name = 'anomalist' AND state <> 'idle' AND pid <> pg_backend_pid()",
  sessions: "SELECT pid FROM pg_stat_activity WHERE application_name = 'anomalist'",
  end: (session) => `SELECT pg_terminate_backend(${session})`,
};
const WORDS: ReadonlyMap<Dialect, Words> = new Map([
  [postgres, POSTGRES],
  [cockroachdb, POSTGRES],
  [mysql, MYSQL],
  [mariadb, MYSQL],
  [tidb, MYSQL],
]);

export async function createUser(dialect: Dialect, connection: Connection, name: string, password: string): Promise<void> {
  await connection.query(WORDS.get(dialect)!.createUser(name, password));
}

/** The same server as somebody else. */
export function urlAs(url: string, user: string): string {
  return url.replace(/\/\/[^@]*@/, `//${user}@`);
}

/** Ends one of these sessions that is at work; false if none is. */
export async function endOneSession(
  dialect: Dialect,
  connection: Connection,
  of: (session: string, statement: string) => boolean,
): Promise<boolean> {
  const { busy, end } = WORDS.get(dialect)!;
  const { rows } = await connection.query(busy);
  const session = rows.find(([id, sql]) => of(id ?? '', sql ?? ''))?.[0];
  if (session === undefined || session === null) return false;
  await connection.query(end(session));
  return true;
}

export async function endSession(dialect: Dialect, connection: Connection, session: string): Promise<void> {
  await connection.query(WORDS.get(dialect)!.end(session));
}

export async function sessionsOf(dialect: Dialect, connection: Connection): Promise<readonly (string | null)[]> {
  const { rows } = await connection.query(WORDS.get(dialect)!.sessions);
  return rows.map(([session]) => session ?? null);
}

/** Schemas whose names begin so. */
export async function namespaces(connection: Connection, prefix: string): Promise<readonly string[]> {
  const { rows } = await connection.query('SELECT schema_name FROM information_schema.schemata');
  return rows.flatMap(([name]) => (name?.startsWith(prefix) === true ? [name] : []));
}
