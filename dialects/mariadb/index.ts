/** What the folder shows to dialects/index.ts. */
export { mariadb } from './dialect.ts';
