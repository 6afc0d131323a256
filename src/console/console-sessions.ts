/**
 * The console has sessions on a server that a person steps by hand, in any order. A statement is sent when its author says so.
 * The step is over when the reply arrives or the server says that the statement waits. Then any other session may step, and
 * the reply is taken when it arrives. The statements are sent as typed, except that each table's name gets our schema.
 *
 * Some errors abort the transaction. The console then rolls it back at once, because only ROLLBACK could follow. An open
 * savepoint prevents this.
 */
import type { BlockedWatcher, ClassifiedError, Connection, Dialect, DialectLevel, StatusMismatch } from '../../core/dialect/index.ts';
import {
  Savepoints,
  ServerSession,
  SessionsInFlight,
  afterError,
  expectSeenWaits,
  isWrongSession,
  mismatchText,
} from '../execute/index.ts';
import type { Stepped } from '../execute/index.ts';
import { sessionName } from './step.ts';
import type { Reply, Step, SteppedRecord, SteppedTxn } from './step.ts';
import { readStatement } from './typed-statement.ts';
import type { TypedStatement } from './typed-statement.ts';
import type { SteppedFixture } from './fixture.ts';

export interface ConsoleSessionsPlan {
  readonly dialect: Dialect;
  readonly url: string;
  readonly fixture: SteppedFixture;
  /** The schema is our own. It is made when the console opens, and dropped when it closes. */
  readonly namespace: string;
  /** Each session has its level, in the order of the sessions. */
  readonly levels: readonly DialectLevel[];
}

/**
 * A step has one of these results. `refused` says why nothing was sent. `steps` has the new step first, and then those whose
 * late reply came.
 */
export type Sent = { readonly refused: string } | { readonly steps: readonly Step[] };

/** The limit is long, because a person may think for long while a statement waits for another session. */
const STATEMENT_MS = 3_600_000;
const CONTROL_MS = 10_000;

interface SessionState {
  level: DialectLevel;
  txn: SteppedTxn | undefined;
  readonly savepoints: Savepoints;
  /** The transaction has failed. Only ROLLBACK TO a savepoint, or its end, can follow. */
  failed: boolean;
  underWay: Step | undefined;
  /** It says why the connection is gone. */
  lost: string | undefined;
}

export class ConsoleSessions {
  private readonly plan: ConsoleSessionsPlan;
  private readonly control: Connection;
  private readonly watching: Connection;
  private readonly sessions: SessionsInFlight<ServerSession, void>;
  private readonly sessionStates: readonly SessionState[];
  private readonly steps: Step[] = [];
  private readonly transactions: SteppedTxn[] = [];
  /** Steps run one at a time, no matter which session asks. */
  private turn: Promise<unknown> = Promise.resolve();
  /** It says why no session can step any more. */
  private gone: string | undefined;

  private constructor(plan: ConsoleSessionsPlan, control: Connection, watching: Connection, watcher: BlockedWatcher) {
    this.plan = plan;
    this.control = control;
    this.watching = watching;
    this.sessions = new SessionsInFlight({ watchers: [watcher] });
    this.sessionStates = plan.levels.map((level) => ({
      level,
      txn: undefined,
      savepoints: new Savepoints(),
      failed: false,
      underWay: undefined,
      lost: undefined,
    }));
  }

  /** If it fails, it removes everything that it made. */
  static async open(plan: ConsoleSessionsPlan): Promise<ConsoleSessions> {
    const { dialect, url, namespace, fixture, levels } = plan;
    const control = await dialect.connect(url, { statementTimeoutMs: CONTROL_MS });
    let consoleSessions: ConsoleSessions | undefined;
    let made = false;
    try {
      const watching = await dialect.connect(url, { statementTimeoutMs: CONTROL_MS });
      // This watcher names the sessions that each one waits for. The quicker watcher may not.
      const watcher = dialect.watchBlocked(watching);
      consoleSessions = new ConsoleSessions(plan, control, watching, watcher);
      await expectSeenWaits(dialect, watcher, watching);
      await dialect.assertFree(control, namespace);
      made = true;
      for (const sql of dialect.createNamespace(namespace, fixture.schema)) await control.query(sql);
      for (const level of levels) {
        const connection = await dialect.connect(url, { level, eagerDeadlocks: true, statementTimeoutMs: STATEMENT_MS });
        consoleSessions.sessions.add(new ServerSession(connection, dialect));
      }
      return consoleSessions;
    } catch (error) {
      if (consoleSessions === undefined) await control.end();
      else await consoleSessions.ended(made);
      throw error;
    }
  }

