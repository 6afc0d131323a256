/** Sums the results of each round's predicate reads. */
import { noteAt } from '../../../core/index.ts';
import type { DependencyGraph, Note, PredicateReport } from '../../../core/index.ts';

/** Most results that are shown one by one. */
export const MOST_SHOWN = 20;

export const NO_PREDICATES: PredicateReport = {
  evaluated: 0,
  versions: 0,
  skipped: {},
  thrownAway: {},
  wrp: 0,
  rwp: 0,
  unexplained: { count: 0, shown: [] },
};

const REASONS = {
  disagreed: 'the evaluation contradicts a row that the statement returned',
  unexplained: 'a row was not returned although every version satisfies the WHERE',
  unproven: 'a subquery that may not have been read at all',
  unusable: 'the statement or its transaction took no effect, or the level is READ UNCOMMITTED',
} as const;

/** Returns the same object if the round evaluated nothing. */
export function addPredicateReport(sum: PredicateReport, round: number, graph: DependencyGraph): PredicateReport {
  const { history, predicates } = graph;
  const { evaluated } = history.predicates;
  if (evaluated === undefined || predicates === undefined) return sum;
  const thrownAway: Record<string, number> = {};
  for (const [key, reason] of Object.entries(REASONS)) thrownAway[reason] = predicates[key as keyof typeof REASONS];
  const unexplained = unexplainedOf(graph);
  return {
    evaluated: sum.evaluated + evaluated.predicates,
    versions: sum.versions + evaluated.versions,
    skipped: added(sum.skipped, evaluated.skipped),
    thrownAway: added(sum.thrownAway, thrownAway),
    wrp: sum.wrp + predicates.wrp,
    rwp: sum.rwp + predicates.rwp,
    unexplained: {
      count: sum.unexplained.count + unexplained.length,
      shown: [...sum.unexplained.shown, ...unexplained.map((note) => noteAt(note, { round }))].slice(0, MOST_SHOWN),
    },
  };
}

/** Returns rows that were not returned although every version that can have been seen satisfies the condition. */
export function unexplainedOf({ history, predicates }: DependencyGraph): readonly Note<'result-unexplained'>[] {
  const { transactions, statements, rows } = history;
  return (predicates?.unexplainedAt ?? []).map(({ statement: s, row }) => ({
    code: 'result-unexplained',
    data: {
      transaction: transactions.id[statements.txn[s]!]!,
      statement: statements.index[s]!,
      kind: statements.kind[s]!,
      row: rows.rid[row]!,
      table: rows.table[row]!,
      sql: statements.sql[s]!,
    },
  }));
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...a };
  for (const [key, count] of Object.entries(b)) if (count > 0) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
