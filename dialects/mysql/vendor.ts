/** MySQL's vendor. */
import type { Vendor } from '../../core/dialect/index.ts';
import { FAMILY_VENDOR } from '../mysql-family/index.ts';

export const VENDOR: Vendor = { ...FAMILY_VENDOR, title: 'MySQL', shape: 'mysql', tracker: 'https://bugs.mysql.com', files: ['mtr'] };
