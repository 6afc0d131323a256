/**
 * Starts and stops one process of a server. The process runs in a process group of its own, because Ctrl-C in a terminal reaches the whole group
 * and the server must outlast the run. Its log is a file. It ends with our process unless it is kept. It counts as
 * started when its own log says so.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './account.ts';
import { launchAs } from './account.ts';
import type { ProcessIdentity } from './identity.ts';
import { identify } from './identity.ts';
import { interruption } from './interruptible.ts';
import { watch } from './watcher.ts';
import { removeFolder } from './work-folder.ts';

export interface ProcessRecipe {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly account?: Account | undefined;
  readonly log: string;
  /** Whether the log so far says that the server is ready. */
  readonly ready: (log: string) => boolean | Promise<boolean>;
  /** The folder to remove if our process ends without stopping the server. */
  readonly folder: string;
  /** Present if the server outlives our process. The function records its identity. */
  readonly kept?: ((identity: ProcessIdentity) => void) | undefined;
}

export interface ServerProcess {
  readonly pid: number;
  log(): string;
  kill(signal: NodeJS.Signals): void;
  /** Ends it, with SIGKILL if the signal has no effect in time. Repeated calls are allowed. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Lets our process end without it. */
  release(): void;
}

/** A failed start: how the process ended, and the end of its log. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
  readonly outcome: string;
  readonly log: string;

  constructor(outcome: string, log: string) {
    super(outcome);
    this.outcome = outcome;
    this.log = log;
  }
}

/** A failing start reports its error at once. A cluster on a busy machine may need more than a minute. */
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 5_000;
const LOOK_MS = 15;
const LAST_LINES = 25;

export async function startProcess(recipe: ProcessRecipe): Promise<ServerProcess> {
  const server = new SpawnedServer(recipe);
  const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
  const signal = interruption();
  const over = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  while (server.outcome === undefined && !over.aborted) {
    if (await recipe.ready(server.log())) return server;
    await Promise.race([server.gone, pause(LOOK_MS)]);
  }
  const outcome = server.outcome ?? (signal?.aborted ? 'interrupted' : undefined) ?? `no answer within ${START_TIMEOUT_MS / 1000} s`;
  await server.end('SIGKILL');
  throw new StartFailed(outcome, server.log().trimEnd().split('\n').slice(-LAST_LINES).join('\n'));
}

/** Servers to kill when our process ends without stopping them. */
const tied = new Set<SpawnedServer>();

class SpawnedServer implements ServerProcess {
  readonly gone: Promise<void>;
  outcome: string | undefined;
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly folder: string;
  readonly #callOff: () => void;

  constructor(recipe: ProcessRecipe) {
    const launch = launchAs(recipe.account, recipe.command, recipe.args, recipe.kept === undefined);
    const out = openSync(recipe.log, 'a');
    this.#log = recipe.log;
    this.folder = recipe.folder;
    this.#child = spawn(launch.command, launch.args, {
      ...launch.options,
      detached: process.platform !== 'win32',
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC', ...windowsEnvironment(), ...recipe.env },
      stdio: ['ignore', out, out],
    });
    closeSync(out);
    this.gone = new Promise((resolve) => {
      const end = (how: string): void => {
        this.outcome ??= how;
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
    const identity = identify(this.pid);
    this.#callOff = identity && !recipe.kept && !launch.tied ? watch(identity, recipe.folder) : () => {};
    if (identity) recipe.kept?.(identity);
    if (tied.size === 0) process.on('exit', killTied);
    tied.add(this);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  log(): string {
    try {
      return readFileSync(this.#log, 'utf8');
    } catch {
      return '';
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    // A stopped process (SIGSTOP) reacts only to SIGKILL.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.gone;
    clearTimeout(timer);
    this.#callOff();
    this.#forget();
  }

  release(): void {
    this.#child.unref();
    this.#forget();
  }

  #forget(): void {
    if (tied.delete(this) && tied.size === 0) process.off('exit', killTied);
  }
}

/** Runs when our process ends without stop(). */
function killTied(): void {
  for (const server of tied) server.kill('SIGKILL');
  for (const server of tied) removeFolder(server.folder);
}

/** Windows programs do not start without these variables. */
function windowsEnvironment(): Record<string, string> {
  const names = process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'TMP'] : [];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
