/**
 * A mariadbd that can be run, from Debian's packages in the user's cache or from the system. The tool uses only the
 * system's program and SQL files, with a data folder and a configuration of its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedTree, getTree, MARIADB_PACKAGES, packageSource, treeFolder, whyNoPackages } from '../servers/debian/index.ts';
import type { DebianServer, DebianTree } from '../servers/debian/index.ts';
import { findPrograms, givenProgram, refuse } from '../servers/process/index.ts';

export interface MariadbProgram {
  /** For example `11.8.6`. */
  readonly version: string;
  readonly reason: string;
  readonly download?: string;
  /** The address of the download, if it can be fetched now. */
  readonly source?: () => Promise<string | undefined>;
  readonly missing?: string;
  /** Whether Galera's library comes with it. */
  readonly hasGalera: boolean;
  readonly locate: (progress?: (line: string) => void) => Promise<Mariadbd>;
}

export interface Mariadbd {
  /** The name of the release's data template. Absent: none is kept. */
  readonly key?: string;
  readonly command: string;
  /** Arguments before all options. */
  readonly args: readonly string[];
  /** The folder with the SQL files that make the system tables, and with messages and character sets. */
  readonly share: string;
  /** Options that name the folders of messages and plugins. */
  readonly options: readonly string[];
  /** The folder of the scripts that Galera calls. */
  readonly scripts: string;
  readonly galera: string | undefined;
}

const GALERA = ['lib/galera/libgalera_smm.so', 'lib64/galera-4/libgalera_smm.so', 'lib64/galera/libgalera_smm.so'];

const ASK = ['--no-defaults', '--version'];
/** A file for the system tables that has the same name in all releases. */
const SCRIPT = 'maria_add_gis_sp_bootstrap.sql';
/** The oldest release that the tool supports. */
const OLDEST = [10, 5];

export function mariadbPrograms(): readonly MariadbProgram[] {
  return [...onThisSystem(), ...MARIADB_PACKAGES.map(fromDebian)];
}

function fromDebian(server: DebianServer): MariadbProgram {
  const folder = treeFolder('mariadb', server);
  const cached = cachedTree('mariadb', server);
  const common = { version: cached?.version ?? server.version, hasGalera: server.packages.includes('galera-4') };
  if (cached) return { ...common, reason: `Debian's packages in ${folder}`, locate: async () => ofTree(cached) };
  const missing = whyNoPackages();
  return {
    ...common,
    reason: `Debian's packages (${server.suite})`,
    ...(missing === undefined
      ? {
          download: `${server.megabytes} MB of Debian's packages (${server.suite}) into ${folder}`,
          source: async () => packageSource(server),
        }
      : { missing }),
    locate: async (progress) => ofTree(await getTree('mariadb', server, progress)),
  };
}

function ofTree({ usr, version, launch }: DebianTree): Mariadbd {
  return { key: `debian-${version}`, ...launch('sbin/mariadbd'), ...placesIn(usr) };
}

function onThisSystem(): readonly MariadbProgram[] {
  const seen = new Set<string>();
  return [...findPrograms('mariadbd'), ...findPrograms('mysqld')].flatMap((file) => {
    const { stdout } = spawnSync(file, ASK, { encoding: 'utf8', timeout: 10_000 });
    const version = versionIn(stdout ?? '');
    if (version === undefined || seen.has(version)) return [];
    seen.add(version);
    const places = placesIn(dirname(dirname(file)));
    if (!existsSync(join(places.share, SCRIPT))) return [];
    return [
      {
        version,
        reason: file,
        hasGalera: places.galera !== undefined,
        locate: async () => ({ key: `system-${version}`, command: file, args: [], ...places }),
      },
    ];
  });
}

/** The program that --binary names. Throws UsageError if it cannot be used. */
export function givenMariadb(path: string, target: string): MariadbProgram & { readonly build: string } {
  const { file, version, build } = givenProgram(path, target, {
    title: 'MariaDB',
    places: ['bin/mariadbd', 'sbin/mariadbd', 'bin/mysqld', 'sbin/mysqld'],
    args: ASK,
    version: versionIn,
    word: target.split('@')[0]!,
    oldest: OLDEST,
  });
  const places = placesIn(dirname(dirname(file)));
  if (!existsSync(join(places.share, SCRIPT)))
    refuse(
      file,
      `${places.share} has no ${SCRIPT}, which makes its system tables; expected an installation (make install), not a build folder`,
    );
  const hasGalera = places.galera !== undefined;
  return { version, build, reason: file, hasGalera, locate: async () => ({ command: file, args: [], ...places }) };
}

function versionIn(words: string): string | undefined {
  return /Ver (\d+\.\d+\.\d+)-MariaDB/i.exec(words)?.[1];
}

/** MariaDB 11 calls its folder mariadb, earlier releases mysql. */
function placesIn(usr: string): Omit<Mariadbd, 'key' | 'command' | 'args'> {
  const shares = ['share/mariadb', 'share/mysql', 'share'].map((name) => join(usr, name));
  const share = shares.find((folder) => existsSync(join(folder, 'english'))) ?? join(usr, 'share', 'mysql');
  return {
    share,
    options: [
      `--basedir=${usr}`,
      `--plugin-dir=${join(usr, 'lib', 'mysql', 'plugin')}`,
      `--lc-messages-dir=${share}`,
      `--character-sets-dir=${join(share, 'charsets')}`,
    ],
    scripts: join(usr, 'bin'),
    galera: GALERA.map((name) => join(usr, name)).find((file) => existsSync(file)),
  };
}
