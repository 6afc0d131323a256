/**
 * A console has its server, its fixture, its shadow run and the shadow's last results. The results hold until the next step.
 * The terminal and the page both work on such a console.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { isLevel } from '../../core/level/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { PlainRun } from '../../core/verdict/index.ts';
import { anomalyName } from '../../reports/index.ts';
import { ofRelease } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ConsoleSessions } from './console-sessions.ts';
import { savedText } from './saved.ts';
import type { SavedForm } from './saved.ts';
import { sessionName } from './step.ts';
import type { SteppedRecord } from './step.ts';
import type { SteppedGraph } from './stepped-graph.ts';
import { ShadowRun } from './shadow-run.ts';
import type { SeenTable, OrReason } from './shadow-run.ts';
import { fixtureOf } from './fixture.ts';
import type { SteppedFixture, FixtureText } from './fixture.ts';

export const SESSIONS = { least: 2, most: 4 } as const;

export interface SqlConsoleOptions {
  /** Opens the server, or starts one. */
  readonly open: () => Promise<Target>;
  /** True if the console started the server. It is stopped with the console, so nothing is left on it. */
  readonly started: boolean;
  readonly fixture: FixtureText;
  readonly sessions: number;
  /** The list has one level for all sessions, or one for each. */
  readonly levels: readonly Level[];
  readonly signal?: AbortSignal;
}

export class SqlConsole {
  readonly options: SqlConsoleOptions;
  private readonly target: Target;
  readonly fixture: SteppedFixture;
  readonly server: string;
  readonly consoleSessions: ConsoleSessions;
  private readonly shadow: ShadowRun;
  private readonly known = new Map<string, Promise<unknown>>();

  private constructor(
    options: SqlConsoleOptions,
    made: { readonly target: Target; readonly fixture: SteppedFixture; readonly server: string; readonly consoleSessions: ConsoleSessions },
  ) {
    this.options = options;
    this.target = made.target;
    this.fixture = made.fixture;
    this.server = made.server;
    this.consoleSessions = made.consoleSessions;
    this.shadow = new ShadowRun({
      dialect: made.target.dialect,
      url: made.target.urls[0]!,
      schema: made.fixture.schema,
      ...(options.signal && { signal: options.signal }),
    });
  }

  static async open(options: SqlConsoleOptions): Promise<SqlConsole> {
    const { sessions, levels } = options;
    if (sessions < SESSIONS.least || sessions > SESSIONS.most)
      throw new UsageError(`${sessions} sessions: expected ${SESSIONS.least} to ${SESSIONS.most}.`);
    if (levels.length !== 1 && levels.length !== sessions)
      throw new UsageError(`${levels.length} levels for ${sessions} sessions: expected one for all, or one for each.`);
    const opened = await options.open();
    try {
      const target = await ofRelease(opened);
      const { dialect, urls } = target;
      const fixture = await fixtureOf(options.fixture, dialect);
      const url = urls[0]!;
      const server = await serverOf(target);
      const consoleSessions = await ConsoleSessions.open({
        dialect,
        url,
        fixture,
        namespace: `anomalist_console_${randomBytes(4).toString('hex')}`,
        levels: Array.from({ length: sessions }, (_, s) => levelNamed(levels[s] ?? levels[0]!, target)),
      });
      return new SqlConsole(options, { target, fixture, server, consoleSessions });
    } catch (error) {
      await opened.close();
      throw serverFailure(opened.dialect, error) ?? error;
    }
  }

  /** Names the target without credentials. */
  get name(): string {
    return this.target.name;
  }

  /** Returns the levels that a session may have. */
  get offered(): readonly Level[] {
    return this.target.dialect.levels.map(({ level }) => level);
  }

  get record(): SteppedRecord {
    return this.consoleSessions.record;
  }

  /** Sets the level of one session, or of all if `session` is absent. Returns a reason if that is not possible. */
  setLevel(word: string, session?: number): string | undefined {
    if (!isLevel(word)) return `there is no level ${word}; expected one of ${this.levelWords()}`;
    const level = this.target.dialect.levels.find((each) => each.level === word);
    if (level === undefined) return `${this.target.dialect.title} has no level ${word}; expected one of ${this.levelWords()}`;
    const sessions = session === undefined ? this.consoleSessions.levels.map((_, s) => s) : [session];
    return this.consoleSessions.setLevel(sessions, level);
  }

  graph(): Promise<OrReason<SteppedGraph>> {
    return this.once('graph', () => this.shadow.graph(this.record));
  }

  plain(): Promise<OrReason<PlainRun>> {
    return this.once('plain', () => this.shadow.plain(this.record));
  }

  /** Returns the rows of one table as the session sees them, or of all tables if `table` is absent. */
  async see(session: number, table?: string): Promise<OrReason<readonly SeenTable[]>> {
    const waiting = this.consoleSessions.waitsIn(session);
    if (waiting !== undefined) return `${sessionName(session)} waits with ${waiting.sql}; what it sees is known once its reply is here`;
    const tables = this.fixture.schema.tables.filter(({ name }) => table === undefined || name === table);
    if (tables.length === 0)
      return `there is no table ${table}; expected one of ${this.fixture.schema.tables.map(({ name }) => name).join(', ')}`;
    return this.once(`see ${session} ${JSON.stringify(table)}`, () => this.shadow.see(this.record, session, tables));
  }

  async saved(form: SavedForm): Promise<OrReason<{ readonly text: string }>> {
    const plain = await this.plain();
    if (typeof plain === 'string') return plain;
    const graph = await this.graph();
    const [first] = typeof graph === 'string' ? [] : graph.anomalies;
    const { dialect } = this.target;
    const shows = first && anomalyName(first.anomaly);
    return savedText(form, { plain, record: this.record, fixture: this.fixture, dialect, server: this.server, shows });
  }

  /** Closes this console and opens another, with the same fixture or another. A server that we started is started anew. */
  async anew(fixture: FixtureText = this.options.fixture): Promise<SqlConsole> {
    await this.close();
    return SqlConsole.open({ ...this.options, fixture });
  }

  /** Closes the console. Returns in words what may be left on the server. */
  async close(): Promise<string | undefined> {
    const [left] = await Promise.all([this.consoleSessions.close(), this.shadow.close().catch(() => undefined)]);
    await this.target.close();
    return this.options.started ? undefined : left;
  }

  private levelWords(): string {
    return this.offered.join(', ');
  }

  /** Asks the shadow once for each state of the record. */
  private once<T>(what: string, ask: () => Promise<OrReason<T>>): Promise<OrReason<T>> {
    const { steps } = this.record;
    const key = `${what} ${steps.length} ${steps.filter(({ reply }) => reply !== undefined).length}`;
    const before = this.known.get(key) as Promise<OrReason<T>> | undefined;
    if (before !== undefined) return before;
    const asked = ask();
    this.known.set(key, asked);
    const forget = (): unknown => this.known.delete(key);
    // A reason is not kept, because the next try may succeed.
    asked.then((told) => typeof told === 'string' && forget(), forget);
    return asked;
  }
}

function levelNamed(name: Level, { dialect }: Target): DialectLevel {
  const level = dialect.levels.find((each) => each.level === name);
  if (level !== undefined) return level;
  throw new UsageError(
    `--level ${name}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
  );
}

async function serverOf({ dialect, urls }: Target): Promise<string> {
  const connection = await dialect.connect(urls[0]!, {});
  try {
    return (await dialect.facts(connection)).make.words;
  } catch (error) {
    throw new DatabaseError(`the server does not say what it is: ${dialect.classifyError(error).message}`, { cause: error });
  } finally {
    await connection.end();
  }
}