  get record(): SteppedRecord {
    return { steps: this.steps, transactions: this.transactions, sessions: this.sessionStates.length };
  }

  /** Returns the reason why no session can step any more. Undefined: some session can. */
  get lost(): string | undefined {
    return this.gone;
  }

  get levels(): readonly DialectLevel[] {
    return this.sessionStates.map(({ level }) => level);
  }

  /** Returns the open transaction of a session. */
  openIn(session: number): SteppedTxn | undefined {
    return this.sessionStates[session]?.txn;
  }

  /** Returns the session's statement that waits. */
  waitsIn(session: number): Step | undefined {
    return this.sessionStates[session]?.underWay;
  }

  /** Returns the reason why the session's connection is gone. */
  lostIn(session: number): string | undefined {
    return this.sessionStates[session]?.lost;
  }

  /** Sets the level of the transactions that these sessions begin from now on. Returns a reason if one is inside a transaction. */
  setLevel(sessions: readonly number[], level: DialectLevel): string | undefined {
    const inside = sessions.find((session) => this.sessionStates[session]!.txn !== undefined);
    if (inside !== undefined) return `${sessionName(inside)} is inside a transaction; expected its end before its level changes`;
    for (const session of sessions) this.sessionStates[session]!.level = level;
    return undefined;
  }

  /** Sends the typed text. It never rejects because of an error of the server. */
  send(session: number, text: string): Promise<Sent> {
    return this.inTurn(() => this.step(session, text));
  }

  /** Returns the steps whose replies have come since the last one was sent. */
  async late(): Promise<readonly Step[]> {
    return this.inTurn(async () => this.taken(this.sessions.taken().map((each) => each.session)));
  }

