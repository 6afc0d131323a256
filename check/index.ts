export { KvHistoryBuilder } from './kv/kv-history-builder.ts';
export type { Int64 } from './kv/kv-history-builder.ts';
export { parsePlume, plumeProgram } from './formats/plume.ts';
export type { PlumeOptions, ReadAt, ReadNext } from './formats/plume.ts';
export { CONTROL_WORDS, TeamFailure, failTeam, linkedTeam, passBarrier, runSolo, soloTeam } from './kv/team.ts';
export type { Steps, Team, TeamLink } from './kv/team.ts';
export { looksLikeHistory, readHistories } from './formats/ndjson.ts';
export type { ReadHistoriesOptions } from './formats/ndjson.ts';
