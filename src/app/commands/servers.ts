/**
 * `anomalist servers` shows which database servers can be started on this machine, and why others cannot. `start` and
 * `stop` manage one that stays between runs.
 */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import {
  SMALL,
  interruptible,
  isSmall,
  keptServers,
  listReleases,
  listServers,
  startKept,
  stopServer,
  unreachable,
} from '../../../dialects/index.ts';
import type { KeptServer, ServerListing } from '../../../dialects/index.ts';
import { folded } from '../../../reports/index.ts';
import { Interrupted } from '../../process/interruption.ts';
import { typed } from '../../process/typed.ts';
import { BINARY, binaryPath } from '../../target/binary-option.ts';
import { parsePort } from '../../target/parse-options.ts';

export function serversCommand(finish: (exit: number) => void): Command {
  const command = new Command('servers');
  command.option('--json', 'one JSON object on stdout', false).action(async (options) => {
    const servers = listServers();
    const silent = await unreachable(servers);
    process.stdout.write(options.json ? `${JSON.stringify(asJson(servers, silent))}\n` : asText(servers, silent));
    finish(EXIT.clean);
  });
  command
    .command('start <name>')
    .description('Start a server that stays until `servers stop`; print its URLs, a line each.')
    .option('--port <n>', 'listen on this port (default: a free one)', parsePort)
    .option('--binary <path>', BINARY)
    .option('--small', `with its smallest limits: the same as NAME${SMALL}`, false)
    .action(async (name, options) => {
      finish(await start(options.small && !isSmall(name) ? `${name}${SMALL}` : name, options));
    });
  command
    .command('stop [name]')
    .description('Stop a server that `servers start` started.')
    .option('--all', 'stop all of them', false)
    .action(async (name, options) => {
      finish(await stop(name, options.all));
    });
  return command;
}

interface Start {
  readonly port?: number | undefined;
  readonly binary?: string | undefined;
}

async function start(name: string, { port, binary }: Start): Promise<number> {
  const { signal, release } = endOnSignals();
  try {
    const { server, already } = await interruptible(signal, () =>
      startKept(name, { progress: say, ...(port !== undefined && { port }), ...(binary !== undefined && { binary: binaryPath(binary) }) }),
    ).catch((error: unknown) => {
      throw signal.aborted ? new Interrupted() : error;
    });
    const { target } = server;
    say(already ? `${target} runs already` : `${target} (${server.version}) runs until \`${typed(`anomalist servers stop ${target}`)}\``);
    for (const url of server.urls) process.stdout.write(`${url}\n`);
    return EXIT.clean;
  } finally {
    release();
  }
}

async function stop(name: string | undefined, all: boolean): Promise<number> {
  if (all === (name !== undefined))
    throw new UsageError(`servers stop: expected the name of a server or --all, got ${all ? 'both' : 'neither'}.`);
  const names = name === undefined ? keptServers().map(({ target }) => target) : [name];
  for (const each of names) say((await stopServer(each)) ? `${each} stopped` : `${each} was not running any more; removed what it left`);
  if (names.length === 0) say('no server is kept');
  return EXIT.clean;
}

/** A signal ends the start in order. A second one ends our process, together with a half-started server. */
function endOnSignals(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const leave = (): void => (controller.signal.aborted ? process.exit(EXIT.interrupted) : controller.abort());
  for (const name of signals) process.on(name, leave);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, leave);
    },
  };
}

function asText(servers: readonly ServerListing[], silent: ReadonlyMap<string, string>): string {
  const started = keptServers();
  const width = Math.max(...[...servers, ...started].map(({ target }) => target.length)) + 2;
  const lines = servers.map((server) => `${server.target.padEnd(width)}${stateOf(server, silent.get(server.target))}`);
  const kept = started.map((server) => `${server.target.padEnd(width)}${keptText(server)}`);
  return `${[...lines, ...releaseLines(), ...(kept.length > 0 ? ['', 'Started with `servers start`:', ...kept] : [])].join('\n')}\n`;
}

/** Lists the many releases by DBMS. */
function releaseLines(): readonly string[] {
  const releases = listReleases().filter(({ available }) => available);
  const families = [...new Set(releases.map(({ target }) => target.split('@')[0]!))];
  if (families.length === 0) return [];
  const numbers = (family: string): string =>
    releases.flatMap(({ target }) => (target.startsWith(`${family}@`) ? [target.slice(family.length + 1)] : [])).join(' ');
  return [
    '',
    'Single releases, for compare and bisect (each is fetched when it is first started):',
    ...families.flatMap((family) => folded(`${family}@ ${numbers(family)}`)),
  ];
}

function stateOf({ available, version, download, reason }: ServerListing, silence: string | undefined): string {
  if (!available) return `not here: ${reason}`;
  const which = version === '' ? '' : ` (${version})`;
  if (download === undefined) return `ready${which}, ${reason}`;
  return silence === undefined
    ? `on demand${which}, the first start fetches ${download}`
    : `not now: ${silence}, from where the first start fetches ${download}; use Docker (docker-compose.yml) or --url`;
}

function keptText({ urls, processes, running, folder }: KeptServer): string {
  return running
    ? `${urls.join(' ')}, process ${processes.map(({ pid }) => pid).join(', ')}, log in ${folder}`
    : 'not running any more (`servers stop` removes what it left)';
}

function asJson(listed: readonly ServerListing[], silent: ReadonlyMap<string, string>): object {
  const servers = listed.map(({ target, dialect, version, available, download, reason }) => ({
    target,
    dialect,
    version,
    available,
    download,
    reason,
    unreachable: silent.get(target),
  }));
  const kept = keptServers().map(({ target, urls, version, running, processes, folder }) => ({
    target,
    urls,
    version,
    running,
    pids: processes.map(({ pid }) => pid),
    folder,
  }));
  const releases = listReleases().map(({ target, dialect, available, download, reason }) => ({
    target,
    dialect,
    available,
    download,
    reason,
  }));
  return { servers, releases, kept };
}

function say(line: string): void {
  process.stderr.write(`anomalist: ${line}\n`);
}
