export { awditProgram, checkAwdit, checkAwditLevels } from './check-awdit.ts';
export type { AwditLevel, AwditOptions } from './check-awdit.ts';
