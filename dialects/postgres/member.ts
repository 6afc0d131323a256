/**
 * What the connections of a server that speaks PostgreSQL's protocol need to know of it: PostgreSQL itself, and CockroachDB.
 * Rows of data, one per DBMS.
 */
import type { DialectLevel } from '../../core/index.ts';

export interface Member {
  readonly title: string;
  /** How a URL begins, in messages. */
  readonly scheme: string;
  /** Where a URL has no port. */
  readonly port: number;
  /** Where a URL has no user; absent: the user's name on this machine. */
  readonly user?: string;
  /** Why a server with this answer to version() is not tested as this DBMS; undefined: it is. */
  readonly refuses: (version: string, url: string) => string | undefined;
  /** The server's name for the session. */
  readonly backendQuery: string;
  /** Session settings beside the common ones, name and value. */
  readonly settings: readonly (readonly [string, string])[];
  /**
   * Tells inside a transaction which session it is in, without a snapshot: `marked`, a setting in which each session of ours
   * finds a word of its own (any SELECT, pg_backend_pid() included, would open the snapshot); else it is the backend.
   */
  readonly identity: { readonly query: string; readonly marked?: string };
  /** Sent where deadlocks are to be resolved at once. */
  readonly eagerDeadlocks?: string;
  /** A query for the server's transaction id that assigns none; it goes before COMMIT, in its round trip. */
  readonly xidQuery?: string;
  /** The same, asked after COMMIT, outside any transaction. */
  readonly xidAfterQuery?: string;
  /** What to do where the server runs at another level than the one that was set. */
  readonly levelAdvice: (asked: DialectLevel) => string;
}

/** No setting that poolers know of: those they would carry along. */
const MARK_SETTING = 'anomalist.session';

export const MEMBER: Member = {
  title: 'PostgreSQL',
  scheme: 'postgres',
  port: 5432,
  refuses: (version, url) => refusal(version, url, 'PostgreSQL'),
  backendQuery: 'SELECT pg_backend_pid()',
  identity: { query: `SHOW ${MARK_SETTING}`, marked: MARK_SETTING },
  settings: [],
  // A waiter looks for a deadlock once, after this time: with a short one every earlier waiter has looked already.
  eagerDeadlocks: "SET deadlock_timeout TO '1ms'",
  xidQuery: 'SELECT txid_current_if_assigned()::text',
  levelAdvice: () => 'a proxy or a server setting overrides it',
};

/** The schemes of those that can be tested. */
const SCHEMES: Readonly<Record<string, string>> = { PostgreSQL: 'postgres', CockroachDB: 'cockroachdb' };

/** `PostgreSQL 18.4 on x86_64-...`, `CockroachDB CCL v25.2.1 (x86_64-...)`. */
export function refusal(version: string, url: string, make: 'PostgreSQL' | 'CockroachDB'): string | undefined {
  const named = version.split(' ')[0] ?? '';
  // YugabyteDB names itself PostgreSQL, with its own name in the release.
  const other = named !== make ? version.split(' (')[0] : /-YB-/.test(version) ? 'YugabyteDB' : undefined;
  if (other === undefined) return undefined;
  const scheme = SCHEMES[named];
  const advice = scheme !== undefined && named !== make ? `; write ${scheme}:// in its URL` : '';
  return `${url} is not ${make} but ${other}: its promises differ, so it is not tested as ${make}${advice}`;
}
