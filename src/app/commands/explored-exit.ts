/** Decides the exit code from an exploration's findings, and which of them the `--known` file has. */
import type { ExploreFamily } from '../../../core/verdict/index.ts';
import { EXIT } from '../../../core/base/index.ts';
import { isOfCorpus, judgedPrograms, pairOrders } from '../../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../../reports/index.ts';
import { failsOn } from '../../pipeline/fail-on.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { isKnownFamily } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';

/** Returns 1 for the requested findings, 2 if the server failed on the way, 3 if nothing was run or judged at a level, else 0. */
export function exploreExit({ levels, endedEarly }: ExploreReport, failOn: FailOn = 'bug', known: Known = new Set()): number {
  const baseline = known.tellsOf?.includes('explored') === true;
  const fails = (family: ExploreFamily): boolean =>
    failsOn(failOn, { verdict: family.verdict, accepted: isKnownFamily(family, known), inCorpus: isOfCorpus(family), baseline });
  if (levels.some(({ families }) => families.some(fails))) return EXIT.anomaly;
  if (endedEarly !== undefined) return EXIT.failure;
  const nothing = (level: ExploreLevel): boolean => pairOrders(level) === 0 && (level.orders === 0 || judgedPrograms(level) === 0);
  return levels.length === 0 || levels.some(nothing) ? EXIT.inconclusive : EXIT.clean;
}
