export { caseSize } from './case-size.ts';
export { readable } from './readable.ts';
export { reduceCase } from './reduce.ts';
export type { Reduced, ReduceOptions } from './reduce.ts';
export { freshValue } from './simpler-statements.ts';
export { keepStatements, mapTransactions, stepsOf, transactionsOf } from './steps.ts';
export type { Step } from './steps.ts';
export { wellFormed } from './well-formed.ts';
