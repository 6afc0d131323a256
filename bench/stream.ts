/**
 * `npm run bench:stream`: `check -` of mini-transactions that another process writes into its pipe, transactions per
 * second and peak memory at each size, with a write skew as the last two transactions that has to be found; at the first
 * size the same text from a file beside it, checked in windows and as a whole.
 *
 *     npm run bench:stream -- [--sizes 1000000,10000000] [--window N] [--runs 1]
 *
 * Seconds and processor time are of the checking process; the writer runs beside it and takes a processor of its own.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), import.meta.url.endsWith('.ts') ? '..' : '../..');
const WRITER = path.join(root, 'dist', 'bench', 'kv-pipe.js');
const CLI = path.join(root, 'dist', 'app', 'cli.js');
/** What both ways are asked; the skew violates the second alone. */
const LEVELS = ['snapshot-isolation', 'serializable'];

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000000,10000000' },
    window: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '1' },
  },
});

interface Run {
  readonly seconds: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly answer: string;
}

main(values.sizes.split(',').map(Number), Number(values.window), Number(values.runs));

function main(sizes: readonly number[], window: number, runs: number): void {
  if (![...sizes, window, runs].every((n) => Number.isInteger(n) && n > 0))
    throw new Error('--sizes, --window and --runs are whole numbers from 1');
  if (!fs.existsSync('/usr/bin/time')) throw new Error('there is no /usr/bin/time, which measures peak memory');
  const build = spawnSync('npx', ['tsc', '-b', 'bench'], { cwd: root, encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`the build said:\n${build.stdout}${build.stderr}`);
  console.log(
    `Node ${process.version}, ${os.availableParallelism()} processors, load ${os.loadavg()[0]?.toFixed(1)}; least of ${runs} runs, window ${window}`,
  );
  console.log(row(['what', 'transactions', 's', 'cpu s', 'per s', 'peak MB', 'answers']));
  const levels = LEVELS.flatMap((level) => ['--level', level]);
  const checked = (label: string, size: number, command: string): Run => {
    const best = Array.from({ length: runs }, () => timed(command)).reduce((least, run) => (run.cpu < least.cpu ? run : least));
    const { seconds, cpu, megabytes, answer } = best;
    console.log(row([label, String(size), seconds.toFixed(1), cpu.toFixed(1), (size / seconds).toFixed(0), megabytes.toFixed(0), answer]));
    return best;
  };
  const check = [process.execPath, CLI, 'check', ...levels].map((word) => `'${word}'`).join(' ');
  const time = "/usr/bin/time -f '\\n%e %U %S %M'";
  const written = (size: number): string => `'${process.execPath}' '${WRITER}' ${size} skew`;
  const [first = 1] = sizes;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-stream-'));
  try {
    const file = path.join(folder, 'history.txt');
    spawnSync('sh', ['-c', `${written(first)} > '${file}'`]);
    const whole = checked('file, whole', first, `${time} ${check} '${file}'`);
    const windows = checked('file, windows', first, `${time} ${check} - --window ${window} < '${file}'`);
    console.log(
      `windows to whole, ${first} transactions: ${(windows.seconds / whole.seconds).toFixed(2)} of the time, ${(windows.cpu / whole.cpu).toFixed(2)} of the processor time`,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const size of sizes) checked('pipe', size, `${written(size)} | ${time} ${check} - --window ${window}`);
}

function timed(command: string): Run {
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const [seconds = Number.NaN, user = Number.NaN, system = Number.NaN, kilobytes = Number.NaN] = (stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  const answers = LEVELS.map((level) => new RegExp(`^${level} +(\\w+)`, 'm').exec(stdout)?.[1] ?? stderr.trim().slice(0, 80));
  return { seconds, cpu: user + system, megabytes: kilobytes / 1024, answer: answers.join(', ') };
}

function row(cells: readonly string[]): string {
  const widths = [16, 14, 8, 8, 10, 8, 24];
  return cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join(' ')
    .trimEnd();
}
