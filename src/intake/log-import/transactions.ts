/**
 * Splits the entries of a log into transactions: what a session sent from BEGIN to COMMIT, what it sent alone, and, in a
 * log without BEGIN, what ran within one virtual transaction. A transaction is complete when the session's next entry
 * shows that its last statement succeeded. Memory is bounded: one open transaction for each session, with a limit for
 * statements and sessions.
 */
import type { LogEntry, LogFormat, LoggedStatement } from '../../../core/index.ts';
import { splitterOf, type Piece, type Splitter } from './pieces.ts';
import { kindOf, levelIn, opening, type StatementKind } from './statement-kind.ts';

export interface LoggedTransaction {
  readonly database: string;
  /** SELECT, INSERT, UPDATE, DELETE and similar statements, and savepoints. */
  readonly statements: readonly (readonly Piece[])[];
  /** The transaction is one statement that was sent without BEGIN. */
  readonly alone: boolean;
  readonly rolledBack: boolean;
  /** The level that it asked for. */
  readonly level?: string;
  /** Omitted statements between its own, in words. */
  readonly aside: readonly string[];
  /** A further action, without which it would be another transaction. */
  readonly essential?: string;
  readonly times: number;
}

/** Numbers of transactions that are omitted, and of statements outside of transactions. */
export interface LeftOut {
  unread: number;
  cut: number;
  failed: number;
  unfinished: number;
  long: number;
  /** Number of statements, by keyword. */
  readonly others: Map<string, number>;
}

interface Open {
  statements: (readonly Piece[])[];
  pieces: number;
  readonly begun: boolean;
  readonly id?: string | undefined;
  level?: string | undefined;
  aside: string[];
  essential?: string;
  readonly times: number;
  bad?: 'cut' | 'failed' | 'long';
}

interface Session {
  database: string;
  autocommit: boolean;
  level?: string | undefined;
  open?: Open | undefined;
  /** The transaction has ended, unless the next entry says that it failed. */
  ended?: LoggedTransaction | undefined;
}

const MOST_SESSIONS = 20_000;
const MOST_STATEMENTS = 200;
/** Most pieces of a transaction: a list of thousands of values is no statement to explore. */
const MOST_PIECES = 20_000;
/** Most kinds of statement that are counted by name. The rest are counted as one. */
const MOST_KINDS = 100;

export class Transactions {
  readonly leftOut: LeftOut = { unread: 0, cut: 0, failed: 0, unfinished: 0, long: 0, others: new Map() };
  statements = 0;
  private readonly sessions = new Map<string, Session>();
  private readonly format: LogFormat;
  private readonly split: Splitter;
  private readonly tell: (transaction: LoggedTransaction) => void;

  constructor(format: LogFormat, tell: (transaction: LoggedTransaction) => void) {
    this.format = format;
    this.split = splitterOf(format.words);
    this.tell = tell;
  }

  entry(entry: LogEntry): void {
    if (entry.kind === 'unread') this.leftOut.unread++;
    else if (entry.kind === 'failed') this.failed(entry.session);
    else if (entry.kind === 'ended') this.forget(entry.session);
    else if (entry.kind === 'database') this.session(entry.session).database = entry.database;
    else this.text(entry);
  }

  end(): void {
    for (const name of this.sessions.keys()) this.forget(name);
  }

  private session(name: string): Session {
    const known = this.sessions.get(name);
    if (known !== undefined) return known;
    if (this.sessions.size >= MOST_SESSIONS) this.forget(this.sessions.keys().next().value!);
    const made: Session = { database: '', autocommit: true };
    this.sessions.set(name, made);
    return made;
  }

  private failed(name: string): void {
    const session = this.sessions.get(name);
    if (session === undefined) return;
    if (session.open !== undefined) session.open.bad ??= 'failed';
    else if (session.ended !== undefined) {
      this.leftOut.failed++;
      session.ended = undefined;
    }
  }

