/** Whose PostgreSQL is: its developers' list, and how its programs are spoken to. */
import type { Vendor } from '../../core/index.ts';

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
