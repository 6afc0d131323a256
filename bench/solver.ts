/**
 * `npm run bench:solver`: general histories (8 operations, half reads, blind writes, a tenth as many keys as transactions,
 * one session after another in the file, so that its order is no help) at SERIALIZABLE and SNAPSHOT ISOLATION, as they are
 * and with a violation planted (a write skew, a lost update). A row a level: seconds of the solver without reading, peak
 * memory of its process, pairs of writers of a key, reads that an order broke before and after what follows was drawn,
 * choices that were made of those, conflicts.
 *
 *     npm run bench:solver -- [--sizes 1000,10000,100000] [--keys uniform,zipf,hot] [--sessions 20] [--runs 1] [--old]
 *
 * Of several runs the one with the least processor time counts. --old: the search that was there before, beside it.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeKvFile } from './kv-file.ts';
import type { KvFileOptions } from './kv-file.ts';
import type { SolvedFile } from './solve-file.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), import.meta.url.endsWith('.ts') ? '..' : '../..');
const SOLVE = path.join(root, 'dist', 'bench', 'solve-file.js');
/** Level, and what is planted to violate it. */
const LEVELS = [
  ['serializable', 'skew'],
  ['snapshot-isolation', 'lost'],
] as const;
const MOST_SECONDS = 600;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    keys: { type: 'string', default: 'uniform,zipf,hot' },
    sessions: { type: 'string', default: '20' },
    runs: { type: 'string', default: '1' },
    old: { type: 'boolean', default: false },
  },
});

interface Case extends Pick<KvFileOptions, 'transactions' | 'sessions' | 'distribution'> {
  readonly planted: boolean;
}

main();

function main(): void {
  const build = spawnSync('npx', ['tsc', '-b', 'bench'], { cwd: root, encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`the build said:\n${build.stdout}${build.stderr}`);
  console.log(
    `Node ${process.version}, ${os.availableParallelism()} processors, load ${os.loadavg()[0]?.toFixed(1)}; least of ${values.runs} runs`,
  );
  const head = [
    'transactions',
    'sessions',
    'keys',
    'planted',
    'level',
    'answer',
    's',
    'cpu s',
    'MB',
    'pairs',
    'broken',
    'choices',
    'conflicts',
  ];
  console.log(row(values.old ? [...head, 'before'] : head));
  const numbers = (list: string): readonly number[] => list.split(',').map(Number);
  for (const transactions of numbers(values.sizes))
    for (const sessions of numbers(values.sessions))
      for (const distribution of values.keys.split(',') as KvFileOptions['distribution'][])
        for (const planted of [false, true]) measure({ transactions, sessions, distribution, planted });
}

function measure({ planted, ...given }: Case): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-bench-'));
  try {
    for (const [level, anomaly] of LEVELS) {
      const file = path.join(folder, level);
      const keys = given.transactions / 10;
      writeKvFile(file, {
        ...given,
        operations: 8,
        keys,
        order: 'session',
        values: 'counter',
        seed: 1,
        ...(planted && { [anomaly]: true }),
      });
      const tries = Array.from({ length: Number(values.runs) }, () => solve(file, level)).filter((each) => each !== undefined);
      const least = tries.toSorted((a, b) => a.cpu - b.cpu)[0];
      const before = values.old ? [told(solve(file, level, 'old'))] : [];
      console.log(row([...Object.values(given).map(String), planted ? anomaly : 'no', level, ...cells(least), ...before]));
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function solve(file: string, level: string, ...old: readonly string[]): SolvedFile | undefined {
  const { stdout, status } = spawnSync(process.execPath, [SOLVE, file, level, ...old], { encoding: 'utf8', timeout: MOST_SECONDS * 1000 });
  return status === 0 ? (JSON.parse(stdout) as SolvedFile) : undefined;
}

function cells(solved: SolvedFile | undefined): readonly string[] {
  if (solved === undefined) return [`none in ${MOST_SECONDS} s`];
  const { answer, seconds, cpu, megabytes, pairs, numbers, witness } = solved;
  const { brokenFirst, brokenLast, variables, conflicts } = numbers ?? { brokenFirst: -1, brokenLast: -1, variables: -1, conflicts: -1 };
  return [
    witness === undefined ? String(answer) : `${answer}, ${witness}`,
    seconds.toFixed(2),
    cpu.toFixed(2),
    megabytes.toFixed(0),
    String(pairs),
    `${brokenFirst}, ${brokenLast}`,
    String(variables),
    String(conflicts),
  ];
}

function told(solved: SolvedFile | undefined): string {
  return solved === undefined
    ? `no answer in ${MOST_SECONDS} s, or it failed`
    : `${solved.answer}, ${solved.cpu.toFixed(1)} s, ${solved.megabytes.toFixed(0)} MB`;
}

function row(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}
