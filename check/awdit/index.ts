export { awditProgram, checkAwdit, checkAwditLevels, commitOrderOf } from './check-awdit.ts';
export type { AwditOptions } from './check-awdit.ts';
export type { CommitOrder } from './check-awdit.ts';
