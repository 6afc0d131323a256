/** TiDB's vendor. */
import type { Vendor } from '../../core/dialect/index.ts';
import { FAMILY_VENDOR } from '../mysql-family/index.ts';

export const VENDOR: Vendor = {
  ...FAMILY_VENDOR,
  title: 'TiDB',
  shape: 'tidb',
  tracker: 'https://github.com/pingcap/tidb/issues',
  files: [],
};
