/**
 * Wrong words, dead servers and broken files as a user meets them: one clear message, exit 2, no stack trace, no
 * password.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { createUser, urlAs } from './administration.ts';
import { cli, startCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { eventsOf, historyOf } from './history-events.ts';
import { answers, until } from './process-watch.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function refused(args: readonly string[], ...words: readonly (string | RegExp)[]): Promise<void> {
  const { code, stdout, stderr } = await cli(args);
  expect(code, `${stdout}${stderr}`).toBe(2);
  expect(stdout).toBe('');
  for (const word of words) expect(stderr).toMatch(word);
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(stderr).not.toContain('s3cret');
}

describe('bad input', () => {
  it('refuses an unknown flag with a suggestion', () => refused(['run', '--duratoin', '1s'], 'duratoin', '--duration'));
  it('refuses an unknown command', () => refused(['rum'], 'rum', 'run'));
  it('refuses an unknown level with a suggestion', () => refused(['run', '--level', 'serialisable'], 'serialisable', 'Did you mean serializable'));
  it('refuses a duration without a unit', () => refused(['run', '--duration', '60'], '60', /expected a duration/));
  it('refuses two budgets', () => refused(['run', '--duration', '1s', '--cases', '1'], '--cases'));
  it('refuses a URL of another scheme', () => refused(['run', '--url', 'http://user:s3cret@127.0.0.1/', '--out', dir], 'http', 'postgres://'));
  it.each(['user:s3cret@127.0.0.1/', 'root:s3cret@tcp(127.0.0.1:3306)/', 'host=127.0.0.1 password=s3cret', 'postgres:/user:s3cret@127.0.0.1/', 'jdbc:postgresql://user:s3cret@127.0.0.1/'])('refuses what is no URL, %j', (url) => refused(['run', '--url', url, '--out', dir], 'this is no URL', 'postgres://'));
  it('refuses an unknown target with what there is', () => refused(['run', '--target', 'postgers@18', '--out', dir], 'postgers@18', 'postgres@18'));
  it('refuses more sessions than any server takes', () => refused(['run', '--sessions', '100000'], '100000', 'at most'));
  it('names a missing file', () => refused(['check', join(dir, 'none.ndjson')], 'none.ndjson', 'no such file'));

  it('refuses a file that is no history', async () => {
    const file = join(dir, 'poem.txt');
    writeFileSync(file, 'Shall I compare thee\nto a summer day\n');
    await refused(['check', '--format', 'ndjson', file], 'poem.txt', 'no history');
  });
});

describeEachServer('a user meets', ({ target, dialect, start }) => {
  let server: StartedServer;

  beforeAll(async () => {
    server = await start();
  }, 240_000);

  afterAll(async () => {
    await server?.stop();
  });

  it('a level that the DBMS lacks refused', () => refused(['run', '--url', server.url, '--level', 'snapshot-isolation', '--out', dir], 'snapshot-isolation', 'repeatable-read'));
  it('a refused connection named, without the password', () => refused(['run', '--url', `${dialect.schemes[0]}://user:s3cret@127.0.0.1:9/db`, '--out', dir], '127.0.0.1:9'));
  it('a missing database named', () => refused(['run', '--url', server.url.replace(/(:\d+)\/.*$/, '$1/nowhere'), '--out', dir], 'nowhere'));
  it.runIf(process.platform === 'linux')('an --out refused where no folder can be made', ({ skip }) => {
    skip(dialect !== postgres, 'the folder is the same whatever the server');
    return refused(['run', '--url', server.url, '--out', '/proc/nowhere', '--cases', '1'], '/proc/nowhere', 'cannot be made');
  });

  it('a history cut in the middle of a line refused, and what is whole read when asked', async ({ skip }) => {
    skip(dialect !== postgres, 'the file is the same whatever the server');
    const ran = await cli(['run', '--url', server.url, '--level', 'read-committed', '--cases', '1', '--seed', '3', '--reduce-seconds', '0', '--out', join(dir, `cut-${target}`), '--json', '--fail-on', 'bug']);
    expect(ran.code, ran.stderr).toBeLessThanOrEqual(3);
    const run = readdirSync(join(dir, `cut-${target}`))[0]!;
    const whole = readFileSync(join(dir, `cut-${target}`, run, 'history.ndjson.gz'));
    const file = join(dir, 'cut.ndjson.gz');
    writeFileSync(file, whole.subarray(0, Math.floor(whole.length * 0.6)));
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
    const { child, done } = startCli(['run', '--target', target, '--duration', '60s', '--seed', '5', '--out', join(dir, `ctrl-c-${target}`)]);
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

/** Something was sent. */
function begun(out: string): boolean {
  try {
    return eventsOf(historyOf(out)).some(({ e }) => e === 'invoke');
  } catch {
    return false; // No folder or no file yet.
  }
}
