/** The state that the reader's rules share: the position in the text, and what holds for the whole statement. */
import type { Drawn, Expression, Query } from '../../../core/sql/index.ts';
import type { Cursor } from './cursor.ts';

export interface Reading {
  readonly cursor: Cursor;
  /** Makes the parameter at this position among the statement's parameters. */
  readonly parameter: (index: number) => Expression;
  /** Makes a value that the server draws at each call. */
  readonly drawn: (what: Drawn) => Expression;
  /** The functions of the file: name in lower case -> the file's spelling. */
  readonly functions?: ReadonlyMap<string, string> | undefined;
  /** In a write, a table may be written as the copy that the family's writes need (printer.ts). */
  readonly copies?: true;
  /** Expressions and queries contain each other. */
  readonly query: (reading: Reading) => Query;
  readonly expression: (reading: Reading) => Expression;
  /** In ON DUPLICATE KEY UPDATE: the alias of the row that could not be inserted, or '' without one. */
  readonly proposed?: string;
  /** DEFAULT is allowed as a value. */
  readonly defaults?: true;
}

/** The state for an expression or a query inside a value, where DEFAULT is not allowed. */
export function insideOf(reading: Reading): Reading {
  const { defaults: _, ...rest } = reading;
  return rest;
}
