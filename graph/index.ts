export { antiEdgesApart } from './apart.ts';
export { buildCsr, edgeSources } from './csr.ts';
export type { Csr } from './csr.ts';
export { stronglyConnected } from './scc.ts';
export type { Components } from './scc.ts';
export { shortestCycle } from './shortest-cycle.ts';
export type { Antis, CycleGraph, CycleSpec, Found, SearchOptions } from './shortest-cycle.ts';
