/**
 * Lists the reasons why results are not compared with those of serial orders. Uncompared results neither prove nor refute isolation.
 * The stage that knows the reason records it as data. Only reports/notes/not-compared.ts puts it into words.
 */

/** Each reason has a row with its fields. */
interface NotComparedData {
  // The statements have no determined answer.
  readonly 'skip-locked': NoFields;
  readonly 'open-limit': NoFields;
  readonly 'open-row-number': NoFields;
  readonly 'several-partners': NoFields;
  /** An INSERT of a query has an ON CONFLICT or the like. */
  readonly 'insert-of-query': NoFields;
  /** A trigger or a function has no determined effect. */
  readonly 'open-routine': { readonly routine: string };

  // The server numbers new rows.
  readonly 'rows-numbered': NoFields;
  readonly 'number-used': { readonly by: NumberUser };
  /** A statement reads the number into `name`. */
  readonly 'number-read': { readonly name: string };

  // The run itself is the reason.
  /** Serial orders are tried for at most `most` transactions. */
  readonly 'many-ran-together': { readonly most: number };
  readonly 'many-committed': NoFields;
  readonly 'run-cut': NoFields;
  /** `order` has the transactions of the serial order that did not run to its end. */
  readonly 'serial-order-cut': { readonly order: readonly number[] };
}

type NoFields = object;

/** A statement depends on a number that the server gave, through this column, view or routine. */
export interface NumberUser {
  readonly kind: 'column' | 'view' | 'routine';
  readonly name: string;
}

export type NotComparedCode = keyof NotComparedData;

export type NotCompared<C extends NotComparedCode = NotComparedCode> = { readonly [K in C]: { readonly code: K } & NotComparedData[K] }[C];
