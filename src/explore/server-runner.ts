/**
 * Runs programs on a live server. The runner has a namespace of our own with the tables of all fixtures, and sessions that stay open. One
 * more connection resets and reads the tables, and another watches for waits. Without instrumentation, the sessions send only
 * the program's own statements.
 */
import type { Query, Statement, Stop, Table } from '../../core/sql/index.ts';
import type { BlockedWatcher, Connection, Dialect, DialectLevel, NotedLock } from '../../core/dialect/index.ts';
import type { Program, Bindings, Fixture, FixtureState } from '../../core/program/index.ts';
import { DatabaseError, InternalError } from '../../core/base/index.ts';
import { isQuery, writtenTables } from '../../core/sql/index.ts';
import { beginText } from '../../core/dialect/index.ts';
import { namesNeeded, stopAfter, bindAnswer, withBindings } from '../../core/program/index.ts';
import { ImpossibleState } from './program-runner.ts';
import type { ProgramRunner, Broken, Replied, Reply } from './program-runner.ts';
import { expectSeenWaits, ServerSession, SessionsInFlight } from '../execute/index.ts';
import type { Stepped } from '../execute/index.ts';
import { IndexAudit } from './index-audit.ts';
import { NewNumbers } from './new-numbers.ts';
import { ownBackends } from './rendezvous/own-backends.ts';
import { planSettings } from './plan-settings.ts';
import { ProgramTransactions } from './program-transactions.ts';
import { readChangedSchema, remakeStatements } from './schema-changing-fixture.ts';
import { fillStatements, readStatement, stateOf } from './fixture-sql.ts';
import { WaitsOnPath } from './waits-on-path.ts';
import { FixtureTables } from './fixture-tables.ts';

export interface ServerRunnerOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly namespace: string;
  /** Every program that will be loaded has its fixture here. */
  readonly fixtures: readonly Fixture[];
  /**
   * True: each transaction asks for its level, not only the first of a session. This takes a round trip, and makes a confirmed
   * result reliable.
   */
  readonly checkLevel?: boolean;
  /** True: a fixture's tables are made when its first program comes. Default: all are made at once. */
  readonly lazily?: true;
  /** The processes of a server that Anomalist started. Absent: it did not start the server. */
  readonly processes?: readonly number[];
}

/** The server itself enforces this limit. A statement that waits for longer fails. */
const STATEMENT_MS = 10_000;

/**
 * This limit holds for programs that change tables. MySQL does not detect a deadlock between a lock on a definition and a lock on
 * a row, so one of the two waits for this long.
 */
const CHANGING_MS = 3_000;

const NO_TABLES = { tables: [] };

interface Texts {
  /** Each step of each session has its text. Undefined: the text depends on values that the transaction reads. */
  readonly steps: readonly (readonly (string | undefined)[])[];
  readonly read: string;
}

interface SessionBindings {
  bindings: Bindings;
  stop?: Stop['end'] | undefined;
}

export class ServerRunner implements ProgramRunner {
  private readonly options: ServerRunnerOptions;
  private readonly control: Connection;
  private readonly watching: Connection;
  private readonly watcher: BlockedWatcher;
  /** This watcher is asked if a program takes locks of its sessions, which the quick one does not see. */
  private readonly thorough: BlockedWatcher;
  private readonly sessions: SessionsInFlight<ServerSession, Reply>;
  /** Each session's name on the server. */
  private readonly backends: string[] = [];
  private readonly statementMs: number;
  private readonly transactions: ProgramTransactions;
  private readonly tables: FixtureTables;
  /** It is opened when index corruption is first asked for. */
  private audit: Promise<IndexAudit | undefined> | undefined;
  private program: Program | undefined;
  private texts: Texts | undefined;
  private byIndex: Fixture['byIndex'] = false;
  /** Absent: the program takes no new numbers. */
  private numbers: NewNumbers | undefined;
  /** Each session has the bindings of its open transaction, and its end if that is not the planned one. */
  private bound: readonly SessionBindings[] = [];
  private waits = new WaitsOnPath();
  /** This state was read last. */
  private read: FixtureState | undefined;
  private readonly reads = new Map<Fixture, string>();
  /** The map has the SQL that fills the tables, by state. Each state belongs to one fixture and is used many times. */
  private readonly fills = new WeakMap<FixtureState, string>();

