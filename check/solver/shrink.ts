/**
 * The fewest transactions that cannot be ordered: leaves out ever smaller parts of a core while the rest still has no
 * order, down to single ones, so that in the end none can be left out. A part without an order is solved anew, which
 * is a second opinion on the refutation that the core came from.
 */
import type { Links } from '../mini/link.ts';
import { inHistory, problemOf } from './problem-of.ts';
import type { ProblemOptions } from './problem.ts';
import { solve, solveOptions } from './solve.ts';
import type { SolveOptions } from './solve.ts';

const BUDGET = 20_000;

type Told = Pick<SolveOptions, 'progress'>;

/** `core`: transactions of the history, ascending. Undefined: they can be ordered after all. A core that is hard to refute may take minutes. */
export function shrink(links: Links, options: ProblemOptions, core: Int32Array, { progress }: Told): Int32Array | undefined {
  const told: Told = progress === undefined ? {} : { progress: (line) => progress(() => `for a smaller witness, ${line()}`) };
  const refuted = (only: Int32Array): Int32Array | undefined => {
    const problem = problemOf(links, { ...options, only });
    const solved = solve(problem, solveOptions({ budget: BUDGET, ...told }));
    return solved.answer === false ? inHistory(problem, solved.core) : undefined;
  };
  let kept = refuted(core);
  if (kept === undefined) return undefined;
  for (let part = kept.length >> 1; part >= 1; part >>= 1) {
    for (let at = 0; at < kept.length;) {
      const rest: Int32Array = Int32Array.from([...kept.subarray(0, at), ...kept.subarray(at + part)]);
      const smaller = refuted(rest);
      if (smaller === undefined) at += part;
      else kept = smaller;
    }
  }
  return kept;
}

/** The history without the other transactions and without what was read from them. */
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
