/** What the folder shows to dialects/index.ts. */
export { tidb } from './dialect.ts';
