/**
 * One session: a connection and the transactions it runs in order, one step at a time (BEGIN, a statement, COMMIT or
 * ROLLBACK). Every exchange with the server is on record: the invocation before it is sent, then its reply.
 *
 * After a failure that ended the transaction the rest of its plan is not sent; where savepoints recover (PostgreSQL) the
 * plan goes on at its next ROLLBACK TO an open savepoint, but not after a deadlock or a serialization failure, which
 * only a new transaction can mend. A connection lost while COMMIT (or an autocommit statement) was on its way leaves the
 * outcome unknown; lost at any other time, the server rolls back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatabaseError,
  ForeignSession,
  beginText,
  bindLastRead,
  decodeObservations,
  isQuery,
  namesNeeded,
  stopAfter,
  toldAfter,
  withTold,
} from '../../core/index.ts';
import type {
  Capture,
  ClassifiedError,
  Connection,
  Dialect,
  DialectLevel,
  ErrorClass,
  InvokeEvent,
  OkEvent,
  ProbedStatement,
  ProbedTxn,
  SendForm,
  SentKind,
  Statement,
  Stop,
  Told,
  TxnOutcome,
} from '../../core/index.ts';
import { opened } from './bounded.ts';
import { OPEN_MS } from './limits.ts';
import { exchangeOf } from './exchange.ts';
import type { Texts } from './exchange.ts';
import { observed } from './observed.ts';
import { PreparedNames } from './prepared-names.ts';
import type { Reply } from './observed.ts';
import { mayReadAgain, readAgain, settled } from './read-again.ts';
import type { Recorder } from './recorder.ts';
import type { RoundObjects } from './round-setup.ts';
import { extrasOf, readsOf, sentKind } from './sent-statement.ts';

/** Waits before each attempt to connect again. */
const RECONNECT_MS: readonly number[] = [100, 300, 600];

/** Errors that the query behind an autocommit write may have, which reads what it captured: then the write has committed. */
const MAY_BE_LATER: ReadonlySet<ErrorClass> = new Set(['lock timeout', 'statement timeout', 'other']);

/** After these an application runs its transaction again. */
const RETRIED: ReadonlySet<ErrorClass> = new Set(['deadlock', 'serialization']);

export interface SessionSetup {
  readonly number: number;
  readonly endpoint: number;
  readonly url: string;
  readonly namespace: string;
  readonly dialect: Dialect;
  /** The session's own, and that of transactions that name none. */
  readonly level: DialectLevel;
  /** Where transactions name levels of their own. */
  readonly levelOf?: (txn: ProbedTxn) => DialectLevel;
  readonly statementTimeoutMs: number;
  /** A schedule must repeat: no race between its pace and the server's deadlock timer. */
  readonly eagerDeadlocks?: boolean;
  /** Reads wait for what was committed elsewhere before. */
  readonly synchronised?: boolean;
  readonly recorder: Recorder;
  readonly plan: readonly ProbedTxn[];
  /** How it sends the plan's queries and writes; absent: as text. */
  readonly send?: SendForm;
  /** The plan's statements hold LAST_READ. */
  readonly binds?: true;
  readonly objects?: RoundObjects;
  /** The closing read-back: its queries are recorded as `final`. */
  readonly final?: true;
}

type Sent<T> = { readonly ok: T; readonly failed?: undefined } | { readonly failed: ClassifiedError };

