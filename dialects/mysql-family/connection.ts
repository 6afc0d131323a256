/**
 * One session of a server of the MySQL family: a plain mysql2 connection speaking the text protocol (several statements
 * may go in one round trip), every value as the server's text, affected rows as matched ones. What is asked for by the
 * protocol of prepared statements comes in its binary form and is spelt as the text protocol spells it. The driver is loaded
 * when the first session is opened.
 *
 * `begin` sets the level for the session and for the next transaction, opens it, and asks for the level in force, in one
 * round trip. The variable alone would not do: after a late SET SESSION, or a SET TRANSACTION without SESSION, it says
 * one level where the transaction runs at another; performance_schema.events_transactions_current says the truth
 * (MySQL 9.7.4, MariaDB 10.11.19 and 11.8.6).
 */
import type { Connection as Driver, ConnectionOptions, FieldPacket, QueryError, QueryOptions, ResultSetHeader } from 'mysql2';
import type {
  Begun,
  CommitResult,
  Connection,
  ConnectOptions,
  DialectLevel,
  QueryResult,
  ResultRow,
  TransactionStatus,
} from '../../core/index.ts';
import { DatabaseError, UsageError } from '../../core/index.ts';
import { onceThereIsRoom } from '../once-there-is-room.ts';
import { redact } from '../redact.ts';
import { connectError } from './connect-error.ts';
import { classifyError, errorCode, goneTransaction, markRolledBack, silentRollback } from './errors.ts';
import { levelQuery } from './member.ts';
import type { LevelQuery, Member } from './member.ts';
import { quoteIdentifier, quoteText } from './quote.ts';
import { onRowsEnd } from './rows-end.ts';
import { endsWithSessionLock, lockNotGot, takesSessionLock } from './session-lock.ts';
import type { Address } from './url.ts';
import { parseUrl } from './url.ts';

const INNODB_SETTINGS: NonNullable<Member['settings']> = [
  ['completion_type', '0'],
  ['default_storage_engine', 'InnoDB'],
];
const INNODB_LOCK_TIMEOUTS = ['innodb_lock_wait_timeout', 'lock_wait_timeout'];

const CONNECT_TIMEOUT_MS = 10_000;
/** Of the server, of the user. */
const TOO_MANY_CONNECTIONS: ReadonlySet<string> = new Set(['1040', '1203']);
/** Of the status flags that a reply carries. */
const SERVER_STATUS_IN_TRANS = 1;
/** Beyond the limit of a statement, before it is killed. */
const KILL_AFTER_MS = 500;
/** How long an orderly end may take before the socket is dropped. */
const END_TIMEOUT_MS = 2_000;

/** Matched rows instead of changed ones; never a file of ours for the server's asking. */
const FLAGS = ['FOUND_ROWS', '-LOCAL_FILES'];

/** Which session it is; none of ours has a database of its own, so that a table named without one is nobody's. */
const IDENTITY = ['CONNECTION_ID()', 'DATABASE()'];

/** How the driver hands out binary values: nothing is rounded, no date is shifted. Texts are taken as the bytes that they are. */
const BINARY = {
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
  maxPreparedStatements: 16,
} as const;

/** A value as the driver gives it: bytes of a text, or of a binary row a number or a text. */
type Given = Buffer | string | number | null;
type Rows = (string | null)[][];
/** Of the driver: text, or the messages of a prepared statement. */
type How = 'query' | 'execute';
/** A result set or an OK. */
type Reply = { readonly rows: Rows; readonly columns: readonly string[] } | { readonly header: ResultSetHeader };

export async function connect(url: string, options: ConnectOptions, member: Member): Promise<Connection> {
  const address = parseUrl(url, member);
  const session = await Session.open(address, url, member);
  try {
    await session.prepare(options, address);
    return session;
  } catch (error) {
    await session.end();
    throw error instanceof UsageError || error instanceof DatabaseError ? error : connectError(error, url, member);
  }
}

