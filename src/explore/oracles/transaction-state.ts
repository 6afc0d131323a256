/**
 * Transaction state: every reply says by its protocol whether the session is inside a transaction. A statement that succeeded
 * leaves it inside, an end outside, an error where the dialect knows it to leave it. It costs no statement, and whatever
 * contradicts it is in the reply itself.
 */
import type { Dialect, ErrorClass, TransactionStatus } from '../../../core/index.ts';
import type { TranscriptStep } from '../play.ts';

/** Expected of the session after it; undefined: nothing is. */
export function expectedAfter(errorClass: ErrorClass, { afterErrors }: Dialect): TransactionStatus | undefined {
  return afterErrors?.[errorClass];
}

const IS: Readonly<Record<TransactionStatus, string>> = {
  outside: 'outside any transaction',
  inside: 'inside a transaction',
  failed: 'in a failed transaction',
};

/** In words what contradicts it; undefined: nothing does, or nothing is known. */
export function strayOf(expected: TransactionStatus | undefined, told: TransactionStatus | undefined): string | undefined {
  if (expected === undefined || told === undefined || told === expected) return undefined;
  return `the protocol says that the session is ${IS[told]}; expected ${IS[expected]}`;
}

/** Of a run, where they were met. */
export function straysIn(transcript: readonly TranscriptStep[]): readonly { readonly session: number; readonly stray: string }[] {
  return transcript.flatMap(({ session, reply }) => (reply?.stray === undefined ? [] : [{ session, stray: reply.stray }]));
}
