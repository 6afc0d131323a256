/** Which shapes a statement has: one row each, so that a test can say how often each is generated. */
import { contentsOf, writtenTables, type Contents, type Schema, type Statement } from '../../../core/sql/index.ts';

type Has = (statement: Statement, contents: Contents, schema: Schema) => boolean;

const aggregate: Has = (_, { expressions }) => expressions.some((e) => e.kind === 'aggregate' && !e.over);
const inSelect =
  (test: (select: Extract<Contents['queries'][number], { kind: 'select' }>) => boolean): Has =>
  (_, { queries }) =>
    queries.some((query) => query.kind === 'select' && test(query));
const operation =
  (op: string): Has =>
  (_, { queries }) =>
    queries.some((query) => query.kind === 'setOperation' && query.op === op);
const conflict =
  (test: (conflict: NonNullable<Extract<Statement, { kind: 'insert' }>['conflict']>) => boolean): Has =>
  (s) =>
    s.kind === 'insert' && s.conflict !== undefined && test(s.conflict);
const SUBQUERIES: ReadonlySet<string> = new Set(['subquery', 'exists', 'inQuery', 'quantified']);
const subquery: Has = (_, { expressions }) => expressions.some(({ kind }) => SUBQUERIES.has(kind));

export const SHAPES: Readonly<Record<string, Has>> = {
  aggregate,
  'GROUP BY': inSelect((select) => select.groupBy !== undefined),
  ROLLUP: inSelect((select) => select.rollup === true),
  HAVING: inSelect((select) => select.having !== undefined),
  DISTINCT: inSelect((select) => select.distinct === true),
  window: (_, { expressions }) => expressions.some((e) => e.kind === 'rank' || (e.kind === 'aggregate' && e.over !== undefined)),
  CTE: (_, { queries }) => queries.some((query) => query.kind !== 'unionAll' && query.with?.recursive === false),
  'recursive CTE': (_, { queries }) => queries.some((query) => query.kind !== 'unionAll' && query.with?.recursive === true),
  view: (_, { leaves }) => leaves.some(({ kind }) => kind === 'view'),
  'UPDATE through a view': (s) => s.kind === 'update' && s.through !== undefined,
  'scalar subquery': (_, { expressions }) => expressions.some(({ kind }) => kind === 'subquery'),
  'IN subquery': (_, { expressions }) => expressions.some(({ kind }) => kind === 'inQuery'),
  EXISTS: (_, { expressions }) => expressions.some((e) => e.kind === 'exists' && !e.negated),
  'NOT EXISTS': (_, { expressions }) => expressions.some((e) => e.kind === 'exists' && e.negated),
  ANY: (_, { expressions }) => expressions.some((e) => e.kind === 'quantified' && e.quantifier === 'any'),
  ALL: (_, { expressions }) => expressions.some((e) => e.kind === 'quantified' && e.quantifier === 'all'),
  'set operation': (s) => s.kind === 'setOperation',
  UNION: operation('union'),
  INTERSECT: operation('intersect'),
  EXCEPT: operation('except'),
  'natural join': (_, { joins }) => joins.some((join) => join.natural),
  USING: (_, { joins }) => joins.some((join) => join.using && !join.natural),
  upsert: conflict(({ action }) => action === 'update'),
  'upsert with a condition': conflict((c) => c.action === 'update' && c.where !== undefined),
  'DO NOTHING': conflict(({ action }) => action === 'nothing'),
  'INSERT ... SELECT': (s) => s.kind === 'insert' && s.query !== undefined,
  'UPDATE with a subquery': (s, contents, schema) => s.kind === 'update' && subquery(s, contents, schema),
  'DELETE with a subquery': (s, contents, schema) => s.kind === 'delete' && subquery(s, contents, schema),
  'UPDATE ... FROM': (s) => s.kind === 'update' && s.from !== undefined,
  'DELETE ... USING': (s) => s.kind === 'delete' && s.using !== undefined,
  'foreign key action': (s, _, schema) => {
    if (s.kind !== 'update' && s.kind !== 'delete') return false;
    const keys = schema.tables.flatMap((table) => table.foreignKeys).filter((key) => key.table === s.table);
    return keys.some((key) =>
      s.kind === 'delete'
        ? key.onDelete !== 'no action'
        : key.onUpdate !== 'no action' && s.set.some(({ column }) => key.references.includes(column)),
    );
  },
};

/** Shapes that are asked for by name, each to be had in at least 3 % of the statements. */
export const ASKED_FOR: readonly string[] = Object.keys(SHAPES).filter((name) => name !== 'USING');

function shapesOf(statement: Statement, schema: Schema): string[] {
  const contents = contentsOf(statement);
  return Object.keys(SHAPES).filter((name) => SHAPES[name]!(statement, contents, schema));
}

export class ShapeCount {
  statements = 0;
  writes = 0;
  private readonly counts = new Map<string, number>();

  add(statement: Statement, schema: Schema): void {
    if (statement.kind === 'savepoint' || statement.kind === 'rollbackTo' || statement.kind === 'release') return;
    this.statements++;
    if (writtenTables(statement).length > 0) this.writes++;
    for (const name of shapesOf(statement, schema)) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  share(name: string): number {
    return (this.counts.get(name) ?? 0) / this.statements;
  }

  toString(): string {
    return Object.keys(SHAPES)
      .map((name) => `${(100 * this.share(name)).toFixed(1).padStart(5)} %  ${name}`)
      .join('\n');
  }
}
