/**
 * The database servers that this machine can start, or why it cannot. It also starts one by the word of --target, and
 * chooses those that the tests use.
 */
import { UsageError } from '../../core/base/index.ts';
import { cockroachdbServers } from '../cockroachdb/server.ts';
import { givenByUrl } from './given.ts';
import { mariadbBuild, mariadbReleaseServers, mariadbServers } from '../mariadb/servers.ts';
import { mysqlBuild, mysqlServers } from '../mysql/servers.ts';
import { postgresBuild, postgresReleaseServers, postgresServers } from '../postgres/index.ts';
import { keepServer, stopKept as stopRecorded } from './process/index.ts';
import type { KeptServer, StartedServer, StartOptions } from './process/index.ts';
import type { ServerListing } from './listing.ts';
import { SMALL, isSmall, smallOf } from './small.ts';
import { tidbServers } from '../tidb/server.ts';

interface Family {
  readonly words: readonly string[];
  readonly list: () => readonly ServerListing[];
  /**
   * Single releases by their whole number, for example `postgres@16.2`. Comparisons use them, and the listing does not
   * show them.
   */
  readonly releases?: () => readonly ServerListing[];
  /** A program that the user names (--binary). Throws UsageError if it cannot be that target's server. */
  readonly build?: (target: string, path: string) => ServerListing;
}

/** The words before the `@`. Looking up one family does not wait for another. */
const FAMILIES: readonly Family[] = [
  { words: ['postgres'], list: postgresServers, releases: postgresReleaseServers, build: postgresBuild },
  { words: ['mysql'], list: mysqlServers, build: mysqlBuild },
  { words: ['mariadb', 'galera'], list: mariadbServers, releases: mariadbReleaseServers, build: mariadbBuild },
  { words: ['tidb'], list: tidbServers },
  { words: ['cockroachdb'], list: cockroachdbServers },
];

/** Each target once. Servers that need no download come first. */
export function listServers(): readonly ServerListing[] {
  return distinct([...givenByUrl(), ...FAMILIES.flatMap(({ list }) => list())]);
}

/** Single releases by their whole numbers, for each DBMS the oldest first. */
export function listReleases(): readonly ServerListing[] {
  return FAMILIES.flatMap(({ releases }) => releases?.() ?? []);
}

function distinct(all: readonly ServerListing[]): readonly ServerListing[] {
  const targets = [...new Set(all.map(({ target }) => target))];
  return targets.map((target) => {
    const rows = all.filter((row) => row.target === target);
    return (rows.find((row) => row.available && row.download === undefined) ??
      rows.find((row) => row.available) ??
      rows[0]) as ServerListing;
  });
}

/**
 * The row of one target, if there is one. This is faster than the whole list. `binary` names the user's own program or
 * installation. Throws UsageError if it is none of this target.
 */
export function lookUpServer(target: string, binary?: string): ServerListing | undefined {
  if (isSmall(target)) {
    const listing = lookUpServer(target.slice(0, -SMALL.length), binary);
    return listing && smallOf(listing);
  }
  const family = FAMILIES.find(({ words }) => words.includes(target.split('@')[0] ?? ''));
  if (binary !== undefined) {
    if (family === undefined) return undefined;
    if (family.build) return family.build(target, binary);
    throw new UsageError(`--binary ${binary}: not of ${target}, whose program is the first one on PATH: put it there.`);
  }
  return distinct([...givenByUrl(), ...(family?.list() ?? []), ...(family?.releases?.() ?? [])]).find((row) => row.target === target);
}

function findServer(target: string, binary?: string): ServerListing {
  const listing = lookUpServer(target, binary);
  if (!listing)
    throw new UsageError(
      `there is no server ${JSON.stringify(target)}: expected one of ${listServers()
        .map((server) => server.target)
        .join(', ')}, or a release (see: anomalist servers)`,
    );
  if (!listing.available) throw new UsageError(`${target} cannot be started here: ${listing.reason}`);
  return listing;
}

/** Starts the server, and fetches it first if needed. It ends with our process unless it is stopped before. */
export async function startServer(target: string, options: StartOptions = {}): Promise<StartedServer> {
  return findServer(target).start(options);
}

/** Starts the server so that it stays until `stopServer`. A user's build gets a name of its own beside the release's. */
export async function startKept(
  target: string,
  { binary, ...options }: StartOptions & { readonly binary?: string } = {},
): Promise<{ server: KeptServer; already: boolean }> {
  const listing = findServer(target, binary);
  const name = listing.build === undefined ? target : `${target}+build-${listing.build}`;
  return keepServer(
    name,
    (keep) => listing.start({ ...options, keep }),
    (pid) => options.progress?.(`${name} is being started or stopped by process ${pid}: waiting for it`),
  );
}

export const stopServer: (target: string) => Promise<boolean> = stopRecorded;

export interface TestServers {
  readonly chosen: readonly ServerListing[];
  readonly skipped: readonly { readonly target: string; readonly dialect: string; readonly why: string }[];
}

/**
 * The servers for test suites. `wanted` (the environment variable ANOMALIST_SERVERS) names targets separated by commas,
 * or is `all`. Missing ones are fetched. Without it, all servers that need no download are chosen.
 */
export function availableServers(wanted: string | undefined = process.env['ANOMALIST_SERVERS']): TestServers {
  const servers = listServers();
  const names = (wanted ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const every = names.includes('all');
  const unknown = names.filter((name) => name !== 'all' && !servers.some(({ target }) => target === name));
  if (unknown.length > 0)
    throw new UsageError(
      `ANOMALIST_SERVERS: there is no server ${unknown.join(', ')}: expected some of ${servers.map(({ target }) => target).join(', ')}, or all`,
    );
  const whyNot = ({ target, available, reason, download }: ServerListing): string | undefined => {
    if (names.length > 0 && !every && !names.includes(target)) return 'not in ANOMALIST_SERVERS';
    if (!available) return reason;
    return names.length === 0 && download !== undefined
      ? `not here yet (${download}): name it in ANOMALIST_SERVERS to have it fetched`
      : undefined;
  };
  return {
    chosen: servers.filter((server) => whyNot(server) === undefined),
    skipped: servers.flatMap((server) => {
      const why = whyNot(server);
      return why === undefined ? [] : [{ target: server.target, dialect: server.dialect, why }];
    }),
  };
}
