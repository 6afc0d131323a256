/**
 * Queries over whatever versions a `scan` shows: FROM by nested loops, WHERE, items, ORDER BY (NULLS LAST ascending,
 * first descending, as PostgreSQL), LIMIT, UNION ALL. Every row carries its provenance: the versions that went into it.
 */
import { InternalError } from '../../core/index.ts';
import type { From, Query, Select } from '../../core/index.ts';
import { compile, holds } from './evaluate.ts';
import type { Evaluator, Scope, ScopeEntry } from './evaluate.ts';
import type { StoredTable, Version } from './store.ts';
import { SqlError, compareValues } from './values.ts';
import type { SqlValue } from './values.ts';

interface QueryRow {
  readonly values: readonly SqlValue[];
  readonly provenance: readonly Version[];
}

export interface QueryAnswer {
  readonly columns: readonly string[];
  /** What is returned. */
  readonly rows: readonly QueryRow[];
  /** Item reads: every version that satisfied FROM and WHERE, derived tables' own included, whatever was returned. */
  readonly satisfied: readonly Version[];
}

export interface Source {
  table(name: string): StoredTable;
  /** The live versions that this statement sees. */
  scan(table: StoredTable): readonly Version[];
  /** Locks what a locking select returns; false: skip the row (SKIP LOCKED). May throw. */
  lock(version: Version, select: Select): boolean;
}

export function answerQuery(query: Query, source: Source): QueryAnswer {
  if (query.kind === 'select') return answerSelect(query, source, query);
  if (query.kind === 'setOperation') throw new InternalError(`the model does not evaluate ${query.op}`);
  const arms = query.arms.map((arm) => answerSelect(arm, source, undefined));
  return {
    columns: arms[0]?.columns ?? [],
    rows: arms.flatMap((arm) => arm.rows),
    satisfied: arms.flatMap((arm) => arm.satisfied),
  };
}

interface Tuple {
  readonly frame: (readonly SqlValue[] | null)[];
  readonly provenance: readonly Version[];
}

interface Relation {
  readonly scope: Scope;
  readonly tuples: readonly Tuple[];
  /** What the derived tables in it read, even where nothing outside kept it. */
  readonly nested: readonly Version[];
}

function answerSelect(select: Select, source: Source, locking: Select | undefined): QueryAnswer {
  const relation = from(select.from, source);
  const where = select.where && compile(select.where, relation.scope);
  const items = select.items.map((item) => compile(item.expression, relation.scope));
  let tuples = relation.tuples.filter((tuple) => holds(where, tuple.frame));
  if (select.orderBy) {
    const keys = select.orderBy.map((item) => ({ of: compile(item.expression, relation.scope), descending: item.descending }));
    tuples = sorted(tuples, keys);
  }
  const satisfied = [...relation.nested, ...tuples.flatMap((tuple) => tuple.provenance)];
  const lock = locking?.lock;
  const returned: Tuple[] = [];
  for (const tuple of tuples) {
    if (select.limit !== undefined && returned.length >= select.limit) break;
    if (lock && tuple.frame.includes(null)) throw new SqlError('0A000', 'syntax', 'FOR UPDATE cannot be applied to the nullable side of an outer join');
    if (lock && !tuple.provenance.every((version) => source.lock(version, locking))) continue;
    returned.push(tuple);
  }
  return {
    columns: select.items.map((item) => item.alias),
    rows: returned.map((tuple) => ({ values: items.map((item) => item(tuple.frame)), provenance: tuple.provenance })),
    satisfied,
  };
}

function from(node: From, source: Source): Relation {
  if (node.kind === 'table') {
    const table = source.table(node.table);
    return {
      scope: [{ alias: node.alias, columns: table.columns }],
      tuples: source.scan(table).map((version) => ({ frame: [version.values], provenance: [version] })),
      nested: [],
    };
  }
  if (node.kind === 'derived') {
    const answer = answerQuery(node.query, source);
    return {
      scope: [{ alias: node.alias, columns: answer.columns }],
      tuples: answer.rows.map((row) => ({ frame: [row.values], provenance: row.provenance })),
      nested: answer.satisfied,
    };
  }
  if (node.kind !== 'join') throw new InternalError(`the model does not evaluate the FROM item ${node.alias}, a ${node.kind}`);
  const left = from(node.left, source);
  const right = from(node.right, source);
  const scope: ScopeEntry[] = [...left.scope, ...right.scope];
  if ((node.type === 'cross') !== (node.on === undefined)) throw new InternalError('a join has ON exactly unless it is a cross join');
  const on = node.on && compile(node.on, scope);
  const absent = right.scope.map(() => null);
  const tuples: Tuple[] = [];
  for (const l of left.tuples) {
    let matched = false;
    for (const r of right.tuples) {
      const frame = [...l.frame, ...r.frame];
      if (!holds(on, frame)) continue;
      matched = true;
      tuples.push({ frame, provenance: [...l.provenance, ...r.provenance] });
    }
    if (!matched && node.type === 'left') tuples.push({ frame: [...l.frame, ...absent], provenance: l.provenance });
  }
  return { scope, tuples, nested: [...left.nested, ...right.nested] };
}

function sorted(tuples: readonly Tuple[], keys: readonly { of: Evaluator; descending: boolean }[]): Tuple[] {
  const decorated = tuples.map((tuple) => ({ tuple, values: keys.map((key) => key.of(tuple.frame)) }));
  decorated.sort((a, b) => {
    for (let k = 0; k < keys.length; k++) {
      const order = compareNullsLast(a.values[k]!, b.values[k]!);
      if (order !== 0) return keys[k]!.descending ? -order : order;
    }
    return 0;
  });
  return decorated.map((entry) => entry.tuple);
}

function compareNullsLast(a: SqlValue, b: SqlValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareValues(a, b);
}
