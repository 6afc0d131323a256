/**
 * The connection to the store's database, which may be restarted during the work. A transaction that could not be sent is
 * tried again for a while, each time a little later. So every transaction may run twice.
 */
import { Pool } from 'pg';
import type { QueryResult } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError } from '../../../../core/base/index.ts';
import { dialectFor } from '../../../../dialects/index.ts';

export interface Sql {
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** All tries of a transaction together may take two minutes. */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** One statement may take so long. There is a limit because a server that is gone may not say so. */
const NO_ANSWER_MS = 30_000;

/** These errors pass: a lost connection, a server that starts or stops, two transactions in conflict. */
const PASSING = /^(08|57P|53300|40001|40P01)/;
const PASSING_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const PASSING_WORDS = /Connection terminated|timeout expired|Client has encountered a connection error|not queryable|read timeout/;

export class StoreConnection {
  private readonly pool: Pool;
  private readonly shown: string;
  /** A transaction is tried again for so many milliseconds. */
  private readonly patience: number;

  constructor(url: string, patience: number = PATIENCE_MS) {
    this.shown = dialectFor(url).redact(url);
    this.patience = patience;
    this.pool = new Pool({
      connectionString: url,
      max: 3,
      connectionTimeoutMillis: NO_ANSWER_MS,
      query_timeout: NO_ANSWER_MS,
      allowExitOnIdle: true,
    });
    this.pool.on('error', () => {}); // The error is that of an idle connection. The next one is opened when it is needed.
  }

  /** `work` may be run again, so it must do everything with the given connection. */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const until = performance.now() + this.patience;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (performance.now() + wait > until)
          throw new DatabaseError(
            `the store ${this.shown} cannot be reached (${(error as Error).message}), tried for ${Math.round(this.patience / 1000)} s; is its server up, and does --store name it?`,
            { cause: error },
          );
        await pause(wait);
      }
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private async once<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A connection that ends between two statements reports it here, and the next statement fails.
    const hear = (error: Error): void => void (broken = error);
    client.on('error', hear);
    const sql: Sql = {
      query: async <R extends object>(text: string, values: readonly unknown[] = []) => rowsOf(await client.query<R>(text, [...values])),
    };
    try {
      await client.query('BEGIN');
      const result = await work(sql);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((gone: Error) => (broken ??= gone));
      throw error;
    } finally {
      client.off('error', hear);
      client.release(broken);
    }
  }
}

/** Several statements at once have several results, whose rows are not used. */
function rowsOf<R extends object>(result: QueryResult<R> | readonly QueryResult<R>[]): readonly R[] {
  return 'rows' in result ? result.rows : [];
}

function isPassing(error: unknown): boolean {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  return PASSING.test(code) || PASSING_CODES.has(code) || PASSING_WORDS.test(message);
}