export class Session {
  readonly setup: SessionSetup;
  /** Why the session cannot go on; its remaining transactions are not sent. */
  lost: string | undefined;
  /** Set by the schedule while the statement in flight waits for a lock. */
  waited = false;
  /** The last step may have let other sessions go on: it ended a transaction, failed, or rolled back to a savepoint. */
  released = false;
  /** Invocation of the statement in flight on the record's clock; undefined between statements. */
  inFlightSince: number | undefined;
  /** The level in force as the server named it -> in how many transactions. */
  readonly inForce: Record<string, number> = {};
  /** Outcome of the last transaction that ended. */
  outcome: TxnOutcome | undefined;
  /** Statements that failed. */
  failures = 0;
  /** Printed before the first BEGIN: between two replies nobody should wait for it. */
  private readonly texts: ReadonlyMap<Statement, Texts>;
  private connection: Connection;
  private stopping = false;
  /** Why the server is not asked for another connection. */
  private silent: string | undefined;
  private next = 0;
  /** The open transaction. */
  private txn: ProbedTxn | undefined;
  private position = 0;
  private sent = 0;
  private savepoints: string[] = [];
  /** It has read without a lock: whatever a plain read opens is open. */
  private snapshot = false;
  /** The last value of the last row that a query returned. */
  private lastRead: string | null = null;
  /** What the open transaction has read into names. */
  private told: Told = new Map();
  /** The last error of the open transaction. */
  private refusal: ErrorClass | undefined;
  /** Transactions that need no other attempt. */
  private readonly settled = new Set<number>();
  /** It ends so, whatever its plan says. */
  private early: Stop['end'] | undefined;
  /** What the connection has prepared; absent: its statements go otherwise. */
  private prepared: PreparedNames | undefined;
  /** The connection's variable of captures holds nothing. */
  private emptied = false;

  private constructor(setup: SessionSetup, texts: ReadonlyMap<Statement, Texts>, connection: Connection) {
    this.setup = setup;
    this.texts = texts;
    this.connection = connection;
    this.prepared = preparedIn(setup);
  }

  static async open(setup: SessionSetup): Promise<Session> {
    const texts = printedAhead(setup);
    return new Session(setup, texts, await connected(setup));
  }

  get backend(): string {
    return this.connection.backend;
  }

  get done(): boolean {
    return this.lost !== undefined || (this.txn === undefined && this.next >= this.setup.plan.length);
  }

  get betweenTransactions(): boolean {
    return this.txn === undefined;
  }

  /** Steps of the plan not sent yet, if nothing fails. */
  stepsLeft(): number {
    if (this.lost !== undefined) return 0;
    let steps = this.txn === undefined ? 0 : this.txn.statements.length - this.position + 1;
    for (let i = this.next; i < this.setup.plan.length; i++) steps += stepsOf(this.setup.plan[i]!);
    return steps;
  }

  /** Sends the next step and records its reply. Rejects only for what must end the round. */
  async step(): Promise<void> {
    this.released = false;
    const txn = this.txn;
    if (txn === undefined) return this.start();
    const statement = txn.statements[this.position];
    if (statement === undefined) return (this.early ?? txn.end) === 'commit' ? this.commit(txn) : this.rollback(txn);
    this.position++;
    await this.statement(txn, statement);
  }

  /** Rolls the open transaction back, if there is one, and sends nothing more. */
  async giveUp(): Promise<void> {
    this.stopping = true;
    if (this.txn !== undefined && this.lost === undefined) await this.rollback(this.txn);
    this.lost ??= 'stopped';
  }

  /** No reconnecting from now on. */
  stop(): void {
    this.stopping = true;
  }

  /** Drops the socket: a statement in flight fails with a connection error. A session at rest is closed in order instead. */
  drop(): void {
    if (this.txn !== undefined) this.connection.destroy();
  }

  /** Drops the socket of a server that says nothing; it is not asked again. */
  dropSilent(afterMs: number): void {
    this.silent = `no reply within ${Math.round(afterMs / 1000)} s`;
    this.drop();
  }

  async close(): Promise<void> {
    try {
      await this.connection.end();
    } catch {
      this.connection.destroy();
    }
  }

  private async start(): Promise<void> {
    const txn = this.setup.plan[this.next++];
    if (txn === undefined) return;
    this.txn = txn;
    this.position = 0;
    this.sent = 0;
    this.savepoints = [];
    this.snapshot = false;
    this.told = new Map();
    this.early = undefined;
    this.refusal = undefined;
    if (txn.autocommit) {
      this.position = 1;
      const statement = txn.statements[0];
      if (statement === undefined) return this.ended('committed');
      return this.statement(txn, statement);
    }
    await this.begin(txn);
  }

