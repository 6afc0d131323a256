/**
 * A server that promises SERIALIZABLE and runs READ COMMITTED: behind the lying proxy `run` must say `bug` and exit 1.
 * The same server without the proxy is clean.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { cli } from './cli.ts';
import { startLyingProxy } from './lying-proxy.ts';

let server: StartedServer;
let out: string;

beforeAll(async () => {
  server = await startPostgres();
  out = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(async () => {
  await server?.stop();
  rmSync(out, { recursive: true, force: true });
});

interface RunJson {
  readonly levels: Readonly<Record<string, unknown>>;
  readonly findings: readonly { readonly verdict: string; readonly class: string; readonly replay: string; readonly reproduced: { readonly tries: number; readonly seen: number; readonly transactions: number } | null }[];
}

describe('the verdict bug', () => {
  it('is reached through a proxy that weakens every transaction and lies about it', async () => {
    const proxy = await startLyingProxy(server.url);
    try {
      const { code, stdout, stderr } = await cli(['run', '--url', proxy.url, '--level', 'serializable', '--duration', '20s', '--seed', '7', '--out', out, '--json']);
      expect(code, stderr).toBe(1);
      const report = JSON.parse(stdout) as RunJson;
      const bugs = report.findings.filter((finding) => finding.verdict === 'bug');
      expect(bugs.length).toBeGreaterThan(0);
      expect(bugs.every((bug) => /^anomalist (run|replay) /.test(bug.replay))).toBe(true);
      const reproduced = bugs.flatMap((bug) => bug.reproduced ?? []);
      expect(reproduced.length, 'bugs that were replayed').toBeGreaterThan(0);
      expect(report.levels['serializable']).toBe(false);
      console.log(`lying proxy: ${reproduced.length} replayed (${reproduced.map(({ tries, seen, transactions }) => `${seen} of ${tries}, ${transactions} transactions`).join('; ')}); ${bugs.length} findings with verdict bug: ${[...new Set(bugs.map((bug) => bug.class))].join(', ')}`);
    } finally {
      await proxy.close();
    }
  });

  it('is not reached on the same server without the proxy', async () => {
    const { code, stdout, stderr } = await cli(['run', '--url', server.url, '--level', 'serializable', '--duration', '10s', '--seed', '7', '--out', out, '--json']);
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as RunJson;
    expect(report.findings.filter((finding) => finding.verdict === 'bug')).toEqual([]);
    expect(report.levels['serializable']).toBe(true);
  });
});