/** The driver's connection, with nothing set in its session. `made`: hears of it before it is connected, and how to make one more. */
export async function openDriver(
  address: Address,
  url: string,
  member: Member,
  made: (client: Driver, another: () => Driver) => void = () => undefined,
): Promise<Driver> {
  const { createConnection } = await import('mysql2');
  const { host, port, user, password, socketPath, ssl } = address;
  const options: ConnectionOptions = {
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user,
    password,
    ...(ssl !== 'off' && { ssl: { rejectUnauthorized: ssl === 'on' } }),
    charset: 'utf8mb4',
    connectTimeout: CONNECT_TIMEOUT_MS,
    multipleStatements: true,
    // Otherwise a parser is compiled, and kept, for the columns of each result, whose tables every round makes anew.
    disableEval: true,
    flags: FLAGS,
    ...BINARY,
  };
  const open = async (): Promise<Driver> => {
    const client = createConnection(options);
    // Without a listener an idle client's error would end the process.
    client.on('error', () => undefined);
    made(client, () => createConnection(options));
    try {
      await new Promise<void>((resolve, reject) => client.connect((error) => (error ? reject(error) : resolve())));
      return client;
    } catch (error) {
      dropSocket(client);
      throw error;
    }
  };
  try {
    return await onceThereIsRoom(open, (error) => TOO_MANY_CONNECTIONS.has(errorCode(error) ?? ''));
  } catch (error) {
    throw connectError(error, url, member);
  }
}

function dropSocket(client: Driver): void {
  (client as unknown as { stream: { destroy(): void } }).stream.destroy();
}

/** Fixed by us, so that values come back as the same text and statements mean the same whatever the server's defaults are. */
function settings(options: ConnectOptions, address: Address, member: Member): readonly (readonly [string, string])[] {
  const timeout = options.statementTimeoutMs;
  const seconds = timeout === undefined ? undefined : String(Math.max(1, Math.ceil(timeout / 1000)));
  return [
    ['sql_mode', quoteText(member.sqlMode.join(','))],
    ['time_zone', quoteText('+00:00')],
    ['autocommit', '1'],
    ['group_concat_max_len', '4294967295'],
    ...(member.settings ?? INNODB_SETTINGS),
    ...(timeout === undefined || seconds === undefined
      ? []
      : [...(member.lockTimeouts ?? INNODB_LOCK_TIMEOUTS).map((name) => [name, seconds] as const), ...member.statementTimeout(timeout)]),
    ...address.settings,
  ];
}

class Session implements Connection {
  backend = '';
  readonly #client: Driver;
  /** One more connection to the same address. */
  readonly #another: () => Driver;
  /** After so long a statement is killed. */
  #limitMs: number | undefined;
  readonly #url: string;
  readonly #member: Member;
  /** The first sign that the connection is gone; every later call rejects with it. */
  #lost: Error | undefined;
  /** Of the statement in flight: the driver may fall silent when its socket goes. */
  #reject: ((error: Error) => void) | undefined;
  #levelQuery: LevelQuery = { level: 'NULL' };
  /** The session's database. */
  #database: string | null = null;
  /** Something was set in it. */
  #set = false;
  /** `open` from BEGIN on; `gone` once the server rolled it back by itself. */
  #transaction: 'none' | 'open' | 'gone' = 'none';
  /** A test's statement has asked for a lock by GET_LOCK since the last transaction ended. */
  #locked = false;
  /** By the flag of the last reply; an error has none. */
  #inside: boolean | undefined;

