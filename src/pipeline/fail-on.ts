/**
 * Which findings make an exit code 1. `bug`: what the documents rule out. `new`: what they do not allow and nobody knows.
 * `any`: each. A finding that the `--known` file has counts for `any` alone, a case of corpus/explored for `bug` and `any`.
 *
 * Where that file tells of a whole part of a run, as a findings.json does of its rounds, it is a baseline of that part: what
 * the documents allow and it does not have is new as well.
 */
import type { PromiseVerdict } from '../../core/index.ts';

export type FailOn = 'bug' | 'new' | 'any';

export interface KnownFinding {
  readonly verdict: PromiseVerdict;
  /** The `--known` file has it. */
  readonly accepted: boolean;
  /** corpus/explored has its cause. */
  readonly inCorpus?: boolean;
  /** The `--known` file tells of all that its part found. */
  readonly baseline: boolean;
}

export function failsOn(failOn: FailOn, { verdict, accepted, inCorpus = false, baseline }: KnownFinding): boolean {
  if (failOn === 'any') return true;
  if (accepted) return false;
  if (failOn === 'bug') return verdict === 'bug';
  return !inCorpus && (verdict !== 'documented' || baseline);
}