  /** Ends the sessions and drops our schema. Returns in words what may be left of it. */
  async close(): Promise<string | undefined> {
    return this.ended(true);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async step(session: number, text: string): Promise<Sent> {
    const sessionState = this.sessionStates[session];
    if (sessionState === undefined)
      return { refused: `there is no session ${sessionName(session)}; expected one of S1 to S${this.sessionStates.length}` };
    const read = readStatement(text, this.plan.fixture);
    if (typeof read === 'string') return { refused: this.whyNot(session, sessionState) ?? read };
    const refused = this.whyNot(session, sessionState) ?? whyNotNow(read, sessionState);
    if (refused !== undefined) return { refused };
    const { step, opens } = this.begun(session, sessionState, read);
    sessionState.underWay = step;
    try {
      const replied = await this.sessions.send(session, (through) => this.sent(through, sessionState, { step, read, opens }));
      const came = this.taken(replied.map((each) => each.session));
      await this.sessions.nameOthers();
      this.noteWaits();
      if (this.sessionStates.some(({ lost }) => lost !== undefined)) await this.lookForServer();
      return { steps: [step, ...came.filter((each) => each !== step)] };
    } catch (error) {
      // The session is not ours, or the server no longer says which sessions wait.
      const wrong = isWrongSession(error);
      this.allLost(wrong ? error.message : this.plan.dialect.classifyError(error).message);
      if (wrong) throw error;
      return { steps: [step] };
    }
  }

  private whyNot(session: number, { lost, underWay }: SessionState): string | undefined {
    if (this.gone !== undefined) return `the server was lost (${this.gone}); expected a new console`;
    if (lost !== undefined)
      return `the connection of ${sessionName(session)} was lost (${lost}); the other sessions go on, a new console brings it back`;
    return underWay === undefined
      ? undefined
      : `${sessionName(session)} waits with ${underWay.sql}; expected its reply first, which the end of another transaction may bring`;
  }

  /** Records the step before it is sent. */
  private begun(session: number, sessionState: SessionState, read: TypedStatement): Pick<Sending, 'step' | 'opens'> {
    const opens = sessionState.txn === undefined;
    if (opens) {
      sessionState.txn = { id: this.transactions.length + 1, session, level: sessionState.level, steps: [], outcome: 'open' };
      this.transactions.push(sessionState.txn);
      sessionState.savepoints.clear();
      sessionState.failed = false;
      if (read.kind === 'statement') this.noted(session, sessionState.txn, { kind: 'begin', sql: 'BEGIN', implied: true }).reply = NOTHING;
    }
    return { step: this.noted(session, sessionState.txn!, read), opens };
  }

  private noted(session: number, txn: SteppedTxn, read: TypedStatement & { readonly implied?: true }): Step {
    const step: Step = { n: this.steps.length + 1, session, txn: txn.id, ...read };
    this.steps.push(step);
    if (step.kind === 'statement') txn.steps.push(step);
    return step;
  }

  /** Rejects for a session that is not ours, or not at its level. The step holds all other errors of the server. */
  private async sent(through: ServerSession, sessionState: SessionState, sending: Sending): Promise<Stepped<void>> {
    const { step } = sending;
    const txn = sessionState.txn!;
    try {
      this.over(step, await this.replied(through, txn, sending));
      if (step.statement !== undefined) {
        sessionState.savepoints.succeeded(step.statement);
        if (step.statement.kind === 'rollbackTo') sessionState.failed = false;
      }
      this.compared(through, txn, step, through.mismatch(txn.outcome === 'open' ? 'inside' : 'outside'));
    } catch (error) {
      if (isWrongSession(error)) throw error;
      await this.failed(through, sessionState, step, this.plan.dialect.classifyError(error));
    } finally {
      sessionState.underWay = undefined;
      if (txn.outcome !== 'open') {
        sessionState.txn = undefined;
        step.ended = true;
      }
    }
    const open = txn.outcome === 'open';
    const releases = !open || step.reply?.error !== undefined || step.statement?.kind === 'rollbackTo';
    return { reply: undefined, releases, open };
  }

  private async replied(through: ServerSession, txn: SteppedTxn, { read, opens }: Sending): Promise<Reply> {
    if (opens) await through.beginAt(txn.level);
    if (read.kind === 'statement') {
      const { columns, rows, affected } = await through.send(this.plan.dialect.print(read.statement, this.plan.namespace));
      return { columns, rows, affected };
    }
    if (read.kind === 'begin') return NOTHING;
    txn.end = read.kind;
    txn.outcome = await through.end(read.kind);
    return NOTHING;
  }

  private async failed(through: ServerSession, sessionState: SessionState, step: Step, error: ClassifiedError): Promise<void> {
    const { class: errorClass, code, message } = error;
    const { dialect } = this.plan;
    const txn = this.transactions[step.txn - 1]!;
    this.over(step, { ...NOTHING, error: { class: errorClass, code, message } });
    const place = step.kind === 'statement' ? 'inside' : 'commits';
    const left = afterError(error, { place, maySave: sessionState.savepoints.any }, dialect.capabilities);
    if (left === 'session lost' || left === 'outcome unknown') return lose(sessionState, txn, step, message);
    if (place === 'inside') this.compared(through, txn, step, through.mismatchAfter(error, 'inside'));
    if (left === 'transaction open' || txn.outcome !== 'open') return;
    if (left === 'transaction recovers') {
      sessionState.failed = true;
      return;
    }
    try {
      txn.outcome = await through.end('rollback');
    } catch (again) {
      lose(sessionState, txn, step, dialect.classifyError(again).message);
    }
  }

  /** If the protocol contradicts the reply, the outcome of the transaction is unknown, and its session is given up. */
  private compared(through: ServerSession, txn: SteppedTxn, step: Step, mismatch: StatusMismatch | undefined): void {
    if (mismatch === undefined) return;
    step.mismatch = mismatch;
    txn.outcome = 'unknown';
    this.sessionStates[step.session]!.lost = `${mismatchText(mismatch)}: a fault of the server or of what stands between`;
    through.drop();
  }

  private over(step: Step, reply: Reply): void {
    step.reply = reply;
    step.repliedAfter = this.steps.length;
  }

  private noteWaits(): void {
    for (const [session, others] of this.sessions.waiting()) {
      const waiting = this.sessionStates[session]!.underWay;
      if (waiting !== undefined) waiting.waitsFor = others;
    }
  }

  /** Returns the last step of each of these sessions. */
  private taken(sessions: readonly number[]): readonly Step[] {
    return sessions.flatMap((session) => this.steps.findLast((step) => step.session === session) ?? []);
  }

  /** Asks on another connection whether the server still answers. If it does not, all sessions are lost. */
  private async lookForServer(): Promise<void> {
    try {
      await this.control.query('SELECT 1');
    } catch (error) {
      this.allLost(this.plan.dialect.classifyError(error).message);
    }
  }

  private allLost(why: string): void {
    this.gone ??= why;
    for (const sessionState of this.sessionStates) {
      const { underWay, txn } = sessionState;
      if (underWay !== undefined) this.over(underWay, { ...NOTHING, error: { class: 'connection', code: '', message: why } });
      if (txn !== undefined) lose(sessionState, txn, underWay, why);
      if (underWay !== undefined) underWay.ended = true;
      sessionState.lost ??= why;
      sessionState.underWay = undefined;
      sessionState.txn = undefined;
    }
  }

  private async ended(made: boolean): Promise<string | undefined> {
    const { dialect, url, namespace } = this.plan;
    this.gone ??= 'it was closed';
    await this.sessions.end().catch(() => undefined);
    const left = made ? await dropped(dialect, this.control, { url, namespace }) : undefined;
    await Promise.all([this.control, this.watching].map((each) => each.end().catch(() => each.destroy())));
    return left;
  }
}

interface Sending {
  readonly step: Step;
  readonly read: TypedStatement;
  /** True for the first step of its transaction. */
  readonly opens: boolean;
}

const NOTHING: Reply = { columns: [], rows: [], affected: 0 };
function whyNotNow({ kind, ...read }: TypedStatement, { txn, failed }: SessionState): string | undefined {
  if (kind === 'begin' && txn !== undefined) return 'a transaction is open already; expected its COMMIT or ROLLBACK first';
  if ((kind === 'commit' || kind === 'rollback') && txn === undefined)
    return 'no transaction is open; the first statement begins one, or BEGIN does';
  const saves = 'statement' in read && read.statement.kind === 'rollbackTo';
  return failed && kind === 'statement' && !saves ? 'its transaction has failed; expected ROLLBACK TO a savepoint, or ROLLBACK' : undefined;
}

/** A server rolls back a transaction whose connection is gone. The outcome is unknown only if a COMMIT was on its way. */
function lose(sessionState: SessionState, txn: SteppedTxn, step: Step | undefined, why: string): void {
  sessionState.lost = why;
  txn.outcome = step?.kind === 'commit' ? 'unknown' : 'aborted';
}

/** Drops our schema. Returns in words why it could not be dropped. */
async function dropped(
  dialect: Dialect,
  control: Connection,
  { url, namespace }: Pick<ConsoleSessionsPlan, 'url' | 'namespace'>,
): Promise<string | undefined> {
  try {
    await dialect.dropNamespace(control, namespace);
    return undefined;
  } catch {
    // Another connection may succeed.
  }
  let fresh: Connection | undefined;
  try {
    fresh = await dialect.connect(url, { statementTimeoutMs: CONTROL_MS });
    await dialect.dropNamespace(fresh, namespace);
    return undefined;
  } catch (error) {
    return `the schema ${namespace} could not be dropped: ${dialect.classifyError(error).message}`;
  } finally {
    await fresh?.end().catch(() => undefined);
  }
}
