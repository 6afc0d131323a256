/** Resolves MERGE: the names that each branch may use, and the columns that it fills. */
import type { Merge, MergeBranch, Table } from '../../core/sql/index.ts';
import { refuse } from './refuse.ts';
import { resolveCondition, type Context } from './resolve-expression.ts';
import { resolveFrom, visibleOf } from './resolve-from.ts';
import { baseTable, columnOf, columnsInOrder, keptByUser, resolveSet, returning, valueOf, type ResolvedWrite } from './resolve-write.ts';
import type { Field, Scope } from './scope.ts';

/** The scope of the branches of each kind: the row of the table, that of the source, or both. */
type Scopes = Readonly<Record<MergeBranch['when'], Scope>>;

/** `target`: the alias that the statement gives the table, if any. */
export function resolveMerge(merge: Merge, target: string | undefined, around: Scope, context: Context): ResolvedWrite<Merge> {
  const { table, relation } = baseTable('MERGE into', merge.table, target, context);
  const { commonTables } = around;
  const source = resolveFrom(merge.source, commonTables, undefined, context);
  if (source.relations.some(({ written }) => context.same(written, relation.written)))
    refuse(`the name ${relation.written} means two tables: give the one in USING an alias`);
  const relations = [relation, ...source.relations];
  const both: Scope = { relations, visible: [...visibleOf(relation), ...source.visible], commonTables };
  const scopes: Scopes = {
    matched: both,
    'not matched': { relations: source.relations, visible: source.visible, commonTables },
    'not matched by source': { relations: [relation], visible: visibleOf(relation), commonTables },
  };
  const on = resolveCondition(merge.on, both, context);
  const branches = merge.branches.map((branch) => resolveBranch(branch, table, relation.fields, scopes, context));
  // A star lists the source's columns first.
  const shown: Scope = { relations, visible: [...source.visible, ...visibleOf(relation)], commonTables };
  const { returned, fields } = returning(merge.returning, shown, context);
  return { statement: { kind: 'merge', table: table.name, source: source.from, on, branches, ...returned }, fields };
}

function resolveBranch(branch: MergeBranch, table: Table, fields: readonly Field[], scopes: Scopes, context: Context): MergeBranch {
  const { when, action } = branch;
  const scope = scopes[when];
  const and = branch.and && resolveCondition(branch.and, scope, context);
  const own = { when, ...(and && { and }), action };
  if (action === 'update') return { ...own, set: resolveSet(branch.set ?? [], table, fields, scope, context) };
  return action === 'insert' ? { ...own, ...filled(branch, table, scope, context) } : own;
}

/** DEFAULT for a column is the same as leaving it out. */
function filled(
  { columns = [], values = [] }: MergeBranch,
  table: Table,
  scope: Scope,
  context: Context,
): Pick<MergeBranch, 'columns' | 'values'> {
  const given = columns.length > 0 ? columns.map((name) => columnOf(table, name, context)) : columnsInOrder(table, values.length, context);
  if (new Set(given).size !== given.length) refuse(`MERGE into ${table.name} names a column twice`);
  if (given.length !== values.length) refuse(`MERGE into ${table.name} gives ${values.length} values for ${given.length} columns`);
  const kept = given.flatMap((column, i) => {
    const value = values[i]!;
    const left = !keptByUser(column, [value], context.grammar) || value.kind === 'default';
    return left ? [] : [{ name: column.name, value: valueOf(value, column, scope, context) }];
  });
  if (kept.length === 0) refuse(`MERGE into ${table.name} gives no value: give at least one column one`);
  return { columns: kept.map(({ name }) => name), values: kept.map(({ value }) => value) };
}
