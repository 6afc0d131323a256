/** The DBMSs that the tool knows, and the servers that it can start itself. */
export { DIALECTS, dialectFor } from './registry.ts';
export { listServers } from './servers.ts';
export type { ServerListing } from './servers.ts';
export { postgres, startPostgres } from './postgres/index.ts';
export type { StartedServer, StartOptions } from './postgres/index.ts';
