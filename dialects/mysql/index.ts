/** What the folder shows to dialects/index.ts. */
export { mysql } from './dialect.ts';
