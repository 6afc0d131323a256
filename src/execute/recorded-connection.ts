/**
 * A session's connection, of which every exchange is on record: the invocation before it is sent, then its error or, once it is
 * read, its reply. Lost, another one is made in its place, a few times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capture, ClassifiedError, Connection, ErrorClass, InvokeEvent, OkEvent, SendForm, SentKind } from '../../core/index.ts';
import { opened } from './bounded.ts';
import { exchangeOf } from './exchange.ts';
import type { Texts } from './exchange.ts';
import { OPEN_MS } from './limits.ts';
import type { Reply } from './observed.ts';
import { PreparedNames } from './prepared-names.ts';
import type { SessionSetup } from './session-setup.ts';

/** Waits before each attempt to connect again. */
const RECONNECT_MS: readonly number[] = [100, 300, 600];

export type Sent<T> = { readonly ok: T; readonly failed?: undefined } | { readonly failed: ClassifiedError };

/** Where in the record a reply belongs. */
export interface Exchanged {
  readonly n: number;
  readonly at: number;
  readonly waited: boolean;
}

export class RecordedConnection {
  /** Why there is no connection any more. */
  lost: string | undefined;
  /** Set from outside while the statement in flight waits for a lock. */
  waited = false;
  /** Invocation of the statement in flight on the record's clock; undefined between statements. */
  inFlightSince: number | undefined;
  /** Statements that failed. */
  failures = 0;
  /** The last error of the open transaction. */
  refusal: ErrorClass | undefined;
  private readonly setup: SessionSetup;
  private connection: Connection;
  private stopping = false;
  /** Why the server is not asked for another connection. */
  private silent: string | undefined;
  /** Of the open transaction. */
  private txn = -1;
  private sent = 0;
  /** What the connection has prepared; absent: its statements go otherwise. */
  private prepared: PreparedNames | undefined;
  /** The connection's variable of captures holds nothing. */
  private emptied = false;

  private constructor(setup: SessionSetup, connection: Connection) {
    this.setup = setup;
    this.connection = connection;
    this.prepared = preparedIn(setup);
  }

  static async open(setup: SessionSetup): Promise<RecordedConnection> {
    return new RecordedConnection(setup, await connected(setup));
  }

  /** The one in use now. */
  get current(): Connection {
    return this.connection;
  }

  /** What is exchanged from now on belongs to this transaction. */
  enter(txn: number): void {
    this.txn = txn;
    this.sent = 0;
    this.refusal = undefined;
  }

  /** No reconnecting from now on. */
  stop(): void {
    this.stopping = true;
  }

  destroy(): void {
    this.connection.destroy();
  }

  /** Drops the socket of a server that says nothing; it is not asked again. */
  silenced(afterMs: number): void {
    this.silent = `no reply within ${Math.round(afterMs / 1000)} s`;
  }

  async close(): Promise<void> {
    try {
      await this.connection.end();
    } catch {
      this.connection.destroy();
    }
  }

  async query(
    kind: SentKind,
    texts: Texts,
    extras: Partial<InvokeEvent>,
    { capture, send }: { readonly capture?: Capture | undefined; readonly send?: SendForm | undefined } = {},
  ): Promise<Sent<Reply>> {
    const named = send === 'prepared by text' ? this.prepared?.of(texts.sent) : undefined;
    const ways = { capture, emptied: this.emptied, named, protocol: send === 'prepared by protocol' };
    const { shown, send: sending } = exchangeOf(texts, this.connection, ways);
    const reply = await this.exchange(kind, shown, extras, sending);
    named?.done(reply.failed === undefined);
    if (capture !== undefined) this.emptied = capture.empties === true && reply.failed === undefined;
    return reply;
  }

  /** One statement and its reply or its error; an error is recorded here, a reply by `replied`, once it is read. */
  async exchange<T>(k: SentKind, sql: string, extras: Partial<InvokeEvent>, send: () => Promise<T>): Promise<Sent<T>> {
    const { recorder, number, dialect } = this.setup;
    const { txn } = this;
    const n = this.sent++;
    const at = recorder.now();
    this.waited = false;
    await recorder.announced({ e: 'invoke', s: number, t: txn, n, k, at, sql, ...extras });
    this.inFlightSince = at;
    try {
      return { ok: await send() };
    } catch (error) {
      const failed = dialect.classifyError(error);
      this.failures++;
      this.refusal = failed.class;
      // A deadlock's victim has waited, however short the wait was for us to see it.
      this.waited ||= failed.class === 'deadlock';
      recorder.add({ e: 'fail', s: number, t: txn, n, at: recorder.now(), ...failed, ...(this.waited && { blocked: true }) });
      return { failed };
    } finally {
      this.inFlightSince = undefined;
    }
  }

  /** The last exchange, whose reply came now. */
  exchanged(): Exchanged {
    return { n: this.sent - 1, at: this.setup.recorder.now(), waited: this.waited };
  }

  replied(reply: Partial<OkEvent>, { n, at, waited }: Exchanged = this.exchanged()): void {
    const { recorder, number } = this.setup;
    recorder.add({ e: 'ok', s: number, t: this.txn, n, at, ...reply, ...(waited && { blocked: true }) });
  }

  async reconnect(why: string): Promise<void> {
    this.connection.destroy();
    let last = this.silent ?? why;
    for (const wait of RECONNECT_MS) {
      if (this.stopping || this.silent !== undefined) break;
      await sleep(wait);
      if (this.stopping) break;
      try {
        this.connection = await connected(this.setup);
        this.emptied = false;
        this.prepared = preparedIn(this.setup);
        return;
      } catch (error) {
        last = this.setup.dialect.classifyError(error).message;
      }
    }
    this.lost = last;
  }
}

function connected({ dialect, url, statementTimeoutMs, level, eagerDeadlocks, synchronised }: SessionSetup): Promise<Connection> {
  return opened(
    dialect.connect(url, { statementTimeoutMs, level, ...(eagerDeadlocks && { eagerDeadlocks }), ...(synchronised && { synchronised }) }),
    OPEN_MS,
  );
}

function preparedIn({ send, dialect: { preparing } }: SessionSetup): PreparedNames | undefined {
  return send === 'prepared by text' && preparing !== undefined ? new PreparedNames(preparing) : undefined;
}
