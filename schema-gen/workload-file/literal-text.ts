/** Writes a value as every supported DBMS reads it. */
import type { BoundValue } from '../../core/index.ts';

export function literalText({ type, value }: BoundValue): string {
  if (value === null) return 'NULL';
  if (type === 'boolean') return value === true ? 'TRUE' : 'FALSE';
  if (type === 'integer' || type === 'bigint' || type === 'decimal') return String(value).startsWith('-') ? `(${value})` : String(value);
  const quoted = `'${String(value).replaceAll("'", "''")}'`;
  return type === 'date' || type === 'timestamp' ? `${type.toUpperCase()} ${quoted}` : quoted;
}
