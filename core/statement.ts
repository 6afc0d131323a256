/**
 * SQL as data: the typed statements that schema-gen makes, instrument rewrites and a dialect prints. Names are bare
 * identifiers (the printer quotes them all), a column expression always names the alias it belongs to, and the printer
 * parenthesises always, so that no rewrite can change precedence.
 */
import type { TypeKind, Value } from './schema.ts';

export type CompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ArithmeticOp = '+' | '-' | '*';
/** Scalar functions that every dialect has; all are immutable. */
export type FunctionName = 'abs' | 'lower' | 'upper' | 'length' | 'coalesce' | 'mod' | 'right';

export type Expression =
  | { readonly kind: 'literal'; readonly type: TypeKind; readonly value: Value }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'compare'; readonly op: CompareOp; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'logic'; readonly op: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Expression[]; readonly negated: boolean }
  | { readonly kind: 'like'; readonly operand: Expression; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'arithmetic'; readonly op: ArithmeticOp; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'concat'; readonly operands: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | { readonly kind: 'case'; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }
  /** DEFAULT as a value of INSERT or UPDATE. */
  | { readonly kind: 'default' }
  /** A JSON array of the operands, in order (json_build_array, JSON_ARRAY): only the instrumenter makes it. */
  | { readonly kind: 'jsonArray'; readonly items: readonly Expression[] };

export type ColumnExpression = Extract<Expression, { kind: 'column' }>;

export interface SelectItem {
  readonly expression: Expression;
  readonly alias: string;
}

export type From =
  | { readonly kind: 'table'; readonly table: string; readonly alias: string }
  | { readonly kind: 'derived'; readonly query: Query; readonly alias: string }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'cross';
      readonly left: From;
      readonly right: From;
      /** Absent exactly for a cross join. */
      readonly on?: Expression;
    };

export interface Lock {
  readonly strength: 'update' | 'share';
  readonly wait?: 'nowait' | 'skip locked';
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface Select {
  readonly kind: 'select';
  readonly items: readonly SelectItem[];
  readonly from: From;
  readonly where?: Expression;
  readonly orderBy?: readonly OrderItem[];
  readonly limit?: number;
  readonly lock?: Lock;
}

export interface UnionAll {
  readonly kind: 'unionAll';
  /** At least two, with the same number of items of compatible types; none has a lock, an order or a limit. */
  readonly arms: readonly Select[];
}

export type Query = Select | UnionAll;

export interface Insert {
  readonly kind: 'insert';
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Expression[])[];
  readonly returning?: readonly SelectItem[];
}

export interface Assignment {
  readonly column: string;
  readonly value: Expression;
}

export interface Update {
  readonly kind: 'update';
  readonly table: string;
  readonly set: readonly Assignment[];
  readonly where?: Expression;
  readonly returning?: readonly SelectItem[];
}

export interface Delete {
  readonly kind: 'delete';
  readonly table: string;
  readonly where?: Expression;
  readonly returning?: readonly SelectItem[];
}

export type Savepoint =
  | { readonly kind: 'savepoint'; readonly name: string }
  | { readonly kind: 'rollbackTo'; readonly name: string }
  | { readonly kind: 'release'; readonly name: string };

export type WriteStatement = Insert | Update | Delete;
/** What a transaction's plan may hold; BEGIN, COMMIT and ROLLBACK belong to the plan itself (test-case.ts). */
export type Statement = Query | WriteStatement | Savepoint;
export type StatementKind = Statement['kind'];

export function isQuery(statement: Statement): statement is Query {
  return statement.kind === 'select' || statement.kind === 'unionAll';
}

export function isWrite(statement: Statement): statement is WriteStatement {
  return statement.kind === 'insert' || statement.kind === 'update' || statement.kind === 'delete';
}

