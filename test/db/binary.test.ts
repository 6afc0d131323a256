/**
 * A build of the user's, started by --binary: a copy of the programs that came with our installation, whose `postgres` is a
 * script that leaves a mark before it becomes the real one.
 */
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedBinaries } from '../../dialects/postgres/server-binaries.ts';
import { cli } from './cli.ts';
import { answers } from './process-watch.ts';

const TARGET = 'postgres@18';

let root: string;
let installation: string;
let marks: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  // PostgreSQL may run as another account, which must be able to walk there and to leave its mark.
  chmodSync(root, 0o755);
  installation = join(root, 'pg-patched');
  cpSync(dirname(await embeddedBinaries().bin()), installation, { recursive: true, verbatimSymlinks: true });
  marks = join(root, 'marks');
  writeFileSync(marks, '');
  chmodSync(marks, 0o666);
  const program = join(installation, 'bin', 'postgres');
  renameSync(program, `${program}.real`);
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${marks}'\nexec '${program}.real' "$@"\n`, { mode: 0o755 });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The lines with which the user's program was started on a data folder; forgotten then. */
function starts(): readonly string[] {
  const lines = readFileSync(marks, 'utf8').split('\n');
  writeFileSync(marks, '');
  return lines.filter((line) => line.startsWith('-D '));
}

describe('--binary', () => {
  it('starts the build that it names, and every command that the report prints names it too', async () => {
    const out = join(root, 'out');
    const cache = join(root, 'cache');
    const words = ['--mode', 'schedule', '--cases', '1', '--level', 'read-committed', '--seed', '7', '--reduce-seconds', '0'];
    const binary = ['--target', TARGET, '--binary', installation];
    const { code, stdout, stderr } = await cli(['run', ...binary, ...words, '--out', out], { XDG_CACHE_HOME: cache });
    // What one round shows is not asked here.
    expect([0, 1, 3], `${stdout}${stderr}`).toContain(code);
    expect(starts()).toHaveLength(1);
    const named = `${TARGET},binary=${installation}`;
    expect(stderr).toContain(named);
    const [run = ''] = readdirSync(out);
    const report = readFileSync(join(out, run, 'report.html'), 'utf8');
    expect(report).toContain(named);
    expect(report).toContain('PostgreSQL 18.');
    // What another build would get.
    expect(existsSync(join(cache, 'anomalist', 'templates'))).toBe(false);
  });

  it('of `servers start` is a server of its own beside the release', async () => {
    const env = { XDG_CACHE_HOME: join(root, 'cache') };
    const started = await cli(['servers', 'start', TARGET, '--binary', join(installation, 'bin', 'postgres')], env);
    const name = /anomalist servers stop (\S+?)`/.exec(started.stderr)?.[1] ?? '';
    try {
      expect(started, started.stderr).toMatchObject({ code: 0 });
      expect(name).toMatch(/^postgres@18\+build-[0-9a-f]{8}$/);
      expect(await answers(started.stdout.trim())).toBe(true);
      expect(starts()).toHaveLength(1);
    } finally {
      expect((await cli(['servers', 'stop', '--all'], env)).stderr).toContain(`${name} stopped`);
    }
    expect(await answers(started.stdout.trim())).toBe(false);
  });

  it.each([
    [['--url', 'postgres://localhost/x'], '--binary starts a server and --url names one that runs; expected one of them.'],
    [['--target', 'mysql@9.7'], /this folder has no program of MySQL; expected a folder with bin\/mysqld or sbin\/mysqld/],
  ])('beside %o is refused', async (more, message) => {
    expect(await cli(['matrix', ...more, '--binary', installation])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
