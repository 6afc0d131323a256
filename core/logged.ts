/**
 * What a server's log tells, entry by entry, whatever its format: statements by the session that sent them, which of them
 * failed, and which sessions ended. Everything in it comes from outside: a text may be cut, or hold anything.
 */

/** One entry that holds a statement, or several in one text. */
export interface LoggedStatement {
  readonly kind: 'statement';
  readonly session: string;
  /** Names the transaction within which it ran, where the log says that. */
  readonly transaction?: string;
  readonly database?: string;
  readonly sql: string;
  /** Of $1, $2 ...: as the log shows them, null for NULL. */
  readonly values?: readonly (string | null)[];
  /** It stands for so many executions; absent: one. */
  readonly times?: number;
  /** It had ended well when it was logged. */
  readonly done?: true;
}

export type LogEntry =
  | LoggedStatement
  /** The session's last statement, or one that the log does not show, failed. */
  | { readonly kind: 'failed'; readonly session: string }
  /** The connection began (with this database), or changed to it. */
  | { readonly kind: 'database'; readonly session: string; readonly database: string }
  | { readonly kind: 'ended'; readonly session: string }
  /** Lines that are no entry of this format. */
  | { readonly kind: 'unread' };

export interface LogReader {
  line(text: string): void;
  /** There are no more lines. */
  end(): void;
}

/** How a DBMS writes its log. */
export interface LogFormat {
  readonly title: string;
  /** By the first lines of a file. */
  recognises(lines: readonly string[]): boolean;
  /** Entries are told in the order of the log. */
  reader(tell: (entry: LogEntry) => void): LogReader;
  /** How its DBMS writes literals and comments. */
  readonly words: SqlWords;
  /** Whose SQL it is: the name of a dialect, and the DBMSs whose logs look like that. */
  readonly dialect: string;
  readonly relatives: readonly string[];
  /** It knows no sessions: each entry is a statement by itself, its values unknown. */
  readonly statementsAlone?: true;
  /** Several statements of one text are one transaction. */
  readonly textIsTransaction?: true;
  /** It does not tell which statements failed. */
  readonly failuresUntold?: true;
}

export interface SqlWords {
  /** A backslash in '...' escapes the next character; otherwise only in E'...'. */
  readonly backslash: boolean;
  /** `#` opens a comment, `--` only before a blank, and "x" is a string. */
  readonly hash: boolean;
  /** $tag$...$tag$ is a string, and $1 a parameter. */
  readonly dollar: boolean;
}
