/** A signal while a command reads: it ends by that signal, since what reads does not return to the event loop (docs/PIPELINE.md). */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORDS, largeSchema } from '../../bench/large-schema.ts';
import { startCli } from './cli.ts';
import type { Finished, RunningCli } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { until } from './process-watch.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-reading-'));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A shell shows 128 and the number of the signal. */
function expectEndedBy(sent: NodeJS.Signals, { code, signal, stdout, stderr }: Finished): void {
  expect([code, signal], stderr).toEqual([null, sent]);
  expect(stdout).toBe('');
}

/** Commands of which the first thing is to read a file. `-` is the place of its name. */
const READERS: readonly (readonly string[])[] = [
  ['explore', '-'],
  ['run', '--workload', '-'],
  ['run', '--known', '-'],
  ['shell', '-'],
  ['replay', '-'],
  ['check', '-'],
  ['convert', '-', 'unwritten.txt', '--format', 'plume', '--to', 'plume'],
  ['stats', '-'],
  ['campaign', 'start', '-'],
  ['import', '--log', '-'],
  ['verify', '-'],
];

// A pipe that nobody writes to: whoever reads it waits for ever.
describe.runIf(process.platform === 'linux')('a file that does not come to its end', () => {
  it.each(READERS.flatMap((words) => SIGNALS.map((signal) => ({ signal, words }))))('$signal, $words', async ({ signal, words }) => {
    const pipe = join(dir, `${[...words, signal].join('-').replaceAll('/', '-')}.sql`);
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const running = startCli(words.map((word) => (word === '-' ? pipe : word)));
    const writer = await openedByReader(pipe, running);
    running.child.kill(signal);
    const finished = await running.done;
    if (writer !== undefined) closeSync(writer);
    expect(writer, `nobody read it: ${finished.stderr}`).toBeDefined();
    expectEndedBy(signal, finished);
  });
});

/** The writing end, once the command has the other one. */
async function openedByReader(pipe: string, { child }: RunningCli): Promise<number | undefined> {
  let writer: number | undefined;
  await until(() => {
    try {
      writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      writer = undefined;
    }
    return writer !== undefined || child.exitCode !== null;
  });
  return writer;
}

const TABLES = 20_000; // which takes minutes

describeEachProtocol('a schema of 20,000 tables', ({ dialect, target }) => {
  const words = WORDS[dialect.name];
  it.runIf(words !== undefined && process.platform === 'linux').each([
    ['explore', ['explore', 'large.sql', '--seed', '1']],
    ['run', ['run', '--workload', 'large.sql', '--cases', '1', '--out', 'out', '--seed', '1']],
    ['shell', ['shell', 'large.sql']],
  ] as const)('%s', async (_name, args) => {
    const file = join(dir, `large-${dialect.name}.sql`);
    writeFileSync(file, largeSchema(TABLES, words!));
    const place = (word: string): string => (word === 'large.sql' ? file : word === 'out' ? join(dir, 'out') : word);
    const running = startCli([...args.map(place), '--target', target]);
    expect(await until(() => running.child.exitCode !== null || hasWorked(running))).toBe(true);
    running.child.kill('SIGTERM');
    const finished = await running.done;
    expectEndedBy('SIGTERM', finished);
    // Which would have been said when all of it was read.
    expect(finished.stderr).not.toContain('ending in order');
  });
});

/** Four seconds of processor time, a hundredth of a second a tick: whatever comes before it needs one. */
const TICKS = 400;

function hasWorked({ child }: RunningCli): boolean {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]) > TICKS;
  } catch {
    return true;
  }
}
