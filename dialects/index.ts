/** The DBMSs that the tool knows, and the servers that it can start itself. */
export * from './registry.ts';
export { LOG_FORMATS } from './log/formats.ts';
export { SMALL, SMALL_SESSIONS, isSmall } from './servers/small.ts';
export { availableServers, listReleases, listServers, lookUpServer, startKept, startServer, stopServer } from './servers/servers.ts';
export type { TestServers } from './servers/servers.ts';
export type { ServerListing } from './servers/listing.ts';
export { startStore } from './servers/store.ts';
export { unreachable } from './servers/reachable.ts';
export { identify, interruptible, isRunning, keptServers } from './servers/process/index.ts';
export type { KeptServer, StartedServer, StartOptions } from './servers/process/index.ts';
export { startPostgres } from './postgres/index.ts';
