/**
 * The rows of a server that speaks PostgreSQL's protocol, for its connections: PostgreSQL itself, and CockroachDB. Each
 * DBMS has one row.
 */
import type { DialectLevel } from '../../core/dialect/index.ts';

export interface Member {
  readonly title: string;
  /** The scheme of its URLs, in messages. */
  readonly scheme: string;
  /** The port of a URL without one. */
  readonly port: number;
  /** The user of a URL without one. Absent: the user's name on this machine. */
  readonly user?: string;
  /** Why a server with this answer to version() is not tested as this DBMS. Undefined: it is. */
  readonly refuses: (version: string, url: string) => string | undefined;
  /** The query for the server's name of the session. */
  readonly backendQuery: string;
  /** Session settings beside the common ones, name and value. */
  readonly settings: readonly (readonly [string, string])[];
  /**
   * Identifies the session inside a transaction without a snapshot. Any SELECT would open the snapshot, even
   * pg_backend_pid(). `marked`: a setting in which each of our sessions has a value of its own. Without it the backend
   * identifies the session.
   */
  readonly identity: { readonly query: string; readonly marked?: string };
  /** The statement that makes the server resolve deadlocks at once. */
  readonly eagerDeadlocks?: string;
  /** A query for the server's transaction id that assigns none. It precedes COMMIT in the same round trip. */
  readonly xidQuery?: string;
  /** The same query, sent after COMMIT and outside of any transaction. */
  readonly xidAfterQuery?: string;
  /** Advice for users if the server runs another level than the one that was set. */
  readonly levelAdvice: (asked: DialectLevel) => string;
}

/** A setting that poolers do not know. They would carry a known one over. */
const MARK_SETTING = 'anomalist.session';

export const MEMBER: Member = {
  title: 'PostgreSQL',
  scheme: 'postgres',
  port: 5432,
  refuses: (version, url) => refusal(version, url, 'PostgreSQL'),
  backendQuery: 'SELECT pg_backend_pid()',
  identity: { query: `SHOW ${MARK_SETTING}`, marked: MARK_SETTING },
  settings: [],
  // A waiter looks for a deadlock once, after this time. With a short time every earlier waiter has looked already.
  eagerDeadlocks: "SET deadlock_timeout TO '1ms'",
  xidQuery: 'SELECT txid_current_if_assigned()::text',
  levelAdvice: () => 'a proxy or a server setting overrides it',
};

/** The schemes of the DBMSs that can be tested. */
const SCHEMES: Readonly<Record<string, string>> = { PostgreSQL: 'postgres', CockroachDB: 'cockroachdb' };

/** Checks `PostgreSQL 18.4 on x86_64-...`, `CockroachDB CCL v25.2.1 (x86_64-...)`. */
export function refusal(version: string, url: string, make: 'PostgreSQL' | 'CockroachDB'): string | undefined {
  const named = version.split(' ')[0] ?? '';
  // YugabyteDB calls itself PostgreSQL, with its own name in the release.
  const other = named !== make ? version.split(' (')[0] : /-YB-/.test(version) ? 'YugabyteDB' : undefined;
  if (other === undefined) return undefined;
  const scheme = SCHEMES[named];
  const advice = scheme !== undefined && named !== make ? `; write ${scheme}:// in its URL` : '';
  return `${url} is not ${make} but ${other}: its promises differ, so it is not tested as ${make}${advice}`;
}
