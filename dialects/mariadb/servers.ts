/** MariaDB in the listing: a row for each release series, and one for a Galera cluster if the library is there. */
import { UsageError } from '../../core/base/index.ts';
import { refuse } from '../servers/process/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { mariadbReleases } from './releases.ts';
import { startGalera } from './server-galera.ts';
import type { MariadbProgram } from './server-program.ts';
import { givenMariadb, mariadbPrograms } from './server-program.ts';
import { SMALLEST } from './smallest.ts';
import { startMariadb } from './server.ts';

export function mariadbServers(): readonly ServerListing[] {
  const programs = mariadbPrograms();
  const alone = programs.map((program) => ({ ...row('mariadb', '', program, startMariadb), smallest: SMALLEST }));
  const clusters = programs.filter(({ hasGalera }) => hasGalera).map((program) => row('galera', ', three nodes', program, startGalera));
  return [...alone, ...clusters];
}

/** Targets such as `mariadb@10.11.5`, oldest first. */
export function mariadbReleaseServers(): readonly ServerListing[] {
  return mariadbReleases().map((program) => ({
    ...row('mariadb', '', program, startMariadb),
    target: `mariadb@${program.version}`,
    smallest: SMALLEST,
  }));
}

/** The listing of a program that --binary names. */
export function mariadbBuild(target: string, path: string): ServerListing {
  const program = givenMariadb(path, target);
  if (!target.startsWith('galera@'))
    return { ...row('mariadb', '', program, startMariadb), target, smallest: SMALLEST, build: program.build };
  if (!program.hasGalera)
    refuse(program.reason, 'it has no Galera library beside it (lib/galera/libgalera_smm.so of the package galera-4)');
  return { ...row('galera', ', three nodes', program, startGalera), target, build: program.build };
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
