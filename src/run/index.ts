export { addCoverage, coverageOf, NO_COVERAGE, testedNothing } from './coverage.ts';
export { predicateReads } from './predicate-read.ts';
export type { PredicateRead } from './predicate-read.ts';
export { evaluatePredicates } from './evaluate-predicates.ts';
export { Recorder } from './recorder.ts';
export type { Listener } from './recorder.ts';
export { runRound } from './round.ts';
export type { RoundOutcome, RoundSetup } from './round.ts';
export type { RowImages, VersionImage } from './row-images.ts';
