/**
 * The entries of a server's log, whatever its format: statements by session, which of them failed, and which sessions
 * ended. The texts come from outside: they may be cut, or hold anything.
 */

/** One entry that holds a statement, or several in one text. */
export interface LoggedStatement {
  readonly kind: 'statement';
  readonly session: string;
  /** The transaction in which it ran, if the log says so. */
  readonly transaction?: string;
  readonly database?: string;
  readonly sql: string;
  /** The values of $1, $2 ... as the log shows them, null for NULL. */
  readonly values?: readonly (string | null)[];
  /** The number of executions that the entry stands for. Absent: one. */
  readonly times?: number;
  /** The statement had succeeded when the server logged it. */
  readonly done?: true;
}

export type LogEntry =
  | LoggedStatement
  /** The session's last statement failed, or one that the log does not show. */
  | { readonly kind: 'failed'; readonly session: string }
  /** The session connected to this database, or changed to it. */
  | { readonly kind: 'database'; readonly session: string; readonly database: string }
  | { readonly kind: 'ended'; readonly session: string }
  /** The reader found lines that are no entries of this format. */
  | { readonly kind: 'unread' };

export interface LogReader {
  line(text: string): void;
  /** There are no more lines. */
  end(): void;
}

/** How a DBMS writes its log. */
export interface LogFormat {
  readonly title: string;
  /** Whether the first lines of a file look like this format. */
  recognises(lines: readonly string[]): boolean;
  /** Makes a reader that calls `tell` in the order of the log. */
  reader(tell: (entry: LogEntry) => void): LogReader;
  /** The lexical rules of its DBMS for literals and comments. */
  readonly words: SqlWords;
  /** The dialect whose SQL the log holds, and the DBMSs whose logs look alike. */
  readonly dialect: string;
  readonly relatives: readonly string[];
  /** The log has no sessions: each entry is a statement by itself, and its values are unknown. */
  readonly statementsAlone?: true;
  /** Several statements in one text form one transaction. */
  readonly textIsTransaction?: true;
  /** The log does not say which statements failed. */
  readonly failuresUnknown?: true;
}

export interface SqlWords {
  /** A backslash in '...' escapes the next character. Otherwise it does so only in E'...'. */
  readonly backslash: boolean;
  /** `#` opens a comment, `--` only before a blank, and "x" is a string. */
  readonly hash: boolean;
  /** $tag$...$tag$ is a string, and $1 a parameter. */
  readonly dollar: boolean;
}
