/**
 * Runs the steps of a .spec on a server: a fresh namespace and fresh sessions each time, one step at a time. A session
 * that waits is skipped until its reply has come. The sessions reach our namespace by bare names, because their SQL is
 * not ours.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseError } from '../../../core/base/index.ts';
import type { Connection, Dialect, DialectLevel, TransactionStatus } from '../../../core/dialect/index.ts';
import type { FixtureState } from '../../../core/program/index.ts';
import { OPEN_MS, ServerSession, SessionsInFlight, bounded, expectSeenWaits, opened, silenceAfter } from '../../execute/index.ts';
import { serverFailure } from '../../process/server-failure.ts';
import { lost, unusable } from '../../reproduce/otherwise.ts';
import { readTables } from './namespace-tables.ts';
import type { Spec } from './parse-spec.ts';
import { comesSoon, failsSoon } from './soon.ts';
import { Stepping } from './spec-stepping.ts';
import type { InFlight, RunItem, StepRun } from './spec-stepping.ts';
import { SpecStop } from './spec-stop.ts';

export type { RunItem, StepRun } from './spec-stepping.ts';

export interface SpecRun {
  /** The steps in the order in which they were sent. */
  readonly steps: readonly StepRun[];
  /** The status after each session's setup, if setups were run first. Absent: the session has none there. */
  readonly setups: readonly (TransactionStatus | undefined)[];
  readonly tables: FixtureState;
}

export interface SpecRunnerOptions {
  readonly dialect: Dialect;
  readonly url: string;
  /** The default level of the sessions. Absent: the server's own. */
  readonly level?: DialectLevel | undefined;
  /** The file's words ISOLATION LEVEL stay as they are. Default: the level replaces those that the words name. */
  readonly asWritten?: true;
  readonly spec: Spec;
  /** The server's limit for a statement. */
  readonly statementMs: number;
  /** The limit for a statement of the file's setup. Default: `statementMs`. */
  readonly setupMs?: number;
}

const DROP_TRIES = 10;
const DROP_AGAIN_MS = 300;
const ISOLATION = /(ISOLATION\s+LEVEL\s+)(READ\s+UNCOMMITTED|READ\s+COMMITTED|REPEATABLE\s+READ|SERIALIZABLE)/gi;

export class SpecRunner {
  private readonly options: SpecRunnerOptions;
  private readonly control: Connection;
  private readonly watching: Connection;
  /** Why the schema of the last run is still there. */
  private left: string | undefined;
  /** The first loss of a session in this run. */
  private loss: SpecStop | undefined;
  private readonly namespace = `anomalist_spec_${randomBytes(4).toString('hex')}`;

  private constructor(options: SpecRunnerOptions, control: Connection, watching: Connection) {
    this.options = options;
    this.control = control;
    this.watching = watching;
  }

