/**
 * Checks that every read of a bank history shows the same sum of balances. Transfers keep the sum, so each snapshot of
 * all accounts has the sum that the accounts began with. The file does not say that sum: without `total` reads are
 * compared with each other. No level is answered, since a kept sum proves none.
 */
import type { Answer } from '../../core/index.ts';
import type { BankHistory, BankRead } from './bank-history.ts';

export interface SumRead {
  readonly line: number;
  /** The file's name of the operation. */
  readonly operation: string;
  readonly sum: bigint;
  /** The number of accounts that it shows. */
  readonly accounts: number;
}

export interface NegativeRead {
  readonly line: number;
  readonly operation: string;
  readonly account: string;
  readonly balance: bigint;
  /** The number of reads with a negative balance. */
  readonly reads: number;
}

export interface SumVerdict {
  /** `true` if every read has the sum. */
  readonly answer: Answer;
  /** The reason if the answer is unknown. */
  readonly reason?: string;
  /** The number of reads that have a sum. */
  readonly reads: number;
  /** The sum that was given. */
  readonly total?: bigint;
  /** The first read with a sum, absent if there is none. */
  readonly first?: SumRead;
  /** The first read with another sum than the total, or than the first read. */
  readonly breaks?: SumRead;
  /** The number of reads with another sum than the total. It is not known without a total. */
  readonly wrong?: number;
  readonly negative?: NegativeRead;
}

export function checkBank(history: BankHistory, total: bigint | undefined): SumVerdict {
  const sums = history.reads.flatMap((read) => {
    const sum = sumOf(read);
    return sum === undefined ? [] : [{ read, sum }];
  });
  const shown = ({ read, sum }: { readonly read: BankRead; readonly sum: bigint }): SumRead => ({
    line: history.lineOf(read),
    operation: read.name,
    sum,
    accounts: read.balances.length,
  });
  const [first] = sums;
  const open = history.reads.length - sums.length;
  const wanted = total ?? first?.sum;
  const wrong = sums.filter(({ sum }) => sum !== wanted);
  const negative = negativeOf(history);
  return {
    ...(wrong.length > 0
      ? { answer: false }
      : sums.length === 0
        ? { answer: 'unknown', reason: 'no read shows the balances of all its accounts' }
        : open > 0
          ? { answer: 'unknown', reason: `${open} of ${history.reads.length} reads show an account without a balance, so they have no sum` }
          : { answer: true }),
    reads: sums.length,
    ...(total !== undefined && { total }),
    ...(first !== undefined && { first: shown(first) }),
    ...(wrong[0] !== undefined && { breaks: shown(wrong[0]) }),
    ...(total !== undefined && { wrong: wrong.length }),
    ...(negative !== undefined && { negative }),
  };
}

/** The sum is undefined if an account has no balance, or if there is no account. */
function sumOf({ balances }: BankRead): bigint | undefined {
  let sum = 0n;
  for (const { balance } of balances) {
    if (balance === undefined) return undefined;
    sum += balance;
  }
  return balances.length === 0 ? undefined : sum;
}

function negativeOf(history: BankHistory): NegativeRead | undefined {
  const found = history.reads.flatMap((read) => {
    const below = read.balances.find(({ balance }) => balance !== undefined && balance < 0n);
    return below?.balance === undefined ? [] : [{ read, account: below.account, balance: below.balance }];
  });
  if (found.length === 0) return undefined;
  const [{ read, account, balance }] = found;
  return { line: history.lineOf(read), operation: read.name, account, balance, reads: found.length };
}
