export { boundCase } from './bound-case.ts';
export { assessLists } from './lists.ts';
export { assessOwn, registersOfRound } from './own.ts';
export { assessKeyValue } from './values.ts';
