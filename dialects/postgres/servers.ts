/** PostgreSQL in the listing: every major version alone and with a streaming standby. */
import { UsageError } from '../../core/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { postgresBinaries } from './server-binaries.ts';
import { SMALLEST } from './smallest.ts';
import { startPostgres } from './server.ts';

export function postgresServers(): readonly ServerListing[] {
  return postgresBinaries().flatMap((binaries) => {
    const { major, version, reason, download, source, missing } = binaries;
    const row = (target: string, standby: boolean): ServerListing => ({
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
    });
    return [row(`postgres@${major}`, false), row(`postgres@${major}+standby`, true)];
  });
}
