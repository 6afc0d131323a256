/** Whose CockroachDB is; its programs are spoken to as PostgreSQL's. */
import type { Vendor } from '../../core/index.ts';
import { postgres } from '../postgres/index.ts';

export const VENDOR: Vendor = {
  ...postgres.vendor,
  title: 'CockroachDB',
  shape: 'cockroachdb',
  tracker: 'https://github.com/cockroachdb/cockroach/issues',
  files: [],
};
