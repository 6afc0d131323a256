/**
 * A member of the family as its connections need it: what `SELECT VERSION()` must look like, and the statements and
 * settings that have other names there. Rows of data, one per DBMS.
 */
import type { ConnectOptions, DialectLevel } from '../../core/index.ts';
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
  /** URL schemes it answers to; the first one is the one that messages name. */
  readonly schemes: readonly string[];
  /** Why a server with this answer to SELECT VERSION() is not tested as this DBMS; undefined: it is. */
  readonly refuses: (version: string, url: string) => string | undefined;
  /**
   * What tells the level in force inside a transaction, best first: the first one that answers is used. None opens a snapshot
   * or takes a lock.
   */
  readonly levelQueries: readonly LevelQuery[];
  /** The sql_mode that our sessions set. */
  readonly sqlMode: readonly string[];
  /** The session settings that bound a statement to so many milliseconds. */
  readonly statementTimeout: (milliseconds: number) => readonly (readonly [string, string])[];
  /** These bound no write: one that runs on is ended by KILL QUERY from a connection of its own. */
  readonly killsLate?: true;
  /** Session settings that a URL may give, as `?name=value`, and the values each may have. */
  readonly urlSettings: Readonly<Record<string, readonly string[]>>;
  /** Where there is no port in a URL; absent: 3306. */
  readonly port?: number;
  /** Session settings, name and value, that keep to the meaning of statements; absent: those of InnoDB's servers. */
  readonly settings?: readonly (readonly [string, string])[];
  /** Sent when a session opens, each alone; a server that does not know a variable in it goes without. */
  readonly whereKnown?: (options: ConnectOptions) => readonly string[];
  /** Settings in seconds that bound a wait for a lock; absent: those of InnoDB's servers. */
  readonly lockTimeouts?: readonly string[];
  /** A query for the server's transaction id that assigns none and reads nothing; it goes before COMMIT, in its round trip. */
  readonly xidQuery?: string;
  /** Errors that only this member has, or that mean something else here. */
  readonly errors?: readonly ErrorRow[];
  /** What to do where the server runs at another level than the one that was set. */
  readonly levelAdvice?: (asked: DialectLevel, inForce: string) => string;
}
