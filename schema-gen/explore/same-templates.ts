/**
 * Tells whether two readings of a workload file mean the same, whatever the types of their literals, the nesting of
 * ANDs and the names of indexes.
 */
import { mapExpression } from '../../core/index.ts';
import type { Expression, Schema } from '../../core/index.ts';
import type { WorkloadTemplates } from '../workload-file/import.ts';

export function isSameMeaning(a: WorkloadTemplates, b: WorkloadTemplates): boolean {
  return meaningOf(a) === meaningOf(b);
}

/** The functions that draw values are the same in both and do not count. Neither does the text. */
function meaningOf({ schema, transactions }: WorkloadTemplates): string {
  return JSON.stringify({ schema: unnamed(schema), transactions }, (key, value: unknown) => {
    if (key === 'text' || typeof value !== 'object' || value === null || Array.isArray(value)) return key === 'text' ? undefined : value;
    return sorted(isNested(value) ? plain(value) : value);
  });
}

function unnamed(schema: Schema): unknown {
  const tables = schema.tables.map(({ indexes, uniques, ...table }) => ({
    ...table,
    uniques: uniques.map(String).toSorted(),
    indexes: indexes.map((index) => ({ ...index, name: '' })),
  }));
  return { ...schema, tables };
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isNested(value: object): value is Expression {
  return 'kind' in value && (value.kind === 'literal' || value.kind === 'logic');
}

function plain(expression: Expression): Expression {
  return mapExpression(expression, {
    expression: (each) => {
      if (each.kind === 'literal' && each.value !== null) return { ...each, type: 'text', value: String(each.value) };
      if (each.kind !== 'logic') return each;
      const operands = each.operands.flatMap((operand) =>
        operand.kind === 'logic' && operand.op === each.op ? operand.operands : [operand],
      );
      return { ...each, operands };
    },
  });
}
