/**
 * Sends the statements and ends of a program's transactions, each on its session. The result is the reply with the
 * transaction status that the protocol reports. A rollback follows an error, as an application would send it.
 */
import { DatabaseError, UsageError } from '../../core/index.ts';
import type { BeginForm, ClassifiedError, Dialect, DialectLevel, SendForm, TransactionStatus } from '../../core/index.ts';
import { APPLICATION_GIVES_UP, afterError, isWrongSession, mismatchText } from '../execute/index.ts';
import type { ServerSession } from '../execute/index.ts';
import type { Reply } from './arena.ts';

type Where = 'within' | 'undone' | 'at its end' | 'alone';

interface Place {
  /** The statement opens its transaction. */
  readonly first: boolean;
  readonly undone: boolean;
  readonly begin: BeginForm | undefined;
  readonly form: SendForm | undefined;
}

interface TransactionSetup {
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  /** The level in force is checked in each transaction, not only in a session's first one. */
  readonly checkLevel?: boolean;
}

export class ProgramTransactions {
  private readonly setup: TransactionSetup;

  constructor(setup: TransactionSetup) {
    this.setup = setup;
  }

  /** Sends one statement of a longer transaction. */
  async within(session: ServerSession, sql: string, { first, undone, begin, form }: Place): Promise<Reply> {
    const { dialect, level, checkLevel = false } = this.setup;
    try {
      const words = begin && dialect.capabilities.begins?.[begin];
      const { rows, affected } = await (first
        ? session.openBy(sql, { level, words, form, everyTime: checkLevel })
        : session.send(sql, form));
      return this.checked(session, { rows, affected }, 'inside');
    } catch (error) {
      return this.failed(session, error, undone ? 'undone' : 'within');
    }
  }

  /** Sends a transaction of one statement, at the session's level, which was checked when the session was opened. */
  async alone(session: ServerSession, sql: string, form: SendForm | undefined): Promise<Reply> {
    try {
      const { rows, affected } = await session.send(sql, form);
      return this.checked(session, { rows, affected, ended: 'committed' }, 'outside');
    } catch (error) {
      return { ...(await this.failed(session, error, 'alone')), ended: 'aborted' };
    }
  }

  /** Ends a transaction. */
  async end(session: ServerSession, end: 'commit' | 'rollback'): Promise<Reply> {
    try {
      return this.checked(session, { rows: [], affected: 0, ended: await session.end(end) }, 'outside');
    } catch (error) {
      return { ...(await this.failed(session, error, 'at its end')), ended: 'aborted' };
    }
  }

  /** If the protocol contradicts a reply, the transaction's outcome is unknown, so it is over. */
  private async checked(session: ServerSession, reply: Reply, expected: TransactionStatus): Promise<Reply> {
    const mismatch = session.mismatch(expected);
    if (mismatch === undefined) return reply;
    await session.end('rollback');
    return { ...reply, ended: 'aborted', mismatch: mismatchText(mismatch) };
  }

  /**
   * Rolls back within the step, so that no other step comes between an error and its rollback. `at its end`: a COMMIT
   * failed. The server may undo that statement alone, and nothing after it would end the transaction. `undone`: the next
   * step goes back to a savepoint, so the transaction need not end. `alone`: the statement is its own transaction.
   */
  private async failed(session: ServerSession, error: unknown, where: Where): Promise<Reply> {
    if (error instanceof UsageError || isWrongSession(error)) throw error;
    const { dialect } = this.setup;
    const classified = dialect.classifyError(error);
    const { class: errorClass, code, message } = classified;
    const place = where === 'at its end' || where === 'alone' ? 'commits' : 'inside';
    const left = afterError(classified, { place, maySave: where === 'undone', givesUpAfter: APPLICATION_GIVES_UP }, dialect.capabilities);
    if (left === 'session lost' || left === 'outcome unknown')
      throw new DatabaseError(`the server was lost while a program ran: ${message}`, { cause: error });
    if (errorClass === 'permission') throw new DatabaseError(`the server refuses a statement: ${message}`, { cause: error });
    const mismatch = contradiction(session, classified, where);
    const over = left === 'transaction over' || mismatch !== undefined;
    // A statement that was its own transaction leaves nothing to roll back, if the protocol agrees.
    if (over && (where !== 'alone' || mismatch !== undefined)) await session.end('rollback');
    return {
      rows: [],
      affected: 0,
      error: { class: errorClass, code, message },
      ...(over && { ended: 'aborted' }),
      ...(mismatch !== undefined && { mismatch }),
    };
  }
}

/** Returns what contradicts the error, in words. A server that said OK and rolled back contradicts itself. */
function contradiction(session: ServerSession, error: ClassifiedError, where: Where): string | undefined {
  if (error.saidToSucceed === true) return error.message;
  const mismatch = where === 'at its end' ? undefined : session.mismatchAfter(error, where === 'alone' ? 'autocommit' : 'inside');
  return mismatch && mismatchText(mismatch);
}
