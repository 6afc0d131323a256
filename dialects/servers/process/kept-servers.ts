/**
 * Servers that outlive the command that started them. The user's cache has a record for each target, written as soon as
 * a process exists, so that `servers stop` always finds it. A signal goes to a recorded pid only while it is the same
 * process (identity.ts).
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import { cacheFolder, cachePath } from './cache-folder.ts';
import type { ProcessIdentity } from './identity.ts';
import { isRunning } from './identity.ts';
import { withLock } from './lock.ts';
import { removeFolder } from './work-folder.ts';

export interface KeptServer {
  readonly target: string;
  readonly urls: readonly string[];
  readonly version: string;
  readonly processes: readonly ProcessIdentity[];
  readonly folder: string;
  readonly logs: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  /** Whether all of its processes run. False: the machine was restarted, or the server was killed. */
  readonly running: boolean;
}

/** Writes the record of a server while it starts. */
export interface Keeper {
  readonly target: string;
  begins(folder: string, stopSignal: NodeJS.Signals): void;
  spawned(identity: ProcessIdentity): void;
  ready(urls: readonly string[], version: string, logs: readonly string[]): void;
  /** The start failed, and nothing is left. */
  failed(): void;
}

const STOP_TIMEOUT_MS = 10_000;

export function keptServers(): readonly KeptServer[] {
  const folder = cachePath('servers');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.flatMap((name) => read(name.slice(0, -'.json'.length)) ?? []);
}

/**
 * Starts the server unless it runs already, as `already` says. If two calls overlap, the second one waits and finds the
 * first one's server.
 */
export function keepServer(
  target: string,
  start: (keeper: Keeper) => Promise<unknown>,
  waiting?: (pid: number) => void,
): Promise<{ server: KeptServer; already: boolean }> {
  const work = async (): Promise<{ server: KeptServer; already: boolean }> => {
    const before = read(target);
    if (before?.running && before.urls.length > 0) return { server: before, already: true };
    if (before) await end(before);
    await start(keeper(target));
    const server = read(target);
    if (!server) throw new DatabaseError(`${target} was started but its record in ${cachePath('servers')} is gone`);
    return { server, already: false };
  };
  return withLock(`server-${target}`, work, waiting);
}

/** Returns whether it was still running. */
export function stopKept(target: string): Promise<boolean> {
  return withLock(`server-${target}`, async () => {
    const server = read(target);
    const names = keptServers().map((each) => each.target);
    if (!server)
      throw new UsageError(
        `servers stop ${target}: no such server was started with \`servers start\` and is kept. ${names.length > 0 ? `Kept: ${names.join(', ')}.` : 'None is kept.'}`,
      );
    return end(server);
  });
}

async function end(server: KeptServer): Promise<boolean> {
  const alive = server.processes.filter(isRunning);
  signal(alive, server.stopSignal);
  const deadline = AbortSignal.timeout(STOP_TIMEOUT_MS);
  while (alive.some(isRunning) && !deadline.aborted) await pause(20);
  signal(alive.filter(isRunning), 'SIGKILL');
  for (let look = 0; alive.some(isRunning); look += 1) {
    if (look > 100)
      throw new DatabaseError(
        `${server.target} did not end: process ${alive
          .filter(isRunning)
          .map(({ pid }) => pid)
          .join(', ')} survives SIGKILL`,
      );
    await pause(20);
  }
  removeFolder(server.folder);
  rmSync(recordFile(server.target), { force: true });
  return alive.length > 0;
}

function signal(processes: readonly ProcessIdentity[], name: NodeJS.Signals): void {
  for (const identity of processes) {
    try {
      if (isRunning(identity)) process.kill(identity.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function keeper(target: string): Keeper {
  let record: Omit<KeptServer, 'running'> = { target, urls: [], version: '', processes: [], folder: '', logs: [], stopSignal: 'SIGTERM' };
  const put = (changes: Partial<KeptServer>): void => {
    record = { ...record, ...changes };
    write(record);
  };
  return {
    target,
    begins: (folder, stopSignal) => put({ folder, stopSignal }),
    spawned: (identity) => put({ processes: [...record.processes, identity] }),
    ready: (urls, version, logs) => put({ urls, version, logs, processes: record.processes.filter(isRunning) }),
    failed: () => rmSync(recordFile(target), { force: true }),
  };
}

function recordFile(target: string): string {
  return `${cacheFolder('servers')}/${target}.json`;
}

function write(record: Omit<KeptServer, 'running'>): void {
  const file = recordFile(record.target);
  writeFileSync(`${file}.${process.pid}.part`, JSON.stringify(record, undefined, 2), { mode: 0o600 });
  renameSync(`${file}.${process.pid}.part`, file);
}

function read(target: string): KeptServer | undefined {
  try {
    const record = JSON.parse(readFileSync(`${cachePath('servers')}/${target}.json`, 'utf8')) as Omit<KeptServer, 'running'>;
    return { ...record, running: record.processes.length > 0 && record.processes.every(isRunning) };
  } catch {
    return undefined;
  }
}
