/**
 * One session: a connection and the transactions that it runs in order, one step at a time (BEGIN, a statement, COMMIT or
 * ROLLBACK). Every exchange with the server is recorded.
 *
 * After a failure that ended the transaction, the rest of its plan is not sent. Where savepoints recover (PostgreSQL),
 * the plan goes on at its next ROLLBACK TO an open savepoint. After a deadlock or a serialization failure it does not,
 * because only a new transaction can succeed. If the connection is lost while a COMMIT or an autocommit statement is in
 * flight, the outcome is unknown. If it is lost at any other time, the server rolls back.
 */
import {
  DatabaseError,
  beginText,
  bindLastRead,
  decodeObservations,
  isQuery,
  isRowless,
  stopAfter,
  bindAnswer,
  withBindings,
} from '../../core/index.ts';
import type {
  ClassifiedError,
  DialectLevel,
  ErrorClass,
  InvokeEvent,
  OkEvent,
  ProbedStatement,
  ProbedTxn,
  Statement,
  StatusMismatch,
  Stop,
  Bindings,
  TxnOutcome,
} from '../../core/index.ts';
import { afterError } from './after-error.ts';
import { expectLevel } from './checked-begin.ts';
import type { Texts } from './exchange.ts';
import { observed } from './observed.ts';
import { PlanCursor } from './plan-cursor.ts';
import { PlanTexts } from './plan-texts.ts';
import { mayReadAgain, readAgain, settled } from './read-again.ts';
import { RecordedConnection } from './recorded-connection.ts';
import { extrasOf, readsOf, sentKind } from './sent-statement.ts';
import type { SessionSetup } from './session-setup.ts';
import { mismatchText } from './transaction-status.ts';

/** Error classes that the query behind an autocommit write may have. That query only reads the capture, so the write may have committed. */
const MAY_BE_LATER: ReadonlySet<ErrorClass> = new Set(['lock timeout', 'statement timeout', 'other']);

export class Session {
  readonly setup: SessionSetup;
  /** The last step may have let other sessions go on: it ended a transaction, failed, or rolled back to a savepoint. */
  released = false;
  /** Number of transactions by the level in force, as the server named it. */
  readonly inForce: Record<string, number> = {};
  /** Outcome of the last transaction that ended. */
  outcome: TxnOutcome | undefined;
  private readonly texts: PlanTexts;
  private readonly line: RecordedConnection;
  private readonly plan: PlanCursor;
  /** The transaction has read without a lock, so a plain read opens no further snapshot. */
  private snapshot = false;
  /** The last value of the last row that a query returned. */
  private lastRead: string | null = null;
  /** The values that the open transaction has read into names. */
  private bindings: Bindings = new Map();
  /** The open transaction ends so, whatever its plan says. */
  private early: Stop['end'] | undefined;

  private constructor(setup: SessionSetup, texts: PlanTexts, line: RecordedConnection) {
    this.setup = setup;
    this.texts = texts;
    this.line = line;
    this.plan = new PlanCursor(setup.plan);
  }

  static async open(setup: SessionSetup): Promise<Session> {
    const texts = new PlanTexts(setup);
    return new Session(setup, texts, await RecordedConnection.open(setup));
  }

  get endpoint(): number {
    return this.setup.endpoint;
  }

  get backend(): string {
    return this.line.current.backend;
  }

  get statementsSent(): number {
    return this.line.exchanges;
  }

  /** The reason why the session cannot go on. Its remaining transactions are not sent. */
  get lost(): string | undefined {
    return this.line.lost;
  }

  /** Number of statements that failed. */
  get failures(): number {
    return this.line.failures;
  }

  /** Time of the invocation in flight on the record's clock; undefined between statements. */
  get inFlightSince(): number | undefined {
    return this.line.inFlightSince;
  }

  get done(): boolean {
    return this.lost !== undefined || this.plan.done;
  }

  get betweenTransactions(): boolean {
    return this.plan.txn === undefined;
  }

  /** Returns the number of steps not sent yet, if nothing fails. */
  stepsLeft(): number {
    return this.lost === undefined ? this.plan.stepsLeft() : 0;
  }

  /** Notes that the statement in flight waits for a lock. The schedule calls it. */
  waits(): void {
    this.line.waited = true;
  }

  /** Sends the next step and records its reply. The promise rejects only with errors that must end the round. */
  async step(): Promise<void> {
    this.released = false;
    await this.next();
    if (this.line.mismatch !== undefined) await this.abandon(this.line.mismatch);
  }

  /** Rolls back the open transaction, if there is one, and sends nothing more. */
  async end(_by: 'rollback'): Promise<void> {
    this.line.stop();
    if (!this.betweenTransactions && this.lost === undefined) await this.rollback();
    this.line.lost ??= 'stopped';
  }

  /** Stops reconnecting. */
  stop(): void {
    this.line.stop();
  }