  private constructor(options: ServerRunnerOptions, control: Connection, watching: Connection) {
    this.options = options;
    this.transactions = new ProgramTransactions(options);
    this.tables = new FixtureTables(options.fixtures);
    this.control = control;
    this.watching = watching;
    this.statementMs = changesTables(options) ? CHANGING_MS : STATEMENT_MS;
    this.thorough = thoroughWatcher(options, watching);
    this.watcher = changesTables(options) ? this.thorough : (options.dialect.watchWaits?.(watching) ?? this.thorough);
    this.sessions = new SessionsInFlight({ watchers: [this.watcher] });
  }

  /** Makes the namespace, and the tables unless they are made lazily. If it fails, it removes everything that it made. */
  static async open(options: ServerRunnerOptions): Promise<ServerRunner> {
    const { dialect, url, namespace } = options;
    const [control, watching] = await bothOf(() => dialect.connect(url, { statementTimeoutMs: STATEMENT_MS }));
    const runner = new ServerRunner(options, control, watching);
    let begun = false;
    try {
      await expectSeenWaits(dialect, runner.watcher, watching);
      await dialect.assertFree(control, namespace);
      begun = true;
      for (const sql of dialect.createNamespace(namespace, NO_TABLES)) await makeOf(sql, control, dialect);
      if (options.lazily !== true) for (const fixture of options.fixtures) await runner.make(fixture);
      return runner;
    } catch (error) {
      await (begun ? runner.close() : runner.disconnect());
      throw error;
    }
  }

  /** The statements that open a transaction of the runner's level, as a person would type them. `words` follow BEGIN. */
  readonly beginSql = (words?: string): string => beginText(this.control.beginSql(this.options.level, words));

  /** Drops the namespace. */
  async close(): Promise<void> {
    try {
      await this.sessions.end();
      await this.options.dialect.dropNamespace(this.control, this.options.namespace);
    } finally {
      await this.disconnect();
    }
  }

  async load(program: Program): Promise<void> {
    const { dialect, namespace } = this.options;
    const print = (statement: Statement): string => dialect.print(statement, namespace);
    while (this.sessions.count < program.transactions.length) await this.openSession();
    if (program.fixture.byIndex !== this.byIndex) await this.planBy(program.fixture.byIndex);
    const { fixture } = program;
    await this.make(fixture);
    if (!this.reads.has(fixture)) this.reads.set(fixture, print(readStatement(fixture)));
    this.program = program;
    this.waits = new WaitsOnPath();
    this.sessions.watchBy(locksSessions(program, dialect) ? this.thorough : this.watcher);
    this.bound = program.transactions.map(() => ({ bindings: new Map() }));
    this.numbers = fixture.newNumbers ? new NewNumbers(fixture) : undefined;
    this.texts = {
      steps: program.transactions.map(({ steps }) =>
        steps.map(({ statement }) => (namesNeeded(statement).length === 0 ? print(statement) : undefined)),
      ),
      read: this.reads.get(fixture)!,
    };
  }

  async reset(state: FixtureState): Promise<void> {
    const { dialect, namespace } = this.options;
    const { fixture } = this.loaded();
    this.waits.beginRun();
    let sql = this.fills.get(state);
    if (sql === undefined) {
      const filled = fillStatements(fixture, state).map((statement) => dialect.print(statement, namespace));
      const anew = fixture.changesSchema ? remakeStatements(fixture, dialect, namespace) : [];
      // Triggers are off, because the rows already hold what they would write.
      const { off = [], on = [] } = (fixture.routines && dialect.withoutTriggers?.(fixture.routines, namespace)) ?? {};
      sql = [...anew, ...off, 'START TRANSACTION', ...filled, 'COMMIT', ...on].join('; ');
      this.fills.set(state, sql);
    }
    try {
      await this.control.query(sql);
    } catch (error) {
      const { class: kind, message } = dialect.classifyError(error);
      if (kind !== 'constraint') throw error;
      const { on = [] } = (fixture.routines && dialect.withoutTriggers?.(fixture.routines, namespace)) ?? {};
      await this.control.query(['ROLLBACK', ...on].join('; '));
      const { sql: refused } = error as { readonly sql?: string };
      throw new ImpossibleState(message, { cause: error, ...(refused !== undefined && { sql: refused }) });
    }
  }

  async step(session: number, step: number): Promise<readonly Replied[]> {
    const replied = await this.sessions.send(session, this.sending(session, step), this.waits.step(session));
    this.waits.followed(this.sessions.overBy);
    return replied;
  }

