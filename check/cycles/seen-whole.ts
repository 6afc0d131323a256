/**
 * Answers a level for which no forbidden anomaly was found. The answer is true if everything that it rests on was seen
 * of every transaction. Otherwise it is unknown, with what was not seen, and shown for the transactions that were seen
 * whole. Every edge between two of these is drawn (infer/unobserved/unobserved.ts). A forbidden cycle, if there is one,
 * therefore goes through one of the others.
 */
import { UNOBSERVED, unobservedMask, unobservedWords } from '../../core/index.ts';
import type { DependencyGraph, UnobservedName, Level, LevelAnswer } from '../../core/index.ts';

export function seenWhole({ unobserved }: DependencyGraph): (level: Level) => LevelAnswer {
  if (unobserved === undefined) return (level) => ({ level, answer: true });
  const { bits, counts } = unobserved;
  return (level) => {
    const mask = unobservedMask(level);
    let of = 0;
    let transactions = 0;
    const unseen: Partial<Record<UnobservedName, number>> = {};
    for (let t = 0; t < bits.length; t++) {
      if (counts[t] === 0) continue;
      of++;
      const missing = bits[t] & mask;
      if (missing === 0) transactions++;
      for (const [i, { name }] of UNOBSERVED.entries()) if ((missing & (1 << i)) !== 0) unseen[name] = (unseen[name] ?? 0) + 1;
    }
    const shown = { transactions, of };
    if (transactions === of) return { level, answer: true, shown };
    return {
      level,
      answer: 'unknown',
      code: 'unseen',
      reason: `no forbidden anomaly was found, but ${of - transactions} of ${of} transactions were not observed completely: ${unobservedWords(unseen)}`,
      shown,
      gaps: unseen,
    };
  };
}
