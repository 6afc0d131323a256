/** A dialect of the family: the shared methods over one member's rows of data. */
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { SingleRunViolationRow, PromiseRow } from '../../core/level/index.ts';
import type {
  AccessPaths,
  BlockedWatcher,
  Capabilities,
  Capture,
  Connection,
  Dialect,
  DialectLevel,
  EndpointState,
  Footprints,
  Preparing,
  ServerFacts,
  TableChanges,
  Vendor,
} from '../../core/dialect/index.ts';
import { redact } from '../redact.ts';
import { captureOf } from './capture.ts';
import { connect } from './connection.ts';
import { expectOwnSessions } from './own-sessions.ts';
import { classifyError } from './errors.ts';
import { facts } from './facts.ts';
import type { Flavour } from './flavour.ts';
import { announces } from './follow.ts';
import { LEVELS } from './levels.ts';
import type { Member } from './member.ts';
import { assertFree, createNamespace, dropNamespace, enterNamespace, namespaceScript } from './namespace.ts';
import { printStatement } from './printer.ts';
import { quoteText } from './quote.ts';
import { withoutTriggers } from './routine.ts';

export interface FamilyDialect {
  readonly name: string;
  readonly member: Member;
  readonly promises: readonly PromiseRow[];
  /** Absent: we read no document about them. */
  readonly singleRunViolations?: readonly SingleRunViolationRow[];
  readonly accessPaths?: AccessPaths;
  readonly footprints?: Footprints;
  readonly tableChanges?: TableChanges;
  readonly vendor: Vendor;
  readonly schemaText?: NonNullable<Dialect['schemaText']>;
  readonly watchBlocked: (connection: Connection) => BlockedWatcher;
  readonly waits?: Pick<Dialect, 'watchWaits' | 'waitsGrant'>;
  readonly ranLive: boolean;
  /** Absent: all four. */
  readonly levels?: readonly DialectLevel[];
  /** Capabilities that differ from the family's. */
  readonly capabilities?: Partial<Capabilities>;
  readonly facts?: (connection: Connection) => Promise<ServerFacts>;
  readonly endpoint?: (connection: Connection) => Promise<EndpointState>;
}

/**
 * Capabilities of MySQL and MariaDB that were not checked for their relatives. A server with a binary log needs a
 * privilege to create triggers.
 */
export const INNODB_CAPABILITIES: Partial<Capabilities> = {
  generated: ['stored', 'virtual', 'virtual, indexed'],
  triggers: 'perhaps',
  announces,
  advisoryLocks: 'of the session',
  indexHints: true,
  limitedWrites: true,
  sends: ['prepared by text', 'prepared by protocol'],
  tableChanges: 'by themselves',
};

/** A second PREPARE replaces the statement of a name. */
const PREPARING: Preparing = {
  prepare: (name, sql) => `PREPARE ${name} FROM ${quoteText(sql)}`,
  execute: (name) => `EXECUTE ${name}`,
  giveUp: (name) => `DEALLOCATE PREPARE ${name}`,
};

/** Only the statement is undone. A deadlock or a lock timeout may also roll the transaction back. */
const AFTER_ERRORS = { constraint: 'inside', data: 'inside' } as const;

export function familyDialect({
  name,
  member,
  promises,
  singleRunViolations = [],
  vendor,
  watchBlocked,
  waits,
  ranLive,
  levels = LEVELS,
  capabilities,
  facts: ownFacts = (connection) => facts(connection, vendor.title),
  ...more
}: FamilyDialect): Dialect {
  const { flavour, schemes } = member;
  const all: Capabilities = {
    returning: flavour.returning,
    lockStrengths: ['update', 'share'],
    begins: { 'read only': 'READ ONLY', 'consistent snapshot': 'WITH CONSISTENT SNAPSHOT' },
    partitions: true,
    indexKinds: ['descending', 'prefix'],
    lockWait: ['nowait', 'skip locked'],
    readBeside: 'queries',
    // The family's RETURNING, if there is one, works only for statements over one table.
    capture: captureIn(flavour),
    replace: true,
    unsupported: flavour.unsupported,
    ...capabilities,
  };
  return {
    name,
    title: flavour.title,
    schemes,
    capabilities: all,
    levels,
    promises,
    singleRunViolations,
    vendor,
    ranLive,
    print: (statement: Statement, namespace?: string) => printStatement(statement, flavour, namespace),
    createNamespace: (namespace: string, schema: Schema) => createNamespace(namespace, schema, flavour),
    namespaceScript: (namespace: string, schema: Schema) => namespaceScript(namespace, schema, flavour),
    enterNamespace,
    dropNamespace,
    assertFree,
    connect: (url, options) => connect(url, options, member),
    expectOwnSessions: (url) => expectOwnSessions(url, member),
    facts: ownFacts,
    watchBlocked,
    ...waits,
    afterErrors: AFTER_ERRORS,
    ...more,
    preparing: PREPARING,
    ...(all.announces && { withoutTriggers }),
    importer: async () => (await import('./import/index.ts')).familyImporter(flavour, all),
    classifyError: (error: unknown) => classifyError(error, member.errors),
    redact,
  };
}

function captureIn(flavour: Flavour): Capture {
  return {
    ...captureOf(flavour.emptiesCapture === true),
    newValues: flavour.assignsFromOld !== true,
    joinedReturning: false,
    flattens: flavour.flattens === true,
    ...(flavour.reattempts && { reattempts: true as const }),
  };
}