  race(session: number, step: number): Promise<Reply> {
    return this.sessions.race(session, this.sending(session, step));
  }

  /** Returns the locks that the session holds now. `locked`: tables whose rows it may have locked. */
  held(session: number, locked: readonly Table[]): Promise<readonly NotedLock[]> {
    const { dialect, namespace } = this.options;
    if (dialect.footprints === undefined) throw new InternalError(`it is not known how ${dialect.title} shows its locks`);
    return dialect.footprints.held(this.watching, this.backends[session]!, { namespace, locked });
  }

  /** The processes of its sessions, if they are children of a server that Anomalist started. */
  processes(): readonly number[] {
    return ownBackends(this.sessions.backends, this.options.processes ?? []);
  }

  anyReply(): Promise<readonly Replied[]> {
    return this.sessions.anyReply();
  }

  abandon(): Promise<void> {
    return this.sessions.abandon();
  }

  async state(): Promise<FixtureState> {
    const { fixture } = this.loaded();
    this.read = fixture.changesSchema
      ? await readChangedSchema(fixture, this.options, this.control)
      : stateOf(fixture, (await this.control.query(this.texts!.read)).rows);
    return this.numbers?.ofState(this.read) ?? this.read;
  }

  stored(): FixtureState | undefined {
    return this.read;
  }

  async indexCorruption(): Promise<readonly string[]> {
    const { dialect, url, namespace } = this.options;
    this.audit ??= IndexAudit.open(dialect, namespace, () => dialect.connect(url, { statementTimeoutMs: STATEMENT_MS }));
    return (await (await this.audit)?.indexCorruption(this.loaded().fixture)) ?? [];
  }

  async broken(state: FixtureState): Promise<readonly Broken[]> {
    const { invariants = [] } = this.loaded().fixture;
    if (invariants.length === 0) return [];
    await this.reset(state);
    const broken: Broken[] = [];
    for (const { name, query } of invariants) {
      const answer = await this.rowsOf(query);
      if (typeof answer === 'string') broken.push({ name, failed: answer });
      else if (answer > 0) broken.push({ name });
    }
    return broken;
  }

  /** Returns the number of rows, or the reason why the server does not return them. */
  private async rowsOf(query: Query): Promise<number | string> {
    const { dialect, namespace } = this.options;
    try {
      return (await this.control.query(dialect.print(query, namespace))).rows.length;
    } catch (error) {
      const { scope, message } = dialect.classifyError(error);
      if (scope === 'connection') throw new DatabaseError(`an invariant was not answered: ${message}`, { cause: error });
      return message;
    }
  }

  /** Makes the fixture's tables at its first program. */
  private async make(fixture: Fixture): Promise<void> {
    const missing = this.tables.missing(fixture);
    if (missing === undefined) return;
    const { dialect, namespace } = this.options;
    const before = dialect.createNamespace(namespace, NO_TABLES);
    const all = dialect.createNamespace(namespace, missing);
    for (const sql of all.slice(all.findIndex((each, i) => each !== before[i]))) await makeOf(sql, this.control, dialect);
    this.tables.isMade(fixture);
    (await this.audit)?.tablesChanged();
  }

  private loaded(): Program {
    return this.program!;
  }

  private sending(session: number, step: number): (through: ServerSession) => Promise<Stepped<Reply>> {
    // ROLLBACK TO releases locks, although no transaction ends.
    const rollsBack = this.loaded().transactions[session]!.steps[step]?.statement.kind === 'rollbackTo';
    const replying = this.replying(session, step);
    return async (through) => {
      const reply = await replying(through);
      const releases = rollsBack || reply.ended !== undefined || reply.error !== undefined;
      return { reply, releases, open: reply.ended === undefined };
    };
  }

  private replying(session: number, step: number): (through: ServerSession) => Promise<Reply> {
    const { transactions } = this.loaded();
    const { steps, end, autocommit, begin, send } = transactions[session]!;
    const { numbers: shown = [], statement } = steps[step] ?? {};
    const bound = this.bound[session]!;
    if (step === 0) Object.assign(bound, { bindings: new Map(), stop: undefined });
    const sql = this.textOf(session, step);
    const form = statement !== undefined && isPrepared(statement) ? send : undefined;
    return async (through) => {
      if (step === steps.length) return this.transactions.end(through, bound.stop ?? end);
      const reply = await (autocommit
        ? this.transactions.alone(through, sql!, form)
        : this.transactions.within(through, sql!, {
            first: step === 0,
            undone: steps[step + 1]?.statement.kind === 'rollbackTo',
            begin,
            form,
          }));
      if (reply.error === undefined) bindReply(bound, statement!, reply);
      // The count of a table change depends on how the server does it.
      if (statement?.kind === 'changeTable') return { ...reply, affected: 0 };
      const answered = bound.stop === undefined ? reply : { ...reply, stops: bound.stop };
      return this.numbers === undefined ? answered : { ...answered, rows: this.numbers.ofReply(reply.rows, shown) };
    };
  }

