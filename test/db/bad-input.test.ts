/**
 * Wrong words, dead servers and broken files as a user meets them: one clear message, exit 2, no stack trace, no
 * password.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { createUser, urlAs } from './administration.ts';
import { FORMAT_NAMES } from '../../src/app/commands/format-names.ts';
import { cli, CommandsProcess, inOwnProcess, inShell, startCli } from './cli.ts';
import type { RunCommand } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { eventsOf, historyOf } from './history-events.ts';
import { answers, until } from './process-watch.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const refused = (args: readonly string[], ...words: readonly (string | RegExp)[]): Promise<void> => refusedBy(cli, args, words);

async function refusedBy(run: RunCommand, args: readonly string[], words: readonly (string | RegExp)[]): Promise<void> {
  const { code, stdout, stderr } = await run(args);
  expect(code, `${stdout}${stderr}`).toBe(2);
  expect(stdout).toBe('');
  for (const word of words) expect(stderr).toMatch(word);
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(stderr).not.toContain('s3cret');
}

/** Their words and exit codes are made before anything else begins, so one process runs them all. */
describe('words that a command refuses', () => {
  let commands: CommandsProcess;
  const refused = (args: readonly string[], ...words: readonly (string | RegExp)[]): Promise<void> => refusedBy(commands.run, args, words);

  beforeAll(() => {
    commands = new CommandsProcess();
  });
  afterAll(() => commands.end());

  it('refuses an unknown flag with a suggestion', () => refused(['run', '--duratoin', '1s'], 'duratoin', '--duration'));
  it('refuses an unknown command', () => refused(['rum'], 'rum', 'run'));
  it('refuses an unknown level with a suggestion', () =>
    refused(['run', '--level', 'serialisable'], 'serialisable', 'Did you mean serializable'));
  it('refuses a duration without a unit', () => refused(['run', '--duration', '60'], '60', /expected a duration/));
  it('refuses to explore for a time without a unit', () => refused(['run', '--explore', '15'], '--explore', /expected a duration/));
  it('refuses two budgets', () => refused(['run', '--duration', '1s', '--cases', '1'], '--cases'));
  it('refuses a URL of another scheme', () =>
    refused(['run', '--url', 'http://user:s3cret@127.0.0.1/', '--out', dir], 'http', 'postgres://'));
  it.each([
    'user:s3cret@127.0.0.1/',
    'root:s3cret@tcp(127.0.0.1:3306)/',
    'host=127.0.0.1 password=s3cret',
    'postgres:/user:s3cret@127.0.0.1/',
    'jdbc:postgresql://user:s3cret@127.0.0.1/',
  ])('refuses what is no URL, %j', (url) => refused(['run', '--url', url, '--out', dir], 'this is no URL', 'postgres://'));
  it.each(['postgres', 'mysql'])('says of a %s URL as we print it what stands for the password', (scheme) =>
    refused(
      ['run', '--url', `${scheme}://user:***@127.0.0.1:1/db`, '--out', dir],
      /\*\*\* stands there instead of the password/,
      'PGPASSWORD',
    ),
  );
  it('refuses an unknown target with what there is', () =>
    refused(['run', '--target', 'postgers@18', '--out', dir], 'postgers@18', 'postgres@18'));
  it('refuses more sessions than any server takes', () => refused(['run', '--sessions', '100000'], '100000', 'from 1 to 256'));
  it('names a missing file', () => refused(['check', join(dir, 'none.ndjson')], 'none.ndjson', 'no such file'));

  it('does not repeat a line of the file that --known names', async () => {
    const file = join(dir, 'secret.txt');
    writeFileSync(file, 's3cret-token-of-somebody\n');
    await refused(['run', '--known', file, '--cases', '1', '--out', dir], 'secret.txt, line 1', /expected/);
  });

  it.each(['--cases', '--objects', '--transactions', '--operations', '--scale'])(
    'names one bound for %s, whatever is wrong with the number',
    async (option) => {
      const said = new Set<string>();
      for (const value of ['0', '1.5', '-1', 'x']) {
        const { stderr } = await commands.run(['run', option, value]);
        said.add(stderr.replace(JSON.stringify(value), 'IT').replace(`'${value}'`, 'IT').split('\n')[0]!);
      }
      expect(said).toEqual(new Set([expect.stringMatching(/Got IT; expected a whole number from 1\./)]));
    },
  );
});

