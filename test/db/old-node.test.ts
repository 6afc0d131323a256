/**
 * What a user of a Node that is too old meets: one line and exit 2, not a stack and the exit code of an anomaly. Real old
 * releases where they can be fetched, a pretended one everywhere; from this folder and from the packed program.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShell } from './cli.ts';
import { oldNode } from './old-node.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } }).engines.node.replace(
  '>=',
  '',
);

let packed: string;

beforeAll(() => {
  packed = mkdtempSync(join(tmpdir(), 'anomalist-packed-'));
  const file = execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')
    .at(-1)!;
  execFileSync('tar', ['-xzf', file], { cwd: packed });
});

afterAll(() => rmSync(packed, { recursive: true, force: true }));

function refusal(version: string): string {
  return `anomalist: this is Node.js ${version}, and it needs ${NEEDED} or later: install a newer one, or put it first on the PATH\n`;
}

describe.each(['18.20.8', '16.20.2', '14.21.3'])('Node %s', (version) => {
  it.for([
    ['this folder', () => ROOT],
    ['the packed program', () => join(packed, 'package')],
  ] as const)('is told that it is too old, by %s', async ([, folder], { skip }) => {
    const found = oldNode(version);
    // The pretended ones below are never skipped.
    if ('missing' in found) return skip(found.missing);
    for (const words of ['run', 'check history.txt', '--version', '']) {
      const { code, stdout, stderr } = await inShell(`exec "${found.program}" "${join(folder(), 'dist/app/cli.js')}" ${words}`);
      expect([code, stdout, stderr]).toEqual([2, '', refusal(version)]);
    }
  });
});

describe('a pretended Node', () => {
  const as = (version: string, words: string, folder = ROOT): ReturnType<typeof inShell> =>
    inShell(
      `exec "${process.execPath}" --import 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})' "${join(folder, 'dist/app/cli.js')}" ${words}`,
    );

  it.each(['18.20.8', '20.0.0', '20.18.3', '12.22.12'])('%s is too old', async (version) => {
    const { code, stdout, stderr } = await as(version, 'check history.txt');
    expect([code, stdout, stderr]).toEqual([2, '', refusal(version)]);
  });

  it.each(['20.19.0', '21.0.0', '22.1.0', '100.0.0'])('%s is not', async (version) => {
    const { code, stdout } = await as(version, '--version');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it('a program without its packages says so, exit 2', async () => {
    const { code, stdout, stderr } = await as(process.versions.node, '--version', join(packed, 'package'));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^anomalist: it could not be loaded \(Cannot find package .*\): install it anew\n$/);
  });
});
