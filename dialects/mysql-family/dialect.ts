/** A dialect of the family: the shared methods over one member's rows of data. */
import type {
  BlockedWatcher,
  Capabilities,
  Connection,
  Dialect,
  DialectLevel,
  EndpointState,
  PromiseRow,
  Schema,
  ServerFacts,
  Statement,
  Vendor,
} from '../../core/index.ts';
import { redact } from '../redact.ts';
import { captureOf } from './capture.ts';
import { connect } from './connection.ts';
import { expectOwnSessions } from './own-sessions.ts';
import { classifyError } from './errors.ts';
import { facts } from './facts.ts';
import { LEVELS } from './levels.ts';
import type { Member } from './member.ts';
import { assertFree, createNamespace, dropNamespace, enterNamespace, namespaceScript } from './namespace.ts';
import { printStatement } from './printer.ts';

export interface FamilyDialect {
  readonly name: string;
  readonly member: Member;
  readonly promises: readonly PromiseRow[];
  readonly vendor: Vendor;
  readonly watchBlocked: (connection: Connection) => BlockedWatcher;
  readonly watchWaits?: (connection: Connection) => BlockedWatcher;
  readonly ranLive: boolean;
  /** Absent: all four. */
  readonly levels?: readonly DialectLevel[];
  /** What differs from the family's capabilities. */
  readonly capabilities?: Partial<Capabilities>;
  readonly facts?: (connection: Connection) => Promise<ServerFacts>;
  readonly endpoint?: (connection: Connection) => Promise<EndpointState>;
}

export function familyDialect({
  name,
  member,
  promises,
  vendor,
  watchBlocked,
  watchWaits,
  ranLive,
  levels = LEVELS,
  capabilities,
  facts: ownFacts = (connection) => facts(connection, vendor.title),
  endpoint,
}: FamilyDialect): Dialect {
  const { flavour, schemes } = member;
  const all: Capabilities = {
    returning: flavour.returning,
    lockShare: true,
    lockWait: ['nowait', 'skip locked'],
    readBeside: 'queries',
    // RETURNING, where the family has it, is of statements over one table.
    capture: {
      ...captureOf(flavour.emptiesCapture === true),
      newValues: flavour.assignsFromOld !== true,
      joinedReturning: false,
      flattens: flavour.flattens === true,
      ...(flavour.reattempts && { reattempts: true as const }),
    },
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
    ...(watchWaits && { watchWaits }),
    ...(endpoint && { endpoint }),
    importer: async () => (await import('./import/index.ts')).familyImporter(flavour, all),
    classifyError: (error: unknown) => classifyError(error, member.errors),
    redact,
  };
}
