/**
 * Executes one case repeatedly: a fresh schema each time, over kept connections. The schema always has the same name.
 * With several endpoints each schema has a name of its own and nothing is kept, because an endpoint might still show the
 * schema before. The server's facts are asked for once.
 */
import { randomBytes } from 'node:crypto';
import type { Level } from '../../core/level/index.ts';
import type { Connection, Dialect, DialectLevel, InstrumentMode, ServerFacts } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { Interrupted } from '../process/interruption.ts';
import { KeptConnections, Recorder, runRound } from '../execute/index.ts';
import type { RoundOutcome } from '../execute/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ServerLog } from './server-log.ts';

export interface LabTarget {
  readonly name: string;
  readonly dialect: Dialect;
  readonly urls: readonly string[];
  /** Returns the log so far of a server that Anomalist started. */
  readonly log?: () => string;
  /** The processes of a server that Anomalist started. Absent: it did not start the server. */
  readonly processes?: readonly number[];
}

export interface AttemptOptions {
  readonly level: DialectLevel;
  /** Default: exact. */
  readonly mode?: InstrumentMode;
  /** Lets writes return their rows and evaluates predicates after the round. Only predicate dependencies need it. */
  readonly images?: boolean;
  /** Another dialect for the same server, with connections of its own, because it may leave anything open (spec.ts). */
  readonly dialect?: Dialect;
}

const TIMEOUT_MS = 5_000;

export class Replayer {
  readonly target: LabTarget;
  executions = 0;
  /** Number of executions that came to their end. */
  ran = 0;
  /** The reason why the last execution that failed did not come to its end. */
  notRun: string | undefined;
  /** The reason why the last execution lost its server or a session. It is a failure that says nothing about the case. */
  lost: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly log: ServerLog;
  private readonly kept: KeptConnections;
  private readonly dialect: Dialect;
  private readonly namespace = `anomalist_replay_${randomBytes(4).toString('hex')}`;
  private facts: Promise<ServerFacts> | undefined;

  constructor(target: LabTarget, signal?: AbortSignal) {
    this.target = target;
    this.signal = signal;
    this.log = new ServerLog(target.log);
    this.log.mark();
    this.kept = new KeptConnections(target.dialect);
    this.dialect = this.askingOnce(target.dialect);
  }

  private get several(): boolean {
    return this.target.urls.length > 1;
  }

  level(wanted: Level): DialectLevel | undefined {
    return this.target.dialect.levels.find(({ level }) => level === wanted);
  }

  /** Rejects with DatabaseError if the schema cannot be made: an ill-formed candidate. */
  async attempt(testCase: TestCase, options: AttemptOptions): Promise<RoundOutcome> {
    if (this.signal?.aborted) throw new Interrupted();
    this.executions++;
    try {
      const outcome = await this.execute(testCase, options);
      if (outcome.complete) this.ran++;
      else this.notRun = outcome.reason ?? 'no reason given';
      if (!outcome.complete && !this.signal?.aborted) this.lost = this.notRun;
      return outcome;
    } catch (error) {
      const failure = serverFailure(this.target.dialect, error);
      if (failure !== undefined) this.notRun = failure.message;
      if (failure !== undefined && this.target.dialect.classifyError(failure).class === 'connection') this.lost = failure.message;
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
    return this.kept.close();
  }

  /** A server that could not answer now may answer later. */
  private asked(dialect: Dialect, connection: Connection): Promise<ServerFacts> {
    return dialect.facts(connection).catch((error: unknown) => {
      this.facts = undefined;
      throw error;
    });
  }

  private askingOnce(dialect: Dialect): Dialect {
    return {
      ...dialect,
      connect: (url, options) => this.kept.dialect.connect(url, options),
      facts: (connection) => (this.facts ??= this.asked(dialect, connection)),
    };
  }
}
