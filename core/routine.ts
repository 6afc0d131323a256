/**
 * Triggers and functions of a user's file. They are sent as written, since only the server runs them. The row versions
 * that they leave show what they did: a trigger's write belongs to the statement that fired it. The table names in
 * their bodies show which tables they may read and write. If a statement runs one, its reads are `partial`.
 */
import type { TypeKind } from './value.ts';

/** A statement in pieces: text, and between it the unquoted names that need the namespace before them. */
export type RoutineText = readonly (string | { readonly names: string })[];

export type RowChange = 'insert' | 'update' | 'delete';

interface Body {
  /** The name, unquoted. */
  readonly name: string;
  /** The statement that creates it, without a terminator. */
  readonly text: RoutineText;
  /** Tables named in its queries and in the conditions of its writes. */
  readonly reads: readonly string[];
  /** Tables that it writes. */
  readonly writes: readonly string[];
  /** Those of `writes` into which its INSERT, REPLACE and MERGE put rows. */
  readonly inserts: readonly string[];
  /** Functions of the schema that it calls. */
  readonly calls: readonly string[];
}

export type Routine =
  | (Body & {
      readonly kind: 'function';
      /** Absent for a function that only a trigger can execute, and for a type that no expression here has. */
      readonly returns?: TypeKind;
      /** The types of its arguments, undefined for a type that expressions here cannot have. */
      readonly takes: readonly (TypeKind | undefined)[];
    })
  | (Body & { readonly kind: 'trigger'; readonly table: string; readonly on: readonly RowChange[] });

/** `nameOf` returns a name as it stands in the text. */
export function routineSql(text: RoutineText, nameOf: (name: string) => string): string {
  return text.map((piece) => (typeof piece === 'string' ? piece : nameOf(piece.names))).join('');
}
