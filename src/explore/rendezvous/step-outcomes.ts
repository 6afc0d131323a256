/**
 * The outcomes of a program's orders of whole statements. A raced outcome that is among them is repeated in that order. If
 * it is not among them, it came from inside a statement, as far as all orders were run.
 */
import { firstState } from '../../../core/program/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { enumerate } from '../enumerate.ts';
import { independence } from '../independent.ts';
import { outcomeKey, replyKey } from '../outcome.ts';
import { again, play } from '../play.ts';
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

/**
 * `raced`: the outcomes that are looked for. The orders in which their steps were sent and answered come first. If these
 * give all of them, no other order is run.
 */
export async function stepOutcomes(
  runner: ProgramRunner,
  program: Program,
  raced: readonly Played[],
  enough: () => boolean,
): Promise<StepOutcomes> {
  const from = firstState(program.fixture);
  const found = new FoundInSteps();
  for (const order of raced.flatMap(ordersOf)) found.add((await play(runner, program, from, again(order)))!);
  const isFound = ({ outcome }: Played): boolean => found.outcomes.has(outcomeKey(outcome));
  if (raced.length > 0 && raced.every(isFound)) return found.all({ orders: 2 * raced.length, whole: false });
  let left = MOST_ORDERS;
  // Beginning first may decide which transaction a deadlock ends, so no order of beginnings is skipped.
  const pruning = independence(program, { beginsCommute: false });
  const ran = await enumerate(runner, program, from, pruning, (played) => {
    found.add(played);
    return --left > 0 && !enough();
  });
  return found.all(ran);
}

/** The sessions in the order in which their steps were sent, and in the order in which they were answered. */
function ordersOf({ choices, transcript }: Played): readonly (readonly number[])[] {
  return [choices, transcript.flatMap(({ session, reply }) => (reply === undefined ? [] : [session]))];
}

class FoundInSteps {
  readonly outcomes = new Map<string, Played>();
  private readonly replies = new Set<string>();

  add(played: Played): void {
    this.outcomes.set(outcomeKey(played.outcome), played);
    for (const [session, result] of played.outcome.transactions.entries())
      for (const [step, reply] of result.replies.entries()) this.replies.add(siteKey(session, step, replyKey(reply)));
  }

  all({ orders, whole }: Pick<StepOutcomes, 'orders' | 'whole'>): StepOutcomes {
    return {
      orders,
      whole,
      runOf: (outcome) => this.outcomes.get(outcome),
      gives: (session, step, reply) => this.replies.has(siteKey(session, step, reply)),
    };
  }
}

function siteKey(session: number, step: number, reply: string): string {
  return `${session} ${step} ${reply}`;
}
