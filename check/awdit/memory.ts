/** Estimates the memory of a check on top of its history from counts alone. It is an upper bound, in megabytes. */
import type { KvHistory } from '../../core/index.ts';

/**
 * Bytes per operation and per transaction of the shared columns, and bytes per operation of the most expensive search
 * for writers.
 */
const PER_OP = 4;
const PER_TXN = 16;
const JOIN_PER_OP = 12;
const WIDE_JOIN_PER_OP = 16;
/**
 * Inferred edges are collected only if the file's order is no commit order. There is then at most about one per read.
 */
const EDGES_PER_OP = 10;
const ROWS_PER_SESSION = 512;

export function awditMegabytes(history: KvHistory, level: 'rc' | 'ra' | 'cc'): number {
  const { opCount, txnCount, sessionCount } = history;
  const join = opCount * (history.valueHigh === undefined ? JOIN_PER_OP : WIDE_JOIN_PER_OP);
  const keys = history.keyHigh === undefined ? 0 : opCount * 4;
  const base = opCount * PER_OP + txnCount * PER_TXN + keys;
  const rows = Math.min(txnCount, sessionCount * ROWS_PER_SESSION) * sessionCount * 4;
  const own = level === 'cc' ? opCount * 4 + txnCount * 12 + rows + opCount : opCount * EDGES_PER_OP;
  return (base + Math.max(join, own)) / 1e6;
}
