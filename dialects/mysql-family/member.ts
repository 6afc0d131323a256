/**
 * The rows of one member of the family for connections: the expected answer to `SELECT VERSION()`, and statements and
 * settings with other names. Each DBMS has one row.
 */
import type { ConnectOptions, DialectLevel } from '../../core/dialect/index.ts';
import type { ErrorRow } from './errors.ts';
import type { Flavour } from './flavour.ts';

export interface LevelQuery {
  readonly level: string;
  readonly from?: string;
}

/** `more`: further columns. */
export function levelQuery({ level, from }: LevelQuery, ...more: readonly string[]): string {
  return `SELECT ${[level, ...more].join(', ')}${from === undefined ? '' : ` FROM ${from}`}`;
}

export interface Member {
  readonly flavour: Flavour;
  /** The URL schemes of the DBMS. Messages use the first one. */
  readonly schemes: readonly string[];
  /** Why a server with this answer to SELECT VERSION() is not tested as this DBMS. Undefined: it is. */
  readonly refuses: (version: string, url: string) => string | undefined;
  /**
   * Queries for the level in force inside a transaction, the best one first. The first one that answers is used. None
   * opens a snapshot or takes a lock.
   */
  readonly levelQueries: readonly LevelQuery[];
  /** The sql_mode that our sessions set. */
  readonly sqlMode: readonly string[];
  /** The session settings that limit a statement to so many milliseconds. */
  readonly statementTimeout: (milliseconds: number) => readonly (readonly [string, string])[];
  /** These settings limit no write. A write that exceeds the limit is ended by KILL QUERY from another connection. */
  readonly killsLate?: true;
  /** Session settings that a URL may set by `?name=value`, and the allowed values of each. */
  readonly urlSettings: Readonly<Record<string, readonly string[]>>;
  /** The port of a URL without one. Absent: 3306. */
  readonly port?: number;
  /** Session settings, name and value, that keep the meaning of statements. Absent: those of InnoDB's servers. */
  readonly settings?: readonly (readonly [string, string])[];
  /**
   * Statements that each session sends when it opens, each alone. A server that does not know a variable ignores the
   * statement.
   */
  readonly whereKnown?: (options: ConnectOptions) => readonly string[];
  /** Settings in seconds that limit the wait for a lock. Absent: those of InnoDB's servers. */
  readonly lockTimeouts?: readonly string[];
  /** A query for the server's transaction id that assigns none and reads nothing. It precedes COMMIT in the same round trip. */
  readonly xidQuery?: string;
  /** Errors that only this member has, or that mean something else here. */
  readonly errors?: readonly ErrorRow[];
  /** Advice for users if the server runs another level than the one that was set. */
  readonly levelAdvice?: (asked: DialectLevel, inForce: string) => string;
}
