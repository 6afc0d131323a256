/** One session of a server, for drivers that keep no record: its connection, what it has prepared, and its checked BEGIN. */
import type { Connection, Dialect, DialectLevel, QueryResult, SendForm } from '../../core/index.ts';
import { checkedBegin } from './checked-begin.ts';
import type { Member } from './sessions-in-flight.ts';
import { StatementSender } from './statement-sender.ts';

export class ServerSession implements Member {
  readonly connection: Connection;
  private readonly sender: StatementSender;
  /** A transaction of it was asked which level is in force. */
  private checked = false;

  constructor(connection: Connection, dialect: Pick<Dialect, 'preparing'>) {
    this.connection = connection;
    this.sender = new StatementSender(connection, dialect);
  }

  get backend(): string {
    return this.connection.backend;
  }

  async begin(level: DialectLevel, words?: string): Promise<void> {
    await checkedBegin(this.connection, level, words);
    this.checked = true;
  }

  /**
   * BEGIN and the transaction's first statement: in one round trip where the connection can and the level was checked in an
   * earlier transaction. `everyTime`: the level is checked in each transaction.
   */
  async beginWith(
    sql: string,
    {
      level,
      words,
      form,
      everyTime = false,
    }: { level: DialectLevel; words?: string | undefined; form?: SendForm | undefined; everyTime?: boolean },
  ): Promise<QueryResult> {
    const { connection } = this;
    if (form === undefined && connection.beginWith !== undefined && !everyTime && this.checked) return connection.beginWith(sql, words);
    await this.begin(level, words);
    return this.send(sql, form);
  }

  /** `form` absent: as text. Rejects with what the server says of the statement. */
  send(sql: string, form?: SendForm): Promise<QueryResult> {
    return this.sender.send(sql, form);
  }
}
