/**
 * How many of the true predicate dependencies are drawn, and why the others are not. Counted are edges between two
 * transactions of the program, none from the initial state (they would be most of the drawn ones), in programs whose
 * statements all show all that they read.
 */
import { predicateReads } from '../../src/execute/index.ts';
import type { View } from '../../core/sql/index.ts';
import { MODEL_CAPABILITIES } from './capabilities.ts';
import type { PredicateEdge } from './predicates.ts';
import type { ModelRun } from './run-model.ts';
import type { Row } from './store.ts';

export interface PredicateCount {
  readonly drawn: number;
  readonly missed: Readonly<Record<string, number>>;
  /** Those that only the looks for a key have, which met a row. */
  readonly keys: { readonly drawn: number; readonly missed: number };
}

export function countPredicates(
  run: ModelRun,
  views: readonly View[],
  edges: readonly PredicateEdge[],
  drawn: ReadonlySet<string>,
  obscure: ReadonlySet<Row>,
): PredicateCount {
  const missed: Record<string, number> = {};
  const found = new Set<string>();
  const byKey = new Map<string, PredicateEdge>();
  const byKeyAlone = new Set(
    edges.filter(({ from, predicateRead }) => from !== 0 && predicateRead.met !== undefined).map(({ key }) => key),
  );
  for (const edge of edges) {
    if (edge.from === 0 || edge.predicateRead.met !== undefined) continue;
    byKeyAlone.delete(edge.key);
    if (drawn.has(edge.key)) found.add(edge.key);
    else byKey.set(edge.key, edge);
  }
  const evaluated = new Set(run.events.flatMap((event) => (event.e === 'predicate' ? [`${event.t}.${event.n} ${event.table}`] : [])));
  for (const edge of byKey.values()) {
    const reason = reasonOf(run, views, edge, evaluated, obscure);
    missed[reason] = (missed[reason] ?? 0) + 1;
  }
  const keysDrawn = [...byKeyAlone].filter((key) => drawn.has(key)).length;
  return { drawn: found.size, missed, keys: { drawn: keysDrawn, missed: byKeyAlone.size - keysDrawn } };
}

function reasonOf(
  run: ModelRun,
  views: readonly View[],
  { statement, row, rel, predicateRead }: PredicateEdge,
  evaluated: ReadonlySet<string>,
  obscure: ReadonlySet<Row>,
): string {
  const table = row.table.definition.name;
  const told = statement.original && predicateReads(statement.original, views, MODEL_CAPABILITIES);
  const own = told?.reads.filter((read) => read.table === table) ?? [];
  if (own.length === 0) return told?.otherwise.get(table) ?? 'an upsert';
  if (!evaluated.has(`${statement.txn}.${statement.n} ${table}`)) return 'not evaluated: a column that a foreign key can change';
  if (own.every(({ within }) => within !== undefined)) return predicateRead.correlated ? 'a correlated subquery' : 'a subquery';
  if (obscure.has(row)) return "not every version of the row was seen (a foreign key's action)";
  if (row.versions.some((version) => version.txn === statement.txn)) return "the row is the transaction's own";
  if (statement.predicateReads!.filter((predicateRead) => predicateRead.table === row.table).length > 1)
    return 'one of several conditions on the table';
  if (statement.kind !== 'select' && run.history.round.level === 'read-committed') return 'a locking statement at READ COMMITTED';
  return rel === 'wrp' ? 'wrp: several versions may have been seen' : 'rwp: the later version may have been seen';
}

export function exactThroughout(run: ModelRun): boolean {
  return run.statements.every(({ tag }) => tag === undefined || tag === 'exact');
}
