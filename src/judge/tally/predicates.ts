/** Sums what became of the predicate reads of each round. */
import { wordingOf } from '../../../core/index.ts';
import type { DependencyGraph, PredicateReport, UnexplainedResults } from '../../../core/index.ts';

/** Shown one by one. */
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

/** The same object where the round evaluated nothing. */
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
      shown: [...sum.unexplained.shown, ...unexplained.map((words) => `round ${round}: ${words}`)].slice(0, MOST_SHOWN),
    },
  };
}

/** Each with its statement: rows that were not returned although every version that can have been seen satisfies the condition. */
export function unexplainedOf({ history, predicates }: DependencyGraph): readonly string[] {
  const say = wordingOf(history);
  return (predicates?.unexplainedAt ?? []).map(
    ({ statement, row }) =>
      `${say.statement(statement)} did not return ${say.row(row)}, although every version of it that can have been seen satisfies a condition of ${JSON.stringify(history.statements.sql[statement])}`,
  );
}

export function unexplainedWords({ count, shown }: UnexplainedResults): string {
  return `${count} ${count === 1 ? 'result that no rule explains' : 'results that no rule explains'}: ${shown[0] ?? ''}${count > 1 ? `, and ${count - 1} more` : ''}`;
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...a };
  for (const [key, count] of Object.entries(b)) if (count > 0) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}