  private async begin(txn: ProbedTxn): Promise<void> {
    const { endpoint, number } = this.setup;
    const level = this.levelOf(txn);
    const words = txn.begin && this.setup.dialect.capabilities.begins?.[txn.begin];
    const sql = beginText(this.connection.beginSql(level, words));
    const extras = { endpoint, ...this.ownLevel(txn, level) };
    const reply = await this.exchange(txn, 'begin', sql, extras, () => this.connection.begin(level, words));
    if (reply.failed) return reply.failed.scope === 'connection' ? this.afterFailure(txn, reply.failed, false) : this.rollback(txn);
    const inForce = reply.ok.inForce.toLowerCase();
    if (reply.ok.foreign !== undefined) {
      this.connection.destroy();
      this.ended('aborted');
      throw new ForeignSession(
        `session ${number}: a transaction ran in ${reply.ok.foreign}: refused, as nothing that such sessions show can be relied on; ` +
          'expected a session of the server for each connection; connect to the server directly, or to a pooler whose pool_mode is session',
      );
    }
    this.replied(txn, { level: inForce, backend: this.connection.backend });
    this.inForce[inForce] = (this.inForce[inForce] ?? 0) + 1;
    this.snapshot = txn.begin === 'consistent snapshot' && words !== undefined;
    if (inForce === level.inForce) return;
    this.connection.destroy();
    this.ended('aborted');
    throw new DatabaseError(
      `session ${number}: the level in force is '${inForce}', asked for '${level.inForce}': refused; a proxy, a pooler or a server setting overrides it`,
      { sql, session: number },
    );
  }

  private async statement(txn: ProbedTxn, planned: ProbedStatement): Promise<void> {
    const { dialect, final, objects } = this.setup;
    const { probe, before, announced } = planned;
    const statement = this.bound(planned.statement);
    let probed: string[] | undefined;
    if (before !== undefined) {
      const reply = await this.query(txn, 'probe', this.text(this.bound(before.statement)), readsOf(before.probe));
      if (reply.failed) return this.afterFailure(txn, reply.failed, txn.autocommit);
      probed = decodeObservations(before.probe, reply.ok).triples;
      this.replied(txn, { rows: reply.ok.affected });
    }
    const announcement = announced === undefined ? undefined : dialect.capabilities.announces!(announced);
    const together = txn.autocommit && dialect.capabilities.announcesTogether === true ? announcement : undefined;
    if (announcement !== undefined && together === undefined) {
      const sql = announcement;
      const reply = await this.query(txn, 'probe', { sent: sql, shown: sql }, { reads: 'exact' });
      if (reply.failed) return this.afterFailure(txn, reply.failed, txn.autocommit);
      this.replied(txn, {});
    }
    const kind = final ? 'final' : sentKind(statement);
    const capture = probe.captured && probe.captured.silent !== true ? dialect.capabilities.capture : undefined;
    const op = objects?.operationOf(statement);
    const extras = { ...extrasOf(planned, txn), ...(op && { op }) };
    const send = 'name' in statement || together !== undefined ? undefined : this.setup.send;
    const reply = await this.query(txn, kind, behind(together, this.text(statement)), extras, { capture, send });
    if (reply.failed)
      return txn.autocommit && capture !== undefined && MAY_BE_LATER.has(reply.failed.class)
        ? this.ended('unknown')
        : this.afterFailure(txn, reply.failed, txn.autocommit);
    const { event, inconclusive } = observed(statement, probe, reply.ok, probed);
    if (inconclusive !== undefined && !txn.autocommit && mayReadAgain(this.levelOf(txn).level, this.snapshot)) {
      if (!(await this.settle(txn, planned, event, inconclusive.triples))) return;
    } else this.replied(txn, event);
    if (isQuery(statement)) this.lastRead = event.result?.at(-1)?.at(-1) ?? null;
    this.hear(txn, planned.original, event);
    // A query that locks need not have opened a snapshot.
    if (!this.snapshot && isQuery(statement) && planned.locks === undefined) this.snapshot = true;
    if (statement.kind === 'savepoint') this.savepoints.push(statement.name);
    else if (statement.kind === 'rollbackTo' || statement.kind === 'release') this.unwind(statement);
    if (txn.autocommit) this.ended('committed');
  }

  private levelOf(txn: ProbedTxn): DialectLevel {
    return this.setup.levelOf?.(txn) ?? this.setup.level;
  }

  /** What the record says of a transaction that does not run at the round's level: the definition that it is judged by. */
  private ownLevel({ level: own }: ProbedTxn, { level, beside }: DialectLevel): Pick<InvokeEvent, 'level'> {
    const named = beside?.definition ?? level;
    return own === undefined || named === this.setup.level.level ? {} : { level: named };
  }

