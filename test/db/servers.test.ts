// Servers that our own code starts: every one that can be had here answers, ends with us however we end, and stays when
// it was started to stay. ANOMALIST_SERVERS=postgres@12,mysql@9.7,galera@11.8 (or `all`) has them fetched first.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import { DIALECTS, availableServers, listServers, startServer } from '../../dialects/index.ts';
import { cli, startCli } from './cli.ts';
import { answers, isRunning, until } from './process-watch.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const { chosen, skipped } = availableServers();

/** Folders of one test, open to the account that PostgreSQL runs as. */
function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** A process of ours that starts a server and ends when something is written to it. */
async function startInChild(
  target: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; pids: readonly number[]; urls: readonly string[] }> {
  const program = `import { startServer } from './dist/dialects/index.js';
    const server = await startServer(process.argv[1]);
    process.stdin.once('data', () => process.exit(0));
    console.log(JSON.stringify({ pids: server.pids, urls: server.urls }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, target], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)));
    child.once('exit', () => reject(new Error('the child ended before its server started')));
  });
  return { child, ...(JSON.parse(line) as { pids: number[]; urls: string[] }) };
}

const MEMORY = '/dev/shm';
const SEVERAL_NODES = /^galera@|\+standby$/;

/** The folders of servers that its worker keeps for other suites. */
let keptBefore: readonly string[] = [];
beforeAll(() => {
  keptBefore = foldersOfProcess();
});

/** The folders of the servers that this suite has started. */
function ownFolders(): readonly string[] {
  return foldersOfProcess().filter((folder) => !keptBefore.includes(folder));
}

function foldersOfProcess(): readonly string[] {
  const name = new RegExp(`^anomalist-[a-z]+-\\w+-${process.pid}-`);
  return [tmpdir(), MEMORY]
    .filter((base) => existsSync(base))
    .flatMap((base) =>
      readdirSync(base)
        .filter((each) => name.test(each))
        .map((each) => join(base, each)),
    );
}

/** A single server makes and removes a file of each table, so its folder is in memory where there is room. */
function expectFolderInMemory(target: string): void {
  if (!/^(postgres|mysql|mariadb)@[\d.]+$/.test(target)) return;
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY) || statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize < 2e9)
    return void process.stderr.write(`SKIPPED: the folder of ${target} in memory (less than 2 GB in ${MEMORY}, or TMPDIR is set)\n`);
  expect(ownFolders()).toEqual([expect.stringMatching(/^\/dev\/shm\/anomalist-(pg|mysql|mariadb)-/)]);
}

/** Several endpoints are of one database: each shows what was written on the first. */
async function expectSameOnEach(urls: readonly string[], target: string, dialect: Dialect | undefined): Promise<void> {
  if (!dialect) throw new Error(`no dialect of ${target}`);
  const [first, ...others] = await Promise.all(urls.map((url) => dialect.connect(url, {})));
  await first!.query('CREATE SCHEMA shared_by_all');
  await first!.query('CREATE TABLE shared_by_all.t (id int PRIMARY KEY)');
  await first!.query('INSERT INTO shared_by_all.t VALUES (7)');
  const seen = async (other: Connection): Promise<boolean> => {
    try {
      return (await other.query('SELECT id FROM shared_by_all.t')).rows[0]?.[0] === '7';
    } catch {
      return false;
    }
  };
  for (const other of others) expect(await until(() => seen(other))).toBe(true);
  for (const session of [first!, ...others]) session.destroy();
}

describe('the servers that can be had here', () => {
  if (!chosen.some(({ target }) => SEVERAL_NODES.test(target)))
    it.skip('no cluster can be had here without a download (ANOMALIST_SERVERS)', () => {});
  for (const { target, why } of skipped) it.skip(`${target}: ${why}`, () => {});

  it.each(chosen.map(({ target, dialect }) => ({ target, dialect })))(
    '$target starts, answers at each endpoint, which show the same, and stops without a trace',
    async ({ target, dialect: name }) => {
      const server = await startServer(target);
      const dialect = DIALECTS.find((each) => each.name === name);
      for (const url of server.urls) {
        expect(await answers(url)).toBe(true);
        if (!dialect) continue;
        const session = await dialect.connect(url, {});
        expect((await session.query('SELECT 7')).rows).toEqual([['7']]);
        await session.end();
      }
      if (server.pids.length > 0) expect(ownFolders()).toHaveLength(1);
      expectFolderInMemory(target);
      if (server.urls.length > 1) await expectSameOnEach(server.urls, target, dialect);
      if (SEVERAL_NODES.test(target)) expect(server.urls.length).toBeGreaterThan(1);
      await server.stop();
      await server.stop();
      expect(ownFolders()).toEqual([]);
      if (server.pids.length === 0) return;
      expect(server.version).toMatch(/^\d+\.\d+/);
      expect(server.pids.filter(isRunning)).toEqual([]);
      for (const url of server.urls) expect(await answers(url)).toBe(false);
    },
  );

  it.each(chosen.filter(({ target }) => !target.endsWith('@url')).map(({ target }) => target))(
    '%s does not outlive our process, killed with SIGKILL',
    async (target) => {
      const { child, pids, urls } = await startInChild(target);
      expect(pids.filter(isRunning).length).toBe(urls.length);
      child.kill('SIGKILL');
      expect(await until(() => pids.every((pid) => !isRunning(pid)))).toBe(true);
    },
  );
});

const STAND_INS = {
  tidb: { program: 'tidb-server', port: "process.argv[process.argv.indexOf('-P') + 1]", says: 'Release Version: v8.5.1' },
  cockroachdb: {
    program: 'cockroach',
    port: "process.argv.find((word) => word.startsWith('--listen-addr=')).split(':')[1]",
    says: 'v25.2.0',
  },
} as const;

/** A folder with a program that takes the server's place: it tells its version and listens on the port that it is given. */
function standInFor(target: keyof typeof STAND_INS): string {
  const folder = freshFolder();
  const { program, port, says } = STAND_INS[target];
  const text = `#!${process.execPath}\nif (process.argv.length < 5) console.log(${JSON.stringify(says)}); else require('node:net').createServer(() => {}).listen(Number(${port}), '127.0.0.1');\n`;
  writeFileSync(join(folder, program), text, { mode: 0o755 });
  return folder;
}