  private constructor(client: Driver, url: string, member: Member, another: () => Driver) {
    this.#another = another;
    this.#client = client;
    this.#url = url;
    this.#member = member;
    client.on('error', (error: Error) => this.#lose(error));
    client.on('end', () => this.#lose(lostConnection()));
    onRowsEnd(client, (status) => (this.#inside = isInside({ serverStatus: status })));
  }

  static async open(address: Address, url: string, member: Member): Promise<Session> {
    let session: Session | undefined;
    await openDriver(address, url, member, (client, another) => (session = new Session(client, url, member, another)));
    return session!;
  }

  async prepare(options: ConnectOptions, address: Address): Promise<void> {
    const { flavour, refuses } = this.#member;
    // Nothing that another make might not understand: its name would never be asked for.
    const { rows } = await this.query('SELECT CONNECTION_ID(), VERSION()');
    const [backend, version] = rows[0] ?? [];
    const refusal = refuses(version ?? '', redact(this.#url));
    if (refusal !== undefined) throw new UsageError(refusal);
    this.backend = backend ?? '';
    if (address.database !== undefined) await this.#expectDatabase(address.database);
    this.#set = true;
    if (this.#member.killsLate) this.#limitMs = options.statementTimeoutMs;
    await this.query(
      `SET NAMES utf8mb4 COLLATE ${flavour.collation}; SET SESSION ${settings(options, address, this.#member)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}`,
    );
    for (const sql of this.#member.whereKnown?.(options) ?? [])
      await this.query(sql).catch((error: { errno?: number }) => ignoreUnknown(error));
    if (options.namespace !== undefined) await this.query(`USE ${quoteIdentifier((this.#database = options.namespace))}`);
    this.#levelQuery = await this.#bestLevelQuery();
    if (options.level !== undefined) await this.#setDefaultLevel(options.level);
  }

  /** Of several statements: the rows of the last one with rows, and the affected rows of the last one without. */
  async query(sql: string): Promise<QueryResult> {
    const replies = await this.#sendInside(sql);
    const shown = replies.findLast((reply) => 'rows' in reply);
    const done = replies.findLast((reply) => 'header' in reply);
    return {
      columns: shown?.columns ?? [],
      rows: shown?.rows ?? [],
      affected: done?.header.affectedRows ?? shown?.rows.length ?? 0,
      ...(done && changedBy(done.header)),
    };
  }

  async queryAll(sql: readonly string[]): Promise<readonly QueryResult[]> {
    const replies = await this.#sendInside(sql.join('; '));
    return replies.map(resultOf);
  }

  async queryProtocol(sql: string): Promise<QueryResult> {
    return resultOf((await this.#sendInside(sql, 'execute'))[0]!);
  }

  async begin(level: DialectLevel, words?: string): Promise<Begun> {
    this.#transaction = 'none';
    const { rows } = await this.query([...begins(level, words), levelQuery(this.#levelQuery, ...IDENTITY)].join('; '));
    this.#transaction = 'open';
    const foreign = this.#foreignIn(rows[0] ?? []);
    return { inForce: levelName(rows[0]?.[0]), ...(foreign !== undefined && { foreign }) };
  }

  async beginWith(sql: string, words?: string): Promise<QueryResult> {
    this.#transaction = 'open';
    return (await this.queryAll([start(words), sql])).at(-1)!;
  }

  #foreignIn([, backend, database = null]: ResultRow): string | undefined {
    if (backend !== this.backend) return `connection ${backend ?? 'unknown'} of the server instead of ${this.backend}`;
    const name = (which: string | null): string => (which === null ? 'none' : quoteIdentifier(which));
    return database === this.#database ? undefined : `the database ${name(database)} instead of ${name(this.#database)}`;
  }

  beginSql(level: DialectLevel, words?: string): readonly string[] {
    return [...begins(level, words), levelQuery(this.#levelQuery)];
  }

  /** A transaction that the server rolled back by itself left the session in autocommit, where COMMIT is no error. */
  async commit(): Promise<CommitResult> {
    try {
      return await this.#commit();
    } finally {
      await this.#giveLocksBack();
    }
  }

  async #commit(): Promise<CommitResult> {
    const { xidQuery } = this.#member;
    const gone = this.#transaction === 'gone';
    // Nothing comes after COMMIT: its failure would be taken for that of the COMMIT.
    const [first] = await this.#send(this.#transaction === 'open' && xidQuery !== undefined ? `${xidQuery}; COMMIT` : 'COMMIT');
    this.#transaction = 'none';
    const xid = first !== undefined && 'rows' in first ? first.rows[0]?.[0] : undefined;
    return { tag: gone ? 'rollback' : 'commit', ...(xid ? { xid } : {}) };
  }

  async rollback(): Promise<void> {
    try {
      await this.#send('ROLLBACK');
      this.#transaction = 'none';
    } finally {
      await this.#giveLocksBack();
    }
  }

  /**
   * Locks of GET_LOCK belong to the session, and a session that is lost has none. A session that cannot give them back is ended,
   * since the error would be taken for that of the COMMIT, which succeeded.
   */
  async #giveLocksBack(): Promise<void> {
    if (!this.#locked || this.#lost !== undefined) return;
    this.#locked = false;
    await this.#send('DO RELEASE_ALL_LOCKS()').catch(() => this.destroy());
  }

  transactionStatus(): TransactionStatus | undefined {
    if (this.#inside === undefined) return undefined;
    return this.#inside ? 'inside' : 'outside';
  }

  async end(): Promise<void> {
    if (this.#lost !== undefined) return this.destroy();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.destroy();
        resolve();
      }, END_TIMEOUT_MS);
      const quit = (): void =>
        this.#client.end(() => {
          clearTimeout(timer);
          resolve();
        });
      // All that we have set, before a pooler lends the session to another client.
      if (this.#set) this.#client.reset(quit);
      else quit();
    });
  }

  destroy(): void {
    this.#lose(lostConnection());
    dropSocket(this.#client);
  }

  /** The one that the URL names: we need none of ours there, so that it is not chosen, but a wrong one shall not pass. */
  async #expectDatabase(database: string): Promise<void> {
    const { rows } = await this.query(`SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ${quoteText(database)}`);
    if (rows.length === 0) throw Object.assign(new Error(`Unknown database '${database}'`), { errno: 1049, code: 'ER_BAD_DB_ERROR' });
  }

  /** The first query that answers inside a transaction. */
  async #bestLevelQuery(): Promise<LevelQuery> {
    for (const query of this.#member.levelQueries) {
      try {
        const { rows } = await this.query(`START TRANSACTION; ${levelQuery(query)}`);
        if (typeof rows[0]?.[0] === 'string') return query;
      } catch (error) {
        if (this.#lost !== undefined) throw error;
      } finally {
        if (this.#lost === undefined) await this.query('ROLLBACK');
      }
    }
    throw new DatabaseError(
      `${redact(this.#url)} does not say which isolation level is in force (${this.#member.levelQueries.map((query) => levelQuery(query)).join('; ')})`,
    );
  }

  async #setDefaultLevel(level: DialectLevel): Promise<void> {
    await this.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${level.sql}`);
    const { rows } = await this.query(`START TRANSACTION; ${levelQuery(this.#levelQuery)}`);
    await this.query('ROLLBACK');
    const inForce = levelName(rows[0]?.[0]);
    if (inForce === level.inForce) return;
    const advice = this.#member.levelAdvice?.(level, inForce) ?? 'a proxy or a server setting overrides it';
    throw new DatabaseError(
      `${redact(this.#url)}: autocommit statements run at '${inForce}' after SET SESSION TRANSACTION ISOLATION LEVEL; expected '${level.inForce}': ${advice}`,
    );
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    this.#reject?.(this.#lost);
  }

  /**
   * The server that rolled a transaction back is in autocommit now: what is left of the plan would commit statement by
   * statement, so it does not leave this session.
   */
  async #sendInside(sql: string, how: How = 'query'): Promise<readonly Reply[]> {
    if (this.#transaction === 'gone') throw goneTransaction();
    const replies = await this.#bounded(sql, how);
    if (this.#transaction !== 'open' || replies.every((reply) => 'rows' in reply || isInside(reply.header))) return replies;
    this.#transaction = 'gone';
    throw silentRollback();
  }

  /** The timeouts of the server come first where they apply. */
  async #bounded(sql: string, how: How): Promise<readonly Reply[]> {
    if (this.#limitMs === undefined) return this.#send(sql, how);
    let running = true;
    const timer = setTimeout(() => {
      const killer = this.#another();
      killer.on('error', () => undefined);
      killer.connect((error) => {
        if (error === null && running) killer.query(`KILL QUERY ${this.backend}`, () => killer.destroy());
        else killer.destroy();
      });
    }, this.#limitMs + KILL_AFTER_MS);
    try {
      return await this.#send(sql, how);
    } finally {
      running = false;
      clearTimeout(timer);
    }
  }

  async #send(sql: string, how: How = 'query'): Promise<readonly Reply[]> {
    if (this.#lost !== undefined) throw this.#lost;
    if (takesSessionLock(sql)) this.#locked = true;
    this.#inside = undefined;
    try {
      const replies = await new Promise<readonly Reply[]>((resolve, reject) => {
        this.#reject = reject;
        const query: QueryOptions = { sql, rowsAsArray: true };
        const answered = (error: QueryError | null, rows: unknown, fields: unknown): void =>
          error ? reject(error) : resolve(repliesOf(rows, fields));
        if (how === 'execute') this.#client.execute(query, answered);
        else this.#client.query({ ...query, typeCast: false }, answered);
      });
      const last = replies.at(-1);
      if (endsWithSessionLock(sql) && last !== undefined && 'rows' in last && last.rows[0]?.[0] !== '1') throw lockNotGot();
      if (last !== undefined && 'header' in last) this.#inside = isInside(last.header);
      return replies;
    } catch (error) {
      this.#inside = undefined;
      if (this.#transaction === 'open') {
        const { errors } = this.#member;
        if (classifyError(error, errors).scope === 'statement' && !(await this.#isInside())) markRolledBack(error);
        if (classifyError(error, errors).scope !== 'statement') this.#transaction = 'gone';
      }
      throw error;
    } finally {
      this.#reject = undefined;
    }
  }

  /**
   * By the flag that comes with every reply but an error; a server that does not answer will not answer the next one either.
   * A Galera node that has aborted the transaction for another node's says so to whatever comes next: to this.
   */
  #isInside(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#reject = () => resolve(true);
      this.#client.query('DO 0', (error: QueryError | null, header: unknown) => {
        if (error === null) resolve((this.#inside = isInside(header as ResultSetHeader)));
        else resolve(classifyError(error, this.#member.errors).scope !== 'transaction');
      });
    });
  }
}

function begins({ sql }: DialectLevel, words?: string): readonly string[] {
  return [`SET SESSION TRANSACTION ISOLATION LEVEL ${sql}`, `SET TRANSACTION ISOLATION LEVEL ${sql}`, start(words)];
}

function start(words: string | undefined): string {
  return words === undefined ? 'START TRANSACTION' : `START TRANSACTION ${words}`;
}

function isInside({ serverStatus }: { readonly serverStatus?: number }): boolean {
  return ((serverStatus ?? SERVER_STATUS_IN_TRANS) & SERVER_STATUS_IN_TRANS) !== 0;
}

/** `Rows matched: 2  Changed: 1  Warnings: 0`, where the server speaks English. */
function changedBy({ info }: ResultSetHeader): { readonly changed?: number } {
  const changed = /\bchanged:\s*(\d+)/i.exec(info)?.[1];
  return changed === undefined ? {} : { changed: Number(changed) };
}

/** Text as it came; bytes that are no UTF-8 as hexadecimal digits. */
function textOf(bytes: Given): string | null {
  if (bytes === null) return null;
  if (!Buffer.isBuffer(bytes)) return String(bytes);
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') && !Buffer.from(text, 'utf8').equals(bytes) ? `0x${bytes.toString('hex')}` : text;
}

function resultOf(reply: Reply): QueryResult {
  return 'rows' in reply
    ? { columns: reply.columns, rows: reply.rows, affected: reply.rows.length }
    : { columns: [], rows: [], affected: reply.header.affectedRows, ...changedBy(reply.header) };
}

/** For one statement the driver gives rows and fields, for several an array of each. */
function repliesOf(rows: unknown, fields: unknown): readonly Reply[] {
  const several = Array.isArray(fields) && fields.some((each) => each === undefined || Array.isArray(each));
  const all = several ? (rows as unknown[]) : [rows];
  const allFields = several ? (fields as (FieldPacket[] | undefined)[]) : [fields as FieldPacket[] | undefined];
  return all.map((each, i): Reply =>
    Array.isArray(each)
      ? { rows: (each as Given[][]).map((row) => row.map(textOf)), columns: (allFields[i] ?? []).map(({ name }) => name) }
      : { header: each as ResultSetHeader },
  );
}

/** `REPEATABLE-READ` of the variable, `REPEATABLE READ` of the performance schema. */
function levelName(answer: string | null | undefined): string {
  return (answer ?? '').toLowerCase().replaceAll('-', ' ');
}

/** ER_UNKNOWN_SYSTEM_VARIABLE */
function ignoreUnknown(error: { readonly errno?: number }): void {
  if (error.errno !== 1193) throw error;
}

function lostConnection(): Error {
  return Object.assign(new Error('Connection lost: the socket is closed'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
}