  /** Returns the text of a step as it is sent, with the values that the transaction read. The end of a transaction has none. */
  private textOf(session: number, step: number): string | undefined {
    const { dialect, namespace } = this.options;
    const planned = this.loaded().transactions[session]!.steps[step];
    if (planned === undefined) return undefined;
    return this.texts!.steps[session]![step] ?? dialect.print(withBindings(planned.statement, this.bound[session]!.bindings), namespace);
  }

  private async openSession(): Promise<void> {
    const { dialect, url, level } = this.options;
    const connection = await dialect.connect(url, { level, eagerDeadlocks: true, statementTimeoutMs: this.statementMs });
    this.backends.push(connection.backend);
    this.sessions.add(new ServerSession(connection, dialect)); // It comes first, so that it is ended even if a setting fails.
    for (const sql of planSettings(dialect, this.byIndex)) await connection.query(sql);
  }

  private async planBy(plan: Fixture['byIndex']): Promise<void> {
    const { dialect } = this.options;
    const before = this.byIndex === false ? [] : (dialect.indexPlans?.off ?? []);
    this.byIndex = plan;
    for (const sql of [...before, ...planSettings(dialect, plan)]) await this.sessions.each((session) => session.send(sql));
  }

  private async disconnect(): Promise<void> {
    const audit = await this.audit?.catch(() => undefined); // The caller of indexCorruption has seen the error.
    await Promise.all([this.control.end(), this.watching.end(), audit?.end(), this.sessions.end()]);
  }
}

function bindReply(bound: SessionBindings, statement: Statement, { rows, affected }: Reply): void {
  bound.bindings = bindAnswer(bound.bindings, statement, rows, affected);
  bound.stop = stopAfter(statement, bound.bindings);
}

function changesTables({ fixtures }: Pick<ServerRunnerOptions, 'fixtures'>): boolean {
  return fixtures.some(({ changesSchema }) => changesSchema === true);
}

function locksSessions({ transactions }: Program, { capabilities }: Dialect): boolean {
  if (capabilities.advisoryLocks !== 'of the session') return false;
  return transactions.some(({ steps }) => steps.some(({ statement }) => statement.kind === 'advisoryLock'));
}

/** Returns the watcher that also sees waits for locks other than row locks. */
function thoroughWatcher({ dialect }: ServerRunnerOptions, watching: Connection): BlockedWatcher {
  return dialect.tableChanges?.watch?.(watching) ?? dialect.watchBlocked(watching);
}

function isPrepared(statement: Statement): boolean {
  return isQuery(statement) || writtenTables(statement).length > 0;
}

/** Opens two connections or none. If one fails, the other is ended. */
async function bothOf(connect: () => Promise<Connection>): Promise<[Connection, Connection]> {
  const [one, two] = await Promise.allSettled([connect(), connect()]);
  if (one.status === 'fulfilled' && two.status === 'fulfilled') return [one.value, two.value];
  for (const each of [one, two]) if (each.status === 'fulfilled') await each.value.end();
  throw [one, two].find((each) => each.status === 'rejected')!.reason;
}

/** Makes a part of the schema. Only the server knows whether it accepts a file's triggers and functions. */
async function makeOf(sql: string, control: Connection, dialect: Dialect): Promise<void> {
  try {
    await control.query(sql);
  } catch (error) {
    const { class: errorClass, scope, message } = dialect.classifyError(error);
    if (scope === 'connection') throw error;
    const cure =
      errorClass === 'statement timeout' || errorClass === 'lock timeout'
        ? `it ran into the limit of ${STATEMENT_MS / 1000} s for a statement`
        : 'correct it in the file, or give the user the right to make it';
    throw new DatabaseError(`cannot make the schema: ${message} (${sql}); ${cure}`, { cause: error, sql });
  }
}
