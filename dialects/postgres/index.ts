/** What the PostgreSQL folder shows to dialects/index.ts. */
export { postgres } from './dialect.ts';
export { findEmbeddedPackage } from './embedded-package.ts';
export { redact } from './redact.ts';
export { startPostgres } from './server.ts';
export type { StartedServer, StartOptions } from './server.ts';
