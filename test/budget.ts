/**
 * The random cases of a test, a number that no clock decides: `for (const i of within(10_000, { least: 1_000 }))` runs the
 * first 1,000 on every machine. ANOMALIST_TEST_SECONDS gives each such test that much time for the other cases, in a fixed
 * order; the nightly run sets it. A test that did not run all of them prints one line, and its JSON report has the same line
 * (`meta.reduced`, which .ci/count.mjs lists).
 */
import { TestRunner } from 'vitest';

/** Each test has so much time for more cases than the least. */
export const SECONDS: number = Number(process.env['ANOMALIST_TEST_SECONDS'] ?? 0);

interface Budget {
  /** So many run on every machine. They are enough for everything that the test counts. */
  readonly least: number;
}

export interface Cases extends Iterable<number> {
  /** So far; after the loop all that there will be. */
  readonly ran: number;
}

export function within(of: number, { least }: Budget): Cases {
  let ran = 0;
  return {
    get ran() {
      return ran;
    },
    *[Symbol.iterator]() {
      const until = performance.now() + 1_000 * SECONDS;
      while (ran < of && (ran < least || performance.now() < until)) yield ran++;
      if (ran < of) sayReduced(ran, of);
    },
  };
}

/** A test's full size was not run, which is said and never an error. */
export function sayReduced(ran: number, of: number): void {
  const how = `${ran} of ${of} cases; ANOMALIST_TEST_SECONDS=120 gives the others two minutes`;
  const test = TestRunner.getCurrentTest();
  if (test) {
    const meta = test.meta as { reduced?: string[] };
    (meta.reduced ??= []).push(how);
  }
  console.log(`REDUCED: ${test?.name ?? 'a test'}: ${how}`);
}
