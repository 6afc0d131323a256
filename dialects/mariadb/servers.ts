/** MariaDB in the listing: a row per release series, and one for a Galera cluster of it where its library is there. */
import { UsageError } from '../../core/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { mariadbReleases } from './releases.ts';
import { startGalera } from './server-galera.ts';
import type { MariadbProgram } from './server-program.ts';
import { mariadbPrograms } from './server-program.ts';
import { SMALLEST } from './smallest.ts';
import { startMariadb } from './server.ts';

export function mariadbServers(): readonly ServerListing[] {
  const programs = mariadbPrograms();
  const alone = programs.map((program) => ({ ...row('mariadb', '', program, startMariadb), smallest: SMALLEST }));
  const clusters = programs.filter(({ hasGalera }) => hasGalera).map((program) => row('galera', ', three nodes', program, startGalera));
  return [...alone, ...clusters];
}

/** `mariadb@10.11.5`, oldest first. */
export function mariadbReleaseServers(): readonly ServerListing[] {
  return mariadbReleases().map((program) => ({
    ...row('mariadb', '', program, startMariadb),
    target: `mariadb@${program.version}`,
    smallest: SMALLEST,
  }));
}

function row(
  word: string,
  more: string,
  program: MariadbProgram,
  start: (program: MariadbProgram, options: StartOptions) => Promise<StartedServer>,
): ServerListing {
  const { version, reason, download, source, missing } = program;
  const target = `${word}@${version.split('.').slice(0, 2).join('.')}`;
  return {
    target,
    dialect: 'mariadb',
    version: missing === undefined ? version : '',
    available: missing === undefined,
    reason: missing ?? `${reason}${more}`,
    ...(download === undefined ? {} : { download }),
    ...(source === undefined ? {} : { source }),
    start: async (options = {}) => {
      if (missing !== undefined) throw new UsageError(`${target} cannot be started here: ${missing}`);
      return start(program, options);
    },
  };
}
