/** A bank log as it was read: the balances of each read, and how the transfers ended. */
import type { Note, TxnOutcome } from '../../core/index.ts';

export interface BankRead {
  /** The file's name of the operation. */
  readonly name: string;
  readonly at: number;
  /** `balance` is undefined if the account had none. */
  readonly balances: readonly { readonly account: string; readonly balance: bigint | undefined }[];
}

export interface BankHistory {
  readonly reads: readonly BankRead[];
  readonly transfers: Readonly<Record<TxnOutcome, number>>;
  readonly notes: readonly Note[];
  /** Lines count from 1. Looking a line up is slow, so only messages ask for it. */
  readonly lineOf: (read: BankRead) => number;
}
