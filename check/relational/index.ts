export { checkRelational } from './check-relational.ts';
export type { RelationalVerdict } from './check-relational.ts';
export { relationalKvHistory } from './relational-kv.ts';
export type { RelationalKv } from './relational-kv.ts';
