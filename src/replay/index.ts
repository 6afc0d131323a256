export { findingOf, readReplayFiles, replayFileOf } from './read-files.ts';
export type { ReplayFile } from './read-files.ts';
export { replayAnomaly } from './replay-anomaly.ts';
export { replayProgram } from './replay-program.ts';
export { replayFiles } from './replay-files.ts';
export type { ReplayedFile } from './replay-files.ts';
export { exploreSpecs, specFiles } from './raw/explore-specs.ts';
export { parseSpec } from './spec/parse-spec.ts';
export { replaySpec } from './spec/replay-spec.ts';
