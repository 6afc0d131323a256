/**
 * `--level mixed`: each transaction of a round has a level of its own, drawn from those of the DBMS that have a meaning
 * beside others (DialectLevel.beside). The round itself has the weakest of them, because every transaction must satisfy
 * that one.
 */
import { MIXED, UsageError } from '../../core/index.ts';
import type { Dialect, DialectLevel, TestCase } from '../../core/index.ts';
import { createRandom } from '../../schema-gen/index.ts';

/** Returns at least two levels, the weakest first. */
export function mixedLevels({ levels, title }: Dialect): readonly DialectLevel[] {
  const mixed = levels.filter(({ beside, aliasOf, offByDefault }) => beside !== undefined && aliasOf === undefined && !offByDefault);
  if (mixed.length < 2)
    throw new UsageError(
      `--level ${MIXED}: of the levels of ${title} ${mixed.length === 0 ? 'none is' : `only ${mixed[0]!.level} is`} known to keep a definition beside transactions at other levels, expected two; choose one of ${levels.map(({ level }) => level).join(', ')}.`,
    );
  return mixed;
}

/** A transaction without BEGIN names no level, so it has the session's. */
export function atMixedLevels(testCase: TestCase, levels: readonly DialectLevel[]): TestCase {
  const random = createRandom(testCase.seed).fork('levels');
  const sessions = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => (txn.autocommit ? txn : { ...txn, level: random.pick(levels).level })),
  }));
  return { ...testCase, sessions };
}
