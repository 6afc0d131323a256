/**
 * One session of a server, for drivers that keep no record: prepared statements, a checked BEGIN, the ends, and the
 * transaction status that the protocol reports. No driver outside this folder uses a connection of its own.
 */
import type {
  ClassifiedError,
  Connection,
  Dialect,
  DialectLevel,
  QueryResult,
  Protocol,
  StatusMismatch,
  TransactionStatus,
} from '../../core/dialect/index.ts';
import { checkedBegin } from './checked-begin.ts';
import type { Member } from './sessions-in-flight.ts';
import { StatementSender } from './statement-sender.ts';
import { mismatchAfter, mismatchAfterError } from './transaction-status.ts';

export interface FirstStatement {
  readonly level: DialectLevel;
  /** Words after BEGIN (Capabilities.begins). */
  readonly words?: string | undefined;
  readonly form?: Protocol | undefined;
  /** The level is checked in each transaction, not only in the session's first one. */
  readonly everyTime?: boolean;
}

export class ServerSession implements Member {
  private readonly connection: Connection;
  private readonly dialect: Dialect;
  private readonly sender: StatementSender;
  /** The level in force was checked in one of its transactions. */
  private checked = false;

  constructor(connection: Connection, dialect: Dialect) {
    this.connection = connection;
    this.dialect = dialect;
    this.sender = new StatementSender(connection, dialect);
  }

  get backend(): string {
    return this.connection.backend;
  }

  /** Throws ForeignSession and LevelNotInForce. */
  async beginAt(level: DialectLevel, words?: string): Promise<void> {
    await checkedBegin(this.connection, level, words);
    this.checked = true;
  }

  /** Sends BEGIN and the transaction's first statement. They share a round trip if the connection can and the level was checked before. */
  async openBy(sql: string, { level, words, form, everyTime = false }: FirstStatement): Promise<QueryResult> {
    const { connection } = this;
    if (form === undefined && connection.beginWith !== undefined && !everyTime && this.checked) return connection.beginWith(sql, words);
    await this.beginAt(level, words);
    return this.send(sql, form);
  }

  /** Sends a statement; `form` absent: as text. A refused statement rejects with the server's error. */
  send(sql: string, form?: Protocol): Promise<QueryResult> {
    return this.sender.send(sql, form);
  }

  /** Ends the transaction. Returns `aborted` also where the server answers COMMIT by rolling back. */
  async end(by: 'commit' | 'rollback'): Promise<'committed' | 'aborted'> {
    if (by === 'commit') return (await this.connection.commit()).tag === 'commit' ? 'committed' : 'aborted';
    await this.connection.rollback();
    return 'aborted';
  }

  /** The status in the last reply; undefined if the protocol did not say. */
  get status(): TransactionStatus | undefined {
    return this.connection.transactionStatus?.();
  }

  /** True if the protocol reports a transaction status. */
  get reportsStatus(): boolean {
    return this.connection.transactionStatus !== undefined;
  }

  mismatch(expected: TransactionStatus): StatusMismatch | undefined {
    return mismatchAfter(this.connection, expected);
  }

  mismatchAfter(error: ClassifiedError, place: 'inside' | 'autocommit'): StatusMismatch | undefined {
    return mismatchAfterError(this.connection, error, this.dialect, place);
  }

  /** Drops the socket at once, so that a statement in flight fails. */
  drop(): void {
    this.connection.destroy();
  }

  close(): Promise<void> {
    return this.connection.end();
  }
}
