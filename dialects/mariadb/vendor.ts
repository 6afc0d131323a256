/** MariaDB's vendor, also for a Galera cluster. */
import type { Vendor } from '../../core/dialect/index.ts';
import { FAMILY_VENDOR } from '../mysql-family/index.ts';

export const VENDOR: Vendor = {
  ...FAMILY_VENDOR,
  title: 'MariaDB',
  shape: 'mariadb',
  tracker: 'https://jira.mariadb.org',
  files: ['mtr'],
  levelQuery: 'SELECT @@tx_isolation',
};
