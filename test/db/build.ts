/** Before the database tests: builds what they run as a user does. It starts in a small part of the time that the sources take. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc');
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  for (const args of [[tsc, '-b', 'src', 'src/app'], ['esbuild.config.mjs']])
    execFileSync(process.execPath, args, { cwd, stdio: 'inherit' });
}
