/**
 * A server from Debian's packages, unpacked into the user's cache and not installed: no script of a package runs. Its
 * programs use the loader and libraries of that folder, so that a newer suite's server runs on an older system.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cacheFolder, cachePath, removeFolder, runProgram, withLock } from '../process/index.ts';
import { fetchPackages, forgetLists } from './apt.ts';
import type { DebianServer } from './packages.ts';

export interface DebianTree {
  /** The tree's `usr` folder. */
  readonly usr: string;
  readonly version: string;
  /** The command and arguments that start a program of the tree. */
  readonly launch: (program: string) => { readonly command: string; readonly args: readonly string[] };
}

const MARK = 'anomalist.json';

/** The tree, if it is in the cache. */
export function cachedTree(name: string, server: DebianServer): DebianTree | undefined {
  const root = treeFolder(name, server);
  try {
    const { version } = JSON.parse(readFileSync(join(root, MARK), 'utf8')) as { version: string };
    return tree(root, version);
  } catch {
    return undefined;
  }
}

/** Returns the tree, and fetches it if it is not in the cache. If another process is fetching it, waits for that. */
export function getTree(name: string, server: DebianServer, progress?: (line: string) => void): Promise<DebianTree> {
  return withLock(
    `${name}-${server.version}`,
    async () => cachedTree(name, server) ?? (await unpack(treeFolder(name, server), server, progress)),
    (pid) => progress?.(`process ${pid} is fetching ${name} ${server.version}: waiting for it`),
  );
}

export function treeFolder(name: string, server: DebianServer): string {
  return cachePath('debian', `${name}-${server.version}`);
}

async function unpack(root: string, server: DebianServer, progress?: (line: string) => void): Promise<DebianTree> {
  cacheFolder('debian');
  const part = `${root}.${process.pid}.part`;
  const packages = `${root}.${process.pid}.packages`;
  removeLeftovers(root);
  try {
    for (const folder of [part, packages]) mkdirSync(folder, { recursive: true });
    const { files, version } = await fetchPackages(server, packages, progress);
    progress?.(`unpacking into ${root}`);
    for (const file of files) await runProgram('dpkg', ['-x', file, part]);
    writeFileSync(
      join(part, MARK),
      JSON.stringify({ version, suite: server.suite, files: files.map((file) => file.slice(packages.length + 1)) }, undefined, 2),
    );
    removeFolder(root);
    renameSync(part, root);
    return tree(root, version);
  } finally {
    removeFolder(part);
    removeFolder(packages);
    forgetLists(server);
  }
}

/** Removes the remains of a killed fetch. The caller holds the lock. */
function removeLeftovers(root: string): void {
  for (const name of names(dirname(root), /\.(part|packages)$/))
    if (name.startsWith(`${basename(root)}.`)) removeFolder(join(dirname(root), name));
}

function tree(root: string, version: string): DebianTree {
  const usr = join(root, 'usr');
  // Before Debian 12 libc is in /lib, which is a separate folder there. lib64 may hold an absolute link to the system's
  // loader.
  const folders = [join(usr, 'lib'), join(root, 'lib')].flatMap((lib) => names(lib, /-linux-gnu$/).map((name) => join(lib, name)));
  const loader = folders.flatMap((folder) => names(folder, /^ld-.*\.so/).map((name) => join(folder, name)))[0];
  const libraries = folders.join(':');
  return {
    usr,
    version,
    launch: (program) => {
      const file = join(usr, program);
      return loader === undefined ? { command: file, args: [] } : { command: loader, args: ['--library-path', libraries, file] };
    },
  };
}

function names(folder: string, pattern: RegExp): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .sort()
    : [];
}
