/** The strong levels, which commands load when somebody asks for one. */
export { checkStrong } from './solver/check-strong.ts';
export type { StrongOptions } from './search/check-search.ts';
