/** What the family's members build themselves from. */
export { watchDataLocks, watchInnodbLocks } from './blocked.ts';
export { INNODB_ACCESS_PATHS } from './access-paths.ts';
export { familyBreaches } from './breaches.ts';
export { INNODB_CAPABILITIES, familyDialect } from './dialect.ts';
export type { ErrorRow } from './errors.ts';
export { facts } from './facts.ts';
export { watchInnodbStatus, withDefinitionWaits } from './innodb-status.ts';
export { changedDefinition, innodbTableChanges } from './table-changes.ts';
export { watchRowLocks } from './row-locks.ts';
export type { LevelQuery, Member } from './member.ts';
export { SINGLE, SKEW, at, familyPromises, timed } from './promises.ts';
export { schemaText } from './schema-text.ts';
export { STRICT_MODE } from './sql-mode.ts';
export { refusal } from './version.ts';
export { FAMILY_VENDOR } from './vendor.ts';
