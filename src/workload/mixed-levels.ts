/**
 * `--level mixed`: each transaction of a round at a level of its own, drawn from those of the DBMS that have a meaning
 * beside others (DialectLevel.beside). The round itself counts as one at the weakest of them: what that level forbids,
 * every transaction of it is held to.
 */
import { MIXED, UsageError } from '../../core/index.ts';
import type { Dialect, DialectLevel, TestCase } from '../../core/index.ts';
import { createRandom } from '../../schema-gen/index.ts';

/** Weakest first, two at least. */
export function mixedLevels({ levels, title }: Dialect): readonly DialectLevel[] {
  const mixed = levels.filter(({ beside, aliasOf, offByDefault }) => beside !== undefined && aliasOf === undefined && !offByDefault);
  if (mixed.length < 2)
    throw new UsageError(
      `--level ${MIXED}: of the levels of ${title} ${mixed.length === 0 ? 'none is' : `only ${mixed[0]!.level} is`} known to keep a definition beside transactions at other levels, expected two; choose one of ${levels.map(({ level }) => level).join(', ')}.`,
    );
  return mixed;
}

/** A transaction without BEGIN names no level: it stays at the session's. */
export function atMixedLevels(testCase: TestCase, levels: readonly DialectLevel[]): TestCase {
  const random = createRandom(testCase.seed).fork('levels');
  const sessions = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => (txn.autocommit ? txn : { ...txn, level: random.pick(levels).level })),
  }));
  return { ...testCase, sessions };
}