describe('bad input', () => {
  it('refuses an unknown flag with a suggestion, as a process of its own', () =>
    refusedBy(inOwnProcess, ['run', '--duratoin', '1s'], ['duratoin', '--duration']));
  it('says in its help where the pages are that messages name', async () => {
    const { code, stdout } = await cli(['--help']);
    expect(code).toBe(0);
    const folder = /^The pages for people \(docs\/\.\.\.\): (\S+), first FIRST-REPORT\.md/m.exec(stdout)?.[1];
    expect(existsSync(join(process.cwd(), folder!, 'FIRST-REPORT.md'))).toBe(true);
  });

  it.each(['auto', 'ndjson', ...FORMAT_NAMES])('refuses the empty pipe of a program that failed as %s', async (format) => {
    const { code, stdout, stderr } = await inShell(`false | ${process.execPath} dist/app/cli.js check --format ${format} /dev/stdin`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^anomalist: \/dev\/stdin: got nothing, .*\n$/);
  });

  it('refuses a file that is no history', async () => {
    const file = join(dir, 'poem.txt');
    writeFileSync(file, 'Shall I compare thee\nto a summer day\n');
    await refused(['check', '--format', 'ndjson', file], 'poem.txt', 'no history');
  });
});

describeEachProtocol('a user meets', ({ target, dialect, start }) => {
  let server: StartedServer;

  beforeAll(async () => {
    server = await start();
  });

  afterAll(async () => {
    await server?.stop();
  });

  it('a level that the DBMS lacks refused', () =>
    refused(['run', '--url', server.url, '--level', 'snapshot-isolation', '--out', dir], 'snapshot-isolation', 'repeatable-read'));
  it('a refused connection named, without the password, and no folder left', async () => {
    const url = `${dialect.schemes[0]}://user:s3cret@127.0.0.1:9/db`;
    const out = join(dir, `refused-${target}`, 'deep', 'out');
    await refused(['run', '--url', url, '--out', out], '127.0.0.1:9');
    await refused(['run', '--url', url, '--url', url, '--out', out], '127.0.0.1:9');
    await refused(['matrix', '--url', url, '--out', out], '127.0.0.1:9');
    expect(existsSync(join(dir, `refused-${target}`))).toBe(false);
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'mine'), '');
    await refused(['run', '--url', url, '--out', out], '127.0.0.1:9');
    expect(readdirSync(out)).toEqual(['mine']);
  });

  it.runIf(process.platform === 'linux')(
    'a report for which there is no room named as missing, and no part of it left',
    async ({ skip }) => {
      skip(dialect !== postgres, 'the files are the same whatever the server');
      // a limit on the size of files stands in for a full disk: Node is told EFBIG instead of ENOSPC
      const run = (out: string, limit: string): ReturnType<typeof inShell> =>
        inShell(
          `${limit} exec ${process.execPath} dist/app/cli.js run --url '${server.url}' --workload mini --objects 3 --transactions 2 --sessions 2 --level serializable --cases 1 --mode schedule --seed 3 --reduce-seconds 0 --out '${out}'`,
        );
      const whole = join(dir, 'room');
      const fits = await run(whole, '');
      expect(fits.code, fits.stderr).not.toBe(2);
      const sizes = Object.fromEntries(
        readdirSync(join(whole, readdirSync(whole)[0]!)).map((name) => [name, statSync(join(whole, readdirSync(whole)[0]!, name)).size]),
      );
      const { 'report.html': page = 0, ...others } = sizes;
      const limit = Math.floor(page / 1024) - 1;
      expect(Math.max(...Object.values(others)), JSON.stringify(sizes)).toBeLessThan((limit - 1) * 1024);
      const out = join(dir, 'no-room');
      const { code, stdout, stderr } = await run(out, `ulimit -f ${limit};`);
      expect(code, stderr).toBe(2);
      expect(stdout).toContain('serializable');
      expect(stdout).not.toContain('Report:');
      expect(stderr).toMatch(/^anomalist: .*no-room\/.*: report\.html could not be written \(EFBIG.*\) and is missing; free space/m);
      expect(readdirSync(join(out, readdirSync(out)[0]!)).toSorted()).toEqual(Object.keys(others).toSorted());
    },
  );
  it('a missing database named', () => refused(['run', '--url', server.url.replace(/(:\d+)\/.*$/, '$1/nowhere'), '--out', dir], 'nowhere'));
  it.runIf(process.platform === 'linux')('an --out refused where no folder can be made', ({ skip }) => {
    skip(dialect !== postgres, 'the folder is the same whatever the server');
    return refused(['run', '--url', server.url, '--out', '/proc/nowhere', '--cases', '1'], '/proc/nowhere', 'cannot be made');
  });

  it('a history cut in the middle of a line refused, and what is whole read when asked', async ({ skip }) => {
    skip(dialect !== postgres, 'the file is the same whatever the server');
    const ran = await cli([
      'run',
      '--url',
      server.url,
      '--level',
      'read-committed',
      '--cases',
      '1',
      '--seed',
      '3',
      '--reduce-seconds',
      '0',
      '--out',
      join(dir, `cut-${target}`),
      '--json',
      '--fail-on',
      'bug',
    ]);
    expect(ran.code, ran.stderr).toBeLessThanOrEqual(3);
    const run = readdirSync(join(dir, `cut-${target}`))[0]!;
    const whole = readFileSync(join(dir, `cut-${target}`, run, 'history.ndjson.gz'));
    const file = join(dir, 'cut.ndjson.gz');
    // Of a few hundred places one happens to be the end of a line.
    const shown = (length: number): string => gunzipSync(whole.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    let length = Math.floor(whole.length * 0.6);
    while (shown(length).endsWith('\n')) length--;
    writeFileSync(file, whole.subarray(0, length));
    await refused(['check', file], 'cut.ndjson.gz:', 'middle of a line', '--allow-cut');
    const { code, stderr } = await cli(['check', '--allow-cut', '--level', 'read-uncommitted', file]);
    expect([0, 3], stderr).toContain(code);
  });

  it('a missing right to create schemas named', async () => {
    const admin = await dialect.connect(server.url, {});
    await createUser(dialect, admin, 'weak', 's3cret');
    await admin.end();
    await refused(['run', '--url', urlAs(server.url, 'weak:s3cret'), '--cases', '1', '--out', dir], 'schema', 'right');
  });

  it('an end in order on Ctrl-C: exit 130, a whole history, no server left', async () => {
    const { child, done } = startCli([
      'run',
      '--target',
      target,
      '--duration',
      '1h',
      '--seed',
      '5',
      '--out',
      join(dir, `ctrl-c-${target}`),
    ]);
    // By what it has written and not by the clock: a first round may begin late on a busy machine.
    expect(await until(() => child.exitCode !== null || begun(join(dir, `ctrl-c-${target}`)))).toBe(true);
    child.kill('SIGINT');
    const { code, stderr } = await done;
    expect(code, stderr).toBe(130);
    const run = readdirSync(join(dir, `ctrl-c-${target}`))[0]!;
    expect(readdirSync(join(dir, `ctrl-c-${target}`, run)).filter((name) => name.startsWith('history'))).toEqual(['history.ndjson.gz']);
    const events = eventsOf(historyOf(join(dir, `ctrl-c-${target}`)));
    expect(events.at(-1)?.e).toBe('close');
    const address = /127\.0\.0\.1:\d+/.exec(JSON.stringify(events))?.[0];
    expect(address).toBeDefined();
    expect(await answers(`${dialect.schemes[0]}://${address}/`)).toBe(false);
  });
});

