/**
 * The reason why results are not compared with those of serial orders. Such results prove nothing, although isolation may be
 * intact. The stage that knows the reason makes it as data; reports/notes/not-compared.ts alone makes its words.
 */

/** One row for each reason: its fields. */
interface NotComparedData {
  // The statements leave open what they answer.
  readonly 'skip-locked': NoFields;
  readonly 'open-limit': NoFields;
  readonly 'open-row-number': NoFields;
  readonly 'several-partners': NoFields;
  /** An INSERT of a query has an ON CONFLICT or the like. */
  readonly 'insert-of-query': NoFields;
  /** A trigger or a function. */
  readonly 'open-routine': { readonly routine: string };

  // The server numbers new rows.
  readonly 'rows-numbered': NoFields;
  readonly 'number-used': { readonly by: NumberUser };
  /** `name`: a statement reads the number into it. */
  readonly 'number-read': { readonly name: string };

  // The run itself.
  /** `most`: serial orders are tried up to this number of transactions. */
  readonly 'many-ran-together': { readonly most: number };
  readonly 'many-committed': NoFields;
  readonly 'run-cut': NoFields;
  /** The transactions of the serial order that did not run to its end. */
  readonly 'serial-order-cut': { readonly order: readonly number[] };
}

type NoFields = object;

/** The column, view or routine through which a statement depends on a number that the server gave. */
export interface NumberUser {
  readonly kind: 'column' | 'view' | 'routine';
  readonly name: string;
}

export type NotComparedCode = keyof NotComparedData;

export type NotCompared<C extends NotComparedCode = NotComparedCode> = { readonly [K in C]: { readonly code: K } & NotComparedData[K] }[C];
