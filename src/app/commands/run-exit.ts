/** Decides a run's exit code from its findings. */
import { EXIT, isAnomaly } from '../../../core/index.ts';
import type { ListedFinding, Report } from '../../../core/index.ts';
import { failsOn } from '../../pipeline/fail-on.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { isKnown } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';

/**
 * Returns 1 for the requested findings (known ones count for `any` only) and for an invariant that the server broke.
 * Returns 2 if the server was lost. Returns 3 if a level could not be judged, or if it is unknown who broke an invariant
 * at a level that rules out every anomaly. Otherwise 0.
 */
export function exitCode(report: Report, failOn: FailOn, known: Known): number {
  const baseline = known.tellsOf?.includes('rounds') === true;
  const fails = (finding: ListedFinding): boolean =>
    failsOn(failOn, { verdict: finding.judgement.verdict, accepted: isKnown(finding, known), baseline });
  if (report.findings.filter(isAnomaly).some(fails) || report.listed?.some(fails) === true) return EXIT.anomaly;
  const broken = report.levels.flatMap((level) => level.invariants ?? []).filter((invariant) => invariant.broken > 0);
  if (broken.some(({ verdict }) => verdict === 'bug' || failOn === 'any')) return EXIT.anomaly;
  if (report.endedEarly !== undefined) return EXIT.failure;
  const undecided = broken.some(({ verdict, ruledOut }) => verdict === 'unknown' && ruledOut);
  return undecided || report.levels.some((level) => level.inconclusive !== undefined) ? EXIT.inconclusive : EXIT.clean;
}

/** The worst first: a finding, a failure, nothing that could be judged. */
const WORST: readonly number[] = [EXIT.interrupted, EXIT.anomaly, EXIT.failure, EXIT.inconclusive, EXIT.clean];

export function worseExit(one: number, other: number): number {
  return WORST.find((exit) => exit === one || exit === other)!;
}
