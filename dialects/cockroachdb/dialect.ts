/**
 * CockroachDB: PostgreSQL's printer and connections over rows of its own. The printer writes only PostgreSQL's SQL and
 * none of CockroachDB's own forms (UPSERT, AS OF SYSTEM TIME).
 */
import type { Capabilities, Dialect } from '../../core/dialect/index.ts';
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

// PostgreSQL's capabilities do not carry over by themselves: CockroachDB has those that stand here.
const { returning, lockStrengths, lockWait } = postgres.capabilities;
const CAPABILITIES: Capabilities = {
  returning,
  lockStrengths,
  lockWait,
  savepointsRecover: true,
  readBeside: true,
  begins: { 'read only': 'READ ONLY' },
  indexKinds: ['descending', 'partial', 'expression'],
  unsupported: ['rollup', 'update through view'],
};
// CockroachDB's rows have no physical address, and its releases and its planner differ from PostgreSQL's.
const {
  accessPaths: _____,
  capabilitiesOf: ______,
  footprints: ___________,
  indexPlans: __________,
  tableChanges: _____________,
  schemaText: ______________,
  withoutTriggers: _,
  ...SHARED
} = postgres;

export const cockroachdb: Dialect = {
  ...SHARED,
  name: 'cockroachdb',
  title: 'CockroachDB',
  schemes: ['cockroachdb', 'cockroach'],
  capabilities: CAPABILITIES,
  levels: LEVELS,
  promises: PROMISES,
  singleRunViolations: [],
  vendor: VENDOR,
  ranLive: false,
  connect: (url, options) => connect(url, options, MEMBER),
  expectOwnSessions: (url) => expectOwnSessions(url, MEMBER),
  facts,
  watchBlocked,
  // Every node shows the commits of all nodes.
  endpoint: async () => ({ readOnly: false, position: 0n, configuration: {} }),
  importer: () => importer('CockroachDB', CAPABILITIES),
  classifyError: (error: unknown) => classifyError(error, ERRORS),
};