  /** Drops the socket, so that a statement in flight fails with a connection error. A session at rest is closed in order instead. */
  drop(): void {
    if (!this.betweenTransactions) this.line.destroy();
  }

  /** Drops the socket of a silent server, which is not asked again. */
  dropSilent(afterMs: number): void {
    this.line.silenced(afterMs);
    this.drop();
  }

  close(): Promise<void> {
    return this.line.close();
  }

  private async next(): Promise<void> {
    const { txn } = this.plan;
    if (txn === undefined) return this.start();
    const statement = this.plan.advance();
    if (statement === undefined) return (this.early ?? txn.end) === 'commit' ? this.commit(txn) : this.rollback();
    await this.statement(txn, statement);
  }

  private async start(): Promise<void> {
    const txn = this.plan.enter();
    if (txn === undefined) return;
    this.line.enter(txn);
    this.snapshot = false;
    this.bindings = new Map();
    this.early = undefined;
    if (!txn.autocommit) return this.begin(txn);
    const statement = this.plan.advance();
    return statement === undefined ? this.ended('committed') : this.statement(txn, statement);
  }

  private async begin(txn: ProbedTxn): Promise<void> {
    const { endpoint, number } = this.setup;
    const connection = this.line.current;
    const level = this.levelOf(txn);
    const words = txn.begin && this.setup.dialect.capabilities.begins?.[txn.begin];
    const sql = beginText(connection.beginSql(level, words));
    const extras = { endpoint, ...this.ownLevel(txn, level) };
    const reply = await this.line.exchange('begin', sql, extras, () => connection.begin(level, words));
    if (reply.failed) return reply.failed.scope === 'connection' ? this.afterFailure(txn, reply.failed, false) : this.rollback();
    const inForce = reply.ok.inForce.toLowerCase();
    if (reply.ok.foreign === undefined) this.line.replied({ level: inForce, backend: this.backend });
    try {
      expectLevel(reply.ok, level, `session ${number}`);
    } catch (error) {
      this.line.destroy();
      this.ended('aborted');
      throw error;
    }
    this.inForce[inForce] = (this.inForce[inForce] ?? 0) + 1;
    this.snapshot = txn.begin === 'consistent snapshot' && words !== undefined;
  }

  private async statement(txn: ProbedTxn, planned: ProbedStatement): Promise<void> {
    const { dialect, final, objects } = this.setup;
    const { probe, before, announced } = planned;
    const statement = this.bound(planned.statement);
    let probed: string[] | undefined;
    if (before !== undefined) {
      const reply = await this.line.query('probe', this.texts.of(this.bound(before.statement)), readsOf(before.probe));
      if (reply.failed) return this.afterFailure(txn, reply.failed, txn.autocommit);
      probed = decodeObservations(before.probe, reply.ok).triples;
      this.line.replied({ rows: reply.ok.affected });
    }
    const announcement = announced === undefined ? undefined : dialect.capabilities.announces!(announced);
    const together = txn.autocommit && dialect.capabilities.announcesTogether === true ? announcement : undefined;
    if (announcement !== undefined && together === undefined) {
      const reply = await this.line.query('probe', { sent: announcement, shown: announcement }, { reads: 'exact' });
      if (reply.failed) return this.afterFailure(txn, reply.failed, txn.autocommit);
      this.line.replied({});
    }
    const kind = final ? 'final' : sentKind(statement);
    const capture = probe.captured && probe.captured.silent !== true ? dialect.capabilities.capture : undefined;
    const op = objects?.operationOf(statement);
    const extras = { ...extrasOf(planned, txn), ...(op && { op }) };
    const send = isRowless(statement) || together !== undefined ? undefined : this.setup.send;
    const reply = await this.line.query(kind, behind(together, this.texts.of(statement)), extras, { capture, send });
    if (reply.failed)
      return txn.autocommit && capture !== undefined && MAY_BE_LATER.has(reply.failed.class)
        ? this.ended('unknown')
        : this.afterFailure(txn, reply.failed, txn.autocommit);
    const { event, inconclusive } = observed(statement, probe, reply.ok, probed);
    if (inconclusive !== undefined && !txn.autocommit && mayReadAgain(this.levelOf(txn).level, this.snapshot)) {
      if (!(await this.settle(txn, planned, event, inconclusive.triples))) return;
    } else this.line.replied(event);
    if (isQuery(statement)) this.lastRead = event.result?.at(-1)?.at(-1) ?? null;
    this.hear(planned.original, event);
    // A locking query need not have opened a snapshot.
    if (!this.snapshot && isQuery(statement) && planned.locks === undefined) this.snapshot = true;
    this.plan.succeeded(statement);
    if (statement.kind === 'rollbackTo') this.released = true;
    if (txn.autocommit) this.ended('committed');
  }

  private levelOf(txn: ProbedTxn): DialectLevel {
    return this.setup.levelOf?.(txn) ?? this.setup.level;
  }

