/** Those parts of PostgreSQL's own parsers (libpg_query) that the bodies of functions need. */
import { Refused, refuse } from '../../../import/index.ts';
import type { Node } from '../fields.ts';

export interface Parser {
  /** Parses the statements of a text. */
  sql(text: string): readonly Node[];
  /** Parses CREATE FUNCTION ... LANGUAGE plpgsql and returns PL/pgSQL's tree of the body. */
  plpgsql(text: string): unknown;
  scan(text: string): readonly Token[];
}

/** A token of the scanner. Positions are in bytes. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tokenName: string;
}

export const COMMENTS: ReadonlySet<string> = new Set(['SQL_COMMENT', 'C_COMMENT']);

/** Turns an error of the parser into a refusal. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse(`PostgreSQL cannot read the body: ${error instanceof Error ? error.message : String(error)}`);
  }
}
