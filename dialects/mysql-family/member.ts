/**
 * A member of the family as its connections need it: what `SELECT VERSION()` must look like, and the statements and
 * settings that have other names there. Rows of data, one per DBMS.
 */
import type { Flavour } from './flavour.ts';

export interface Member {
  readonly flavour: Flavour;
  /** URL schemes it answers to; the first one is the one that messages name. */
  readonly schemes: readonly string[];
  /** Why a server with this answer to SELECT VERSION() is not tested as this DBMS; undefined: it is. */
  readonly refuses: (version: string, url: string) => string | undefined;
  /**
   * Queries for the level in force inside a transaction, best first: the first one that answers is used. None opens a
   * snapshot or takes a lock.
   */
  readonly levelQueries: readonly string[];
  /** The sql_mode that our sessions set. */
  readonly sqlMode: readonly string[];
  /** The session settings that bound a statement to so many milliseconds. */
  readonly statementTimeout: (milliseconds: number) => readonly (readonly [string, string])[];
  /** Session settings that a URL may give, as `?name=value`, and the values each may have. */
  readonly urlSettings: Readonly<Record<string, readonly string[]>>;
}