  /** Returns the level of a transaction that does not run at the round's level: the definition by which it is judged. */
  private ownLevel({ level: own }: ProbedTxn, { level, beside }: DialectLevel): Pick<InvokeEvent, 'level'> {
    const named = beside?.definition ?? level;
    return own === undefined || named === this.setup.level.level ? {} : { level: named };
  }

  /** Fills in the values that are known only now: the value that a compare-and-set expects, and values computed from earlier reads. */
  private bound(statement: Statement): Statement {
    if (this.setup.binds === true) return bindLastRead(statement, this.lastRead === null ? null : Number(this.lastRead));
    return this.texts.has(statement) ? statement : withBindings(statement, this.bindings);
  }

  /** Binds names to the values that the statement returned. The transaction ends early where the plan says so. */
  private hear(original: Statement, { result, rows, incomplete }: Partial<OkEvent>): void {
    if (original.into !== undefined && result === undefined)
      throw new DatabaseError(`session ${this.setup.number}: what was read INTO :${original.into.join(', :')} is not shown: ${incomplete}`);
    if (original.counted !== undefined && rows === undefined)
      throw new DatabaseError(`session ${this.setup.number}: how many rows :${original.counted} counts is not shown: ${incomplete}`);
    this.bindings = bindAnswer(this.bindings, original, result ?? [], rows);
    this.early = stopAfter(original, this.bindings);
    if (this.early !== undefined) this.plan.skipToEnd();
  }

  /** Reads the rows in doubt again before it records the reply. Returns false if the transaction ended before that. */
  private async settle(txn: ProbedTxn, { probe }: ProbedStatement, event: Partial<OkEvent>, triples: readonly string[]): Promise<boolean> {
    const first = this.line.exchanged();
    const again = readAgain(triples);
    const reply = await this.line.query('probe', this.texts.of(again.statement), {});
    if (reply.failed) {
      this.line.replied(event, first);
      await this.afterFailure(txn, reply.failed, false);
      return false;
    }
    this.line.replied({ rows: reply.ok.affected });
    const found = settled(probe, event.rows ?? 0, triples, decodeObservations(again.probe, reply.ok).triples);
    const { incomplete: _, ...whole } = event;
    this.line.replied(found === undefined ? event : { ...whole, ...found }, first);
    return true;
  }

  private async commit(txn: ProbedTxn): Promise<void> {
    const reply = await this.line.exchange('commit', 'COMMIT', {}, () => this.line.current.commit());
    if (reply.failed) return this.afterFailure(txn, reply.failed, true);
    this.line.replied(reply.ok);
    this.ended(reply.ok.tag === 'rollback' ? 'aborted' : 'committed');
  }

  private async rollback(): Promise<void> {
    const reply = await this.line.exchange('rollback', 'ROLLBACK', {}, () => this.line.current.rollback());
    if (!reply.failed) this.line.replied({});
    this.ended('aborted');
    // A session whose ROLLBACK failed is in an unknown state, so it connects anew.
    if (reply.failed) await this.line.reconnect(reply.failed.message);
  }

  /** `deciding`: the failed statement's success would have committed. */
  private async afterFailure(txn: ProbedTxn, error: ClassifiedError, deciding: boolean): Promise<void> {
    this.released = true;
    const { maySave } = this.plan;
    switch (afterError(error, { place: deciding ? 'commits' : 'inside', maySave }, this.setup.dialect.capabilities)) {
      case 'outcome unknown':
        this.ended('unknown');
        return this.line.reconnect(error.message);
      case 'session lost':
        this.ended('aborted');
        return this.line.reconnect(error.message);
      case 'transaction open':
        return txn.autocommit ? this.ended('aborted') : undefined;
      case 'transaction recovers':
        return this.plan.recover();
      case 'transaction over':
        return txn.autocommit ? this.ended('aborted') : this.rollback();
    }
  }

  /** The protocol contradicts a reply, so the transaction's outcome is unknown. The transaction ends here, on record. */
  private async abandon(mismatch: StatusMismatch): Promise<void> {
    this.released = true;
    if (!this.betweenTransactions) this.ended('unknown');
    await this.line.reconnect(mismatchText(mismatch));
  }

  private ended(reached: TxnOutcome): void {
    const { recorder, number } = this.setup;
    const outcome = this.line.mismatch === undefined ? reached : 'unknown';
    recorder.add({ e: 'end', s: number, t: this.plan.txn!.id, at: recorder.now(), outcome });
    this.outcome = outcome;
    this.plan.leave(outcome, this.line.refusal);
    this.released = true;
  }
}

function behind(announcement: string | undefined, { sent, shown }: Texts): Texts {
  return announcement === undefined ? { sent, shown } : { sent: `${announcement}; ${sent}`, shown: `${announcement}; ${shown}` };
}
