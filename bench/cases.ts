/** The benchmark's histories and what is expected of `check` on each, as ratios to the byte loop. */
import { AWDIT_LEVELS } from '../core/level/index.ts';
import type { KvFileOptions } from './kv-file.ts';

export interface BenchCase {
  readonly name: string;
  readonly levels: readonly string[];
  readonly file: (scale: number) => KvFileOptions;
  readonly target?: (level: string) => string;
  /** Seconds above Node's own start. */
  readonly aboveStart?: number;
  /** Only when asked for by name. */
  readonly extra?: true;
}

const WEAK: readonly string[] = AWDIT_LEVELS;
const TARGETS: Readonly<Record<string, string>> = { rc: 'at most 2.0', ra: 'at most 2.2', cc: 'at most 5.0' };
const BASE = { operations: 8, sessions: 100, keys: 100_000, distribution: 'uniform', order: 'time', values: 'counter', seed: 7 } as const;
export const MINI: Omit<KvFileOptions, 'transactions'> = { ...BASE, mini: true };
const target = (level: string): string => TARGETS[level] ?? '';

function general(scale: number, distribution: KvFileOptions['distribution']): KvFileOptions {
  const transactions = Math.round(1e5 * 2 ** (scale - 20));
  return { ...BASE, transactions, sessions: 20, keys: Math.max(1, Math.round(transactions / 10)), distribution, order: 'session' };
}

export const CASES: readonly BenchCase[] = [
  { name: 'uniform', levels: WEAK, target, file: (scale) => ({ ...BASE, transactions: 2 ** scale }) },
  { name: 'zipf', levels: WEAK, target, file: (scale) => ({ ...BASE, transactions: 2 ** scale, distribution: 'zipf' }) },
  // the digits that every value has more are in the byte loop's time too
  { name: 'wide-values', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** scale, values: 'wide' }) },
  { name: 'by-session', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** scale, order: 'session' }) },
  { name: 'many-keys', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** scale, keys: 1_000_000 }) },
  { name: 'one-session', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** scale, sessions: 1 }) },
  { name: 'many-sessions', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** scale, sessions: 1000 }) },
  { name: 'long', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** (scale - 7), operations: 1024 }) },
  { name: 'very-long', levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** Math.max(2, scale - 13), operations: 65_536 }) },
  { name: 'small', levels: WEAK, aboveStart: 0.15, file: () => ({ ...BASE, transactions: 2 ** 14 }) },
  {
    name: 'mini',
    levels: ['snapshot-isolation', 'serializable', 'strict-serializable'],
    target: () => 'at most 3.0',
    file: (scale) => ({ ...BASE, transactions: Math.round(1e6 * 2 ** (scale - 20)), mini: true }),
  },
  // the order of the file is no serial order here, so one has to be found
  {
    name: 'mini-by-session',
    levels: ['snapshot-isolation', 'serializable'],
    file: (scale) => ({ ...BASE, transactions: Math.round(1e6 * 2 ** (scale - 20)), mini: true, order: 'session' }),
  },
  // blind writes, and no order to be had from the file: the solver of check/solver
  { name: 'general', levels: ['snapshot-isolation', 'serializable'], file: (scale) => general(scale, 'uniform') },
  { name: 'general-zipf', levels: ['snapshot-isolation', 'serializable'], file: (scale) => general(scale, 'zipf') },
  { name: 'long-2048', extra: true, levels: WEAK, file: (scale) => ({ ...BASE, transactions: 2 ** (scale - 9), operations: 2048 }) },
];
