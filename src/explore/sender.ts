/**
 * Sends a statement of a program in the way that the program says: as text, by PREPARE and EXECUTE under names of the
 * session's own, or by the protocol's messages of a prepared statement.
 */
import type { Connection, Dialect, QueryResult, SendForm } from '../../core/index.ts';
import { PreparedNames } from '../execute/index.ts';

export class Sender {
  private readonly preparing: Dialect['preparing'];
  private readonly names = new WeakMap<Connection, PreparedNames>();

  constructor({ preparing }: Dialect) {
    this.preparing = preparing;
  }

  /** `form` absent: as text. Rejects with what the server says of the statement. */
  send(connection: Connection, sql: string, form: SendForm | undefined): Promise<QueryResult> {
    if (form === 'prepared by protocol' && connection.queryProtocol !== undefined) return connection.queryProtocol(sql);
    return form === 'prepared by text' ? this.byName(connection, sql) : connection.query(sql);
  }

  private async byName(connection: Connection, sql: string): Promise<QueryResult> {
    if (this.preparing === undefined || connection.queryAll === undefined) return connection.query(sql);
    let names = this.names.get(connection);
    if (names === undefined) this.names.set(connection, (names = new PreparedNames(this.preparing)));
    const named = names.of(sql);
    let succeeded = false;
    try {
      const results = await connection.queryAll(named.texts(sql));
      succeeded = true;
      return results.at(-1)!;
    } finally {
      named.done(succeeded);
    }
  }
}
