/** MySQL in the listing: a row per release series. */
import { UsageError } from '../../core/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { mysqlPrograms } from './server-program.ts';
import { SMALLEST } from './smallest.ts';
import { startMysql } from './server.ts';

export function mysqlServers(): readonly ServerListing[] {
  return mysqlPrograms().map((program) => {
    const { version, reason, download, source, missing } = program;
    const target = `mysql@${version.split('.').slice(0, 2).join('.')}`;
    return {
      target,
      dialect: 'mysql',
      version: missing === undefined ? version : '',
      available: missing === undefined,
      reason: missing ?? reason,
      ...(download === undefined ? {} : { download }),
      ...(source === undefined ? {} : { source }),
      smallest: SMALLEST,
      start: async (options = {}) => {
        if (missing !== undefined) throw new UsageError(`${target} cannot be started here: ${missing}`);
        return startMysql(program, options);
      },
    };
  });
}
