export { postgres } from './dialect.ts';
export { redact } from '../redact.ts';
export { startPostgres } from './server.ts';
export type { PostgresOptions } from './server.ts';
export { postgresBuild, postgresReleaseServers, postgresServers } from './servers.ts';
