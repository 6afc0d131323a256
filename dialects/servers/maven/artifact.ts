/**
 * Unpacks an artifact of Maven Central into the user's cache. Maven itself fetches it, with its own settings of mirrors
 * and proxies and a private repository. It changes nothing of the user's. Maven compares the file with the repository's
 * checksums. The file must also have the SHA-256 that we know, or it is removed.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseError } from '../../../core/base/index.ts';
import { cacheFolder, cachePath, findPrograms, ProgramFailed, removeFolder, runProgram, withLock } from '../process/index.ts';

export interface Artifact {
  readonly group: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly megabytes: number;
}

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** Undefined: artifacts can be fetched here, as far as can be told without the network. */
export function whyNoArtifacts(): string | undefined {
  return findPrograms('mvn').length === 0
    ? 'mvn, which fetches it from Maven Central, is not on PATH: install Maven, or use Docker and --url'
    : undefined;
}

export function artifactFolder({ name, version }: Pick<Artifact, 'name' | 'version'>): string {
  return cachePath('maven', `${name}-${version}`);
}

/** Returns the folder, and fetches the artifact if it is missing. If another process is fetching it, waits for that. */
export function getArtifact(artifact: Artifact, progress?: (line: string) => void): Promise<string> {
  const folder = artifactFolder(artifact);
  return withLock(
    `maven-${artifact.name}-${artifact.version}`,
    async () => {
      if (!existsSync(folder)) await fetchInto(folder, artifact, progress);
      return folder;
    },
    (pid) => progress?.(`process ${pid} is fetching ${artifact.name} ${artifact.version}: waiting for it`),
  );
}

async function fetchInto(
  folder: string,
  { group, name, version, sha256, megabytes }: Artifact,
  progress?: (line: string) => void,
): Promise<void> {
  progress?.(`fetching ${group}:${name}:${version} (about ${megabytes} MB) into ${folder}`);
  cacheFolder('maven');
  const part = `${folder}.${process.pid}.part`;
  // Maven's own plugins stay there, as they are the same each time.
  const repository = cachePath('maven', 'repository');
  const kept = join(repository, ...group.split('.'), name, version);
  try {
    mkdirSync(part, { recursive: true });
    await runProgram(
      'mvn',
      [
        '-q',
        '-B',
        '-C',
        `-Dmaven.repo.local=${repository}`,
        `${PLUGIN}:unpack`,
        `-Dartifact=${group}:${name}:${version}`,
        `-DoutputDirectory=${part}`,
      ],
      { cwd: part },
    );
    const got = await digest(join(kept, `${name}-${version}.jar`));
    if (got !== sha256)
      throw new DatabaseError(
        `${group}:${name}:${version} is not the file that it was: expected SHA-256 ${sha256}, got ${got}; nothing of it was kept. Is the mirror that Maven uses to be trusted?`,
      );
    renameSync(part, folder);
  } catch (error) {
    removeFolder(part);
    if (!(error instanceof ProgramFailed)) throw error;
    throw new DatabaseError(
      `mvn could not fetch ${group}:${name}:${version}:\n${lastErrors(error.words)}\nIs the network up? Docker gives the servers too; --url takes a server of your own.`,
      { cause: error },
    );
  } finally {
    removeFolder(kept);
  }
}

function lastErrors(words: string): string {
  return words
    .split('\n')
    .filter((line) => /ERROR/.test(line))
    .slice(0, 3)
    .join('\n');
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw new DatabaseError(`Maven unpacked ${basename(file)} but did not keep it, so that it cannot be checked; nothing of it was kept`, {
      cause: error,
    });
  }
  return hash.digest('hex');
}