describe.skipIf(process.platform === 'win32')('a process of ours without setpriv', () => {
  it.each(['SIGKILL', 'exit'] as const)('takes its server with it (%s)', async (end) => {
    const folder = standInFor('tidb');
    const { child, pids } = await startInChild('tidb', { PATH: folder, TMPDIR: folder });
    const folders = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('anomalist-'));
    expect([pids.filter(isRunning).length, folders().length]).toEqual([1, 1]);
    if (end === 'exit') child.stdin?.write('x');
    else child.kill(end);
    expect(await until(() => pids.every((pid) => !isRunning(pid)))).toBe(true);
    // The watcher removes what the killed process could not.
    expect(await until(() => folders().length === 0)).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });
});

/** Processes whose command line names the folder. */
function pidsUnder(folder: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1e8 });
  // initdb and the like are launched through setpriv, whose own line would count too.
  const lines = stdout.split('\n').filter((line) => line.includes(`${folder}/anomalist-`) && !line.includes(' setpriv '));
  return lines.map((line) => Number.parseInt(line, 10)).filter(isRunning);
}

describe.skipIf(process.platform === 'win32')('run --target', () => {
  const others = chosen
    .filter(({ target }) => target !== 'postgres@18' && !target.endsWith('@url'))
    .map(({ target }) => ({ target, signal: 'SIGINT' as const }));
  const signals = (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map((signal) => ({ target: 'postgres@18', signal }));

  it.each([...signals, ...others])('leaves no server of $target behind after $signal', async ({ target, signal }) => {
    const folder = freshFolder();
    const run = startCli(['run', '--target', target, '--duration', '1h', '--out', join(folder, 'out')], { TMPDIR: folder });
    expect(await Promise.race([until(() => existsSync(join(folder, 'out'))), run.done.then(({ stderr }) => stderr)])).toBe(true);
    const pids = pidsUnder(folder);
    expect(pids.length).toBeGreaterThan(0);
    run.child.kill(signal);
    const finished = await run.done;
    expect(signal === 'SIGKILL' ? finished.signal : finished.code).toBe(signal === 'SIGKILL' ? 'SIGKILL' : 130);
    expect(await until(() => !pids.some(isRunning))).toBe(true);
    // Programs that another account cannot read where they are have a copy there, which the next start uses again.
    if (signal !== 'SIGKILL')
      expect(readdirSync(folder).filter((name) => name.startsWith('anomalist-') && !name.startsWith('anomalist-postgres-'))).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('servers start and stop', () => {
  let cache = '';
  beforeAll(() => {
    cache = freshFolder();
  });
  afterAll(async () => {
    await cli(['servers', 'stop', '--all'], { XDG_CACHE_HOME: cache });
    rmSync(cache, { recursive: true, force: true });
  });
  const servers = (...words: readonly string[]): ReturnType<typeof cli> => cli(['servers', ...words], { XDG_CACHE_HOME: cache });
  const recordOf = (target: string): string => join(cache, 'anomalist', 'servers', `${target}.json`);
  const pidsOf = (target: string): readonly number[] =>
    (JSON.parse(readFileSync(recordOf(target), 'utf8')) as { processes: { pid: number }[] }).processes.map(({ pid }) => pid);

  it('starts one that stays until it is stopped, once', async () => {
    const started = await servers('start', 'postgres@18');
    expect(started).toMatchObject({ code: 0 });
    const url = started.stdout.trim();
    expect(await answers(url)).toBe(true);
    const [pid = 0] = pidsOf('postgres@18');
    expect((await servers()).stdout).toContain(url);
    const again = await servers('start', 'postgres@18');
    expect(again.stdout.trim()).toBe(url);
    expect(again.stderr).toContain('runs already');
    expect((await servers('stop', 'postgres@18')).stderr).toContain('postgres@18 stopped');
    expect(isRunning(pid)).toBe(false);
    expect(readdirSync(join(cache, 'anomalist', 'servers'))).toEqual([]);
    expect(await servers('stop', 'postgres@18')).toMatchObject({ code: 2, stderr: expect.stringContaining('None is kept') });
  });

  it('starts one server where two ask at once', async () => {
    const both = await Promise.all([servers('start', 'postgres@18'), servers('start', 'postgres@18')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0].stdout).toBe(both[1].stdout);
    expect(pidsOf('postgres@18').filter(isRunning).length).toBe(1);
    await servers('stop', '--all');
  });

  it('starts anew one that was killed', async () => {
    await servers('start', 'postgres@18');
    const [pid = 0] = pidsOf('postgres@18');
    process.kill(pid, 'SIGKILL');
    expect(await until(() => !isRunning(pid))).toBe(true);
    expect((await servers()).stdout).toContain('not running any more');
    const again = await servers('start', 'postgres@18');
    expect(again.stderr).toContain('runs until');
    expect(await answers(again.stdout.trim())).toBe(true);
    expect(pidsOf('postgres@18')).not.toEqual([pid]);
    await servers('stop', 'postgres@18');
  });

  it('signals no process but the one that it started', async () => {
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    mkdirSync(join(cache, 'anomalist', 'servers'), { recursive: true });
    // What a record looks like when the machine has used the pid again.
    const record = {
      target: 'postgres@18',
      urls: ['postgres://127.0.0.1:1/'],
      version: '18',
      processes: [{ pid: bystander.pid, start: 'another boot/1' }],
      folder: join(cache, 'gone'),
      logs: [],
      stopSignal: 'SIGKILL',
    };
    writeFileSync(recordOf('postgres@18'), JSON.stringify(record));
    expect((await servers()).stdout).toContain('not running any more');
    expect((await servers('stop', 'postgres@18')).stderr).toContain('was not running any more');
    expect(isRunning(bystander.pid ?? 0)).toBe(true);
    expect(existsSync(recordOf('postgres@18'))).toBe(false);
    bystander.kill('SIGKILL');
  });

  it('says that a port is taken', async () => {
    const holder = createServer();
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, '127.0.0.1', () => resolve((holder.address() as { port: number }).port));
    });
    const refused = await servers('start', 'postgres@18', '--port', String(port));
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`port ${port} of 127.0.0.1 cannot be used`) });
    holder.close();
    expect(existsSync(recordOf('postgres@18'))).toBe(false);
  });

  it('names what there is where a name is unknown, and refuses a stop of nothing or of two things', async () => {
    expect((await servers('start', 'postgres@99')).stderr).toMatch(/no server "postgres@99": expected one of .*postgres@18/);
    expect(await servers('stop')).toMatchObject({ code: 2, stderr: expect.stringContaining('neither') });
    expect(await servers('stop', 'postgres@18', '--all')).toMatchObject({ code: 2, stderr: expect.stringContaining('both') });
  });
});

