/** The DBMSs that the tool knows, and the servers that it can start itself. */
export { DIALECTS, dialectFor } from './registry.ts';
export { availableServers, listServers, lookUpServer, startKept, startServer, stopServer } from './servers.ts';
export type { TestServers } from './servers.ts';
export type { ServerListing } from './server-listing.ts';
export { unreachable } from './reachable.ts';
export { interruptible, keptServers } from './process/index.ts';
export type { KeptServer, StartedServer, StartOptions } from './process/index.ts';
export { cockroachdb } from './cockroachdb/index.ts';
export { mariadb } from './mariadb/index.ts';
export { mysql } from './mysql/index.ts';
export { postgres, startPostgres } from './postgres/index.ts';
export { tidb } from './tidb/index.ts';
