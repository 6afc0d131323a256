/** The last lines of .ci/run: what failed is named with its error, and a file that ran again alone counts by that run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const CI = fileURLToPath(new URL('../../../.ci', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-ci-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly error?: string;
}

const file = (name: string, results: Readonly<Record<string, Result>>, message = ''): object => ({
  name: `/project/${name}`,
  status: message !== '' || Object.values(results).some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message,
  startTime: 0,
  endTime: 1000,
  assertionResults: Object.entries(results).map(([fullName, { status, error }]) => ({
    fullName,
    status,
    failureMessages: error === undefined ? [] : [error],
  })),
});

function written(name: string, files: readonly object[] | undefined): string {
  const path = join(folder, name);
  writeFileSync(path, files === undefined ? '' : JSON.stringify({ numTotalTests: 1, testResults: files }));
  return path;
}

const counted = (first: readonly object[], second?: readonly object[]): readonly string[] =>
  execFileSync(process.execPath, [join(CI, 'count.mjs'), written('first', first), written('second', second)], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

const again = (files: readonly object[] | undefined): string =>
  execFileSync(process.execPath, [join(CI, 'failed-files.mjs'), written('first', files)], { encoding: 'utf8', cwd: '/' });

const PASSED: Result = { status: 'passed' };
const FAILED: Result = { status: 'failed', error: 'Error: expected 1\n    at here' };

it('what failed stands in front of the counts, with its error', () => {
  expect(counted([file('a.test.ts', { one: PASSED, two: FAILED, three: { status: 'skipped' } })])).toEqual([
    'Seconds: ',
    'SKIPPED: three',
    'FAILED: a.test.ts: two',
    '  Error: expected 1',
    '      at here',
    '1 passed, 1 failed, 1 skipped',
  ]);
});

it('a file that ran again alone counts by that run, and what it passed there is FLAKY', () => {
  const first = [
    file('a.test.ts', { one: PASSED, two: FAILED }),
    file('b.test.ts', { three: FAILED }),
    file('c.test.ts', { four: PASSED }),
  ];
  const second = [file('a.test.ts', { one: PASSED, two: PASSED }), file('b.test.ts', { three: FAILED })];
  const lines = counted(first, second);
  expect(lines.filter((line) => /^[A-Z]+:/.test(line))).toEqual(['FLAKY: a.test.ts: two', 'FAILED: b.test.ts: three']);
  expect(lines.at(-1)).toBe('3 passed, 1 failed, 0 skipped');
});

it('a file that failed outside its tests is named too', () => {
  expect(counted([file('a.test.ts', {}, 'it could not be loaded')]).slice(1, 3)).toEqual(['FAILED: a.test.ts', '  it could not be loaded']);
});

it('the files that failed run again, and none where many failed or the runner itself', () => {
  const failing = Array.from({ length: 7 }, (_, i) => file(`${i}.test.ts`, { one: FAILED }));
  expect(again([file('a.test.ts', { one: PASSED }), file('b.test.ts', { one: FAILED })])).toBe('project/b.test.ts\n');
  expect(again(failing.slice(1)).split('\n')).toHaveLength(7);
  expect(again(failing)).toBe('');
  expect(again(undefined)).toBe('');
});
