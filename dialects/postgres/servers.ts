/** PostgreSQL in the listing: every major version alone and with a streaming standby, and every release alone. */
import { UsageError } from '../../core/base/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { givenBinaries, postgresBinaries, postgresReleases } from './server-binaries.ts';
import type { PostgresBinaries } from './server-binaries.ts';
import { SMALLEST } from './smallest.ts';
import { startPostgres } from './server.ts';

export function postgresServers(): readonly ServerListing[] {
  return postgresBinaries().flatMap((binaries) => [
    row(`postgres@${binaries.major}`, binaries, false),
    row(`postgres@${binaries.major}+standby`, binaries, true),
  ]);
}

/** Targets such as `postgres@16.2`, oldest first. */
export function postgresReleaseServers(): readonly ServerListing[] {
  return postgresReleases().map((binaries) => row(`postgres@${binaries.version}`, binaries, false));
}

const STANDBY = /\+standby$/;

/** The listing of a program that --binary names. */
export function postgresBuild(target: string, path: string): ServerListing {
  const binaries = givenBinaries(path, target.replace(STANDBY, ''));
  return { ...row(target, binaries, STANDBY.test(target)), build: binaries.build };
}

function row(target: string, binaries: PostgresBinaries, standby: boolean): ServerListing {
  const { version, reason, download, source, missing } = binaries;
  return {
    target,
    dialect: 'postgres',
    version: missing === undefined ? version : '',
    available: missing === undefined,
    reason: missing ?? (standby ? `${reason}, a primary and a streaming standby` : reason),
    ...(download === undefined ? {} : { download }),
    ...(source === undefined ? {} : { source }),
    ...(!standby && { smallest: SMALLEST }),
    start: async (options = {}) => {
      if (missing !== undefined) throw new UsageError(`${target} cannot be started here: ${missing}`);
      return startPostgres({ ...options, standby }, binaries);
    },
  };
}
