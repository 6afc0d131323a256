/** What needs the solver: the strong levels, and the weak ones where values repeat; loaded when somebody asks for one. */
export { certified } from './solver/certify.ts';
export { checkStrong } from './solver/check-strong.ts';
export { settleWeak } from './solver/settle-weak.ts';
export type { StrongOptions } from './search/check-search.ts';
