export { awditProgram, checkAwdit, checkAwditLevels } from './check-awdit.ts';
export type { AwditOptions } from './check-awdit.ts';
