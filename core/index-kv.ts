/** The parts of core that the check of a key-value history needs. A short file is checked faster without loading the rest. */
export { InternalError, UsageError } from './errors.ts';
export { int32 } from './growable.ts';
export { TXN_STATUS } from './history.ts';
export { OP, kvKey, kvValue } from './kv-history.ts';
export { AWDIT_LEVELS, OWN, STRONG_LEVELS, isAwditLevel, isStrongLevel } from './level.ts';
export { KV_INITIAL } from './kv-verdict.ts';
