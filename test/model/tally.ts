/** Counts over many comparisons: problems with the program that shows them, and how much was there to be compared. */
import { expect } from 'vitest';
import { within } from '../budget.ts';
import { compareProgram } from './compare.ts';
import type { Comparison, Program } from './compare.ts';
import { LEAST_SHARE } from './programs.ts';

export interface Tally {
  readonly programs: number;
  readonly complete: number;
  readonly transactions: number;
  readonly committed: number;
  readonly statements: number;
  readonly edges: number;
  readonly blocked: number;
  /** Programs by class found, by debt owed, by error class met. */
  readonly classes: Readonly<Record<string, number>>;
  readonly debts: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
  /** In programs whose statements are all exact: how many there are, true predicate dependencies drawn, and missed by reason. */
  readonly exact: number;
  readonly predicatesDrawn: number;
  readonly predicatesMissed: Readonly<Record<string, number>>;
  /** Of those that only a look for a key has, which met a row. */
  readonly keysDrawn: number;
  readonly keysMissed: number;
}

/** A further look at a comparison. To run a program takes longer than to look at it, so each program runs once for all looks. */
export interface Look {
  readonly at: (comparison: Comparison, index: number) => void;
  /** Fails where the look found a problem, or had nothing to look at. */
  readonly end: (name: string) => void;
}

/** Fails with the first programs that have a problem; `check` adds what this kind of program must not show. */
export async function compareAll(
  programs: readonly Program[],
  check: (comparison: Comparison) => readonly string[] = () => [],
  looks: readonly Look[] = [],
): Promise<Tally> {
  const problems: string[] = [];
  const classes: Record<string, number> = {};
  const debts: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const predicatesMissed: Record<string, number> = {};
  let [exact, predicatesDrawn, keysDrawn, keysMissed] = [0, 0, 0, 0];
  let [complete, transactions, committed, statements, edges, blocked] = [0, 0, 0, 0, 0, 0];
  const cases = within(programs.length, { least: Math.ceil(programs.length * LEAST_SHARE) });
  for (const i of cases) {
    const program = programs[i]!;
    const comparison = await compareProgram(program);
    for (const look of looks) look.at(comparison, i);
    const { run, truth, verdict, drawn } = comparison;
    for (const problem of [...comparison.problems, ...check(comparison)]) problems.push(`${JSON.stringify(program)}: ${problem}`);
    if (truth.complete) complete++;
    if (comparison.predicates) {
      exact++;
      predicatesDrawn += comparison.predicates.drawn;
      keysDrawn += comparison.predicates.keys.drawn;
      keysMissed += comparison.predicates.keys.missed;
      for (const [reason, n] of Object.entries(comparison.predicates.missed))
        predicatesMissed[reason] = (predicatesMissed[reason] ?? 0) + n;
    }
    for (const { outcome } of run.transactions.values()) {
      transactions++;
      if (outcome === 'committed') committed++;
    }
    statements += run.statements.length;
    edges += drawn.size;
    countEach(
      classes,
      verdict.anomalies.map((anomaly) => anomaly.class),
    );
    countEach(
      debts,
      truth.debts.map((debt) => debt.name),
    );
    countEach(
      errors,
      run.events.flatMap((event) => (event.e === 'fail' ? [event.class] : [])),
    );
    if (run.events.some((event) => (event.e === 'ok' || event.e === 'fail') && event.blocked)) blocked++;
  }
  expect(problems.slice(0, 10), `${problems.length} problems in ${cases.ran} programs`).toEqual([]);
  return {
    programs: cases.ran,
    complete,
    transactions,
    committed,
    statements,
    edges,
    blocked,
    classes,
    debts,
    errors,
    exact,
    predicatesDrawn,
    predicatesMissed,
    keysDrawn,
    keysMissed,
  };
}

export function printTally(name: string, tally: Tally): void {
  const { programs, complete, transactions, committed, statements, edges, blocked } = tally;
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, n]) => `${key} ${n}`)
      .join(', ') || 'none';
  console.log(
    `${name}: ${programs} programs, ${transactions} transactions (${committed} committed), ${statements} statements, ${edges} edges, ` +
      `equality owed in ${complete}, ${blocked} with waits; errors: ${list(tally.errors)}; found: ${list(tally.classes)}; owed: ${list(tally.debts)}; ` +
      `all statements exact in ${tally.exact}, predicate dependencies there: ${tally.predicatesDrawn} drawn, ${Object.values(tally.predicatesMissed).reduce((sum, n) => sum + n, 0)} missed: ${list(tally.predicatesMissed)}; by keys that met a row: ${tally.keysDrawn} drawn, ${tally.keysMissed} missed`,
  );
}

function countEach(counts: Record<string, number>, names: readonly string[]): void {
  for (const name of new Set(names)) counts[name] = (counts[name] ?? 0) + 1;
}
