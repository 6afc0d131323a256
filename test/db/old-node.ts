/** Real releases of Node that are too old for us, from npm's packages of its binaries, kept in the user's cache. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../dialects/servers/process/index.ts';

/** It bounds what hangs and nothing else. */
const LONGEST_MS = 600_000;

/** The program, or why it is not here. */
export function oldNode(version: string): { readonly program: string } | { readonly missing: string } {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = cacheFolder('node');
  const program = join(folder, version, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return { program };
  const work = mkdtempSync(join(folder, 'fetch-'));
  try {
    const options = {
      cwd: work,
      stdio: 'pipe' as const,
      encoding: 'utf8' as const,
      timeout: LONGEST_MS,
      shell: process.platform === 'win32',
    };
    const file = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], options)
      .trim()
      .split('\n')
      .at(-1)!;
    execFileSync('tar', ['-xzf', file, 'package/bin'], options);
    execFileSync(join(work, 'package', 'bin', 'node'), ['--version'], options);
    renameSync(join(work, 'package'), dirname(dirname(program)));
    return { program };
  } catch (error) {
    if (existsSync(program)) return { program }; // another run was faster
    return { missing: `${name}@${version} cannot be fetched or run here (${(error as Error).message.split('\n')[0]})` };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
