/**
 * A session of a server that speaks PostgreSQL's protocol: a plain pg client with the simple query protocol. Several
 * statements may share a round trip, and every value is the server's text. The driver is loaded when the first session
 * opens.
 */
import { randomBytes } from 'node:crypto';
import type { Client, QueryArrayResult } from 'pg';
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
import { connectError } from './connect-error.ts';
import { errorCode } from './errors.ts';
import { MEMBER } from './member.ts';
import type { Member } from './member.ts';
import { quoteIdentifier, quoteText } from './quote.ts';
import { onceThereIsRoom } from '../once-there-is-room.ts';
import { redact } from '../redact.ts';
import type { Address } from './url/index.ts';
import { driverOptions, inTurn, readAddress } from './url/index.ts';

/** The time that an orderly end may take before the socket is closed. */
const END_TIMEOUT_MS = 2_000;

/** undefined_object: SHOW of a name that nobody has set in this backend. */
const UNKNOWN_SETTING = '42704';
const TOO_MANY_CONNECTIONS = '53300';

/** The status codes of ReadyForQuery. */
const STATUSES: Readonly<Record<string, TransactionStatus>> = { I: 'outside', T: 'inside', E: 'failed' };

export async function connect(url: string, options: ConnectOptions, member: Member = MEMBER): Promise<Connection> {
  const session = await Session.open(readAddress(url, member), url, member);
  try {
    await session.prepare(options);
    return session;
  } catch (error) {
    await session.end();
    throw error instanceof UsageError || error instanceof DatabaseError ? error : connectError(error, url, member);
  }
}

/**
 * Opens the driver's connection and sets nothing in its session. `made` is called with each client before it connects.
 * The last client is returned.
 */
export async function openClient(
  address: Address,
  url: string,
  member: Member,
  made: (client: Client) => void = () => undefined,
): Promise<Client> {
  const { default: pg } = await import('pg');
  try {
    return await inTurn(address.encryption.ways, (way) =>
      onceThereIsRoom(
        async () => {
          const client = new pg.Client(driverOptions(address, way));
          // Without a listener an idle client's error would end the process.
          client.on('error', () => undefined);
          made(client);
          try {
            await client.connect();
            return client;
          } catch (error) {
            dropSocket(client);
            throw error;
          }
        },
        (error) => errorCode(error) === TOO_MANY_CONNECTIONS,
      ),
    );
  } catch (error) {
    throw connectError(error, url, member);
  }
}

