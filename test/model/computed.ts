/** Columns that the server computes from others of their row, whenever it stores one. */
import type { Table } from '../../core/sql/index.ts';
import { compile } from './evaluate.ts';
import { assign } from './values.ts';
import type { SqlValue } from './values.ts';

interface Stored {
  readonly definition: Table;
  readonly columns: readonly string[];
}

export function withComputed({ definition, columns }: Stored, values: readonly SqlValue[]): readonly SqlValue[] {
  if (definition.columns.every(({ generated }) => generated === undefined)) return values;
  return definition.columns.map(({ type, generated }, c) =>
    generated === undefined ? values[c]! : assign(type, compile(generated.expression, [{ alias: definition.name, columns }])([values])),
  );
}
