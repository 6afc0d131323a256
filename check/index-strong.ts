/**
 * The modules that need the solver: the strong levels, and the weak ones where values repeat. They are loaded only when
 * such a level is asked for.
 */
export { certified } from './solver/certify.ts';
export { checkStrong } from './solver/check-strong.ts';
export { settleWeak } from './solver/settle-weak.ts';
export type { StrongOptions } from './search/check-search.ts';
