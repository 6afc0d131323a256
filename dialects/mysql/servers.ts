/** MySQL in the listing: a row for each release series. */
import { UsageError } from '../../core/base/index.ts';
import type { ServerListing } from '../servers/listing.ts';
import { givenMysql, mysqlPrograms } from './server-program.ts';
import type { MysqlProgram } from './server-program.ts';
import { SMALLEST } from './smallest.ts';
import { startMysql } from './server.ts';

export function mysqlServers(): readonly ServerListing[] {
  return mysqlPrograms().map((program) => row(`mysql@${program.version.split('.').slice(0, 2).join('.')}`, program));
}

/** The listing of a program that --binary names. */
export function mysqlBuild(target: string, path: string): ServerListing {
  const program = givenMysql(path, target);
  return { ...row(target, program), build: program.build };
}

function row(target: string, program: MysqlProgram): ServerListing {
  const { version, reason, download, source, missing } = program;
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
}
