/** What a parser reads from the statements of a schema, before it is put together (schema-builder.ts). Expressions and
 * queries are unresolved (resolve.ts); a constraint that stands beside a column is one of the table. */
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
} from '../../core/index.ts';

/** `place`: where in the statement's text it stands, in bytes, for what is said of it. */
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
  /** Numbered by the server: serial, GENERATED AS IDENTITY, AUTO_INCREMENT. */
  readonly identity?: boolean;
  readonly generated?: Generated;
  readonly drawn?: Drawn;
  readonly drawnOnUpdate?: Drawn;
  /** What its type allows (column-type.ts). */
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
  /** What ALTER TABLE ... ALTER COLUMN says of a column that is there: as in ColumnDefinition, all that is present. */
  | { readonly kind: 'column'; readonly table: string; readonly column: string; readonly now: ColumnChange }
  | { readonly kind: 'constraint'; readonly table: string; readonly constraint: ConstraintDefinition }
  | { readonly kind: 'index'; readonly table: string; readonly index: IndexDefinition }
  /** `columns`: names in place of the query's own. */
  | { readonly kind: 'view'; readonly name: string; readonly columns?: readonly string[]; readonly query: Query }
  /** A trigger or a function, in its own words. */
  | { readonly kind: 'routine'; readonly routine: Routine }
  /** INSERT ... VALUES with literals. */
  | { readonly kind: 'rows'; readonly insert: Insert };

export interface IndexDefinition extends Placed {
  readonly name?: string;
  readonly keys: readonly KeyPart[];
  readonly unique: boolean;
  /** Over the rows for which it is true. */
  readonly where?: Expression;
  readonly using?: 'hash' | 'brin';
  /** USING HASH, where it is said of a key of any kind (Grammar.hashedUniques). */
  readonly hashed?: true;
}

/** A column, the first characters of one, or a value. */
export type KeyPart =
  { readonly column: string; readonly length?: number; readonly descending?: true } | { readonly expression: Expression };
