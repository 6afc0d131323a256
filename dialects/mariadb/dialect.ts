/** MariaDB: its rows over the family's methods. */
import type { Dialect } from '../../core/dialect/index.ts';
import {
  INNODB_ACCESS_PATHS,
  INNODB_CAPABILITIES,
  INNODB_STATUS_FOOTPRINTS,
  familyDialect,
  schemaText,
  watchInnodbLocks,
  watchInnodbStatus,
} from '../mysql-family/index.ts';
import { galeraEndpoint } from './galera.ts';
import { SINGLE_RUN_VIOLATIONS } from './single-run-violations.ts';
import { MEMBER } from './member.ts';
import { PROMISES } from './promises.ts';
import { TABLE_CHANGES } from './table-changes.ts';
import { VENDOR } from './vendor.ts';

export const mariadb: Dialect = familyDialect({
  name: 'mariadb',
  member: MEMBER,
  promises: PROMISES,
  singleRunViolations: SINGLE_RUN_VIOLATIONS,
  accessPaths: INNODB_ACCESS_PATHS,
  footprints: INNODB_STATUS_FOOTPRINTS,
  tableChanges: TABLE_CHANGES,
  vendor: VENDOR,
  schemaText,
  watchBlocked: watchInnodbLocks,
  capabilities: { ...INNODB_CAPABILITIES, hashedUniques: true },
  endpoint: galeraEndpoint,
  ranLive: true,
  waits: {
    watchWaits: (connection) => watchInnodbStatus(connection, watchInnodbLocks(connection)),
    waitsGrant: 'GRANT PROCESS ON *.* TO ...',
  },
});
