export { inferDependencies } from './infer-dependencies.ts';
export { inferRegisters } from './registers.ts';
export type { RegisterDependencies } from './registers.ts';
