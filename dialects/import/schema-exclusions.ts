/** EXCLUDE USING gist: no two rows of the table are equal in some columns and overlap in a range of others. */
import type { Exclusion, ExclusionPart, Range } from '../../core/sql/index.ts';
import type { ExclusionDefinition } from './definition.ts';
import { refuse } from './refuse.ts';
import { columnsOf, named, overTable, type Draft, type State } from './schema-draft.ts';

export function addExclusion({ name, parts, where }: ExclusionDefinition, table: Draft, state: State): void {
  const before = table.exclusions ?? [];
  const own = named(name, `${table.name}_excl_${before.length + 1}`, 'constraint');
  if (state.named.ownerOfIndex(own) !== undefined || state.named.isTableOrView(own))
    refuse(`the exclusion constraint ${own} has the name of a table, a view or an index: give it another`);
  if (!parts.some(({ meets }) => meets === 'overlapping'))
    refuse('an exclusion constraint of equal values is not supported: write UNIQUE, and WHERE as a unique index');
  const made: Exclusion = {
    name: own,
    parts: parts.map((part) => resolvedPart(part, table, state)),
    ...(where && { where: overTable(where, table, state, 'condition') }),
  };
  state.named.addIndex(own, table);
  table.exclusions = [...before, made];
}

function resolvedPart(part: ExclusionPart, table: Draft, state: State): ExclusionPart {
  if (part.meets === 'overlapping') return { meets: 'overlapping', range: resolvedRange(part.range, table, state) };
  const [column] = columnsOf([part.column], table, state) as [string];
  const { type } = table.columns.find(({ name }) => name === column)!;
  state.faults.approximate(
    type.kind === 'text' || type.kind === 'varchar' || type.kind === 'boolean'
      ? `${column} WITH = of an exclusion constraint needs the extension btree_gist in the database that is tested`
      : `${column} WITH = of an exclusion constraint is imported as ranges of one value, which overlap where the values are equal`,
  );
  return { meets: 'equal', column };
}

/** The range is wrapped into a condition, so that the gate reads it again. */
function resolvedRange({ of, bounds, lower, upper }: Range, table: Draft, state: State): Range {
  const itself = overTable(
    { kind: 'overlaps', ends: [lower, upper, lower, upper], ranges: { of, bounds: [bounds, bounds] } },
    table,
    state,
    'condition',
  );
  if (itself.kind !== 'overlaps') return refuse('a range of an exclusion constraint is read as something else');
  const [low, high] = itself.ends;
  return { of, bounds, lower: low, upper: high };
}
