/**
 * What differs from tracker to tracker, as data: how the vendor's programs are spoken to, and which text it wants. A
 * target's name up to the `@` says whose it is; a DBMS without a row gets the text of the family that it speaks.
 */
export type TrackerShape = 'mysql' | 'mariadb' | 'postgres' | 'tidb' | 'cockroachdb';

export interface Vendor {
  readonly title: string;
  readonly shape: TrackerShape;
  readonly family: 'postgres' | 'mysql';
  readonly tracker: string;
  /** Identifier quote of its SQL. */
  readonly quote: '"' | '`';
  /** Written for it beside repro.sql and the Node script. */
  readonly files: readonly ('spec' | 'mtr')[];
  readonly versionQuery: string;
  readonly levelQuery: string;
  /** The connection's number, so that a reader sees that each transaction stayed on one connection. */
  readonly connectionQuery: string;
}

const POSTGRES = { family: 'postgres', quote: '"', versionQuery: 'SELECT version()', levelQuery: 'SHOW transaction_isolation', connectionQuery: 'SELECT pg_backend_pid()' } as const;
const MYSQL = { family: 'mysql', quote: '`', versionQuery: 'SELECT version()', connectionQuery: 'SELECT connection_id()' } as const;

const VENDORS: Readonly<Record<string, Vendor>> = {
  postgres: { ...POSTGRES, title: 'PostgreSQL', shape: 'postgres', tracker: 'pgsql-bugs@lists.postgresql.org', files: ['spec'] },
  cockroachdb: { ...POSTGRES, title: 'CockroachDB', shape: 'cockroachdb', tracker: 'https://github.com/cockroachdb/cockroach/issues', files: [] },
  mysql: { ...MYSQL, title: 'MySQL', shape: 'mysql', tracker: 'https://bugs.mysql.com', files: ['mtr'], levelQuery: 'SELECT @@transaction_isolation' },
  mariadb: { ...MYSQL, title: 'MariaDB', shape: 'mariadb', tracker: 'https://jira.mariadb.org', files: ['mtr'], levelQuery: 'SELECT @@tx_isolation' },
  galera: { ...MYSQL, title: 'MariaDB Galera Cluster', shape: 'mariadb', tracker: 'https://jira.mariadb.org', files: ['mtr'], levelQuery: 'SELECT @@tx_isolation' },
  tidb: { ...MYSQL, title: 'TiDB', shape: 'tidb', tracker: 'https://github.com/pingcap/tidb/issues', files: [], levelQuery: 'SELECT @@transaction_isolation' },
};

export function vendorOf(target: string): Vendor {
  const name = /^[a-z]+/i.exec(target)?.[0].toLowerCase() ?? '';
  return VENDORS[name] ?? VENDORS[/maria/.test(name) ? 'mariadb' : /my/.test(name) ? 'mysql' : 'postgres']!;
}

/** `REPEATABLE READ` */
export function levelWords(level: string): string {
  return level.replaceAll('-', ' ').toUpperCase();
}
