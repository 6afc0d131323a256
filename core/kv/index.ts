export * from './kv-history.ts';
export * from './kv-refutation.ts';
export * from './kv-verdict.ts';
