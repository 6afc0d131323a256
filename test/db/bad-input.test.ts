/**
 * Wrong words, dead servers and broken files as a user meets them: one clear message, exit 2, no stack trace, no
 * password.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { cli, startCli } from './cli.ts';

let server: StartedServer;
let dir: string;

beforeAll(async () => {
  server = await startPostgres();
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

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
  it('refuses a level that the DBMS lacks', () => refused(['run', '--url', server.url, '--level', 'snapshot-isolation', '--out', dir], 'snapshot-isolation', 'repeatable-read'));
  it('refuses a duration without a unit', () => refused(['run', '--duration', '60'], '60', /expected a duration/));
  it('refuses two budgets', () => refused(['run', '--duration', '1s', '--cases', '1'], '--cases'));
  it('refuses a URL of another scheme', () => refused(['run', '--url', 'http://user:s3cret@127.0.0.1/', '--out', dir], 'http', 'postgres://'));
  it('refuses an unknown target with what there is', () => refused(['run', '--target', 'postgers@18', '--out', dir], 'postgers@18', 'postgres@18'));
  it('names a refused connection, without the password', () => refused(['run', '--url', 'postgres://user:s3cret@127.0.0.1:9/db', '--out', dir], '127.0.0.1:9'));
  it('names a missing database', () => refused(['run', '--url', server.url.replace(/\/postgres$/, '/nowhere'), '--out', dir], 'nowhere'));
  it('refuses more sessions than any server takes', () => refused(['run', '--sessions', '100000'], '100000', 'at most'));
  it.runIf(process.platform === 'linux')('refuses an --out where no folder can be made', () => refused(['run', '--url', server.url, '--out', '/proc/nowhere', '--cases', '1'], '/proc/nowhere', 'cannot be made'));
  it('names a missing file', () => refused(['check', join(dir, 'none.ndjson')], 'none.ndjson', 'no such file'));

  it('refuses a file that is no history', async () => {
    const file = join(dir, 'poem.txt');
    writeFileSync(file, 'Shall I compare thee\nto a summer day\n');
    await refused(['check', '--format', 'ndjson', file], 'poem.txt', 'no history');
  });

  it('refuses a history cut in the middle of a line, and reads what is whole when asked', async () => {
    const ran = await cli(['run', '--url', server.url, '--level', 'read-committed', '--cases', '1', '--seed', '3', '--out', join(dir, 'cut'), '--json', '--fail-on', 'bug']);
    expect(ran.code, ran.stderr).toBeLessThanOrEqual(3);
    const { readdirSync, readFileSync } = await import('node:fs');
    const run = readdirSync(join(dir, 'cut'))[0]!;
    const whole = readFileSync(join(dir, 'cut', run, 'history.ndjson'));
    const file = join(dir, 'cut.ndjson');
    writeFileSync(file, whole.subarray(0, Math.floor(whole.length * 0.6)));
    await refused(['check', file], 'cut.ndjson:', 'middle of a line', '--allow-cut');
    const { code, stderr } = await cli(['check', '--allow-cut', '--level', 'read-uncommitted', file]);
    expect([0, 3], stderr).toContain(code);
  });

  it('refuses a user without the right to create schemas', async () => {
    const admin = await postgres.connect(server.url, {});
    await admin.query("CREATE ROLE weak LOGIN PASSWORD 's3cret'");
    await admin.end();
    await refused(['run', '--url', server.url.replace('postgres@', 'weak:s3cret@'), '--cases', '1', '--out', dir], 'schema');
  });

  it('ends in order on Ctrl-C: exit 130, a whole history, no server left', async () => {
    const { child, done } = startCli(['run', '--duration', '60s', '--seed', '5', '--out', join(dir, 'ctrl-c')]);
    await new Promise<void>((resolve) => {
      child.stderr?.on('data', () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    child.kill('SIGINT');
    const { code, stderr } = await done;
    expect(code, stderr).toBe(130);
    const { readdirSync, readFileSync } = await import('node:fs');
    const run = readdirSync(join(dir, 'ctrl-c'))[0]!;
    const history = readFileSync(join(dir, 'ctrl-c', run, 'history.ndjson'), 'utf8');
    expect(history.endsWith('\n')).toBe(true);
    expect(history.trimEnd().split('\n').at(-1)).toContain('"e":"close"');
    const url = /127\.0\.0\.1:(\d+)/.exec(history)?.[0];
    expect(url).toBeDefined();
    await expect(postgres.connect(`postgres://postgres@${url}/postgres`, {})).rejects.toThrow();
  });
});
