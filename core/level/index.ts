export * from './anomaly.ts';
export * from './invariant.ts';
export * from './invariant-reason.ts';
export * from './level.ts';
export * from './promise.ts';
export * from './relation.ts';
