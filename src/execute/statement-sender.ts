/**
 * Sends statements over one connection by the protocol that the plan chose. They go as text, by PREPARE and EXECUTE under
 * the session's own names, or by the messages of a prepared statement. The sender knows what the connection has prepared
 * and whether its variable of captures is empty.
 */
import type { Capture, Connection, Dialect, SendForm } from '../../core/index.ts';
import { exchangeOf } from './exchange.ts';
import type { Texts } from './exchange.ts';
import type { Reply } from './observed.ts';
import { PreparedNames } from './prepared-names.ts';

interface SendOptions {
  readonly capture?: Capture | undefined;
  /** Absent: as text. */
  readonly send?: SendForm | undefined;
}

export class StatementSender {
  private readonly connection: Connection;
  private readonly prepared: PreparedNames | undefined;
  /** The connection's variable of captures holds nothing. */
  private emptied = false;

  constructor(connection: Connection, { preparing }: Pick<Dialect, 'preparing'>) {
    this.connection = connection;
    this.prepared = preparing && new PreparedNames(preparing);
  }

  /** `shown` is the text that goes over the connection, as the record has it. `send` rejects with the server's error. */
  exchange(texts: Texts, { capture, send: form }: SendOptions = {}): { readonly shown: string; readonly send: () => Promise<Reply> } {
    const named = form === 'prepared by text' ? this.prepared?.of(texts.sent) : undefined;
    const { emptied } = this;
    const { shown, send } = exchangeOf(texts, this.connection, { capture, emptied, named, protocol: form === 'prepared by protocol' });
    return {
      shown,
      send: async () => {
        let succeeded = false;
        try {
          const reply = await send();
          succeeded = true;
          return reply;
        } finally {
          named?.done(succeeded);
          if (capture !== undefined) this.emptied = capture.empties === true && succeeded;
        }
      },
    };
  }

  send(sql: string, form: SendForm | undefined): Promise<Reply> {
    return this.exchange({ sent: sql, shown: sql }, { send: form }).send();
  }
}
