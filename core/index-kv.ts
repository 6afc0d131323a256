/** What checking a key-value history needs of core when it runs: a short file is checked sooner than the rest is loaded. */
export { InternalError, UsageError } from './errors.ts';
export { int32 } from './growable.ts';
export { TXN_STATUS } from './history.ts';
export { OP, kvKey, kvValue } from './kv-history.ts';
export { AWDIT_LEVELS, OWN, STRONG_LEVELS, isAwditLevel, isStrongLevel } from './level.ts';
export { KV_INITIAL } from './kv-verdict.ts';
