/**
 * A mysqld that can be run, from Debian's packages in the user's cache or from the system. The tool uses only the
 * system's program, with a data folder and a configuration of its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedTree, getTree, MYSQL_PACKAGES, packageSource, treeFolder, whyNoPackages } from '../servers/debian/index.ts';
import type { DebianServer, DebianTree } from '../servers/debian/index.ts';
import { findPrograms, givenProgram } from '../servers/process/index.ts';

export interface MysqlProgram {
  /** For example `9.7.4`. */
  readonly version: string;
  readonly reason: string;
  readonly download?: string;
  /** The address of the download, if it can be fetched now. */
  readonly source?: () => Promise<string | undefined>;
  readonly missing?: string;
  readonly locate: (progress?: (line: string) => void) => Promise<Mysqld>;
}

export interface Mysqld {
  /** The name of the release's data template. Absent: none is kept. */
  readonly key?: string;
  readonly command: string;
  /** Arguments before all options. */
  readonly args: readonly string[];
  /** Options that name the folders of messages and plugins. */
  readonly options: readonly string[];
}

const ASK = ['--no-defaults', '--version'];
/** The first release with INTERSECT and EXCEPT. */
const OLDEST = [8, 0, 31];

export function mysqlPrograms(): readonly MysqlProgram[] {
  return [...onThisSystem(), ...MYSQL_PACKAGES.map(fromDebian)];
}

function fromDebian(server: DebianServer): MysqlProgram {
  const folder = treeFolder('mysql', server);
  const cached = cachedTree('mysql', server);
  if (cached) return { version: cached.version, reason: `Debian's packages in ${folder}`, locate: async () => ofTree(cached) };
  const missing = whyNoPackages();
  return {
    version: server.version,
    reason: `Debian's packages (${server.suite})`,
    ...(missing === undefined
      ? {
          download: `${server.megabytes} MB of Debian's packages (${server.suite}) into ${folder}`,
          source: async () => packageSource(server),
        }
      : { missing }),
    locate: async (progress) => ofTree(await getTree('mysql', server, progress)),
  };
}

function ofTree({ usr, version, launch }: DebianTree): Mysqld {
  const share = join(usr, 'share', 'mysql');
  return {
    ...launch('sbin/mysqld'),
    key: `debian-${version}`,
    options: [
      `--basedir=${usr}`,
      `--plugin-dir=${join(usr, 'lib', 'mysql', 'plugin')}`,
      `--lc-messages-dir=${share}`,
      `--character-sets-dir=${join(share, 'charsets')}`,
    ],
  };
}

/** MariaDB also calls its program mysqld. */
function onThisSystem(): readonly MysqlProgram[] {
  return findPrograms('mysqld').flatMap((file) => {
    const { stdout } = spawnSync(file, ASK, { encoding: 'utf8', timeout: 10_000 });
    const version = versionIn(stdout ?? '');
    if (version === undefined) return [];
    return [{ version, reason: file, locate: async () => ({ key: `system-${version}`, ...installedAt(file) }) }];
  });
}

/** The program that --binary names. Throws UsageError if it cannot be used. */
export function givenMysql(path: string, target: string): MysqlProgram & { readonly build: string } {
  const { file, version, build } = givenProgram(path, target, {
    title: 'MySQL',
    places: ['bin/mysqld', 'sbin/mysqld'],
    args: ASK,
    version: versionIn,
    word: 'mysql',
    oldest: OLDEST,
  });
  return { version, build, reason: file, locate: async () => installedAt(file) };
}

function versionIn(words: string): string | undefined {
  return /mariadb/i.test(words) ? undefined : /Ver (\d+\.\d+\.\d+)/.exec(words)?.[1];
}

function installedAt(file: string): Mysqld {
  const base = dirname(dirname(file));
  return { command: file, args: [], options: existsSync(join(base, 'share')) ? [`--basedir=${base}`] : [] };
}
