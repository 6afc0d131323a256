/**
 * The import of a user's own SQL into the IR. A DBMS's parser turns one statement of a file into the IR, or the
 * importer says why it refuses the statement. An importer refuses a statement that it cannot carry over exactly. It
 * guesses nothing.
 */
import type { Schema, Statement, TypeKind } from '../sql/index.ts';

/** One statement of the file, without its semicolon. A parameter is `:name`. */
export interface SqlText {
  readonly sql: string;
  /** The line at which it begins in the file, from 1. */
  readonly line: number;
}

export interface Refusal {
  readonly line: number;
  /** One sentence that says what the importer met and what it expected. */
  readonly reason: string;
  /** Where that is why. */
  readonly missing?: Missing;
}

/** A statement names it, and the file does not have it. */
export type Missing =
  | { readonly code: 'no-table' | 'no-routine'; readonly name: string }
  | { readonly code: 'no-column'; readonly name: string; readonly table: string };

/** What is carried over as something else than is written, since nothing that is tested hangs on it: said, never done in silence. */
export interface Approximation {
  readonly line: number;
  /** The part of the statement, and its replacement. */
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
  /** The database's name in the server's log. */
  readonly database: string;
  /** The statements, without semicolons. */
  readonly statements: readonly string[];
  /** CREATE FUNCTION and CREATE TRIGGER. They run last. */
  readonly routines?: readonly string[];
  /** Parts of the schema that are missing here, as text. */
  readonly leftOut: readonly string[];
}

export interface SqlImporter {
  /** Reads CREATE TABLE, CREATE INDEX, CREATE VIEW, and INSERT ... VALUES for the initial rows. */
  schema(texts: readonly SqlText[]): ImportedSchema;
  /**
   * Reads one statement of a transaction over that schema. Each parameter becomes a `parameter` expression of its type.
   * A value that the server draws becomes one too (drawn-values.ts).
   */
  statement(text: SqlText, schema: Schema, parameters: ReadonlyMap<string, TypeKind>): Statement | Refusal;
  /** The column types of an imported statement's result. Undefined: not known. */
  columnTypes(text: SqlText, schema: Schema, parameters: ReadonlyMap<string, TypeKind>): readonly (TypeKind | undefined)[];
  /** The schema's name for a table or column of the texts. It differs if the tool itself adds that name. */
  carriedName(name: string): string;
  /** The texts' name for a name of the schema. */
  writtenName(name: string): string;
}

export function isRefusal(imported: Statement | Refusal): imported is Refusal {
  return 'reason' in imported;
}
