/** Combines the tables, views and routines of several fixtures into one schema. */
import type { Schema, Table, Fixture } from '../../core/index.ts';

/** Fixtures may share tables, views and routines. */
export function schemaOf(fixtures: readonly Fixture[]): Schema {
  const views = once(fixtures.flatMap((fixture) => fixture.views ?? []));
  const all = fixtures.flatMap(({ tables }) => tables);
  const tables = once(all).map((table) => numberedBehind(table, all));
  const named = fixtures.flatMap(({ routines = [] }) => routines);
  const routines = [
    ...new Map(named.map((each) => [`${each.kind} ${each.kind === 'trigger' ? each.table : ''} ${each.name}`, each])).values(),
  ];
  return { tables, ...(views.length > 0 && { views }), ...(routines.length > 0 && { routines }) };
}

/** The server's numbers go on behind the first rows of all fixtures. */
function numberedBehind(table: Table, all: readonly Table[]): Table {
  const alike = all.filter(({ name }) => name === table.name);
  const columns = table.columns.map((column, c) =>
    column.nextNumber === undefined
      ? column
      : { ...column, nextNumber: Math.max(...alike.map((each) => each.columns[c]!.nextNumber ?? 1)) },
  );
  return { ...table, columns };
}

function once<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((each) => [each.name, each])).values()];
}
