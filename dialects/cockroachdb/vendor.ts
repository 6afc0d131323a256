/** CockroachDB's vendor. The vendor's programs use PostgreSQL's queries. */
import type { Vendor } from '../../core/dialect/index.ts';
import { postgres } from '../postgres/index.ts';

export const VENDOR: Vendor = {
  ...postgres.vendor,
  title: 'CockroachDB',
  shape: 'cockroachdb',
  tracker: 'https://github.com/cockroachdb/cockroach/issues',
  files: [],
};
