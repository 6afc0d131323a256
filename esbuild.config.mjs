/**
 * The program and the library (index.js) as they are installed: what tsc has written under dist/, joined into a few files in dist/app, since a command
 * that loads 700 modules takes twice as long to begin. Packages stay as they are. cli.js is not joined with anything:
 * before it has asked for the version, an old Node may meet no import. `node esbuild.config.mjs`, after `tsc -b`.
 */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const TO = { outdir: 'dist/app', target: 'node20.19', logLevel: 'warning' };

process.chdir(import.meta.dirname);
rmSync(TO.outdir, { recursive: true, force: true });
await build({
  ...TO,
  // a thread's script is a URL beside the file that starts it
  entryPoints: { main: 'dist/src/app/main.js', index: 'dist/src/index.js', worker: 'dist/src/judge/assess/threads/worker.js' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
});
await build({ ...TO, entryPoints: ['dist/src/app/cli.js'] });
// what `anomalist ui` shows in a browser; its two packages go into it
await build({
  ...TO,
  target: 'es2022',
  entryPoints: { 'ui-page': 'dist/src/app/ui/page/main.js' },
  bundle: true,
  format: 'esm',
  minify: true,
  banner: { js: '/*! with Preact, MIT licence, (c) 2015-present Jason Miller, github.com/preactjs/preact */' },
});
