/**
 * The program that bench/solver.ts times: one level of a plume text, by the solver alone, and what it took as JSON: seconds
 * of the clock and of the processor without reading the file, the peak of the whole process, and what the solver counted.
 *     node dist/bench/solve-file.js FILE LEVEL [old]
 * `old`: by the search that was there before (check/search), which stays as the oracle of small histories.
 */
import fs from 'node:fs';
import { checkSearch, checkSolver, formatNamed } from '../check/index.ts';
import { OP } from '../core/kv/index.ts';
import type { StrongLevel } from '../core/level/index.ts';
import type { KvHistory, SolveNumbers } from '../core/kv/index.ts';

export interface SolvedFile {
  readonly answer: boolean | 'unknown';
  readonly reason?: string;
  readonly seconds: number;
  readonly cpu: number;
  readonly megabytes: number;
  /** Pairs of transactions that write one key: what an order is open of before anything is concluded. */
  readonly pairs: number;
  readonly numbers?: SolveNumbers;
  /** Transactions of the witness. */
  readonly witness?: number;
}

const [, , file, level, old] = process.argv;
if (file === undefined || level === undefined) throw new Error('usage: solve-file FILE LEVEL [old]');
console.log(JSON.stringify(solved(read(file), level as StrongLevel)));

function read(path: string): KvHistory {
  const parsed = formatNamed('plume').read([{ name: path, bytes: fs.readFileSync(path) }]);
  if (parsed.kind !== 'kv') throw new Error(`${path}: not a register history`);
  return parsed.history;
}

function solved(history: KvHistory, asked: StrongLevel): SolvedFile {
  const pairs = pairsOf(history);
  let numbers: SolveNumbers | undefined;
  const start = performance.now();
  const before = process.cpuUsage();
  const verdict = old === 'old' ? checkSearch(history, asked) : checkSolver(history, asked, { solved: (given) => (numbers ??= given) });
  const { user, system } = process.cpuUsage(before);
  const [anomaly] = verdict.anomalies;
  return {
    answer: verdict.answer,
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    seconds: (performance.now() - start) / 1000,
    cpu: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    pairs,
    ...(numbers !== undefined && { numbers }),
    ...(anomaly !== undefined && { witness: anomaly.transactions.length }),
  };
}

function pairsOf({ txnCount, opStart, opEnd, kind, keyLow }: KvHistory): number {
  const writers = new Map<number, number>();
  let pairs = 0;
  for (let t = 0; t < txnCount; t++) {
    const keys = new Set<number>();
    for (let op = opStart[t] ?? 0; op < (opEnd[t] ?? 0); op++) if (kind[op] === OP.write) keys.add(keyLow[op] ?? 0);
    for (const key of keys) {
      const others = writers.get(key) ?? 0;
      pairs += others;
      writers.set(key, others + 1);
    }
  }
  return pairs;
}
