/**
 * The statements and ends of an arena's transactions, each on its session: what came back, what the protocol says of the
 * transaction beside it, and the rollback that follows an error as an application's would.
 */
import { DatabaseError, UsageError } from '../../core/index.ts';
import type { BeginForm, Connection, Dialect, DialectLevel, QueryResult, SendForm, TransactionStatus } from '../../core/index.ts';
import type { Reply } from './arena.ts';
import { expectedAfter, strayOf } from './oracles/transaction-state.ts';
import { Sender } from './sender.ts';

/** Errors after which a program rolls back as an application would, whatever the server left of the transaction. */
const GIVES_UP: ReadonlySet<string> = new Set(['deadlock', 'serialization', 'lock timeout', 'statement timeout', 'aborted transaction']);

type Where = 'within' | 'undone' | 'at its end' | 'alone';

interface Place {
  /** It opens its transaction. */
  readonly first: boolean;
  readonly undone: boolean;
  readonly begin: BeginForm | undefined;
  readonly form: SendForm | undefined;
}

interface TransactionSetup {
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  /** Ask inside each transaction, not in a session's first one only, which level is in force. */
  readonly checkLevel?: boolean;
}

export class ArenaTransactions {
  private readonly setup: TransactionSetup;
  private readonly sender: Sender;
  /** Sessions that have been asked once inside a transaction which level is in force. */
  private readonly asked = new WeakSet<Connection>();

  constructor(setup: TransactionSetup) {
    this.setup = setup;
    this.sender = new Sender(setup.dialect);
  }

  /** A statement of a transaction of several. */
  async within(connection: Connection, sql: string, { first, undone, begin, form }: Place): Promise<Reply> {
    try {
      const { rows, affected } = await (first ? this.begun(connection, sql, begin, form) : this.sender.send(connection, sql, form));
      return this.checked(connection, { rows, affected }, 'inside');
    } catch (error) {
      return this.failed(connection, error, undone ? 'undone' : 'within');
    }
  }

  /** A transaction of one statement, at the session's level, which was asked for when it was opened. */
  async alone(connection: Connection, sql: string, form: SendForm | undefined): Promise<Reply> {
    try {
      const { rows, affected } = await this.sender.send(connection, sql, form);
      return this.checked(connection, { rows, affected, ended: 'committed' }, 'outside');
    } catch (error) {
      return { ...(await this.failed(connection, error, 'alone')), ended: 'aborted' };
    }
  }

  private async begun(connection: Connection, sql: string, begin: BeginForm | undefined, form: SendForm | undefined): Promise<QueryResult> {
    const words = begin && this.setup.dialect.capabilities.begins?.[begin];
    if (form === undefined && connection.beginWith !== undefined && !this.setup.checkLevel && this.asked.has(connection))
      return connection.beginWith(sql, words);
    this.asked.add(connection);
    const { level } = this.setup;
    const { inForce, foreign } = await connection.begin(level, words);
    if (foreign !== undefined)
      throw new UsageError(`a transaction of ours ran in ${foreign}: expected a session of the server for each connection`);
    if (inForce !== level.inForce)
      throw new UsageError(
        `the server runs a transaction at '${inForce}'; expected '${level.inForce}': a proxy or a server setting overrides it`,
      );
    return this.sender.send(connection, sql, form);
  }

  /** The end of a transaction. */
  async end(connection: Connection, end: 'commit' | 'rollback'): Promise<Reply> {
    try {
      if (end === 'rollback') await connection.rollback();
      const committed = end === 'commit' && (await connection.commit()).tag === 'commit';
      return this.checked(connection, { rows: [], affected: 0, ended: committed ? 'committed' : 'aborted' }, 'outside');
    } catch (error) {
      return { ...(await this.failed(connection, error, 'at its end')), ended: 'aborted' };
    }
  }

  /** What the protocol contradicts: nobody knows what became of the transaction, so it is over. */
  private async checked(connection: Connection, reply: Reply, expected: TransactionStatus): Promise<Reply> {
    const stray = strayOf(expected, connection.transactionStatus?.());
    if (stray === undefined) return reply;
    await connection.rollback();
    return { ...reply, ended: 'aborted', stray };
  }

  /**
   * Rolled back within the step: nobody steps between an error and its rollback. `at its end`: of a COMMIT that fails the
   * statement alone may be undone, and nothing comes after it that would end the transaction. `undone`: the next step goes back
   * to a savepoint, so that the transaction need not end with the statement. `alone`: there is no transaction but the statement's own.
   */
  private async failed(connection: Connection, error: unknown, where: Where = 'within'): Promise<Reply> {
    if (error instanceof UsageError) throw error;
    const { class: errorClass, code, scope, message, saidToSucceed } = this.setup.dialect.classifyError(error);
    if (scope === 'connection' || errorClass === 'ambiguous commit')
      throw new DatabaseError(`the server was lost while a program ran: ${message}`, { cause: error });
    if (errorClass === 'permission') throw new DatabaseError(`the server refuses a statement: ${message}`, { cause: error });
    const expected = where === 'within' || where === 'undone' ? expectedAfter(errorClass, this.setup.dialect) : undefined;
    const stray = saidToSucceed ? message : strayOf(expected, connection.transactionStatus?.());
    const recovers = where === 'undone' && this.setup.dialect.capabilities.savepointsRecover === true;
    const over = where === 'at its end' || (scope === 'transaction' && !recovers) || stray !== undefined || GIVES_UP.has(errorClass);
    if (over) await connection.rollback();
    return {
      rows: [],
      affected: 0,
      error: { class: errorClass, code, message },
      ...(over && { ended: 'aborted' }),
      ...(stray !== undefined && { stray }),
    };
  }
}
