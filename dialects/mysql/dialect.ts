/** MySQL: its rows over the family's methods. */
import type { Dialect } from '../../core/dialect/index.ts';
import {
  DATA_LOCK_FOOTPRINTS,
  INNODB_ACCESS_PATHS,
  INNODB_CAPABILITIES,
  familyDialect,
  schemaText,
  watchDataLocks,
  watchRowLocks,
} from '../mysql-family/index.ts';
import { SINGLE_RUN_VIOLATIONS } from './single-run-violations.ts';
import { MEMBER } from './member.ts';
import { PROMISES } from './promises.ts';
import { TABLE_CHANGES } from './table-changes.ts';
import { VENDOR } from './vendor.ts';

export const mysql: Dialect = familyDialect({
  name: 'mysql',
  member: MEMBER,
  promises: PROMISES,
  singleRunViolations: SINGLE_RUN_VIOLATIONS,
  accessPaths: INNODB_ACCESS_PATHS,
  footprints: DATA_LOCK_FOOTPRINTS,
  tableChanges: TABLE_CHANGES,
  vendor: VENDOR,
  schemaText,
  watchBlocked: watchDataLocks,
  capabilities: { indexKinds: ['descending', 'prefix', 'expression'], ...INNODB_CAPABILITIES },
  ranLive: true,
  waits: {
    watchWaits: (connection) => watchRowLocks(connection, watchDataLocks(connection)),
    waitsGrant: 'GRANT SELECT ON performance_schema.* TO ...',
  },
});
