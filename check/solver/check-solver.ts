/**
 * SERIALIZABLE, SNAPSHOT ISOLATION and STRICT SERIALIZABLE of any history: bad reads, then the solver.
 */
import type { KvHistory, KvVerdict, StrongLevel } from '../../core/index.ts';
import { linkOperations } from '../mini/link.ts';
import { problemOf } from './problem.ts';
import { solve } from './solve.ts';

export function trySolver(history: KvHistory, level: StrongLevel): KvVerdict {
  const links = linkOperations(history);
  if (links.badReads.length > 0) return { level, answer: false, anomalies: [] };
  const problem = problemOf(links, { level: () => level, strict: level === 'strict-serializable' });
  const solved = solve(problem, { budget: 100_000 });
  return { level, answer: solved.answer, anomalies: [], ...(solved.answer === 'unknown' ? { reason: solved.reason } : {}) };
}
