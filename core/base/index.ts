export * from './display-width.ts';
export * from './errors.ts';
export * from './escape-reg-exp.ts';
export * from './growable.ts';
export * from './key-sampler.ts';
export { permutations } from './permutations.ts';
export * from './random.ts';
export * from './shard.ts';
export { TXN_STATUS } from './txn-status.ts';
