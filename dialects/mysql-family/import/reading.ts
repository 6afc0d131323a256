/** What the rules of the reader share: the place in the text, and what holds for the whole statement. */
import type { Drawn, Expression, Query } from '../../../core/index.ts';
import type { Cursor } from './cursor.ts';

export interface Reading {
  readonly cursor: Cursor;
  /** By their place among the parameters of the statement. */
  readonly parameter: (index: number) => Expression;
  /** For what the server makes anew each time. */
  readonly drawn: (what: Drawn) => Expression;
  /** Functions of the file's own, each by its name in lower case. */
  readonly functions?: ReadonlyMap<string, string> | undefined;
  /** In a write: a table may be written as the copy of it that the family's writes need (printer.ts). */
  readonly copies?: true;
  /** Expressions and queries hold each other. */
  readonly query: (reading: Reading) => Query;
  readonly expression: (reading: Reading) => Expression;
  /** In ON DUPLICATE KEY UPDATE: the alias of the row that could not be inserted; '' where it has none. */
  readonly proposed?: string;
  /** DEFAULT may stand as a value. */
  readonly defaults?: true;
}

/** What an expression or a query inside of a value is read with: DEFAULT is no part of one. */
export function insideOf(reading: Reading): Reading {
  const { defaults: _, ...rest } = reading;
  return rest;
}
