/**
 * Executes one case again and again: a fresh schema each time, the connections kept. The schema always has the same
 * name, so that a connection opened for it fits the next one too; a connection that ended inside a transaction is not
 * used again. Over several endpoints each schema has a name of its own, and nothing is kept: one of them might still
 * show the schema before. What the server says of itself is asked once.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseError } from '../../core/index.ts';
import type { Connection, ConnectOptions, Dialect, DialectLevel, InstrumentMode, Level, ServerFacts, TestCase } from '../../core/index.ts';
import { instrument } from '../../instrument/index.ts';
import { Interrupted } from '../terminal/interruption.ts';
import { Recorder, runRound } from '../run/index.ts';
import type { RoundOutcome } from '../run/index.ts';
import { serverFailure } from '../server-failure.ts';

export interface LabTarget {
  readonly name: string;
  readonly dialect: Dialect;
  readonly urls: readonly string[];
}

export interface AttemptOptions {
  readonly level: DialectLevel;
  /** Default exact. */
  readonly mode?: InstrumentMode;
  /** Let writes return what they made and evaluate predicates after the round: needed for predicate dependencies only. */
  readonly images?: boolean;
  /** Another dialect for the same server, with connections of its own, as it may leave anything open (spec.ts). */
  readonly dialect?: Dialect;
}

const TIMEOUT_MS = 5_000;

export class Replayer {
  readonly target: LabTarget;
  executions = 0;
  /** Of the executions, those that came to their end. */
  ran = 0;
  /** Why the last one that did not, did not. */
  notRun: string | undefined;
  private readonly pool = new Pool();
  private readonly dialect: Dialect;
  private readonly namespace = `anomalist_replay_${randomBytes(4).toString('hex')}`;
  private facts: Promise<ServerFacts> | undefined;
  private readonly signal: AbortSignal | undefined;

  constructor(target: LabTarget, signal?: AbortSignal) {
    this.target = target;
    this.signal = signal;
    this.dialect = this.pooled(target.dialect);
  }

  private get several(): boolean {
    return this.target.urls.length > 1;
  }

  level(wanted: Level): DialectLevel | undefined {
    return this.target.dialect.levels.find(({ level }) => level === wanted);
  }

  /** Rejects with DatabaseError where the schema cannot be made: an ill-formed candidate. */
  async attempt(testCase: TestCase, options: AttemptOptions): Promise<RoundOutcome> {
    if (this.signal?.aborted) throw new Interrupted();
    this.executions++;
    try {
      const outcome = await this.execute(testCase, options);
      if (outcome.complete) this.ran++;
      else this.notRun = outcome.reason ?? 'no reason given';
      return outcome;
    } catch (error) {
      const failure = serverFailure(this.target.dialect, error);
      if (failure !== undefined) this.notRun = failure.message;
      throw failure ?? error;
    }
  }

  protected execute(
    testCase: TestCase,
    { level, mode = 'exact', images = false, dialect = this.target.dialect }: AttemptOptions,
  ): Promise<RoundOutcome> {
    return runRound({
      round: 0,
      probedCase: instrument(testCase, {
        mode,
        capabilities: dialect.capabilities,
        images: images && mode === 'exact',
        level: level.level,
      }),
      dialect:
        dialect === this.target.dialect && !this.several
          ? this.dialect
          : { ...dialect, facts: (connection) => this.dialect.facts(connection) },
      level,
      urls: this.target.urls,
      mode: 'schedule',
      namespace: this.several ? `${this.namespace}_${this.executions}` : this.namespace,
      recorder: new Recorder(undefined, { tool: 'anomalist', seed: testCase.seed }),
      statementTimeoutMs: TIMEOUT_MS,
      ...(this.signal && { signal: this.signal }),
    });
  }

  async server(): Promise<ServerFacts> {
    const control = await this.dialect.connect(this.target.urls[0]!, {});
    try {
      return await this.dialect.facts(control);
    } finally {
      await control.end();
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** A server that could not say it now may say it later. */
  private asked(dialect: Dialect, connection: Connection): Promise<ServerFacts> {
    return dialect.facts(connection).catch((error: unknown) => {
      this.facts = undefined;
      throw error;
    });
  }

  private pooled(dialect: Dialect): Dialect {
    return {
      ...dialect,
      connect: (url, options) => this.pool.connect(dialect, url, options),
      facts: (connection) => (this.facts ??= this.asked(dialect, connection)),
    };
  }
}

class Pool {
  private readonly idle = new Map<string, Connection[]>();

  async connect(dialect: Dialect, url: string, options: ConnectOptions): Promise<Connection> {
    const key = `${url} ${JSON.stringify(options)}`;
    const kept = this.idle.get(key)?.pop();
    const connection = kept ?? (await dialect.connect(url, options));
    return lent(connection, (each) => {
      const list = this.idle.get(key) ?? [];
      list.push(each);
      this.idle.set(key, list);
    });
  }

  async close(): Promise<void> {
    const all = [...this.idle.values()].flat();
    this.idle.clear();
    await Promise.all(all.map((connection) => connection.end().catch(() => connection.destroy())));
  }
}

/** `end` gives it back, unless it was left inside a transaction or something about it is not understood. */
function lent(connection: Connection, giveBack: (connection: Connection) => void): Connection {
  let open = false;
  let gone = false;
  const sound = async <T>(work: Promise<T>): Promise<T> => {
    if (gone) throw new DatabaseError('the connection was given back');
    return work;
  };
  return {
    get backend() {
      return connection.backend;
    },
    query: (sql) => sound(connection.query(sql)),
    begin: (level) => {
      open = true;
      return sound(connection.begin(level));
    },
    beginSql: (level) => connection.beginSql(level),
    commit: async () => {
      const result = await sound(connection.commit());
      open = false;
      return result;
    },
    rollback: async () => {
      await sound(connection.rollback());
      open = false;
    },
    end: async () => {
      if (gone) return;
      gone = true;
      if (open) await connection.end();
      else giveBack(connection);
    },
    destroy: () => {
      gone = true;
      connection.destroy();
    },
  };
}
