/** What the DBMS folders and servers.ts use to start servers and keep them. */
export { reachableByOthers, serverAccount } from './account.ts';
export type { Account } from './account.ts';
export { answers } from './answers.ts';
export { cacheFolder, cachePath } from './cache-folder.ts';
export { findPrograms } from './find-program.ts';
export { expectExecutable, givenProgram, refuse } from './given-program.ts';
export type { ProgramKind } from './given-program.ts';
export { keepServer, keptServers, stopKept } from './kept-servers.ts';
export type { KeptServer } from './kept-servers.ts';
export { identify, isRunning } from './identity.ts';
export { interruptible } from './interruptible.ts';
export { withLock } from './lock.ts';
export { ProgramFailed, runProgram } from './run-program.ts';
export { startRecipe } from './started-server.ts';
export type { NodeRecipe, ServerRecipe, StartedServer, StartOptions } from './started-server.ts';
export { copyFolder, fromTemplate } from './template.ts';
export { asRecord, settingsInForce } from './own-settings.ts';
export { removeFolder, spaceHint } from './work-folder.ts';
