/**
 * CockroachDB: PostgreSQL's printer and connections over rows of its own. Its own forms (UPSERT, AS OF SYSTEM TIME) are not
 * printed: what is printed is PostgreSQL's SQL, and PostgreSQL accepts all of it.
 */
import type { Capabilities, Dialect } from '../../core/index.ts';
import { postgres } from '../postgres/dialect.ts';
import { classifyError } from '../postgres/errors.ts';
import { connect } from '../postgres/connection.ts';
import { expectOwnSessions } from '../postgres/own-sessions.ts';
import { importer } from '../postgres/import/index.ts';
import { watchBlocked } from './blocked.ts';
import { ERRORS } from './errors.ts';
import { facts } from './facts.ts';
import { LEVELS } from './levels.ts';
import { MEMBER } from './member.ts';
import { PROMISES } from './promises.ts';
import { VENDOR } from './vendor.ts';

// What was seen in PostgreSQL's plans says nothing of its.
const {
  readsBehindNull: _,
  merge: __,
  partitions: ___,
  deferredKeys: ____,
  triggers: _______,
  generated: ________,
  writingWith: _________,
  advisoryLocks: _______________,
  ranges: ________________,
  sends: ___________,
  tableChanges: ____________,
  ...CAPABILITIES
} = postgres.capabilities;
const OWN: Capabilities = {
  ...CAPABILITIES,
  begins: { 'read only': 'READ ONLY' },
  indexKinds: ['descending', 'partial', 'expression'],
  unsupported: ['rollup', 'update through view'],
};
// Its rows have no physical address, its releases are not PostgreSQL's, and nor is its planner.
const {
  accessPaths: _____,
  capabilitiesOf: ______,
  indexPlans: __________,
  tableChanges: _____________,
  schemaText: ______________,
  ...SHARED
} = postgres;

export const cockroachdb: Dialect = {
  ...SHARED,
  name: 'cockroachdb',
  title: 'CockroachDB',
  schemes: ['cockroachdb', 'cockroach'],
  capabilities: OWN,
  levels: LEVELS,
  promises: PROMISES,
  breaches: [],
  vendor: VENDOR,
  ranLive: false,
  connect: (url, options) => connect(url, options, MEMBER),
  expectOwnSessions: (url) => expectOwnSessions(url, MEMBER),
  facts,
  watchBlocked,
  // Every node shows what any node has committed.
  endpoint: async () => ({ readOnly: false, position: 0n, configuration: {} }),
  importer: () => importer('CockroachDB', OWN),
  classifyError: (error: unknown) => classifyError(error, ERRORS),
};
