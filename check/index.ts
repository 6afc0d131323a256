export { KvHistoryBuilder } from './kv/kv-history-builder.ts';
export type { Int64 } from './kv/kv-history-builder.ts';
