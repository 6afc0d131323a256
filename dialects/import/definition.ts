/**
 * The definitions that a parser reads from the statements of a schema, before the schema is built (schema-builder.ts).
 * Expressions and queries are unresolved (resolve.ts). A constraint beside a column is one of the table.
 */
import type {
  ColumnType,
  Drawn,
  ExclusionPart,
  Expression,
  Generated,
  Insert,
  Query,
  ReferentialAction,
  Routine,
} from '../../core/sql/index.ts';

/** `place` is the position in the statement's text, in bytes, for messages. */
interface Placed {
  readonly place?: number;
}

export interface ColumnDefinition extends Placed {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: Expression;
  /** Column.zoned. */
  readonly zoned?: true;
  /** The server numbers the column: serial, GENERATED AS IDENTITY, AUTO_INCREMENT. */
  readonly identity?: boolean;
  readonly generated?: Generated;
  readonly drawn?: Drawn;
  readonly drawnOnUpdate?: Drawn;
  /** The CHECK that its type needs (column-type.ts). */
  readonly check?: Expression;
}

export type ColumnChange = Partial<Pick<ColumnDefinition, 'nullable' | 'default' | 'identity' | 'drawn'>>;

export interface ExclusionDefinition {
  readonly kind: 'exclusion';
  readonly name?: string;
  readonly parts: readonly ExclusionPart[];
  readonly where?: Expression;
}

export type ConstraintDefinition = Placed &
  (
    | { readonly kind: 'primaryKey' | 'unique'; readonly columns: readonly string[]; readonly hashed?: true }
    | { readonly kind: 'check'; readonly name?: string; readonly expression: Expression }
    | ExclusionDefinition
    | {
        readonly kind: 'foreignKey';
        readonly name?: string;
        readonly columns: readonly string[];
        readonly table: string;
        /** Empty: the primary key. */
        readonly references: readonly string[];
        readonly onDelete: ReferentialAction;
        readonly onUpdate: ReferentialAction;
        readonly deferred?: true;
      }
  );

export type Definition =
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly columns: readonly ColumnDefinition[];
      readonly constraints: readonly ConstraintDefinition[];
      readonly indexes: readonly IndexDefinition[];
    }
  /** ALTER TABLE ... ALTER COLUMN for an existing column: the parts of ColumnDefinition that change. */
  | { readonly kind: 'column'; readonly table: string; readonly column: string; readonly now: ColumnChange }
  | { readonly kind: 'constraint'; readonly table: string; readonly constraint: ConstraintDefinition }
  | { readonly kind: 'index'; readonly table: string; readonly index: IndexDefinition }
  /** `columns`: names that replace the query's own. */
  | { readonly kind: 'view'; readonly name: string; readonly columns?: readonly string[]; readonly query: Query }
  /** A trigger or a function, as written. */
  | { readonly kind: 'routine'; readonly routine: Routine }
  /** INSERT ... VALUES with literals. */
  | { readonly kind: 'rows'; readonly insert: Insert };

export interface IndexDefinition extends Placed {
  readonly name?: string;
  readonly keys: readonly KeyPart[];
  readonly unique: boolean;
  /** Only the rows for which it is true. */
  readonly where?: Expression;
  readonly using?: 'hash' | 'brin';
  /** USING HASH, on a key of any kind (Grammar.hashedUniques). */
  readonly hashed?: true;
}

/** A column, the first characters of one, or an expression. */
export type KeyPart =
  { readonly column: string; readonly length?: number; readonly descending?: true } | { readonly expression: Expression };
