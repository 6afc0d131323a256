/**
 * Asks before a REPLACE which rows it will remove, as in IsoRel's Table 1: SELECT ... FOR UPDATE of the rows that hold
 * one of its keys. It is sound only inside a transaction, and only if every key value is plain. If no row holds the
 * key, it locks the gap that the REPLACE is about to fill, which is more than the REPLACE alone would lock.
 */
import { conjunction, versionColumns } from '../../core/index.ts';
import type { Expression, Insert, ProbedStatement, Table, Value } from '../../core/index.ts';
import { column } from '../expressions.ts';

/** Returns undefined if the keys are not known beforehand. */
export function beforeReplace(insert: Insert, table: Table): ProbedStatement['before'] {
  if (insert.query !== undefined) return undefined;
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0);
  const met: Expression[] = [];
  for (const row of insert.rows) {
    for (const key of keys) {
      const values = key.map((name) => keyValue(insert, row, table, name));
      if (!values.every((value) => value !== undefined)) return undefined;
      // NULL equals nothing.
      if (values.includes(null)) continue;
      met.push(
        conjunction(key.map((name, i): Expression => ({ kind: 'compare', op: '=', left: column(table.name, name), right: values[i]! })))!,
      );
    }
  }
  return {
    statement: {
      kind: 'select',
      items: versionColumns(table.name),
      from: { kind: 'table', table: table.name, alias: table.name },
      where: { kind: 'logic', op: 'or', operands: met },
      lock: { strength: 'update' },
    },
    probe: { layout: { kind: 'columns', pairs: [{ table: table.name, rid: 0, list: 1 }] }, role: 'delete', reads: 'exact', userColumns: 0 },
  };
}

function keyValue(insert: Insert, row: readonly Expression[], table: Table, name: string): Expression | null | undefined {
  const { type, default: given, identity } = table.columns.find((each) => each.name === name)!;
  const place = insert.columns.indexOf(name);
  const value = place < 0 ? ({ kind: 'default' } as const) : row[place]!;
  const literal = (plain: Value | undefined): Expression | null =>
    plain === null || plain === undefined ? null : { kind: 'literal', type: type.kind, value: plain };
  if (value.kind === 'default') return identity === true ? undefined : literal(given);
  return value.kind === 'literal' ? literal(value.value) : undefined;
}
