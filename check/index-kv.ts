/**
 * The modules that check plume text at the weak levels. They are loaded first, so that a short file is checked before
 * the rest is loaded.
 */
export { awditProgram } from './awdit/index.ts';
export { parsePlume, plumeProgram } from './formats/plume/read.ts';
export type { ReadAt } from './formats/plume/read.ts';
export { plumeMegabytes } from './formats/plume/memory.ts';
export {
  CONTROL_WORDS,
  ThreadGroupFailure,
  failThreadGroup,
  linkedThreadGroup,
  passBarrier,
  passBarrierResponsive,
  runSolo,
  soloThreadGroup,
} from './threads/thread-group.ts';
export type { Steps, ThreadGroup, ThreadGroupLink } from './threads/thread-group.ts';