describe('a server that cannot be had', () => {
  it('says so where a folder is missing', async () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/no/such/folder';
    try {
      await expect(startServer('postgres@18')).rejects.toThrow(
        /cannot make a folder for a server in \/no\/such\/folder \(ENOENT\): set TMPDIR/,
      );
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('says so where the cache cannot be written to', async () => {
    const failed = await cli(['servers', 'start', 'postgres@18'], { XDG_CACHE_HOME: '/dev/null/x' });
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cache folder \/dev\/null\/x\/\S+ cannot be made .*XDG_CACHE_HOME/),
    });
  });

  it('says so where the disk is full', async () => {
    const folder = freshFolder();
    // A small file system of our own, in a name space of our own: only where the system lets us.
    const script = `mount -t tmpfs -o size=12m none ${folder} && chmod 755 ${folder} && TMPDIR=${folder} XDG_CACHE_HOME=${folder}/cache exec ${process.execPath} dist/app/cli.js run --target postgres@18 --cases 1`;
    const may = spawnSync('unshare', ['-rm', 'true']).status === 0 && process.getuid?.() === 0;
    const words = may ? ['-m', 'sh', '-c', script] : [];
    if (!may) return void process.stderr.write('SKIPPED: a full disk (needs root and name spaces)\n');
    const { status, stderr } = spawnSync('unshare', words, { cwd: ROOT, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/No space left on device[\s\S]*Only \d+ MB are free/);
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(process.platform !== 'linux')('says so where the network is down, and what else there is', async () => {
    const env = {
      XDG_CACHE_HOME: freshFolder(),
      ANOMALIST_DEBIAN_MIRROR: 'http://127.0.0.1:59999/debian',
      npm_config_registry: 'http://127.0.0.1:59999/',
    };
    const postgres = await cli(['servers', 'start', 'postgres@13'], env);
    expect(postgres).toMatchObject({ code: 2, stderr: expect.stringMatching(/npm could not fetch[\s\S]*ECONNREFUSED[\s\S]*Docker/) });
    const [mysql] = listServers().filter(({ target }) => target === 'mysql@9.7');
    if (mysql?.available !== true) return void process.stderr.write(`SKIPPED: MySQL without a network (${mysql?.reason})\n`);
    expect(await cli(['servers', 'start', 'mysql@9.7'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/apt-get could not fetch[\s\S]*127\.0\.0\.1[\s\S]*Is the network up[\s\S]*Docker/),
    });
    expect((await cli(['servers'], env)).stdout).toMatch(
      /mysql@9\.7 +not now: http:\/\/127\.0\.0\.1:59999\/\S+ does not answer \(ECONNREFUSED\).*Docker.*--url/,
    );
    // Nothing half-made stays.
    expect(readdirSync(join(env.XDG_CACHE_HOME, 'anomalist', 'debian'))).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('is listed with what is missing where there is no apt', async () => {
    const folder = freshFolder();
    const program = "import { listServers } from './dist/dialects/index.js'; console.log(JSON.stringify(listServers()));";
    // The system's own folders are looked at beside PATH, so they are hidden: only where the system lets us.
    const script = `mount -t tmpfs none /usr/bin/../share/keyrings && exec ${process.execPath} --input-type=module -e "${program}"`;
    const result = spawnSync('unshare', ['-rm', 'sh', '-c', script], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: folder },
    });
    if (result.status !== 0) return void process.stderr.write(`SKIPPED: a system without Debian's keys (${result.stderr.trim()})\n`);
    const rows = JSON.parse(result.stdout) as { target: string; available: boolean; reason: string }[];
    expect(rows.find(({ target }) => target === 'mysql@9.7')).toMatchObject({
      available: false,
      reason: expect.stringMatching(/debian-archive-keyring.*Docker.*--url/),
    });
    rmSync(folder, { recursive: true, force: true });
  });

  it('is never chosen for tests, and an unknown word of ANOMALIST_SERVERS is refused', () => {
    expect(availableServers('postgres@18').chosen.map(({ target }) => target)).toEqual(['postgres@18']);
    expect(availableServers('postgres@18').skipped.find(({ target }) => target === 'mysql@9.7')?.why).toBe('not in ANOMALIST_SERVERS');
    expect(() => availableServers('postgres@18, oracle@7')).toThrow(/no server oracle@7: expected some of .*postgres@18/);
    expect(availableServers('').chosen.every(({ available, download }) => available && download === undefined)).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('a program on PATH', () => {
  it.each(['tidb', 'cockroachdb'] as const)('is found, started and stopped (a stand-in for %s)', async (target) => {
    const folder = standInFor(target);
    const { child, pids, urls } = await startInChild(target, { PATH: `${folder}:${process.env['PATH']}` });
    expect(urls[0]).toMatch(new RegExp(`^${target}://root@127\\.0\\.0\\.1:\\d+/`));
    expect(await answers(urls[0] ?? '')).toBe(true);
    child.kill('SIGKILL');
    expect(await until(() => pids.every((pid) => !isRunning(pid)))).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });
});
