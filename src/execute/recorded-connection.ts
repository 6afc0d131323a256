/**
 * A session's connection that records every exchange. The invocation is recorded before it is sent, the error or the
 * decoded reply after it. The transaction status that the protocol reports is compared after each exchange. A lost
 * connection is replaced a few times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Capture,
  ClassifiedError,
  Connection,
  ErrorClass,
  InvokeEvent,
  OkEvent,
  ProbedTxn,
  SendForm,
  SentKind,
  StatusMismatch,
} from '../../core/index.ts';
import { opened } from './bounded.ts';
import type { Texts } from './exchange.ts';
import { OPEN_MS } from './limits.ts';
import type { Reply } from './observed.ts';
import type { SessionSetup } from './session-setup.ts';
import { StatementSender } from './statement-sender.ts';
import { mismatchAfter, mismatchAfterError } from './transaction-status.ts';

/** Waits in milliseconds before each attempt to connect again. */
const RECONNECT_MS: readonly number[] = [100, 300, 600];

export type Sent<T> = { readonly ok: T; readonly failed?: undefined } | { readonly failed: ClassifiedError };

const ENDS: ReadonlySet<SentKind> = new Set(['commit', 'rollback']);

/** The place of a reply in the record. */
export interface Exchanged {
  readonly n: number;
  readonly at: number;
  readonly waited: boolean;
  readonly mismatch: StatusMismatch | undefined;
}

export class RecordedConnection {
  /** The reason why there is no connection any more. */
  lost: string | undefined;
  /** A driver sets it while the statement in flight waits for a lock. */
  waited = false;
  /** Time of the invocation in flight on the record's clock; undefined between statements. */
  inFlightSince: number | undefined;
  /** Number of exchanges so far. */
  exchanges = 0;
  /** Number of statements that failed. */
  failures = 0;
  /** Class of the last error of the open transaction. */
  refusal: ErrorClass | undefined;
  private readonly setup: SessionSetup;
  private connection: Connection;
  private stopping = false;
  /** The reason why the server is not asked for another connection. */
  private silent: string | undefined;
  /** Id of the open transaction. */
  private txn = -1;
  private sent = 0;
  private sender: StatementSender;
  /** The first mismatch of the open transaction. */
  mismatch: StatusMismatch | undefined;
  /** The mismatch of the last exchange. */
  private lastMismatch: StatusMismatch | undefined;
  /** The open transaction is one statement, without BEGIN. */
  private autocommit = false;

  private constructor(setup: SessionSetup, connection: Connection) {
    this.setup = setup;
    this.connection = connection;
    this.sender = new StatementSender(connection, setup.dialect);
  }

  static async open(setup: SessionSetup): Promise<RecordedConnection> {
    return new RecordedConnection(setup, await connected(setup));
  }

  /** The connection in use now. */
  get current(): Connection {
    return this.connection;
  }

  /** Assigns the following exchanges to this transaction. */
  enter({ id, autocommit }: Pick<ProbedTxn, 'id' | 'autocommit'>): void {
    this.txn = id;
    this.autocommit = autocommit;
    this.sent = 0;
    this.refusal = undefined;
    this.mismatch = undefined;
  }

  /** Stops reconnecting. */
  stop(): void {
    this.stopping = true;
  }

  destroy(): void {
    this.connection.destroy();
  }

  /** Drops the socket of a silent server, which is not asked again. */
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
    options: { readonly capture?: Capture | undefined; readonly send?: SendForm | undefined } = {},
  ): Promise<Sent<Reply>> {
    const { shown, send } = this.sender.exchange(texts, options);
    return this.exchange(kind, shown, extras, send);
  }

  /** Sends one statement and waits for its reply or error. An error is recorded here; `replied` records a reply after decoding it. */
  async exchange<T>(k: SentKind, sql: string, extras: Partial<InvokeEvent>, send: () => Promise<T>): Promise<Sent<T>> {
    const { recorder, number, dialect } = this.setup;
    const { txn } = this;
    const n = this.sent++;
    this.exchanges++;
    const at = recorder.now();
    this.waited = false;
    this.lastMismatch = undefined;
    await recorder.announced({ e: 'invoke', s: number, t: txn, n, k, at, sql, ...extras });
    this.inFlightSince = at;
    try {
      const ok = await send();
      this.compared(mismatchAfter(this.connection, this.autocommit || ENDS.has(k) ? 'outside' : 'inside'));
      return { ok };
    } catch (error) {
      const failed = dialect.classifyError(error);
      this.failures++;
      this.refusal = failed.class;
      // A deadlock's victim has waited, even if the wait was too short to be seen.
      this.waited ||= failed.class === 'deadlock';
      const { saidToSucceed: _, ...said } = failed;
      // A COMMIT or ROLLBACK that fails leaves the session in an unknown state, so it is rolled back.
      const place = this.autocommit ? 'autocommit' : 'inside';
      const status = ENDS.has(k) ? undefined : mismatchAfterError(this.connection, failed, dialect, place);
      this.compared(status);
      recorder.add({
        e: 'fail',
        s: number,
        t: txn,
        n,
        at: recorder.now(),
        ...said,
        ...(status && { status }),
        ...(this.waited && { blocked: true }),
      });
      return { failed };
    } finally {
      this.inFlightSince = undefined;
    }
  }

  /** Returns the last exchange, whose reply came now. */
  exchanged(): Exchanged {
    return { n: this.sent - 1, at: this.setup.recorder.now(), waited: this.waited, mismatch: this.lastMismatch };
  }

  replied(reply: Partial<OkEvent>, { n, at, waited, mismatch }: Exchanged = this.exchanged()): void {
    const { recorder, number } = this.setup;
    const status = mismatch && { status: mismatch };
    recorder.add({ e: 'ok', s: number, t: this.txn, n, at, ...reply, ...status, ...(waited && { blocked: true }) });
  }

  private compared(mismatch: StatusMismatch | undefined): void {
    this.lastMismatch = mismatch;
    this.mismatch ??= mismatch;
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
        this.sender = new StatementSender(this.connection, this.setup.dialect);
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