/** With a terminal of its own, which goes away while the run is at work. */
describe.skipIf(process.platform !== 'linux')('a closed terminal', () => {
  it.for(['on the terminal', 'in a file'])(
    'ends a run in order, with stderr %s: the report is written, exit 130',
    async (where, { skip }) => {
      skip(spawnSync('script', ['--version']).status !== 0, 'there is no program `script` (util-linux) here, which makes a terminal');
      const out = join(dir, `hang-up-${where.replaceAll(' ', '-')}`);
      const [errors, exit] = [join(dir, 'hang-up.err'), `${out}.exit`];
      const run = `"${process.execPath}" dist/app/cli.js run --target postgres@18 --level read-committed --seed 5 --duration 300s --out "${out}"${where === 'in a file' ? ` 2>"${errors}"` : ''}`;
      // The kernel signals the shell alone, as the first of its session; a shell at work passes it on.
      const inside = `${run} & pid=$!; trap "kill -HUP $pid" HUP; wait $pid; wait $pid; echo $? >"${exit}.new"; mv "${exit}.new" "${exit}"`;
      const terminal = spawn('script', ['-qec', `bash -c '${inside}'`, '/dev/null'], { stdio: 'ignore' });
      expect(await until(() => terminal.exitCode !== null || begun(out))).toBe(true);
      terminal.kill('SIGKILL');
      expect(await until(() => existsSync(exit))).toBe(true);
      expect(readFileSync(exit, 'utf8')).toBe('130\n');
      expect(readdirSync(join(out, readdirSync(out)[0]!))).toContain('report.html');
      if (where === 'in a file') expect(readFileSync(errors, 'utf8')).not.toMatch(/Assertion|EIO|defect/);
    },
  );
});

/** Something was sent. */
function begun(out: string): boolean {
  try {
    return eventsOf(historyOf(out)).some(({ e }) => e === 'invoke');
  } catch {
    return false; // No folder or no file yet.
  }
}
