/**
 * Fetches packages of a Debian suite with all their dependencies, libc included, by apt's own tools with a private
 * state. It neither changes nor reads the system's package lists, package database and sources. It needs no privilege.
 * The signature of the suite and the hash of each package are checked by apt.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../../core/base/index.ts';
import { cacheFolder, cachePath, findPrograms, ProgramFailed, removeFolder, runProgram } from '../process/index.ts';
import type { DebianServer } from './packages.ts';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Names a Debian mirror, for a system whose own apt does not use one. */
const MIRROR_VARIABLE = 'ANOMALIST_DEBIAN_MIRROR';
const TOOLS = ['apt-get', 'dpkg'];
const ARCHITECTURES = ['x64', 'arm64'];

/** Packages that a server never loads at run time. */
const LEFT_OUT =
  /^(perl|libperl|libdb5|libgdbm|debconf|passwd|adduser|base-passwd|login|libpam-|libsemanage|libsepol|libaudit-common|sysuser|systemd|init-)/;

export interface AptFiles {
  readonly files: readonly string[];
  /** The version of the first package, for example `9.7.4`. */
  readonly version: string;
}

interface Mirrors {
  readonly main: string;
  readonly security: string | undefined;
}

/** Lines of apt's output that report successes or retries. */
const NOISE = /^(Ign|Hit|Get):|^Reading package lists/;

/** Undefined: packages can be fetched here, as far as can be told without the network. */
export function whyNoPackages(): string | undefined {
  const instead = 'use Docker (docker-compose.yml) and --url instead';
  if (process.platform !== 'linux') return `Debian's packages run on Linux only, this is ${process.platform}: ${instead}`;
  if (!ARCHITECTURES.includes(process.arch)) return `no Debian packages are known for ${process.arch}: ${instead}`;
  const missing = TOOLS.filter((tool) => findPrograms(tool).length === 0);
  if (missing.length > 0) return `${missing.join(' and ')}, which fetch Debian's packages, are not on PATH: ${instead}`;
  if (!existsSync(KEYRING))
    return `${KEYRING} is missing: install the package debian-archive-keyring (nothing else needs to be installed), or ${instead}`;
  if (!mirrors())
    return `no Debian mirror is known: set ${MIRROR_VARIABLE} to the URL of one (on Debian, apt-get update once is enough), or ${instead}`;
  return undefined;
}

/** The address of the suite. It answers if the packages can be fetched. */
export function packageSource(server: DebianServer): string | undefined {
  const main = mirrors()?.main;
  return main === undefined ? undefined : `${main.replace(/\/$/, '')}/dists/${server.suite}/InRelease`;
}

/** Removes the package lists, which take more room than the packages. */
export function forgetLists(server: DebianServer): void {
  removeFolder(cachePath('apt', server.suite));
}

/** Fetches the packages into `folder` and returns their files. */
export async function fetchPackages(server: DebianServer, folder: string, progress?: (line: string) => void): Promise<AptFiles> {
  const config = await privateApt(server.suite);
  const env = { ...process.env, APT_CONFIG: config, LC_ALL: 'C' };
  const apt = async (words: readonly string[], cwd?: string): Promise<string> => {
    try {
      return await runProgram('apt-get', words, { env, ...(cwd === undefined ? {} : { cwd }) });
    } catch (error) {
      const why =
        error instanceof ProgramFailed
          ? error.words
              .split('\n')
              .filter((line) => !NOISE.test(line))
              .join('\n')
          : String(error);
      throw new DatabaseError(
        `apt-get could not fetch ${server.packages.join(', ')} of Debian ${server.suite}:\n${why}\nIs the network up, and does the mirror have the suite (${MIRROR_VARIABLE} names another mirror)? With Docker, docker compose up gives the server too; --url takes one of your own.`,
      );
    }
  };
  progress?.(`reading the package lists of Debian ${server.suite}`);
  await apt(['-q', 'update', '-o', 'APT::Update::Error-Mode=any']);
  const wanted = (await apt(['install', '-y', '--no-install-recommends', '--print-uris', ...server.packages]))
    .split('\n')
    .flatMap((line) => parseUri(line) ?? []);
  const version = /^(?:\d+:)?(\d+[\d.]*)/.exec(wanted.find(({ name }) => name === server.packages[0])?.version ?? '')?.[1] ?? '';
  if (version !== server.version && !version.startsWith(`${server.version}.`)) {
    throw new DatabaseError(
      `Debian ${server.suite} has ${server.packages[0]} ${version || '(none)'} by now, not ${server.version}: use Docker (docker-compose.yml) and --url for that version`,
    );
  }
  const chosen = wanted.filter(({ name }) => !LEFT_OUT.test(name));
  const megabytes = chosen.reduce((sum, { size }) => sum + size, 0) / 1e6;
  progress?.(`fetching ${chosen.length} packages (${megabytes.toFixed(0)} MB) of Debian ${server.suite}`);
  await apt(['-q', 'download', ...chosen.map(({ name, version: exact }) => `${name}=${exact}`)], folder);
  return { files: chosen.map(({ file }) => join(folder, file)), version };
}

/**
 * Parses a line of --print-uris: 'URL' FILE SIZE HASH. The file is PACKAGE_VERSION_ARCHITECTURE.deb, with the colon of
 * a version's epoch escaped.
 */
function parseUri(line: string): { name: string; version: string; file: string; size: number } | undefined {
  const match = /^'[^']+' ((\S+?)_(\S+)_\w+\.deb) (\d+)/.exec(line);
  return match
    ? { name: match[2] ?? '', version: (match[3] ?? '').replaceAll('%3a', ':'), file: match[1] ?? '', size: Number(match[4]) }
    : undefined;
}

/** Writes the configuration file of an apt whose whole state is in our cache. */
async function privateApt(suite: string): Promise<string> {
  const root = cacheFolder('apt', suite);
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'etc']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'state', 'status'), '');
  const { main, security } = mirrors() ?? { main: '', security: undefined };
  const lines = [`deb [signed-by=${KEYRING}] ${main} ${suite} main`];
  if (security !== undefined && suite !== 'sid') lines.push(`deb [signed-by=${KEYRING}] ${security} ${suite}-security main`);
  writeFileSync(join(root, 'etc', 'sources.list'), `${lines.join('\n')}\n`);
  const file = join(root, 'apt.conf');
  const settings = {
    'Dir::State': join(root, 'state'),
    'Dir::State::status': join(root, 'state', 'status'),
    'Dir::Cache': join(root, 'cache'),
    'Dir::Etc::sourcelist': join(root, 'etc', 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    // A desktop's configuration requests these beside the package lists.
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::IndexTargets::deb::CNF::DefaultEnabled': 'false',
  };
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  return file;
}

let known: { readonly mirrors: Mirrors | undefined } | undefined;

/** The mirrors of the system's own apt, if the system is a Debian. */
function mirrors(): Mirrors | undefined {
  const given = process.env[MIRROR_VARIABLE];
  if (given !== undefined && given !== '') return { main: given, security: undefined };
  if (!known) {
    const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(ORIGIN) $(LABEL) $(REPO_URI)', 'Created-By: Packages'], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    const rows = (stdout ?? '').split('\n').map((line) => line.split(' '));
    const find = (label: string): string | undefined => rows.find(([origin, mark]) => origin === 'Debian' && mark === label)?.[2];
    const main = find('Debian');
    known = { mirrors: main === undefined ? undefined : { main, security: find('Debian-Security') } };
  }
  return known.mirrors;
}
