/**
 * A user's own SQL on its way into the IR: what a DBMS's parser makes of one statement of a file, or why it refuses it.
 * A statement that cannot be carried over to the letter is refused; nothing is guessed.
 */
import type { Schema } from './schema.ts';
import type { Statement } from './statement.ts';
import type { TypeKind } from './value.ts';

/** One statement as it stands in the file, without its semicolon. A parameter is `:name`. */
export interface SqlText {
  readonly sql: string;
  /** Where it begins in the file, from 1. */
  readonly line: number;
}

export interface Refusal {
  readonly line: number;
  /** What was met, and what is expected instead, in one sentence. */
  readonly reason: string;
  /** Where that is why. */
  readonly missing?: Missing;
}

/** What a statement names and the file does not have. */
export type Missing =
  | { readonly code: 'no-table' | 'no-routine'; readonly name: string }
  | { readonly code: 'no-column'; readonly name: string; readonly table: string };

/** What is carried over as something else than is written, since nothing that is tested hangs on it: said, never done in silence. */
export interface Approximation {
  readonly line: number;
  /** What was met, and what stands for it here. */
  readonly what: string;
}

export interface ImportedSchema {
  readonly schema: Schema;
  readonly approximated: readonly Approximation[];
  readonly refused: readonly Refusal[];
}

/** A live schema as statements that its DBMS's importer reads. */
export interface SchemaText {
  readonly name: string;
  /** As a log of the server names it. */
  readonly database: string;
  /** Without their semicolons. */
  readonly statements: readonly string[];
  /** CREATE FUNCTION and CREATE TRIGGER, the last of all. */
  readonly routines?: readonly string[];
  /** What it has besides, in words. */
  readonly leftOut: readonly string[];
}

export interface SqlImporter {
  /** CREATE TABLE, CREATE INDEX, CREATE VIEW, and INSERT ... VALUES for the initial rows. */
  schema(texts: readonly SqlText[]): ImportedSchema;
  /**
   * One statement of a transaction over that schema; each parameter becomes a `parameter` expression of its type. What the
   * server would make anew each time becomes one, too (drawn-values.ts).
   */
  statement(text: SqlText, schema: Schema, parameters: ReadonlyMap<string, TypeKind>): Statement | Refusal;
  /** Of what a statement that is taken returns; undefined: nobody knows. */
  columnTypes(text: SqlText, schema: Schema, parameters: ReadonlyMap<string, TypeKind>): readonly (TypeKind | undefined)[];
  /** The schema's name for a table or column of its texts: another one if the tool itself adds such a name. */
  carriedName(name: string): string;
  /** The name that its texts have for a name of the schema. */
  writtenName(name: string): string;
}

export function isRefusal(imported: Statement | Refusal): imported is Refusal {
  return 'reason' in imported;
}
