/** Ctrl-C while a server is fetched or starts: exit 130 at once, no process, no folder left. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { isRunning, until } from './process-watch.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  chmodSync(dir, 0o755);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const COMMANDS: readonly (readonly string[])[] = [
  ['run', '--cases', '1', '--out', 'unused'],
  ['servers', 'start'],
];

it.runIf(process.platform === 'linux').each(COMMANDS)('of a fetch: %s', async (...words) => {
  const [bin, cache, mark] = ['bin', 'cache', 'pid'].map((name) => join(dir, `${name}-${words[0]}`)) as [string, string, string];
  mkdirSync(bin);
  // An npm that never ends.
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\ntest "$1" = config && exit 0\necho $$ > ${mark}\nexec sleep 600\n`, { mode: 0o755 });
  const { child, done } = startCli([...words, ...(words[0] === 'run' ? ['--target', 'postgres@13'] : ['postgres@13'])], {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    XDG_CACHE_HOME: cache,
  });
  expect(await until(() => child.exitCode !== null || (existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n')))).toBe(true);
  child.kill('SIGINT');
  const { code, stderr } = await done;

  expect(code, stderr).toBe(130);
  expect(isRunning(Number(readFileSync(mark, 'utf8')))).toBe(false);
  expect(filesIn(cache).filter((file) => !file.endsWith('servers'))).toEqual([]);
});

/** A server that was up before we looked is no start that was interrupted: it is started anew. */
const TRIES = 20;

describeEachServer('Ctrl-C while it starts', ({ target }) => {
  it.runIf(process.platform === 'linux')('leaves nothing', async () => {
    const name = target.replace(/\W/g, '-');
    const temporary = join(dir, name);
    mkdirSync(temporary, { mode: 0o755 });
    for (let k = 0; k < TRIES; k++) {
      const out = join(dir, `out-${name}-${k}`);
      const { child, done } = startCli(['run', '--target', target, '--cases', '1', '--out', out], {
        TMPDIR: temporary,
        XDG_CACHE_HOME: withoutTemplates(join(dir, `cache-${name}-${k}`)),
      });
      expect(await until(() => child.exitCode !== null || folders(temporary).length > 0)).toBe(true);
      child.kill('SIGINT');
      const { code, stderr } = await done;

      expect(code, stderr).toBe(130);
      expect(folders(temporary)).toEqual([]);
      if (!existsSync(out)) return;
    }
    expect.fail(`${target} was up before it was interrupted, ${TRIES} times`);
  });
});

/** A cache with the programs that are here already, and no template of a data folder: so the start takes a while. */
function withoutTemplates(cache: string): string {
  mkdirSync(join(cache, 'anomalist'), { recursive: true });
  const ours = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'anomalist');
  for (const each of ['debian', 'postgres'])
    if (existsSync(join(ours, each))) symlinkSync(join(ours, each), join(cache, 'anomalist', each));
  return cache;
}

/** Data folders of servers. */
function folders(of: string): string[] {
  return readdirSync(of).filter((name) => /^anomalist-[a-z]+-/.test(name) && !name.startsWith('anomalist-postgres-'));
}

/** Of those that are no folders, and empty folders of the last level but one. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() || /\.(part|packages)$/.test(entry.name))
    .map((entry) => entry.name);
}
