/**
 * Lists the reasons for the verdict on a broken invariant, and the reasons why there is no verdict. The stage that knows
 * the reason records it as data. Only reports/notes/invariant-reason.ts puts it into words.
 */
import type { NumberInQuery, SerialOrderName } from './invariant.ts';
import type { PromiseVerdict } from './promise.ts';

/** Each reason has a row with its fields. */
interface InvariantReasonData {
  /** A correct server may break the invariant at any level. */
  'any-level': { readonly feature: AnyLevelFeature };
  /** The transactions did not run in serial orders. */
  'no-control': NoFields;
  /** A transaction of the round was committed without a statement that failed. */
  'ran-in-part': NoFields;
  /** `order` is absent if no order could have an answer. */
  'control-failed': { readonly failure: ControlFailure; readonly order?: SerialOrderName };
  /** In the round no transaction overlapped another one. The serial orders kept the invariant. */
  'no-overlap': { readonly kept: readonly SerialOrderName[] };
  /** In each serial order some transaction that committed in the round ended by its own IF. `transaction` is one of them. */
  'ended-itself': { readonly kept: readonly SerialOrderName[]; readonly transaction: number };
  /** The serial orders kept the invariant, so the vendor's documents decide. */
  documents: { readonly promise: PromiseVerdict; readonly kept: readonly SerialOrderName[] };
}

/** Each feature lets a correct server break an invariant at any level. */
interface AnyLevelData {
  /** The transaction reads with SKIP LOCKED. */
  'skip-locked': { readonly transaction: string };
  /** The invariant calls a function that reads the table, whose rows the server numbers. */
  'function-reads-numbers': { readonly table: string };
  /** The invariant uses numbers that the server gives. */
  'uses-numbers': { readonly use: NumberInQuery };
}

/** Each reason why a serial order gives no answer for an invariant. */
interface ControlFailureData {
  /** A transaction that may have committed can neither be omitted nor be run. */
  'outcomes-unknown': { readonly transactions: readonly number[] };
  /** The server refused the query of the invariant after `after` of `of` transactions. */
  'query-refused': { readonly after: number; readonly of: number; readonly failure: string };
  'time-over': { readonly ran: number; readonly of: number };
  /** `failure` is the server's message, or the runner's. */
  'ended-early': { readonly failure?: string };
  'nothing-ran': NoFields;
  /** The transaction committed in the round. `failure`: the first of its statements that failed. */
  'not-committed': { readonly transaction: number; readonly failure?: string };
  'committed-in-part': { readonly transaction: number; readonly failure: string };
}

type NoFields = object;
type Reason<Data, C extends keyof Data> = { readonly [K in C]: { readonly code: K } & Data[K] }[C];

export type InvariantReasonCode = keyof InvariantReasonData;
export type InvariantReason<C extends InvariantReasonCode = InvariantReasonCode> = Reason<InvariantReasonData, C>;
export type AnyLevelCode = keyof AnyLevelData;
export type AnyLevelFeature<C extends AnyLevelCode = AnyLevelCode> = Reason<AnyLevelData, C>;
export type ControlFailureCode = keyof ControlFailureData;
export type ControlFailure<C extends ControlFailureCode = ControlFailureCode> = Reason<ControlFailureData, C>;
