/**
 * The outcomes of a program's orders of whole statements. A raced outcome that is among them is repeated in that order. If
 * it is not among them, it came from inside a statement, as far as all orders were run.
 */
import { firstState } from '../../../core/program/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { enumerate } from '../enumerate.ts';
import { independence } from '../independent.ts';
import { outcomeKey, replyKey } from '../outcome.ts';
import type { Played } from '../play.ts';
import type { ProgramRunner } from '../program-runner.ts';

/** Programs with more orders are not enumerated whole. */
const MOST_ORDERS = 400;

export interface StepOutcomes {
  readonly orders: number;
  /** Every order was run, except those that differ only in steps that commute. */
  readonly whole: boolean;
  /** Returns the run with this outcome, if an order of whole statements gave it. */
  runOf(outcome: string): Played | undefined;
  /** True if the statement got this reply in an order of whole statements. */
  gives(session: number, step: number, reply: string): boolean;
}

export async function stepOutcomes(runner: ProgramRunner, program: Program, enough: () => boolean): Promise<StepOutcomes> {
  const outcomes = new Map<string, Played>();
  const replies = new Set<string>();
  let left = MOST_ORDERS;
  // Beginning first may decide which transaction a deadlock ends, so no order of beginnings is skipped.
  const pruning = independence(program, { beginsCommute: false });
  const { orders, whole } = await enumerate(runner, program, firstState(program.fixture), pruning, (played) => {
    outcomes.set(outcomeKey(played.outcome), played);
    for (const [session, result] of played.outcome.transactions.entries())
      for (const [step, reply] of result.replies.entries()) replies.add(siteKey(session, step, replyKey(reply)));
    return --left > 0 && !enough();
  });
  return {
    orders,
    whole,
    runOf: (outcome) => outcomes.get(outcome),
    gives: (session, step, reply) => replies.has(siteKey(session, step, reply)),
  };
}

function siteKey(session: number, step: number, reply: string): string {
  return `${session} ${step} ${reply}`;
}
