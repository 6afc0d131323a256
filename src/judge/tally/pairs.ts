/**
 * Counts which pairs of forms conflicted: the part of the workload's possible pairs that a level's rounds covered. The
 * form of a statement comes from its tree in the test case, never from its text.
 */
import { NONE, REL, TXN_STATUS } from '../../../core/index.ts';
import type { DependencyGraph, History, PairCoverage, TestCase } from '../../../core/index.ts';
import { formOf } from '../../../schema-gen/index.ts';
import type { Form, FormPair } from '../../../schema-gen/index.ts';

const UNSTATED = REL.so | REL.rt;

export class PairTally {
  private readonly pairs: readonly FormPair[];
  private readonly met = new Map<string, number>();

  constructor(pairs: readonly FormPair[]) {
    this.pairs = pairs;
  }

  add(graph: DependencyGraph, testCase: TestCase): void {
    for (const pair of conflictsOf(graph, testCase)) this.met.set(nameOf(pair), (this.met.get(nameOf(pair)) ?? 0) + 1);
  }

  hasMet(pair: FormPair): boolean {
    return this.met.has(nameOf(pair));
  }

  counts(): { readonly met: number; readonly of: number } {
    return { met: this.pairs.filter((pair) => this.hasMet(pair)).length, of: this.pairs.length };
  }

  report(): PairCoverage {
    const names = this.pairs.map(nameOf);
    return {
      met: Object.fromEntries(names.flatMap((name) => (this.met.has(name) ? [[name, this.met.get(name)!]] : []))),
      notMet: names.filter((name) => !this.met.has(name)),
    };
  }
}

function nameOf([from, to]: FormPair): string {
  return `${from} > ${to}`;
}

/** Returns one entry for each dependency. O(edges). */
function conflictsOf({ history, txnCount, starts, targets, rels, evidence, edges }: DependencyGraph, testCase: TestCase): FormPair[] {
  const form = formsOf(history, testCase);
  const found: FormPair[] = [];
  for (let v = 1; v < txnCount; v++) {
    for (let e = starts[v]!; e < starts[v + 1]!; e++) {
      const w = targets[e]!;
      if (w >= txnCount || (rels[e]! & UNSTATED) !== 0 || !overlap(history, v, w)) continue;
      const from = form(edges.fromStatement[evidence[e]!]!);
      const to = form(edges.toStatement[evidence[e]!]!);
      if (from !== undefined && to !== undefined) found.push([from, to]);
    }
  }
  return found;
}

/** True if both committed, and neither was known to have ended when the other began. The final reads do not count. */
function overlap({ transactions: { status, session, beginAt, endAt }, round }: History, v: number, w: number): boolean {
  const counts = (t: number): boolean => status[t] === TXN_STATUS.committed && session[t]! < round.sessions;
  return counts(v) && counts(w) && beginAt[v]! < endAt[w]! && beginAt[w]! < endAt[v]!;
}

function formsOf({ statements, transactions }: History, { schema, sessions }: TestCase): (statement: number) => Form | undefined {
  const plans = new Map(sessions.flatMap((session) => session.transactions.map((plan) => [plan.id, plan] as const)));
  const known = new Map<number, Form | undefined>();
  const told = (statement: number): Form | undefined => {
    const planned = plans.get(transactions.id[statements.txn[statement]!]!)?.statements[statements.plan[statement]!];
    return planned === undefined ? undefined : formOf(planned, schema);
  };
  return (statement) => {
    if (statement === NONE) return undefined;
    if (!known.has(statement)) known.set(statement, told(statement));
    return known.get(statement);
  };
}