  private forget(name: string): void {
    const session = this.sessions.get(name);
    if (session === undefined) return;
    this.settle(session);
    const { open } = session;
    // A virtual transaction has no COMMIT in the log. It ends with its session.
    if (open?.id !== undefined) this.close(session, false);
    else if (open !== undefined) this.leftOut.unfinished++;
    this.settle(session);
    this.sessions.delete(name);
  }

  private text(entry: LoggedStatement): void {
    const session = this.session(entry.session);
    if (entry.database !== undefined) session.database = entry.database;
    this.settle(session);
    const { open } = session;
    if (open?.id !== undefined && open.id !== entry.transaction) this.close(session, false);
    this.settle(session);
    const texts = this.split(entry);
    if (texts === undefined) {
      this.statements++;
      if (session.open === undefined) this.leftOut.cut++;
      else session.open.bad ??= 'cut';
      return;
    }
    const kinds = texts.map(kindOf);
    const several = this.format.textIsTransaction === true && kinds.filter(({ kind }) => kind === 'query-or-write').length > 1;
    for (const [i, pieces] of texts.entries()) this.statement(session, pieces, kinds[i]!, entry, several);
    if (several && session.open?.begun === false && session.open.id === undefined) this.close(session, false);
    if (entry.done) this.settle(session);
  }

  private statement(session: Session, pieces: readonly Piece[], is: StatementKind, entry: LoggedStatement, several: boolean): void {
    this.statements++;
    const { open } = session;
    switch (is.kind) {
      case 'begin':
        if (open !== undefined) this.leftOut.unfinished++;
        session.open = begun(levelIn(opening(pieces)) ?? session.level, true, entry);
        return;
      case 'commit':
      case 'rollback':
        this.close(session, is.kind === 'rollback');
        return;
      case 'level':
        if (open === undefined) session.level = is.level;
        else open.level = is.level ?? open.level;
        return;
      case 'autocommit':
        if (is.on) this.close(session, false);
        session.autocommit = is.on;
        return;
      case 'aside':
      case 'essential':
        this.count(is.what);
        if (open === undefined) return;
        if (is.kind === 'essential') open.essential ??= is.what;
        else if (!open.aside.includes(is.what)) open.aside.push(is.what);
        return;
      case 'savepoint':
      case 'query-or-write':
        this.push(session, pieces, entry, several);
    }
  }

  private push(session: Session, pieces: readonly Piece[], entry: LoggedStatement, several: boolean): void {
    const within = session.open !== undefined || !session.autocommit || entry.transaction !== undefined || several;
    const open = (session.open ??= begun(session.level, false, entry));
    open.pieces += pieces.length;
    if (open.statements.length < MOST_STATEMENTS && open.pieces <= MOST_PIECES) open.statements.push(pieces);
    else {
      open.bad ??= 'long';
      open.statements = [];
    }
    if (!within) this.close(session, false);
  }

  private close(session: Session, rolledBack: boolean): void {
    const { open } = session;
    session.open = undefined;
    session.level = undefined;
    if (open === undefined) return;
    if (open.bad !== undefined) this.leftOut[open.bad]++;
    else if (open.statements.length > 0) {
      const { statements, level, aside, essential, times } = open;
      const alone = !open.begun && statements.length === 1;
      this.settle(session);
      session.ended = {
        database: session.database,
        statements,
        alone,
        rolledBack,
        aside,
        times,
        ...(level !== undefined && { level }),
        ...(essential !== undefined && { essential }),
      };
    }
  }

  private settle(session: Session): void {
    if (session.ended !== undefined) this.tell(session.ended);
    session.ended = undefined;
  }

  private count(what: string): void {
    const { others } = this.leftOut;
    const name = others.has(what) || others.size < MOST_KINDS ? what : 'others';
    others.set(name, (others.get(name) ?? 0) + 1);
  }
}

function begun(level: string | undefined, isBegun: boolean, { transaction, times = 1 }: LoggedStatement): Open {
  return {
    statements: [],
    pieces: 0,
    begun: isBegun,
    level,
    aside: [],
    times,
    ...(!isBegun && transaction !== undefined && { id: transaction }),
  };
}