function dropSocket(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Settings that make values return as the same text, whatever the server's and the user's defaults are. */
function settings(options: ConnectOptions, member: Member): readonly (readonly [string, string])[] {
  return [
    ['application_name', quoteText('anomalist')],
    ['client_encoding', quoteText('UTF8')],
    ['standard_conforming_strings', 'on'],
    ['datestyle', quoteText('ISO, YMD')],
    ['intervalstyle', quoteText('postgres')],
    ['timezone', quoteText('UTC')],
    ['extra_float_digits', '1'],
    ['bytea_output', quoteText('hex')],
    ...member.settings,
    // Our statements name the schema of every table, so that an unqualified table name is an error.
    ['search_path', options.namespace === undefined ? 'pg_catalog' : quoteIdentifier(options.namespace)],
    ...(options.statementTimeoutMs === undefined ? [] : [['statement_timeout', String(Math.trunc(options.statementTimeoutMs))] as const]),
    ...(options.level === undefined ? [] : [['default_transaction_isolation', quoteText(options.level.inForce)] as const]),
  ];
}

class Session implements Connection {
  backend = '';
  readonly #client: Client;
  readonly #url: string;
  readonly #member: Member;
  /** The answer to the identity query in this session. */
  #identity = '';
  /** Whether the session's settings were changed. */
  #set = false;
  /** The first error that shows the connection's loss. Every later call rejects with it. */
  #lost: Error | undefined;

  private constructor(client: Client, url: string, member: Member) {
    this.#client = client;
    this.#url = url;
    this.#member = member;
    client.on('error', (error) => (this.#lost ??= error));
    client.on('end', () => (this.#lost ??= new Error('Connection terminated')));
  }

  static async open(address: Address, url: string, member: Member): Promise<Session> {
    let session: Session | undefined;
    await openClient(address, url, member, (client) => (session = new Session(client, url, member)));
    return session!;
  }

  async prepare(options: ConnectOptions): Promise<void> {
    const { refuses, backendQuery, eagerDeadlocks } = this.#member;
    const refusal = refuses((await this.query('SELECT version()')).rows[0]?.[0] ?? '', redact(this.#url));
    if (refusal !== undefined) throw new UsageError(refusal);
    const { marked } = this.#member.identity;
    const mark = randomBytes(8).toString('hex');
    const set = [...(marked === undefined ? [] : [[marked, quoteText(mark)] as const]), ...settings(options, this.#member)];
    this.#set = true;
    const [backend] = await this.#sendAll([backendQuery, ...set.map(([name, value]) => `SET ${name} TO ${value}`)].join('; '));
    this.backend = (backend?.rows[0] as ResultRow | undefined)?.[0] ?? '';
    this.#identity = marked === undefined ? this.backend : mark;
    if (options.level !== undefined) await this.#checkDefaultLevel(options.level);
    if (options.eagerDeadlocks && eagerDeadlocks !== undefined)
      await this.query(eagerDeadlocks).catch((error: { code?: string }) => ignoreMissingRight(error));
  }

  async query(sql: string): Promise<QueryResult> {
    return resultOf(await this.#send(sql));
  }

  async queryProtocol(sql: string): Promise<QueryResult> {
    return resultOf((await this.#sendAll(sql, 'extended')).at(-1)!);
  }

  async queryAll(sql: readonly string[]): Promise<readonly QueryResult[]> {
    return (await this.#sendAll(sql.join('; '))).map(resultOf);
  }

  async begin(level: DialectLevel, words?: string): Promise<Begun> {
    const [, inForce, session] = await this.#sendAll([...this.beginSql(level, words), this.#member.identity.query].join('; ')).catch(
      (error: unknown) => {
        if (errorCode(error) === UNKNOWN_SETTING) return [];
        throw error;
      },
    );
    const met = (session?.rows[0] as ResultRow | undefined)?.[0];
    return {
      inForce: ((inForce?.rows[0] as ResultRow | undefined)?.[0] ?? '').toLowerCase(),
      ...(met !== this.#identity && { foreign: 'a backend that we have not set' }),
    };
  }

  beginWith(sql: string, words?: string): Promise<QueryResult> {
    return this.query(`${behind('BEGIN', words)}; ${sql}`);
  }

  /** Uses SHOW, because any SELECT would open the transaction's snapshot. */
  beginSql(level: DialectLevel, words?: string): readonly string[] {
    return [behind(`BEGIN ISOLATION LEVEL ${level.sql}`, words), 'SHOW transaction_isolation'];
  }

  /**
   * In a failed transaction every SELECT is an error (25P02). So the id is queried only if the driver knows the
   * transaction to be sound.
   */
  async commit(): Promise<CommitResult> {
    const { xidQuery, xidAfterQuery } = this.#member;
    if (this.#status() !== 'T' || xidQuery === undefined) {
      const tag = (await this.#send('COMMIT')).command === 'COMMIT' ? 'commit' : 'rollback';
      // The commit is certain here, so an error of this query must not count as the commit's failure.
      const later = tag === 'commit' && xidAfterQuery !== undefined ? await this.query(xidAfterQuery).catch(() => undefined) : undefined;
      const xid = later?.rows[0]?.[0];
      return { tag, ...(xid ? { xid } : {}) };
    }
    let results: readonly QueryArrayResult[];
    try {
      results = await this.#sendAll(`${xidQuery}; COMMIT`);
    } catch (error) {
      // The server skips COMMIT after a failed SELECT. The rollback ends the failed transaction.
      if (this.#lost === undefined && this.#status() !== 'I') await this.rollback();
      throw error;
    }
    const xid = results[0]?.rows[0]?.[0] as string | null | undefined;
    return { tag: results.at(-1)?.command === 'COMMIT' ? 'commit' : 'rollback', ...(xid ? { xid } : {}) };
  }

  async rollback(): Promise<void> {
    await this.#send('ROLLBACK');
  }

  transactionStatus(): TransactionStatus | undefined {
    return STATUSES[this.#status() ?? ''];
  }

  async end(): Promise<void> {
    if (this.#lost !== undefined) return this.destroy();
    const timer = setTimeout(() => this.destroy(), END_TIMEOUT_MS);
    try {
      await this.#takeBack();
      await this.#client.end();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resets all settings before a pooler lends the backend to another client. A pooler closes a backend that is still busy. */
  async #takeBack(): Promise<void> {
    if (!this.#set || !(this.#client as unknown as { readyForQuery: boolean }).readyForQuery) return;
    try {
      if (this.#status() !== 'I') await this.rollback();
      await this.#send('DISCARD ALL');
    } catch {
      // A session that cannot be reset is broken, and poolers close it.
    }
  }

  destroy(): void {
    this.#lost ??= new Error('Connection terminated');
    dropSocket(this.#client);
  }

  async #checkDefaultLevel(level: DialectLevel): Promise<void> {
    // Outside of a transaction block this is the level of the autocommit statement itself.
    const { rows } = await this.query('SHOW transaction_isolation');
    const inForce = rows[0]?.[0] ?? '';
    if (inForce.toLowerCase() === level.inForce) return;
    throw new DatabaseError(
      `${redact(this.#url)}: autocommit statements run at '${inForce}' after SET default_transaction_isolation; expected '${level.inForce}': ${this.#member.levelAdvice(level)}`,
    );
  }

  /** The status of the last ReadyForQuery: I (idle), T (in a transaction) or E (in a failed one). */
  #status(): string | null {
    return (this.#client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
  }

  async #send(sql: string): Promise<QueryArrayResult> {
    const results = await this.#sendAll(sql);
    return results.at(-1) as QueryArrayResult;
  }

  /** `extended`: Parse, Bind, Describe and Execute of one statement. Values are still texts. */
  async #sendAll(sql: string, queryMode?: 'extended'): Promise<readonly QueryArrayResult[]> {
    if (this.#lost !== undefined) throw this.#lost;
    try {
      const result: unknown = await this.#client.query({ text: sql, rowMode: 'array', ...(queryMode && { queryMode }) });
      return (Array.isArray(result) ? result : [result]) as QueryArrayResult[];
    } catch (error) {
      await this.#settled();
      throw error;
    }
  }

  /** The driver rejects at the error message. The transaction status arrives later, with ReadyForQuery. */
  #settled(): Promise<void> {
    const client = this.#client as unknown as { readyForQuery: boolean };
    if (this.#lost !== undefined || client.readyForQuery) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#client.off('drain', done);
        this.#client.off('end', done);
        resolve();
      };
      this.#client.once('drain', done);
      this.#client.once('end', done);
    });
  }
}

/** Only a superuser may set deadlock_timeout. */
function ignoreMissingRight(error: { readonly code?: string }): void {
  if (error.code !== '42501') throw error;
}

function resultOf({ fields, rows, rowCount }: QueryArrayResult): QueryResult {
  return { columns: fields.map((field) => field.name), rows: rows as (string | null)[][], affected: rowCount ?? 0 };
}

function behind(begin: string, words: string | undefined): string {
  return words === undefined ? begin : `${begin} ${words}`;
}
