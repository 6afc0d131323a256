/**
 * An embedded PostgreSQL for one run: a fresh data folder, the `postgres` binary as our direct child on a free port of
 * 127.0.0.1, durability switched off (nothing outlives the run), and nothing left behind when it stops.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseError } from '../../core/index.ts';
import type { Launch } from './account.ts';
import { launchAs, serverAccount } from './account.ts';
import { makeDataFolder } from './data-folder.ts';
import { findEmbeddedPackage, usableNativeFolder } from './embedded-package.ts';

export interface StartOptions {
  /** Server settings on top of ours (postgresql.conf names). */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The data folder; kept when the server stops, used again if it holds one. Default: a temporary one, removed. With
   * synchronous_commit off, a killed server may have lost its last acknowledged commits.
   */
  readonly dir?: string;
}

export interface StartedServer {
  readonly url: string;
  /** As the server names itself, such as `18.4`. */
  readonly version: string;
  readonly pid: number;
  /** Stops the server and removes its temporary folder; may be called again. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  deadlock_timeout: '50ms',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // In the data folder, so that a killed server leaves nothing in /dev/shm.
  dynamic_shared_memory_type: process.platform === 'win32' ? 'windows' : 'mmap',
};

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
/** Between choosing a free port and binding it, another process may take it. */
const PORT_ATTEMPTS = 5;
const LOG_LINES = 20;

export async function startPostgres(options: StartOptions = {}): Promise<StartedServer> {
  const found = findEmbeddedPackage();
  const account = serverAccount();
  const native = usableNativeFolder(found, account !== undefined);
  const data = await makeDataFolder({ native, account, ...(options.dir === undefined ? {} : { dir: options.dir }) });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      const args = ['-D', data.folder, '-p', String(port), ...settingArguments({ ...SETTINGS, ...options.settings })];
      const server = new Server(launchAs(account, join(native, 'bin', 'postgres'), args), port, data.remove);
      if (await server.accepts(attempt < PORT_ATTEMPTS)) return server;
    }
  } catch (error) {
    data.remove();
    throw error;
  }
}

function settingArguments(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

class Server implements StartedServer {
  readonly url: string;
  version = '';
  readonly #child: ChildProcess;
  readonly #gone: Promise<string>;
  readonly #remove: () => void;
  readonly #log: string[] = [];
  #ready = false;
  /** Last resort when our process ends without stop(). */
  readonly #onExit = (): void => {
    this.#child.kill('SIGKILL');
    this.#remove();
  };

  constructor(launch: Launch, port: number, remove: () => void) {
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    this.#remove = remove;
    this.#child = spawn(launch.command, launch.args, {
      ...launch.options,
      // A process group of its own: Ctrl-C in a terminal reaches the whole group, and the server must outlast the run.
      detached: process.platform !== 'win32',
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC', ...windowsEnvironment() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
    process.once('exit', this.#onExit);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits for the server's own word that it is ready; false: the port was taken and another one may do. */
  async accepts(mayRetry: boolean): Promise<boolean> {
    const outcome = await Promise.race([this.#readLog(), this.#gone, timeout(START_TIMEOUT_MS)]);
    if (outcome === 'ready') return true;
    const log = this.#log.join('\n');
    await this.#end('SIGKILL');
    if (mayRetry && /could not bind|Address already in use/i.test(log)) return false;
    throw new DatabaseError(`the embedded PostgreSQL did not start (${outcome}); its last words:\n${log || '(none)'}\nTo use a server of your own pass --url postgres://...`);
  }

  async stop(): Promise<void> {
    // SIGINT: the fast shutdown, which rolls back and disconnects.
    await this.#end('SIGINT');
    this.#remove();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    // A stopped process (SIGSTOP) acts on nothing but SIGKILL.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#gone;
    clearTimeout(timer);
    process.off('exit', this.#onExit);
  }

  #readLog(): Promise<string> {
    return new Promise((resolve) => {
      if (this.#child.stderr === null) return;
      createInterface({ input: this.#child.stderr }).on('line', (line) => {
        this.#log.push(line);
        if (this.#log.length > LOG_LINES) this.#log.shift();
        this.version ||= /starting PostgreSQL (\S+)/.exec(line)?.[1] ?? '';
        if (!this.#ready && line.includes('ready to accept connections')) {
          this.#ready = true;
          resolve('ready');
        }
      });
    });
  }
}

/** Windows programs do not start without these. */
function windowsEnvironment(): Record<string, string> {
  const names = process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'TMP'] : [];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}

function timeout(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(`no answer within ${ms / 1000} s`), ms).unref();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
