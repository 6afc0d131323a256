export { inferDependencies } from './infer-dependencies.ts';
export { inferRegisters } from './infer-registers.ts';
export type { RegisterDependencies } from './infer-registers.ts';
