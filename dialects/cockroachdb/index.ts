/** What the folder shows to dialects/index.ts. */
export { cockroachdb } from './dialect.ts';
