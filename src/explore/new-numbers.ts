/**
 * Replaces numbers that the server gave to new rows by `#`. The number depends on which row came first, and on all
 * runs before. Rows that were there from the start keep theirs. A row that is put back gets a new number. For each
 * program that runs in this way, nothing else depends on these numbers (schema-gen's NumberUse).
 */
import { firstState } from '../../core/index.ts';
import type { ResultRow, ShownNumber, Fixture, FixtureState } from '../../core/index.ts';

export const NEW_NUMBER = '#';

export class NewNumbers {
  private readonly fixture: Fixture;
  /** The known numbers, by table and column. */
  private readonly known: Readonly<Record<string, ReadonlyMap<number, ReadonlySet<string | null>>>>;

  constructor(fixture: Fixture) {
    const first = firstState(fixture);
    this.fixture = fixture;
    this.known = Object.fromEntries(
      fixture.tables.map(({ name, columns }) => [
        name,
        new Map(columns.flatMap(({ identity }, c) => (identity ? [[c, new Set((first[name] ?? []).map((row) => row[c] ?? null))]] : []))),
      ]),
    );
  }

  ofReply(rows: readonly ResultRow[], shown: readonly ShownNumber[]): readonly ResultRow[] {
    return rows.map((row) =>
      row.map((value, at) => {
        const number = shown.find(({ place }) => place === at);
        return number === undefined ? value : this.hidden(number.table, number.column, value);
      }),
    );
  }

  ofState(state: FixtureState): FixtureState {
    return Object.fromEntries(
      this.fixture.tables.map(({ name }) => [name, (state[name] ?? []).map((row) => row.map((value, c) => this.hidden(name, c, value)))]),
    );
  }

  private hidden(table: string, column: number, value: string | null): string | null {
    const known = this.known[table]?.get(column);
    return known === undefined || value === null || known.has(value) ? value : NEW_NUMBER;
  }
}
