/** PostgreSQL: its rows and methods. */
import type { Dialect, Preparing } from '../../core/dialect/index.ts';
import { ACCESS_PATHS } from './access-paths.ts';
import { ALLOWED_ERRORS } from './allowed-errors.ts';
import { SINGLE_RUN_VIOLATIONS } from './single-run-violations.ts';
import { watchBlocked } from './blocked.ts';
import { connect } from './connection.ts';
import { endpoint } from './endpoint.ts';
import { classifyError } from './errors.ts';
import { facts } from './facts.ts';
import { FOOTPRINTS } from './footprints.ts';
import { importer } from './import/index.ts';
import { INDEX_PLANS } from './index-plans.ts';
import { capabilitiesOf, CAPABILITIES } from './capabilities.ts';
import { LEVELS } from './levels.ts';
import { OWN_DATABASE } from './own-database.ts';
import { expectOwnSessions } from './own-sessions.ts';
import { assertFree, createNamespace, dropNamespace, enterNamespace, namespaceScript } from './namespace.ts';
import { schemaText } from './schema-text.ts';
import { printStatement } from './printer.ts';
import { PROMISES } from './promises.ts';
import { withoutTriggers } from './follow.ts';
import { TABLE_CHANGES } from './table-changes.ts';
import { VENDOR } from './vendor.ts';
import { redact } from '../redact.ts';

const PREPARING: Preparing = {
  clear: 'DEALLOCATE ALL',
  prepare: (name, sql) => `PREPARE ${name} AS ${sql}`,
  execute: (name) => `EXECUTE ${name}`,
  giveUp: (name) => `DEALLOCATE ${name}`,
};

export const postgres: Dialect = {
  name: 'postgres',
  title: 'PostgreSQL',
  schemes: ['postgres', 'postgresql'],
  capabilities: CAPABILITIES,
  capabilitiesOf,
  levels: LEVELS,
  promises: PROMISES,
  singleRunViolations: SINGLE_RUN_VIOLATIONS,
  allowedErrors: ALLOWED_ERRORS,
  vendor: VENDOR,
  ranLive: true,
  print: printStatement,
  createNamespace,
  namespaceScript,
  enterNamespace,
  dropNamespace,
  assertFree,
  connect: (url, options) => connect(url, options),
  expectOwnSessions: (url) => expectOwnSessions(url),
  facts,
  ownDatabase: OWN_DATABASE,
  levelInForce: 'SHOW transaction_isolation',
  watchBlocked,
  closerIsVictim: true,
  indexPlans: INDEX_PLANS,
  accessPaths: ACCESS_PATHS,
  footprints: FOOTPRINTS,
  tableChanges: TABLE_CHANGES,
  withoutTriggers,
  // Any error within a transaction makes it a failed one.
  afterErrors: { deadlock: 'failed', serialization: 'failed', constraint: 'failed', data: 'failed', 'lock timeout': 'failed' },
  endpoint,
  preparing: PREPARING,
  importer: (able = CAPABILITIES) => importer('PostgreSQL', able),
  schemaText,
  classifyError: (error: unknown) => classifyError(error),
  redact,
};
