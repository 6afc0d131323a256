/**
 * `npm run bench`: how long `check` takes on large histories, whole processes, as a ratio to the frozen byte loop
 * floor.mjs on the same file, run in turn; the least of several runs counts. With AWDIT_BIN (AWDIT's program) or
 * PEER_CMD (a command with {file} and {level}) another program takes its turn too.
 *
 *     npm run bench -- [--scale 20] [--runs 3] [--case NAME] [--keep DIR]
 *
 * STRICT SERIALIZABLE is timed with times made up from the order of the file, which plume text does not have
 * (check-plume.ts, the program that is timed, says which).
 *
 * --scale is the binary logarithm of the number of transactions of the large cases; files go to a temporary folder.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES } from './cases.ts';
import type { BenchCase } from './cases.ts';
import { writeKvFile } from './kv-file.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), import.meta.url.endsWith('.ts') ? '..' : '../..');
const FLOOR = path.join(root, 'bench', 'floor.mjs');
const CHECK = path.join(root, 'dist', 'bench', 'check-plume.js');

interface Run {
  readonly seconds: number;
  /** Processor time of all threads: what a busy machine changes less than the clock's. */
  readonly cpu: number;
  readonly megabytes: number;
  readonly output: string;
}

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    case: { type: 'string', multiple: true },
    keep: { type: 'string' },
  },
});
main(Number(values.scale), Number(values.runs), values.case, values.keep);

function main(scale: number, runs: number, names: readonly string[] | undefined, keep: string | undefined): void {
  if (!Number.isInteger(scale) || scale < 8 || scale > 24 || !Number.isInteger(runs) || runs < 1)
    throw new Error('--scale is 8 to 24, --runs at least 1');
  const unknown = names?.find((name) => !CASES.some((bench) => bench.name === name));
  if (unknown !== undefined) throw new Error(`--case ${unknown}: there is ${CASES.map((bench) => bench.name).join(', ')}`);
  const build = spawnSync('npx', ['tsc', '-b', 'bench'], { cwd: root, encoding: 'utf8' });
  if (!fs.existsSync(CHECK)) throw new Error(`there is no ${CHECK} to time; the build said:\n${build.stdout}${build.stderr}`);
  if (build.status !== 0) console.error('the build reported errors; what is timed may be older than the source');
  const folder = keep ?? fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-bench-'));
  fs.mkdirSync(folder, { recursive: true });
  const start = least(runs, () => run(process.execPath, ['-e', '0']));
  console.log(
    `Node ${process.version}, ${os.availableParallelism()} processors, Node's own start ${start.seconds.toFixed(2)} s, 2^${scale} transactions; least of ${runs} runs`,
  );
  console.log(row(['case', 'level', 'answer', 'floor s', 'check s', 'ratio', 'cpu ratio', 'peak MB', 'target', 'peer s']));
  try {
    for (const bench of CASES)
      if (names === undefined ? !bench.extra : names.includes(bench.name)) measure(bench, scale, runs, folder, start);
  } finally {
    if (keep === undefined) fs.rmSync(folder, { recursive: true, force: true });
  }
}

function measure(bench: BenchCase, scale: number, runs: number, folder: string, start: Run): void {
  const file = path.join(folder, `${bench.name}-${scale}.txt`);
  if (!fs.existsSync(file)) writeKvFile(file, bench.file(scale));
  for (const level of bench.levels) {
    const floors: Run[] = [];
    const checks: Run[] = [];
    const peers: Run[] = [];
    for (let i = 0; i < runs; i++) {
      floors.push(run(process.execPath, [FLOOR, file]));
      checks.push(run(process.execPath, [CHECK, file, level]));
      const peer = peerOf(file, level);
      if (peer !== undefined) peers.push(run(peer[0] as string, peer.slice(1)));
    }
    const floor = fastest(floors);
    const check = fastest(checks);
    const answer = check.output.split(/\s/)[1] ?? '?';
    const target = bench.target?.(level);
    console.log(
      row([
        bench.name,
        level,
        answer,
        floor.seconds.toFixed(2),
        check.seconds.toFixed(2),
        (check.seconds / floor.seconds).toFixed(2),
        (fastest(checks, (r) => r.cpu).cpu / fastest(floors, (r) => r.cpu).cpu).toFixed(2),
        check.megabytes.toFixed(0),
        target ??
          (bench.aboveStart === undefined ? '' : `${(check.seconds - start.seconds).toFixed(2)} of ${bench.aboveStart} s above start`),
        peers.length === 0 ? '' : `${fastest(peers).seconds.toFixed(2)} (${fastest(peers).megabytes.toFixed(0)} MB)`,
      ]),
    );
  }
}

function row(cells: readonly string[]): string {
  const widths = [14, 20, 8, 8, 8, 6, 10, 8, 24, 16];
  return cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join(' ')
    .trimEnd();
}

function peerOf(file: string, level: string): readonly string[] | undefined {
  const awdit = process.env['AWDIT_BIN'];
  const names: Readonly<Record<string, string>> = { rc: 'read-committed', ra: 'read-atomic', cc: 'causal' };
  if (awdit !== undefined && names[level] !== undefined) return [awdit, 'check', '--isolation', names[level], '--format', 'plume', file];
  const command = process.env['PEER_CMD'];
  return command === undefined ? undefined : ['sh', '-c', command.replaceAll('{file}', file).replaceAll('{level}', level)];
}

/** Through a small shell of our own: a child's peak memory is known to the process that waited for it alone. */
function run(command: string, args: readonly string[]): Run {
  const script = `const { spawnSync } = require('node:child_process');
const begin = process.hrtime.bigint();
const child = spawnSync(process.argv[1], process.argv.slice(2), { encoding: 'utf8', maxBuffer: 1 << 28 });
const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
process.stdout.write(JSON.stringify({ seconds, status: child.status, output: child.stdout, error: child.stderr }));`;
  const timed = fs.existsSync('/usr/bin/time') ? ['/usr/bin/time', '-f', '\n%U %S %M', command, ...args] : [command, ...args];
  const outer = spawnSync(process.execPath, ['-e', script, ...timed], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const { seconds, output, error } = JSON.parse(outer.stdout) as { seconds: number; output: string; error: string };
  const [user, system, kilobytes] = (error.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return {
    seconds,
    cpu: (user ?? Number.NaN) + (system ?? Number.NaN),
    megabytes: (kilobytes ?? Number.NaN) / 1024,
    output: output + (Number.isNaN(kilobytes ?? Number.NaN) ? error : ''),
  };
}

function least(runs: number, once: () => Run): Run {
  return fastest(Array.from({ length: runs }, once));
}

function fastest(runs: readonly Run[], of: (run: Run) => number = (run) => run.seconds): Run {
  return runs.reduce((best, run) => (of(run) < of(best) ? run : best));
}
