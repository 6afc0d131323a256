/** CAST to a type without length or scale. */
import type { TypeKind } from '../../core/sql/index.ts';
import { assign, canonicalText, fromLiteral, isNumber } from './values.ts';
import type { SqlValue } from './values.ts';

export function castTo(type: TypeKind, value: SqlValue): SqlValue {
  if (value === null) return null;
  switch (type) {
    case 'text':
    case 'varchar':
      return typeof value === 'boolean' ? String(value) : canonicalText(value);
    case 'decimal':
      return isNumber(value) ? { ...value, type: 'decimal' } : fromLiteral(type, canonicalText(value));
    case 'integer':
    case 'bigint':
      return isNumber(value) ? assign({ kind: type }, value) : fromLiteral(type, canonicalText(value));
    case 'boolean':
    case 'date':
    case 'timestamp':
      return typeof value === 'string' && type === 'boolean' ? fromLiteral(type, value) : assign({ kind: type }, value);
  }
}
