/**
 * Makes the tables of fixtures when their first program comes, so that no program waits for the tables of others. Fixtures
 * that share a table, a view or a routine are made together.
 */
import type { Schema } from '../../core/sql/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import { schemaOf } from './fixtures-schema.ts';

export class FixtureTables {
  /** The fixtures that are made together, by the name of each of their tables. */
  private readonly together: ReadonlyMap<string, readonly Fixture[]>;
  private readonly made = new Set<readonly Fixture[]>();

  constructor(fixtures: readonly Fixture[]) {
    this.together = groupsOf(fixtures);
  }

  /** Returns what must be made before the fixture is used; undefined: nothing. The caller calls `isMade` once it is there. */
  missing({ tables }: Pick<Fixture, 'tables'>): Schema | undefined {
    const group = this.groupWith(tables);
    return group === undefined || this.made.has(group) ? undefined : schemaOf(group);
  }

  isMade({ tables }: Pick<Fixture, 'tables'>): void {
    const group = this.groupWith(tables);
    if (group !== undefined) this.made.add(group);
  }

  private groupWith(tables: Fixture['tables']): readonly Fixture[] | undefined {
    return tables.length === 0 ? undefined : this.together.get(tables[0]!.name);
  }
}

function groupsOf(fixtures: readonly Fixture[]): ReadonlyMap<string, readonly Fixture[]> {
  const byPart = new Map<string, Fixture[]>();
  for (const fixture of fixtures) {
    const parts = partsOf(fixture);
    const met = [...new Set(parts.flatMap((part) => byPart.get(part) ?? []))];
    const group = [...met, fixture];
    for (const part of group.flatMap(partsOf)) byPart.set(part, group);
  }
  return new Map(fixtures.flatMap(({ tables }) => tables.map(({ name }) => [name, byPart.get(`table ${name}`)!] as const)));
}

function partsOf({ tables, views = [], routines = [] }: Fixture): readonly string[] {
  return [
    ...tables.map(({ name }) => `table ${name}`),
    ...views.map(({ name }) => `view ${name}`),
    ...routines.map(({ kind, name }) => `${kind} ${name}`),
  ];
}
