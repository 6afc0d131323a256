export { Replayer } from './replayer.ts';
export { replayPlain } from './plain.ts';
export { replayTimes, wantedOf } from './replay.ts';
export { reproduceFinding } from './reproduce-finding.ts';
export { DEFAULT_REDUCE_SECONDS, reproduceFindings, withReplayCommands, withReproduction } from './run-findings.ts';
