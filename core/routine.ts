/**
 * Triggers and functions of a user's file: carried over as they are written, since the server alone runs them. What they did is
 * known by the versions that they left (a trigger's write is a write of the statement that set it off); which tables they may
 * read and write is known by the names in their bodies, whichever rows. So where one runs, what is seen of the statement is
 * `partial`, never nothing in silence.
 */
import type { TypeKind } from './value.ts';

/** A statement in pieces: between its words the names that the namespace is put before, unquoted. */
export type RoutineText = readonly (string | { readonly names: string })[];

export type RowChange = 'insert' | 'update' | 'delete';

interface Body {
  /** Unquoted. */
  readonly name: string;
  /** The statement that makes it, without a terminator. */
  readonly text: RoutineText;
  /** Tables that its queries and the conditions of its writes name. */
  readonly reads: readonly string[];
  /** Tables that its writes name. */
  readonly writes: readonly string[];
  /** Those of them into which its INSERT, REPLACE and MERGE put rows. */
  readonly inserts: readonly string[];
  /** Functions of the schema that it calls. */
  readonly calls: readonly string[];
}

export type Routine =
  | (Body & {
      readonly kind: 'function';
      /** Absent of a function that only a trigger can execute, and of a type that no expression here is of. */
      readonly returns?: TypeKind;
      /** What its arguments are of; undefined: a type that no expression here is of. */
      readonly takes: readonly (TypeKind | undefined)[];
    })
  | (Body & { readonly kind: 'trigger'; readonly table: string; readonly on: readonly RowChange[] });

/** `nameOf`: as it is to stand in the text. */
export function routineSql(text: RoutineText, nameOf: (name: string) => string): string {
  return text.map((piece) => (typeof piece === 'string' ? piece : nameOf(piece.names))).join('');
}