  private text(statement: Statement): Texts {
    return this.texts.get(statement) ?? textsOf(statement, this.setup);
  }

  /** As it is sent: what a compare-and-set expects, and what is computed of a value that was read, is known only now. */
  private bound(statement: Statement): Statement {
    if (this.setup.binds === true) return bindLastRead(statement, this.lastRead === null ? null : Number(this.lastRead));
    return this.texts.has(statement) ? statement : withTold(statement, this.told);
  }

  /** Names get the values that it returned, and the transaction ends early where it says so. */
  private hear(txn: ProbedTxn, original: Statement, { result, incomplete }: Partial<OkEvent>): void {
    if (original.into !== undefined && result === undefined)
      throw new DatabaseError(`session ${this.setup.number}: what was read INTO :${original.into.join(', :')} is not shown: ${incomplete}`);
    this.told = toldAfter(this.told, original, result ?? []);
    this.early = stopAfter(original, this.told);
    if (this.early !== undefined) this.position = txn.statements.length;
  }

  /** The reply waits for what the rows in doubt look like now; false if the transaction did not live to see it. */
  private async settle(txn: ProbedTxn, { probe }: ProbedStatement, event: Partial<OkEvent>, triples: readonly string[]): Promise<boolean> {
    const n = this.sent - 1;
    const again = readAgain(triples);
    const at = this.setup.recorder.now();
    const waited = this.waited;
    const reply = await this.query(txn, 'probe', this.text(again.statement), {});
    if (reply.failed) {
      this.replied(txn, event, { n, at, waited });
      await this.afterFailure(txn, reply.failed, false);
      return false;
    }
    this.replied(txn, { rows: reply.ok.affected });
    const found = settled(probe, event.rows ?? 0, triples, decodeObservations(again.probe, reply.ok).triples);
    const { incomplete: _, ...whole } = event;
    this.replied(txn, found === undefined ? event : { ...whole, ...found }, { n, at, waited });
    return true;
  }

  private unwind({ kind, name }: Extract<Statement, { kind: 'rollbackTo' | 'release' }>): void {
    const at = this.savepoints.lastIndexOf(name);
    if (at >= 0) this.savepoints.length = kind === 'release' ? at : at + 1;
    if (kind === 'rollbackTo') this.released = true;
  }

  private async commit(txn: ProbedTxn): Promise<void> {
    const reply = await this.exchange(txn, 'commit', 'COMMIT', {}, () => this.connection.commit());
    if (reply.failed) return this.afterFailure(txn, reply.failed, true);
    this.replied(txn, reply.ok);
    this.ended(reply.ok.tag === 'rollback' ? 'aborted' : 'committed');
  }

  private async rollback(txn: ProbedTxn): Promise<void> {
    const reply = await this.exchange(txn, 'rollback', 'ROLLBACK', {}, () => this.connection.rollback());
    if (!reply.failed) this.replied(txn, {});
    this.ended('aborted');
    // A session whose ROLLBACK failed is in a state that nobody knows.
    if (reply.failed) await this.reconnect(reply.failed.message);
  }

  /** `deciding`: the statement that failed was the one whose success commits. */
  private async afterFailure(txn: ProbedTxn, error: ClassifiedError, deciding: boolean): Promise<void> {
    this.released = true;
    if (error.scope === 'connection') {
      this.ended(deciding ? 'unknown' : 'aborted');
      return this.reconnect(error.message);
    }
    if (deciding && error.class === 'ambiguous commit') {
      this.ended('unknown');
      return this.reconnect(error.message);
    }
    if (txn.autocommit) return this.ended('aborted');
    if (deciding) return this.rollback(txn);
    if (error.scope === 'statement') return;
    const recovery = this.recovery(txn, error);
    if (recovery < 0) return this.rollback(txn);
    this.position = recovery;
  }

  /** Where the plan can go on after a failure: its next ROLLBACK TO an open savepoint, or -1. */
  private recovery(txn: ProbedTxn, error: ClassifiedError): number {
    if (!this.setup.dialect.capabilities.savepointsRecover || error.class === 'deadlock' || error.class === 'serialization') return -1;
    for (let i = this.position; i < txn.statements.length; i++) {
      const { statement } = txn.statements[i]!;
      if (statement.kind === 'rollbackTo' && this.savepoints.includes(statement.name)) return i;
    }
    return -1;
  }

