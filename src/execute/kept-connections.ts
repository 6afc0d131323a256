/**
 * A dialect whose connections outlive a round. Opening a connection costs a server as much as a small round's statements,
 * because PostgreSQL starts a process for it. Successive rounds on one server need the same connections. So `end` gives a
 * connection back, and `connect` with the same options returns it again.
 *
 * A round leaves in a session only what the session's options have set. A connection that is given back inside a
 * transaction, or with a statement in flight, is ended. One that no longer answers is replaced. No more of them are open
 * than were in use at once: before one with other options is opened, an idle one is ended.
 */
import { DatabaseError } from '../../core/index.ts';
import type { Connection, ConnectOptions, Dialect } from '../../core/index.ts';

export class KeptConnections {
  /** The given dialect, with a `connect` that keeps connections. */
  readonly dialect: Dialect;
  private readonly connectAnew: Dialect['connect'];
  /** Idle connections, the one given back longest ago first. `key`: its URL and options. */
  private readonly idle: { readonly key: string; readonly connection: Connection }[] = [];
  private closed = false;

  constructor(dialect: Dialect) {
    this.connectAnew = (url, options) => dialect.connect(url, options);
    const connect: Dialect['connect'] = (url, options) => this.connect(url, options);
    // The prototype keeps what the dialect itself inherits.
    this.dialect = Object.create(dialect, { connect: { value: connect, enumerable: true } }) as Dialect;
  }

  /** Ends the idle connections. A connection that is given back later is ended too. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.idle.splice(0).map(({ connection }) => ended(connection)));
  }

  private async connect(url: string, options: ConnectOptions): Promise<Connection> {
    const key = `${url} ${JSON.stringify(options)}`;
    for (let kept = this.taken(key); kept !== undefined; kept = this.taken(key)) {
      if (await isAlive(kept)) return this.lent(key, kept);
      kept.destroy();
    }
    const other = this.idle.shift();
    if (other !== undefined) await ended(other.connection);
    return this.lent(key, await this.connectAnew(url, options));
  }

  private taken(key: string): Connection | undefined {
    const at = this.idle.findLastIndex((each) => each.key === key);
    return at < 0 ? undefined : this.idle.splice(at, 1)[0]!.connection;
  }

  private lent(key: string, connection: Connection): Connection {
    return new Lent(connection, async (sound) => {
      if (sound && !this.closed) this.idle.push({ key, connection });
      else await ended(connection);
    });
  }
}

/** A kept connection that is in use. */
class Lent implements Connection {
  readonly queryAll?: NonNullable<Connection['queryAll']>;
  readonly queryProtocol?: NonNullable<Connection['queryProtocol']>;
  readonly beginWith?: NonNullable<Connection['beginWith']>;
  readonly transactionStatus?: NonNullable<Connection['transactionStatus']>;
  private readonly connection: Connection;
  private readonly giveBack: (sound: boolean) => Promise<void>;
  private underWay = 0;
  /** True from before BEGIN until a COMMIT or ROLLBACK has succeeded. */
  private inside = false;
  private gone = false;

  constructor(connection: Connection, giveBack: (sound: boolean) => Promise<void>) {
    this.connection = connection;
    this.giveBack = giveBack;
    if (connection.queryAll) this.queryAll = (sql) => this.sent(() => connection.queryAll!(sql));
    if (connection.queryProtocol) this.queryProtocol = (sql) => this.sent(() => connection.queryProtocol!(sql));
    if (connection.beginWith) this.beginWith = (...given) => this.begun(() => connection.beginWith!(...given));
    if (connection.transactionStatus) this.transactionStatus = () => connection.transactionStatus!();
  }

  get backend(): string {
    return this.connection.backend;
  }

  query(...given: Parameters<Connection['query']>): ReturnType<Connection['query']> {
    return this.sent(() => this.connection.query(...given));
  }

  begin(...given: Parameters<Connection['begin']>): ReturnType<Connection['begin']> {
    return this.begun(() => this.connection.begin(...given));
  }

  beginSql(...given: Parameters<Connection['beginSql']>): ReturnType<Connection['beginSql']> {
    return this.connection.beginSql(...given);
  }

  async commit(): ReturnType<Connection['commit']> {
    const result = await this.sent(() => this.connection.commit());
    this.inside = false;
    return result;
  }

  async rollback(): Promise<void> {
    await this.sent(() => this.connection.rollback());
    this.inside = false;
  }

  async end(): Promise<void> {
    if (this.gone) return;
    this.gone = true;
    const status = this.connection.transactionStatus?.() ?? 'outside';
    await this.giveBack(!this.inside && this.underWay === 0 && status === 'outside');
  }

  destroy(): void {
    // A caller that comes later must not close it: the connection may be in other use by now.
    if (this.gone) return;
    this.gone = true;
    this.connection.destroy();
  }

  private begun<T>(send: () => Promise<T>): Promise<T> {
    this.inside = true;
    return this.sent(send);
  }

  private async sent<T>(send: () => Promise<T>): Promise<T> {
    if (this.gone) throw new DatabaseError('the connection was given back');
    this.underWay++;
    try {
      return await send();
    } finally {
      this.underWay--;
    }
  }
}

async function isAlive(connection: Connection): Promise<boolean> {
  try {
    await connection.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

async function ended(connection: Connection): Promise<void> {
  await connection.end().catch(() => connection.destroy());
}
