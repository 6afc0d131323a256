/** PostgreSQL's own parsers (libpg_query), as much of them as the bodies of functions need. */
import { Refused, refuse } from '../../../import/index.ts';
import type { Node } from '../fields.ts';

export interface Parser {
  /** The statements of a text. */
  sql(text: string): readonly Node[];
  /** CREATE FUNCTION ... LANGUAGE plpgsql: what PL/pgSQL makes of its body. */
  plpgsql(text: string): unknown;
  scan(text: string): readonly Token[];
}

/** Places are in bytes. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tokenName: string;
}

export const COMMENTS: ReadonlySet<string> = new Set(['SQL_COMMENT', 'C_COMMENT']);

/** The words behind a place that the parser did not understand, as a refusal. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse(`PostgreSQL cannot read the body: ${error instanceof Error ? error.message : String(error)}`);
  }
}