  static async open(options: SpecRunnerOptions): Promise<SpecRunner> {
    const { dialect, url, statementMs } = options;
    const connect = (): Promise<Connection> => opened(dialect.connect(url, { statementTimeoutMs: statementMs }), OPEN_MS);
    const control = await connect();
    let watching: Connection | undefined;
    try {
      watching = await connect();
      await expectSeenWaits(dialect, dialect.watchBlocked(watching), watching);
      return new SpecRunner(options, control, watching);
    } catch (error) {
      await Promise.all([control.end(), watching?.end()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.control, this.watching].map((each) => each.end().catch(() => each.destroy())));
  }

  /** `first`: the sessions whose setups run before all steps. Rejects with SpecStop if the run cannot be judged. */
  async run(items: readonly RunItem[], first: readonly number[]): Promise<SpecRun> {
    const { dialect, spec } = this.options;
    const sessions: InFlight = new SessionsInFlight({ watchers: [dialect.watchBlocked(this.watching)], locksOutside: true });
    let made = false;
    this.loss = undefined;
    try {
      await this.make(() => (made = true));
      const setups = await this.openSessions(sessions, first);
      const steps = await new Stepping(sessions, items, (item, session) => this.sent(item, session)).all();
      await sessions.each((session) => this.expectAlive(session));
      await sessions.end();
      const tables = await readTables(dialect, this.control, this.namespace);
      return { steps, setups, tables };
    } catch (error) {
      throw await this.stopOf(error);
    } finally {
      await sessions.end().catch(() => undefined);
      if (made && spec.teardown !== undefined) await this.tearDown(spec.teardown);
      if (made) await this.drop();
    }
  }

  private async make(begun: () => void): Promise<void> {
    const { dialect, spec } = this.options;
    if (this.left !== undefined) throw new SpecStop(unusable(`its schema cannot be dropped after a run: ${this.left}`));
    await dialect.assertFree(this.control, this.namespace);
    for (const sql of dialect.createNamespace(this.namespace, { tables: [] })) {
      await this.control.query(sql).catch((error: unknown) => {
        const { scope, message } = dialect.classifyError(error);
        if (scope === 'connection') throw error;
        throw new DatabaseError(`cannot make the schema ${this.namespace}: ${message}; the user needs the right to create schemas`, {
          cause: error,
        });
      });
      begun();
    }
    if (spec.setup.length === 0) return;
    const { statementMs, setupMs = statementMs } = this.options;
    const session = await this.connect(setupMs);
    try {
      for (const sql of spec.setup) await this.setUp(session, sql, "the file's setup", setupMs);
    } finally {
      await session.close();
    }
  }

  private async openSessions(sessions: InFlight, first: readonly number[]): Promise<(TransactionStatus | undefined)[]> {
    const opened: ServerSession[] = [];
    for (const _ of this.options.spec.sessions) {
      const session = await this.connect();
      sessions.add(session);
      opened.push(session);
    }
    const setups: (TransactionStatus | undefined)[] = opened.map(() => undefined);
    for (const session of first) {
      const { name, setup } = this.options.spec.sessions[session]!;
      await this.setUp(opened[session]!, this.atLevel(setup!), `the setup of session ${name}`);
      setups[session] = opened[session]!.status;
    }
    return setups;
  }

  private async connect(statementMs = this.options.statementMs): Promise<ServerSession> {
    const { dialect, url, level } = this.options;
    const asked = level === undefined ? {} : { level };
    const connecting = dialect.connect(url, { ...asked, namespace: this.namespace, eagerDeadlocks: true, statementTimeoutMs: statementMs });
    return new ServerSession(await opened(connecting, OPEN_MS), dialect);
  }

  private async setUp(session: ServerSession, sql: string, title: string, statementMs = this.options.statementMs): Promise<void> {
    try {
      await bounded(session.send(sql), silenceAfter(statementMs));
    } catch (error) {
      const { class: errorClass, scope, message } = this.options.dialect.classifyError(error);
      if (scope === 'connection') throw error;
      const limit = `it ran into the limit of ${statementMs / 1000} s for a statement`;
      const waits = errorClass === 'statement timeout' || errorClass === 'lock timeout';
      throw new SpecStop(unusable(`${title} failed: ${waits ? `${limit} (${message})` : message}`), error);
    }
  }

  private async sent(item: RunItem, session: ServerSession): Promise<Pick<StepRun, 'reply' | 'status'>> {
    const { dialect } = this.options;
    try {
      if (item.does === 'rollback') await session.end('rollback');
      const { rows, affected } =
        item.does === 'rollback' ? { rows: [], affected: 0 } : await this.bounded(session.send(this.atLevel(item.sql)));
      return { reply: { rows, affected }, status: session.status };
    } catch (error) {
      const { class: errorClass, code, scope, message } = dialect.classifyError(error);
      if (scope === 'connection' || errorClass === 'ambiguous commit') {
        this.loss ??= new SpecStop(lost(`session ${this.nameOf(item)} was lost in ${titleOf(item)}: ${message}`), error);
        throw this.loss;
      }
      return { reply: { rows: [], affected: 0, error: { class: errorClass, code, message } }, status: await this.statusOf(session) };
    }
  }

  /** An error of MySQL does not contain the status, but the next reply does. */
  private async statusOf(session: ServerSession): Promise<TransactionStatus | undefined> {
    if (session.reportsStatus && session.status === undefined) await this.bounded(session.send('SELECT 1'));
    return session.status;
  }

  /** A session that was ended meanwhile reports it only at its next statement. */
  private async expectAlive(session: ServerSession): Promise<void> {
    try {
      await this.bounded(session.send('SELECT 1'));
    } catch (error) {
      const { scope, message } = this.options.dialect.classifyError(error);
      if (scope === 'connection') throw new SpecStop(lost(`a session was lost: ${message}`), error);
    }
  }

  /** The server may be gone with the session. An error that is no lost connection is thrown unchanged. */
  private async stopOf(error: unknown): Promise<unknown> {
    const failure = error instanceof SpecStop ? error : serverFailure(this.options.dialect, error);
    if (failure === undefined) return error;
    const { scope, message } = this.options.dialect.classifyError(error);
    if (!(failure instanceof SpecStop) && scope !== 'connection') return failure;
    // The watching connection may be lost first. The session with a statement in flight is lost right after it.
    const stop = failure instanceof SpecStop ? failure : ((await comesSoon(() => this.loss)) ?? new SpecStop(lost(message), error));
    if (stop.otherwise.code !== 'lost') return stop;
    if (!(await failsSoon(() => this.bounded(this.control.query('SELECT 1')))))
      return new SpecStop(stop.otherwise, stop.cause, { code: 'session-lost' });
    return new SpecStop(lost(`${stop.otherwise.outcome.replace(/^lost: /, '')}; the server ended all sessions`), error);
  }

  private async tearDown(sql: string): Promise<void> {
    let session: ServerSession | undefined;
    try {
      session = await this.connect();
      await this.bounded(session.send(sql));
    } catch {
      // The namespace is dropped anyway. Anything else that was left makes the next setup fail with a message.
    } finally {
      await session?.close().catch(() => undefined);
    }
  }

  private async drop(): Promise<void> {
    const { dialect, url } = this.options;
    let connection: Connection | undefined = this.control;
    // The control connection may be lost, and a server that crashed takes a moment to come back.
    for (let tries = 0; tries < DROP_TRIES; tries++) {
      try {
        connection ??= await opened(dialect.connect(url, {}), OPEN_MS);
        await dialect.dropNamespace(connection, this.namespace);
        if (connection !== this.control) await connection.end();
        this.left = undefined;
        return;
      } catch (error) {
        this.left = dialect.classifyError(error).message;
        if (connection !== this.control) connection?.destroy();
        connection = undefined;
        await new Promise((resolve) => setTimeout(resolve, DROP_AGAIN_MS));
      }
    }
  }

  private nameOf({ session }: RunItem): string {
    return this.options.spec.sessions[session]!.name;
  }

  private atLevel(text: string): string {
    const { level, asWritten } = this.options;
    return level === undefined || asWritten ? text : text.replace(ISOLATION, (_, words: string) => `${words}${level.sql}`);
  }

  private bounded<T>(work: Promise<T>): Promise<T> {
    return bounded(work, silenceAfter(this.options.statementMs));
  }
}

export function titleOf({ name, does }: RunItem): string {
  return does === undefined ? `step ${name}` : `its ${does}`;
}
