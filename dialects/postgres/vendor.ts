/** PostgreSQL's vendor: its developers' mailing list, and the queries of its programs. */
import type { Vendor } from '../../core/dialect/index.ts';

export const VENDOR: Vendor = {
  title: 'PostgreSQL',
  shape: 'postgres',
  family: 'postgres',
  tracker: 'pgsql-bugs@lists.postgresql.org',
  quote: '"',
  files: ['spec'],
  versionQuery: 'SELECT version()',
  levelQuery: 'SHOW transaction_isolation',
  connectionQuery: 'SELECT pg_backend_pid()',
};