  private ended(outcome: TxnOutcome): void {
    const { recorder, number } = this.setup;
    recorder.add({ e: 'end', s: number, t: this.txn!.id, at: recorder.now(), outcome });
    this.outcome = outcome;
    if (outcome !== 'aborted' || this.refusal === undefined || !RETRIED.has(this.refusal)) this.settled.add(this.txn!.id);
    this.txn = undefined;
    this.released = true;
    this.passOver();
  }

  /** Attempts that are not needed any more. */
  private passOver(): void {
    for (
      let txn = this.setup.plan[this.next];
      txn?.retryOf !== undefined && this.settled.has(txn.retryOf);
      txn = this.setup.plan[this.next]
    ) {
      this.settled.add(txn.id);
      this.next++;
    }
  }

  private async query(
    txn: ProbedTxn,
    kind: SentKind,
    texts: Texts,
    extras: Partial<InvokeEvent>,
    { capture, send }: { readonly capture?: Capture | undefined; readonly send?: SendForm | undefined } = {},
  ): Promise<Sent<Reply>> {
    const named = send === 'prepared by text' ? this.prepared?.of(texts.sent) : undefined;
    const ways = { capture, emptied: this.emptied, named, protocol: send === 'prepared by protocol' };
    const { shown, send: sending } = exchangeOf(texts, this.connection, ways);
    const reply = await this.exchange(txn, kind, shown, extras, sending);
    named?.done(reply.failed === undefined);
    if (capture !== undefined) this.emptied = capture.empties === true && reply.failed === undefined;
    return reply;
  }

  /** One statement and its reply or its error; an error is recorded here, a reply by `replied`, once it is read. */
  private async exchange<T>(
    txn: ProbedTxn,
    k: SentKind,
    sql: string,
    extras: Partial<InvokeEvent>,
    send: () => Promise<T>,
  ): Promise<Sent<T>> {
    const { recorder, number, dialect } = this.setup;
    const n = this.sent++;
    const at = recorder.now();
    this.waited = false;
    await recorder.announced({ e: 'invoke', s: number, t: txn.id, n, k, at, sql, ...extras });
    this.inFlightSince = at;
    try {
      return { ok: await send() };
    } catch (error) {
      const failed = dialect.classifyError(error);
      this.failures++;
      this.refusal = failed.class;
      // A deadlock's victim has waited, however short the wait was for us to see it.
      this.waited ||= failed.class === 'deadlock';
      recorder.add({ e: 'fail', s: number, t: txn.id, n, at: recorder.now(), ...failed, ...(this.waited && { blocked: true }) });
      return { failed };
    } finally {
      this.inFlightSince = undefined;
    }
  }

  private replied(
    txn: ProbedTxn,
    reply: Partial<OkEvent>,
    { n, at, waited } = { n: this.sent - 1, at: this.setup.recorder.now(), waited: this.waited },
  ): void {
    const { recorder, number } = this.setup;
    recorder.add({ e: 'ok', s: number, t: txn.id, n, at, ...reply, ...(waited && { blocked: true }) });
  }

  private async reconnect(why: string): Promise<void> {
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

function behind(announcement: string | undefined, { sent, shown }: Texts): Texts {
  return announcement === undefined ? { sent, shown } : { sent: `${announcement}; ${sent}`, shown: `${announcement}; ${shown}` };
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

/** Of a plan's statements those that are sent as they are. */
function printedAhead(setup: SessionSetup): ReadonlyMap<Statement, Texts> {
  const { plan, binds } = setup;
  if (binds === true) return new Map();
  const all = plan.flatMap(({ statements }) =>
    statements.flatMap(({ before, statement }) => (before === undefined ? [statement] : [before.statement, statement])),
  );
  return new Map(all.filter((each) => namesNeeded(each).length === 0).map((statement) => [statement, textsOf(statement, setup)]));
}

function textsOf(statement: Statement, { dialect, namespace }: SessionSetup): Texts {
  return { shown: dialect.print(statement), sent: dialect.print(statement, namespace) };
}

function stepsOf(txn: ProbedTxn): number {
  return txn.autocommit ? 1 : txn.statements.length + 2;
}
