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

  // The steps of a .spec are sent as they are, and the protocol's status shows their transactions.
  readonly 'hidden-border': { readonly step: string; readonly border: HiddenBorder };
  readonly 'no-status': NoFields;
  readonly 'several-transactions': { readonly session: string };
  /** The setup of this session ran as a transaction of its own while an earlier session had a transaction open. */
  readonly 'setup-beside-open': { readonly session: string };
  readonly 'nothing-committed': NoFields;
  readonly 'level-unknown': { readonly session: string };
  /** `level`: the server's word for the level in force. */
  readonly 'other-level': { readonly session: string; readonly level: string; readonly asked: string };
  readonly 'levels-differ': { readonly levels: readonly string[] };
  readonly 'open-words': { readonly word: OpenWord };
  readonly 'session-lost': NoFields;
  /** `error` absent: the step waits. */
  readonly 'serial-order-odd': { readonly step: string; readonly error?: string };
  readonly 'many-serial-orders': { readonly count: number; readonly most: number };
  readonly 'serial-order-unstable': NoFields;
  /** The same order of steps showed the difference in `seen` of `tries` runs. */
  readonly 'not-again': { readonly seen: number; readonly tries: number };
}

/** How a step's text hides where a transaction ends and the next one begins. */
export type HiddenBorder = 'ends and goes on' | 'begins within' | 'several outside';

/** Words in the text of a .spec whose answers may differ from those of every serial order. */
export type OpenWord =
  | 'skip locked'
  | 'numbers'
  | 'time or chance'
  | 'server internals'
  | 'named locks'
  | 'limit'
  | 'row order'
  | 'table changes'
  | 'calls'
  | 'hidden ends'
  | 'level settings';

type NoFields = object;

/** A statement depends on a number that the server gave, through this column, view or routine. */
export interface NumberUser {
  readonly kind: 'column' | 'view' | 'routine';
  readonly name: string;
}

export type NotComparedCode = keyof NotComparedData;

export type NotCompared<C extends NotComparedCode = NotComparedCode> = { readonly [K in C]: { readonly code: K } & NotComparedData[K] }[C];
