export { addCoverage, coverageOf, NO_COVERAGE, testedNothing } from './coverage.ts';
export { Recorder } from './recorder.ts';
export type { Listener } from './recorder.ts';
export { runRound } from './round.ts';
export type { RoundOutcome, RoundSetup } from './round.ts';
