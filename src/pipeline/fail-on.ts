/**
 * Decides which findings give exit code 1. `bug`: findings that the documents rule out. `new`: findings that they do not
 * allow and that are not known. `any`: every finding. A finding in the `--known` file counts for `any` alone, a case of
 * corpus/explored for `bug` and `any`.
 *
 * If that file has a whole part of a run, as a findings.json has its rounds, it is a baseline of that part. Documented
 * findings that it does not have are then new as well.
 */
import type { PromiseVerdict } from '../../core/index.ts';

export type FailOn = 'bug' | 'new' | 'any';

export interface KnownFinding {
  readonly verdict: PromiseVerdict;
  /** The `--known` file has it. */
  readonly accepted: boolean;
  /** corpus/explored has its cause. */
  readonly inCorpus?: boolean;
  /** The `--known` file has everything that its part found. */
  readonly baseline: boolean;
}

export function failsOn(failOn: FailOn, { verdict, accepted, inCorpus = false, baseline }: KnownFinding): boolean {
  if (failOn === 'any') return true;
  if (accepted) return false;
  if (failOn === 'bug') return verdict === 'bug';
  return !inCorpus && (verdict !== 'documented' || baseline);
}
