/**
 * As many random cases of a test as its time allows: `for (const i of within(10_000, { least: 1_000 }))`. The cases have
 * a fixed order, so a slow machine runs the first part of what a quick one runs, never fewer than `least`, and no time
 * limit has to guess how quick the machine is. Where it was not all, one line on stdout says how many of how many, and
 * the test's JSON report has it (`meta.reduced`, which .ci/count.mjs lists). ANOMALIST_TEST_SECONDS is the time of each
 * such test: the more, the further it comes; 0 runs the least sizes.
 */
import { TestRunner } from 'vitest';

const GIVEN = process.env['ANOMALIST_TEST_SECONDS'];

/** On a quick machine alone no test needs half of it. */
const SECONDS = 40;

interface Budget {
  /** So many run however long they take: enough for what the test counts to have happened. */
  readonly least: number;
  /** Of wall time, where the whole takes longer than most. */
  readonly seconds?: number;
}

export interface Cases extends Iterable<number> {
  /** So far; after the loop all that there will be. */
  readonly ran: number;
}

export function within(of: number, { least, seconds = SECONDS }: Budget): Cases {
  const budget = secondsGiven(seconds);
  let ran = 0;
  return {
    get ran() {
      return ran;
    },
    *[Symbol.iterator]() {
      const until = performance.now() + 1_000 * budget;
      while (ran < of && (ran < least || performance.now() < until)) yield ran++;
      if (ran < of) sayReduced(ran, of, budget);
    },
  };
}

export function secondsGiven(seconds: number = SECONDS): number {
  return GIVEN === undefined ? seconds : Number(GIVEN);
}

/** A test's full size was not run, which is said and never an error. */
export function sayReduced(ran: number, of: number, budget: number): void {
  const how = `${ran} of ${of} cases in ${budget} s, ANOMALIST_TEST_SECONDS gives it more`;
  const test = TestRunner.getCurrentTest();
  if (test) {
    const meta = test.meta as { reduced?: string[] };
    (meta.reduced ??= []).push(how);
  }
  console.log(`REDUCED: ${test?.name ?? 'a test'}: ${how}`);
}
