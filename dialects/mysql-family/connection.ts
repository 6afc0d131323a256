/**
 * A session of a server of the MySQL family: a plain mysql2 connection with the text protocol. Several statements may
 * share a round trip, every value is the server's text, and affected rows are matched rows. The protocol of prepared
 * statements returns binary values, which are spelled as in the text protocol. The driver is loaded when the first
 * session opens.
 *
 * `begin` sets the level for the session and for the next transaction, opens it, and queries the level in force, in one round trip.
 * The variable alone is not enough. After a late SET SESSION, or a SET TRANSACTION without SESSION, it may differ from the
 * transaction's level. performance_schema.events_transactions_current has the correct one (MySQL 9.7.4, MariaDB 10.11.19 and 11.8.6).
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
} from '../../core/dialect/index.ts';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
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
/** The limits of the server and of the user. */
const TOO_MANY_CONNECTIONS: ReadonlySet<string> = new Set(['1040', '1203']);
/** A bit of the status flags in a reply. */
const SERVER_STATUS_IN_TRANS = 1;
/** The time after a statement's limit until it is killed. */
const KILL_AFTER_MS = 500;
/** The time that an orderly end may take before the socket is closed. */
const END_TIMEOUT_MS = 2_000;

/** Affected rows are matched rows, not changed ones. The server may not request local files. */
const FLAGS = ['FOUND_ROWS', '-LOCAL_FILES'];

/** The session's id and database. Our sessions have no current database, so that an unqualified table name is an error. */
const IDENTITY = ['CONNECTION_ID()', 'DATABASE()'];

/** How the driver returns binary values, without rounding numbers or shifting dates. Texts stay bytes. */
const BINARY = {
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
  maxPreparedStatements: 16,
} as const;

/** A value from the driver: the bytes of a text, or in a binary row a number or a text. */
type Given = Buffer | string | number | null;
type Rows = (string | null)[][];
/** The driver's method: text, or the messages of a prepared statement. */
type How = 'query' | 'execute';
/** A result set or an OK packet. */
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

/**
 * Opens the driver's connection and sets nothing in its session. `made` is called before it connects, with the client
 * and a function that opens one more.
 */
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
    // Otherwise the driver compiles and keeps a parser for the columns of each result, and every round makes new
    // tables.
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

/** Settings that make values return as the same text and statements mean the same, whatever the server's defaults are. */
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
  /** Opens one more connection to the same address. */
  readonly #another: () => Driver;
  /** The time after which a statement is killed. */
  #limitMs: number | undefined;
  readonly #url: string;
  readonly #member: Member;
  /** The first error that shows the connection's loss. Every later call rejects with it. */
  #lost: Error | undefined;
  /** Rejects the statement in flight, as the driver may not answer when its socket is lost. */
  #reject: ((error: Error) => void) | undefined;
  #levelQuery: LevelQuery = { level: 'NULL' };
  /** The session's current database. */
  #database: string | null = null;
  /** Whether the session's settings were changed. */
  #set = false;
  /** `open` from BEGIN on, and `gone` after the server itself rolled the transaction back. */
  #transaction: 'none' | 'open' | 'gone' = 'none';
  /** Whether a statement has called GET_LOCK since the last transaction ended. */
  #locked = false;
  /** The status flag of the last reply. An error has none. */
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
    // Another make might not understand a longer query, and its name would not be read.
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

  /** For several statements: the rows of the last one with rows, and the affected rows of the last one without. */
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

  /** If the server itself rolled the transaction back, the session is in autocommit, where COMMIT succeeds. */
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
    // Nothing follows COMMIT in the message, since its error would count as the COMMIT's.
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
   * Releases the locks of GET_LOCK, which belong to the session. A lost session holds none. If the release fails, the
   * session is closed, as the error would count as that of the successful COMMIT.
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
      // Resets all settings before a pooler lends the session to another client.
      if (this.#set) this.#client.reset(quit);
      else quit();
    });
  }

  destroy(): void {
    this.#lose(lostConnection());
    dropSocket(this.#client);
  }

  /** Checks that the URL's database exists. Our sessions do not use it, but a wrong name is an error. */
  async #expectDatabase(database: string): Promise<void> {
    const { rows } = await this.query(`SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ${quoteText(database)}`);
    if (rows.length === 0) throw Object.assign(new Error(`Unknown database '${database}'`), { errno: 1049, code: 'ER_BAD_DB_ERROR' });
  }

  /** Returns the first query that answers inside a transaction. */
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
   * After the server itself rolled a transaction back, the session is in autocommit. The rest of the plan would commit
   * statement by statement, so it is not sent.
   */
  async #sendInside(sql: string, how: How = 'query'): Promise<readonly Reply[]> {
    if (this.#transaction === 'gone') throw goneTransaction();
    const replies = await this.#bounded(sql, how);
    if (this.#transaction !== 'open' || replies.every((reply) => 'rows' in reply || isInside(reply.header))) return replies;
    this.#transaction = 'gone';
    throw silentRollback();
  }

  /** Kills a statement after its limit. The server's own timeouts come first if they apply. */
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
   * Reads the status flag, which comes with every reply except an error. A server that does not answer now does not
   * answer the next query either. A Galera node that aborted the transaction for another node's reports that with the
   * next statement, which is this one.
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

/** Reads `Rows matched: 2  Changed: 1  Warnings: 0`, if the server's language is English. */
function changedBy({ info }: ResultSetHeader): { readonly changed?: number } {
  const changed = /\bchanged:\s*(\d+)/i.exec(info)?.[1];
  return changed === undefined ? {} : { changed: Number(changed) };
}

/** The text as received. Bytes that are not UTF-8 become hexadecimal digits. */
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

/** For one statement the driver returns rows and fields, for several an array of each. */
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

/** `REPEATABLE-READ` from the variable, `REPEATABLE READ` from the performance schema. */
function levelName(answer: string | null | undefined): string {
  return (answer ?? '').toLowerCase().replaceAll('-', ' ');
}

/** Ignores ER_UNKNOWN_SYSTEM_VARIABLE. */
function ignoreUnknown(error: { readonly errno?: number }): void {
  if (error.errno !== 1193) throw error;
}

function lostConnection(): Error {
  return Object.assign(new Error('Connection lost: the socket is closed'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
}
