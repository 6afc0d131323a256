/** The queries of the whole family. */
import type { Vendor } from '../../core/dialect/index.ts';

export const FAMILY_VENDOR: Omit<Vendor, 'title' | 'shape' | 'tracker' | 'files'> = {
  family: 'mysql',
  quote: '`',
  versionQuery: 'SELECT version()',
  levelQuery: 'SELECT @@transaction_isolation',
  connectionQuery: 'SELECT connection_id()',
};
