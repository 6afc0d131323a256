export { Replayer } from './replayer.ts';
export { replayPlain } from './plain.ts';
export { findingOf, readReplayFiles } from './read-files.ts';
export { replayTimes, wantedOf } from './replay.ts';
export { replayFiles } from './replay-files.ts';
export type { ReplayedFile } from './replay-files.ts';
export { reproduceFinding } from './reproduce-finding.ts';
export { DEFAULT_REDUCE_SECONDS, reproduceFindings, withReplayCommands, withReproduction } from './run-findings.ts';
export { parseSpec, replaySpec } from './spec.ts';
