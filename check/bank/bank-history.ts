/** A bank log as it was read: the balances of each read, and how the transfers ended. */
import type { TxnOutcome } from '../../core/index.ts';

export interface BankRead {
  /** The file's name of the operation. */
  readonly name: string;
  readonly at: number;
  /** Undefined: the account had no balance. */
  readonly balances: readonly { readonly account: string; readonly balance: bigint | undefined }[];
}

export interface BankHistory {
  readonly reads: readonly BankRead[];
  readonly transfers: Readonly<Record<TxnOutcome, number>>;
  readonly notes: readonly string[];
  /** From 1; slow, for messages only. */
  readonly lineOf: (read: BankRead) => number;
}
