export { inferDependencies } from './infer-dependencies.ts';
