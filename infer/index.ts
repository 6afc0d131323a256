export { explainEdge } from './explain-edge.ts';
export { inferDependencies } from './infer-dependencies.ts';
