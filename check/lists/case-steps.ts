/**
 * Reduces a forbidden cycle in one order of the unread appends to the facts it rests on. These are the orders of two
 * appends that it assumes, and its steps. In every order, a reader of the longest list did not see any of the appends
 * after it, and its last writer came before each.
 */
import { NONE } from '../../core/index.ts';
import type { CycleStep, DependencyGraph } from '../../core/index.ts';
import type { Before } from './ranks.ts';
import type { Tail } from './tails.ts';

export interface RestsOn {
  readonly assumed: readonly Before[];
  readonly steps: readonly CycleStep[];
}

export class CaseSteps {
  private readonly tails: readonly Tail[];
  private readonly indexOf: ReadonlyMap<number, number>;
  /** The key is the row's name. */
  private readonly places = new Map<string, number>();
  private readonly members: readonly ReadonlySet<number>[];
  private readonly readers: readonly ReadonlySet<number>[];

  constructor({ history }: DependencyGraph, tails: readonly Tail[]) {
    const { transactions, rows } = history;
    const indexOf = new Map<number, number>();
    for (let t = 0; t < transactions.count; t++) indexOf.set(transactions.id[t], t);
    this.indexOf = indexOf;
    this.tails = tails;
    for (const [k, { row }] of tails.entries()) if (row !== NONE) this.places.set(rows.rid[row], k);
    this.members = tails.map(({ members }) => new Set(members.map(({ txn }) => txn)));
    this.readers = tails.map(({ readers }) => new Set(readers.map(({ txn }) => txn)));
  }

  restsOn(cycle: readonly CycleStep[]): RestsOn {
    const assumed: Before[] = [];
    const steps: CycleStep[] = [];
    const runs = runsOf(cycle);
    for (const [i, run] of runs.entries()) {
      const next = runs[(i + 1) % runs.length][0];
      const [k, within] = this.inTail(run);
      if (k === NONE) {
        steps.push(...run);
        continue;
      }
      const inner = run.slice(within);
      steps.push(...run.slice(0, within));
      const [first] = inner;
      const last = inner[inner.length - 1];
      if (this.leadsIn(k, first)) {
        // No transaction comes before itself. Under snapshots, the second transaction is no neighbour of one that did
        // not see the first.
        const second = inner.length > 1 && first.rel === 'rw' && (last.to === first.from || next.rel === 'rw');
        steps.push(merged(first, second ? inner[inner.length - 2] : last));
        if (second) this.assume(k, last, last, assumed, steps);
      } else this.assume(k, first, last, assumed, steps);
    }
    return { assumed, steps };
  }

  private assume(k: number, first: CycleStep, last: CycleStep, assumed: Before[], steps: CycleStep[]): void {
    assumed.push({ tail: k, first: this.index(first.from), second: this.index(last.to) });
    steps.push(merged(first, last));
  }

  /** Returns the tail that a run ends in, and the place of the first step in it, or NONE. */
  private inTail(run: readonly CycleStep[]): readonly [tail: number, from: number] {
    const [{ row, rel }] = run;
    const k = (row === undefined ? undefined : this.places.get(row)) ?? NONE;
    const last = run[run.length - 1];
    if (k === NONE || (rel !== 'ww' && rel !== 'rw') || !this.members[k].has(this.index(last.to))) return [NONE, 0];
    for (let i = run.length - 1; i >= 0; i--) if (this.leadsIn(k, run[i])) return [k, i];
    return run.every((step) => step.rel === 'ww' && this.members[k].has(this.index(step.from))) ? [k, 0] : [NONE, 0];
  }

  /**
   * Tells whether the step leads from the last writer, or from a reader of the longest list, to a transaction of the
   * tail.
   */
  private leadsIn(k: number, { rel, from, to }: CycleStep): boolean {
    if (!this.members[k].has(this.index(to))) return false;
    return rel === 'ww' ? this.tails[k].last?.txn === this.index(from) : this.readers[k].has(this.index(from));
  }

  private index(id: number): number {
    return this.indexOf.get(id) ?? NONE;
  }
}

/** Splits the steps by row: a run begins with any step and continues with ww steps of the same row. */
function runsOf(cycle: readonly CycleStep[]): readonly (readonly CycleStep[])[] {
  const begins = (i: number): boolean => {
    const before = cycle[(i + cycle.length - 1) % cycle.length];
    return cycle[i].rel !== 'ww' || before.row !== cycle[i].row || (before.rel !== 'ww' && before.rel !== 'rw');
  };
  const start = Math.max(
    0,
    cycle.findIndex((_, i) => begins(i)),
  );
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)];
  const runs: CycleStep[][] = [];
  for (const [i, step] of turned.entries()) {
    if (runs.length === 0 || begins((start + i) % cycle.length)) runs.push([step]);
    else runs[runs.length - 1].push(step);
  }
  return runs;
}

/** Merges the path from the first step to the last into one step. */
function merged(first: CycleStep, last: CycleStep): CycleStep {
  if (first === last) return first;
  return { ...first, to: last.to, ...(last.toStatement !== undefined && { toStatement: last.toStatement }) };
}
