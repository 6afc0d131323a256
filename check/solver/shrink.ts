/**
 * Finds the fewest transactions that cannot be ordered. It leaves out ever smaller parts of a core while the rest still
 * has no order, down to single ones, so that in the end none can be left out. A part without an order is solved anew,
 * which is a second opinion on the refutation that the core came from. A core of some hundred transactions that only
 * decisions refute is solved as often as it has transactions. The work is therefore bounded, and the witness says when
 * it ended there.
 */
import type { Links } from '../mini/link.ts';
import { inHistory, problemOf } from './problem-of.ts';
import type { ProblemOptions } from './problem.ts';
import { solve, solveOptions } from './solve.ts';
import type { SolveOptions } from './solve.ts';

/** The conflicts of one attempt. */
const BUDGET = 20_000;
/**
 * The work of all attempts together: transactions visited, in each round again, and conflicts, each of which costs as
 * much as several visits.
 */
const MOST_WORK = 4_000_000;
const CONFLICT = 50;

export interface Shrunk {
  /** The transactions of the history, ascending. */
  readonly core: Int32Array;
  /** None can be left out. Otherwise the search for fewer was given up. */
  readonly least: boolean;
}

interface ShrinkOptions extends Pick<SolveOptions, 'progress'> {
  readonly budget?: number;
  /** The default is 4,000,000. Some hundred thousand take a second. */
  readonly witnessWork?: number;
}

/**
 * `core` holds transactions of the history, ascending. 'ordered' means that they have an order after all. 'unsure'
 * means that they were not refuted a second time within the budget.
 */
export function shrink(links: Links, options: ProblemOptions, core: Int32Array, given: ShrinkOptions): Shrunk | 'ordered' | 'unsure' {
  const { progress, budget, witnessWork = MOST_WORK } = given;
  const reporting = progress === undefined ? {} : { progress: (line: () => string) => progress(() => `for a smaller witness, ${line()}`) };
  let left = witnessWork;
  const refuted = (only: Int32Array, most: number | undefined): Int32Array | 'ordered' | 'unsure' => {
    const problem = problemOf(links, { ...options, only });
    const solved = solve(problem, solveOptions({ ...(most !== undefined && { budget: most }), ...reporting }));
    left -= problem.size * (1 + solved.numbers.rounds) + CONFLICT * solved.numbers.conflicts;
    if (solved.answer === false) return inHistory(problem, solved.core);
    return solved.answer ? 'ordered' : 'unsure';
  };
  const again = refuted(core, budget);
  if (typeof again === 'string') return again;
  let kept = again;
  let least = true;
  for (let part = Math.max(1, kept.length >> 1); part >= 1; part >>= 1) {
    for (let at = 0; at < kept.length;) {
      if (left <= 0) return { core: kept, least: false };
      const rest: Int32Array = Int32Array.from([...kept.subarray(0, at), ...kept.subarray(at + part)]);
      const smaller = refuted(rest, Math.min(BUDGET, Math.ceil(left / CONFLICT)));
      if (smaller === 'unsure' && part === 1) least = false;
      if (typeof smaller === 'string') at += part;
      else kept = smaller;
    }
  }
  return { core: kept, least };
}

/** Returns the history without the other transactions and without the reads from them. */
export function restrict(links: Links, txns: Int32Array): Links {
  const { history, opTxn } = links;
  const live = new Uint8Array(history.txnCount);
  const external = new Int32Array(links.external.length).fill(-1);
  const final = new Uint8Array(links.final.length);
  for (const t of txns) live[t] = 1;
  for (const t of txns) {
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      const v = links.external[op];
      if (v >= 0 && (links.final[v] === 0 || live[opTxn[v]] === 1)) external[op] = v;
      final[op] = links.final[op];
    }
  }
  return { ...links, opTxn, live, external, final, unclear: links.unclear.filter(({ read }) => live[opTxn[read]] === 1) };
}
