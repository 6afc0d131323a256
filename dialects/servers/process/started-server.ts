/**
 * Recipe -> running server of one or several processes. The server gets a folder of its own and free ports, and another
 * try if a port was taken in between. When it stops or does not start, nothing is left behind.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import type { OwnSetting } from '../../../core/dialect/index.ts';
import type { Account } from './account.ts';
import { freePorts, isFree } from './free-ports.ts';
import type { Keeper } from './kept-servers.ts';
import type { ServerProcess } from './server-process.ts';
import { StartFailed, startProcess } from './server-process.ts';
import { keptFolder, removeFolder, spaceHint, temporaryFolder } from './work-folder.ts';

export interface StartOptions {
  /** Server settings that override ours, by the server's own names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Names of our settings that keep the vendor's default, or `all`. Default: those of ANOMALIST_VENDOR_SETTINGS. */
  readonly vendorsWay?: readonly string[];
  /** The port to listen on. Default: a free one. */
  readonly port?: number;
  /** Receives a line for each step that takes long. */
  readonly progress?: (line: string) => void;
  /** The server outlives our process (`anomalist servers start`). */
  readonly keep?: Keeper;
}

export interface StartedServer {
  /** The first endpoint. */
  readonly url: string;
  /** Every endpoint of the database: a cluster's nodes, or a primary and then its standbys. */
  readonly urls: readonly string[];
  /** The server's own version, for example `18.4`. */
  readonly version: string;
  /** The first process. */
  readonly pid: number;
  readonly pids: readonly number[];
  /** The settings in which it differs from its vendor's defaults, beside those that the caller asked for. */
  readonly ownSettings: readonly OwnSetting[];
  /** Stops the server and removes its temporary folder. Repeated calls are allowed. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The log of all its processes so far. Empty once it has stopped. */
  log(): string;
}

/** One process of the server, and its address. */
export interface NodeRecipe {
  /** The name of its log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url: string;
  readonly ready: (log: string) => boolean | Promise<boolean>;
}

export interface ServerRecipe {
  /** The name in messages, for example `MySQL 9.7`. */
  readonly title: string;
  /** A short word for the temporary folder's name. */
  readonly kind: string;
  readonly account?: Account | undefined;
  readonly portCount: number;
  /** The server creates and removes many files, so its folder is in memory if there is room. */
  readonly inMemory?: boolean;
  /** Fills the empty folder and returns the processes to run. */
  readonly prepare: (folder: string, ports: readonly number[]) => Promise<readonly NodeRecipe[]>;
  /** Each node waits for the one before it. */
  readonly inTurn?: boolean;
  readonly version: (log: string) => string;
  /** Our settings that are in force. */
  readonly ownSettings: readonly OwnSetting[];
  readonly stopSignal: NodeJS.Signals;
}

/** Another process may take a free port before the server binds it. */
const PORT_ATTEMPTS = 5;
const PORT_TAKEN = /could not bind|Address already in use|EADDRINUSE|Bind on TCP\/IP port/i;

export async function startRecipe(recipe: ServerRecipe, options: StartOptions): Promise<StartedServer> {
  await assertPort(recipe, options.port);
  const { keep } = options;
  const folder = keep ? keptFolder(keep.target, recipe.account) : temporaryFolder(recipe.kind, recipe.account, recipe.inMemory);
  keep?.begins(folder, recipe.stopSignal);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const ports = options.port === undefined ? await freePorts(recipe.portCount) : [options.port];
      const nodes = await recipe.prepare(folder, ports);
      try {
        return started(recipe, nodes, await startNodes(recipe, nodes, folder, keep), folder, keep);
      } catch (error) {
        const again = error instanceof StartFailed && PORT_TAKEN.test(error.log) && options.port === undefined && attempt < PORT_ATTEMPTS;
        if (!again) throw error;
        for (const name of readdirSync(folder)) removeFolder(join(folder, name));
      }
    }
  } catch (error) {
    const failure = error instanceof StartFailed ? explain(recipe, error, folder) : error;
    removeFolder(folder);
    keep?.failed();
    throw failure;
  }
}

async function assertPort(recipe: ServerRecipe, port: number | undefined): Promise<void> {
  if (port === undefined) return;
  if (recipe.portCount > 1)
    throw new UsageError(`${recipe.title} takes ${recipe.portCount} ports, which the system chooses: leave the port out`);
  if (!(await isFree(port)))
    throw new UsageError(
      `port ${port} of 127.0.0.1 cannot be used for ${recipe.title}: another program listens there or you may not; name another port or none`,
    );
}

async function startNodes(
  recipe: ServerRecipe,
  nodes: readonly NodeRecipe[],
  folder: string,
  keep: Keeper | undefined,
): Promise<readonly ServerProcess[]> {
  const start = (node: NodeRecipe): Promise<ServerProcess> =>
    startProcess({
      ...node,
      account: recipe.account,
      folder,
      log: logFile(folder, node),
      kept: keep ? (identity) => keep.spawned(identity) : undefined,
    });
  const results: PromiseSettledResult<ServerProcess>[] = [];
  if (recipe.inTurn) for (const node of nodes) results.push(...(await Promise.allSettled(results.some(isFailure) ? [] : [start(node)])));
  else results.push(...(await Promise.allSettled(nodes.map(start))));
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find(isFailure);
  if (!failed) return running;
  await Promise.all(running.map((server) => server.end('SIGKILL')));
  throw failed.reason;
}

function isFailure(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}

function logFile(folder: string, node: NodeRecipe): string {
  return join(folder, `${node.name}.log`);
}

function started(
  recipe: ServerRecipe,
  nodes: readonly NodeRecipe[],
  running: readonly ServerProcess[],
  folder: string,
  keep: Keeper | undefined,
): StartedServer {
  const urls = nodes.map((node) => node.url);
  const version = recipe.version(running[0]?.log() ?? '');
  if (keep) {
    keep.ready(
      urls,
      version,
      nodes.map((node) => logFile(folder, node)),
    );
    for (const server of running) server.release();
  }
  return {
    url: urls[0] ?? '',
    urls,
    version,
    pid: running[0]?.pid ?? 0,
    pids: running.map((server) => server.pid),
    ownSettings: recipe.ownSettings,
    stop: async () => {
      await Promise.all(running.map((server) => server.end(recipe.stopSignal)));
      removeFolder(folder);
      keep?.failed();
    },
    kill: (signal) => {
      for (const server of running) server.kill(signal);
    },
    log: () => running.map((server) => server.log()).join(''),
  };
}

function explain(recipe: ServerRecipe, error: StartFailed, folder: string): DatabaseError {
  return new DatabaseError(
    `${recipe.title} did not start (${error.outcome}); its last words:\n${error.log || '(none)'}${spaceHint(folder)}\nTo use a server of your own pass --url ...`,
  );
}
