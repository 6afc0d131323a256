// The embedded server: starts, stops, and leaves neither a process nor a folder behind, however our process ends.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { postgres, startPostgres } from '../../dialects/index.ts';
import { answers, isRunning, until } from './process-watch.ts';

function foldersOf(pid: number): readonly string[] {
  return [tmpdir(), '/dev/shm']
    .filter((base) => existsSync(base))
    .flatMap((base) => readdirSync(base))
    .filter((name) => name.startsWith('anomalist-pg-') && name.includes(`-${pid}-`));
}

/** Those of this process that its worker does not keep for other suites. */
function ownFolders(): readonly string[] {
  return foldersOf(process.pid).filter((name) => !keptBefore.includes(name));
}

let keptBefore: readonly string[] = [];
beforeAll(() => {
  keptBefore = foldersOf(process.pid);
});

describe('the embedded server', () => {
  it('starts, answers, and stops without a trace', async () => {
    const server = await startPostgres({ settings: { max_connections: '17' } });
    const session = await postgres.connect(server.url, {});
    expect((await session.query('SHOW max_connections')).rows).toEqual([['17']]);
    expect((await session.query('SHOW server_version')).rows).toEqual([[server.version]]);
    expect(ownFolders().length).toBe(1);
    await session.end();
    await server.stop();
    await server.stop();
    expect(isRunning(server.pid)).toBe(false);
    expect(await answers(server.url)).toBe(false);
    expect(ownFolders()).toEqual([]);
  });

  it('stops while sessions are at work', async () => {
    const server = await startPostgres();
    const session = await postgres.connect(server.url, {});
    const pending = session.query('SELECT pg_sleep(60)').catch((error: unknown) => postgres.classifyError(error).class);
    await server.stop();
    expect(await pending).toBe('connection');
    expect(isRunning(server.pid)).toBe(false);
    session.destroy();
  });

  it('can be killed, and several run side by side', async () => {
    const [first, second] = await Promise.all([startPostgres(), startPostgres()]);
    first.kill('SIGKILL');
    expect(await until(async () => !(await answers(first.url)))).toBe(true);
    const session = await postgres.connect(second.url, {});
    await session.end();
    await Promise.all([first.stop(), second.stop()]);
    expect(ownFolders()).toEqual([]);
  });

  it('keeps a folder that was named, with its data, over a crash', async () => {
    const dir = join(mkdtempSync(join(tmpdir(), 'anomalist-test-')), 'data');
    const parent = join(dir, '..');
    // The server may run as another account, which must be able to walk there.
    chmodSync(parent, 0o755);
    const first = await startPostgres({ dir });
    const session = await postgres.connect(first.url, {});
    await session.query('CREATE TABLE public.kept AS SELECT 7 AS v');
    // synchronous_commit is off: without this the last commits may die with the server.
    await session.query('CHECKPOINT');
    session.destroy();
    first.kill('SIGKILL');
    await first.stop();
    const second = await startPostgres({ dir });
    const again = await postgres.connect(second.url, {});
    expect((await again.query('SELECT v FROM public.kept')).rows).toEqual([['7']]);
    await again.end();
    await second.stop();
    expect(statSync(dir).isDirectory()).toBe(true);
    rmSync(parent, { recursive: true, force: true });
  });

  it('says why it could not start, with its last words', async () => {
    await expect(startPostgres({ settings: { no_such_setting: '1' } })).rejects.toThrow(
      /did not start .*exit code[\s\S]*no_such_setting[\s\S]*--url/,
    );
    expect(ownFolders()).toEqual([]);
  });

  it.each(['SIGKILL', 'exit'] as const)('does not outlive our process (%s)', async (end) => {
    const { child, pid, url } = await startInChild();
    expect(await answers(url)).toBe(true);
    if (end === 'exit') child.stdin?.write('x');
    else child.kill('SIGKILL');
    expect(await until(() => !isRunning(pid))).toBe(true);
    // A backend that was being forked just then holds the socket a moment longer.
    expect(await until(async () => !(await answers(url)))).toBe(true);
    // Killed, it cannot tidy up; the next start does, or the one after that while a dying server still writes.
    const tidied = async (): Promise<boolean> => {
      if (end === 'SIGKILL') await (await startPostgres()).stop();
      return foldersOf(child.pid ?? -1).length === 0;
    };
    expect(await until(tidied)).toBe(true);
  });

  it("does not see the terminal's Ctrl-C, which our process answers in its own time", async () => {
    const { child, pid, url } = await startInChild();
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const session = await postgres.connect(url, {});
    expect((await session.query('SELECT 1')).rows).toEqual([['1']]);
    await session.end();
    child.stdin?.write('x');
    expect(await until(() => !isRunning(pid))).toBe(true);
  });
});

/** A process of ours, leader of its own group, that starts a server and ends when something is written to it. */
async function startInChild(): Promise<{ child: ChildProcess; pid: number; url: string }> {
  const program = `import { startPostgres } from './dialects/index.ts';
    const server = await startPostgres();
    process.on('SIGINT', () => console.log('interrupted'));
    process.stdin.once('data', () => process.exit(0));
    console.log(JSON.stringify({ pid: server.pid, url: server.url }));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('exit', () => reject(new Error('the child ended before its server started')));
  });
  return { child, ...(JSON.parse(line) as { pid: number; url: string }) };
}
