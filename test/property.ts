/**
 * A property: an assertion on every value of an arbitrary (test/arbitraries/), run by fast-check, which makes a value that
 * breaks it small before it shows it. The cases come from one seed, the same on every run and machine; `least` of them run, and
 * the others where ANOMALIST_TEST_SECONDS gives time for them (budget.ts).
 *
 * An assertion says what it reached (`reached('a cycle')`), since a property that never comes to its point holds of
 * anything. The counts are printed with the seed, and each must be as large as the test says.
 *
 * ANOMALIST_PROPERTY_SEED runs other cases; with the ANOMALIST_PROPERTY_PATH of a failure, that case alone.
 */
import * as fc from 'fast-check';
import { TestRunner } from 'vitest';
import { SECONDS, sayReduced } from './budget.ts';

const SEED = process.env['ANOMALIST_PROPERTY_SEED'];
const PATH = process.env['ANOMALIST_PROPERTY_PATH'];

export interface Cases {
  readonly seed: number;
  readonly of: number;
  /** Default: all. */
  readonly least?: number;
  /** What the assertion must have reached: so many times, or below 1 in that share of the cases, or so often a case on average. */
  readonly reached: Readonly<Record<string, number | { readonly perCase: number }>>;
}

export type Reached = (what: string) => void;

export function always<T>(
  values: fc.Arbitrary<T>,
  { seed: usual, of, least = of, reached }: Cases,
  assertion: (value: T, reached: Reached) => void,
): void {
  const seed = SEED === undefined ? usual : Number(SEED);
  const counts = new Map<string, number>();
  const heard = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  // What an assertion returns (that of an `expect` may be false) says nothing; it throws.
  const property = fc.property(values, (value) => {
    assertion(value, heard);
  });
  const run = (parameters: fc.Parameters<[T]>): number => ranCases(fc.check(property, parameters));
  if (PATH !== undefined) return void run({ seed, path: PATH, endOnFailure: true });
  const until = performance.now() + 1_000 * SECONDS;
  let ran = run({ seed, numRuns: Math.min(least, of) });
  const left = Math.floor(until - performance.now());
  // Another seed, or the first cases would run again.
  if (ran < of && left > 0) ran += run({ seed: seed + 1, numRuns: of - ran, interruptAfterTimeLimit: left });
  if (ran < of) sayReduced(ran, of);
  console.log(
    `PROPERTY: ${name()}: ${ran} cases from seed ${seed}; ${Object.keys(reached)
      .map((what) => `${what}: ${counts.get(what) ?? 0}`)
      .join(', ')}`,
  );
  for (const [what, wanted] of Object.entries(reached)) {
    const must = typeof wanted === 'object' ? wanted.perCase * ran : wanted < 1 ? wanted * ran : wanted;
    const count = counts.get(what) ?? 0;
    if (count < must)
      throw new Error(
        `the property proves little: "${what}" was reached in ${count} of ${ran} cases, expected at least ${Math.ceil(must)}; change the arbitrary, or the number`,
      );
  }
}

function ranCases<T>(details: fc.RunDetails<[T]>): number {
  if (!details.failed) return details.numRuns;
  const { seed, counterexamplePath } = details;
  const test = TestRunner.getCurrentTest();
  const again = `ANOMALIST_PROPERTY_SEED=${seed} ANOMALIST_PROPERTY_PATH=${counterexamplePath} npx vitest run --project unit ${test?.file.name ?? ''} -t ${JSON.stringify(test?.name ?? '')}`;
  throw new Error(`${again}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance });
}

function name(): string {
  return TestRunner.getCurrentTest()?.name ?? 'a test';
}
