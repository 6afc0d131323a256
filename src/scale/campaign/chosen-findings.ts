/**
 * Chooses among a store's findings: those new since a date, those not known, or those on one release alone. The choice is
 * separate from the store, so that the command line and the page choose alike.
 */
import { UsageError, escapeRegExp } from '../../../core/base/index.ts';
import { isOfCorpus } from '../../../reports/index.ts';
import { failsOn } from '../../pipeline/fail-on.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { isKnown, isKnownFamily } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';
import { isExplored } from './store/read-everything.ts';
import type { AnyStored } from './store/read-everything.ts';
import type { StoredRelease } from './store/read-coverage.ts';

/** The baseline says which findings count as known. */
export interface Baseline {
  /** All findings that were first seen before this date are known; absent: none by date. */
  readonly since?: Date | undefined;
  /** `--known` names these findings. */
  readonly known: Known;
}

export function isNews(stored: AnyStored, { since, known }: Baseline): boolean {
  if (since !== undefined && stored.firstSeen < since) return false;
  if (isExplored(stored)) return !isKnownFamily(stored.family, known);
  const { line, reduced } = stored;
  return !isKnown({ ...line, ...(reduced !== null && { reproduction: { anomaly: { fingerprint: reduced } } }) }, known);
}

/** Decides as `run` does. A date is a baseline of all findings before it. */
export function isFailing(stored: AnyStored, failOn: FailOn, baseline: Baseline): boolean {
  return failsOn(failOn, {
    verdict: stored.verdict,
    accepted: !isNews(stored, baseline),
    inCorpus: isExplored(stored) && isOfCorpus(stored.finding.family),
    baseline: baseline.since !== undefined || baseline.known.tellsOf?.includes(isExplored(stored) ? 'explored' : 'rounds') === true,
  });
}

/**
 * Returns whether one release alone has a finding: no other one in the store shows the same at the same level. `on`: that
 * release, by the name of its target or by words of its version; true: any.
 */
export function onlyOn(all: readonly AnyStored[], on: string | true, releases: readonly StoredRelease[]): (finding: AnyStored) => boolean {
  if (on !== true && !releases.some((release) => isNamed(release, on)))
    throw new UsageError(
      `--only ${on}: nothing in this store ran there; expected ${releases.length === 0 ? 'a store with slices that are done' : `one of ${releases.map(({ target, release }) => `${target} (${releaseName(release)})`).join(', ')}`}.`,
    );
  const placeOf = ({ target, release }: Pick<StoredRelease, 'target' | 'release'>): string =>
    on === true ? JSON.stringify([target, release]) : String(isNamed({ target, release }, on));
  const places = new Map<string, Set<string>>();
  for (const finding of all) places.set(finding.word, (places.get(finding.word) ?? new Set()).add(placeOf(finding)));
  return (finding) => (on === true || isNamed(finding, on)) && places.get(finding.word)!.size === 1;
}

/** `postgres@18`, `18`, `18.4` and `PostgreSQL 18.4` name PostgreSQL 18.4; `8.4` does not. */
function isNamed({ target, release }: Pick<StoredRelease, 'target' | 'release'>, word: string): boolean {
  if (target === word || release === word) return true;
  const at = new RegExp(`(^|[^\\w.])${escapeRegExp(word)}($|\\W)`);
  return at.test(releaseName(release));
}

/** Returns the name up to its first number, such as `PostgreSQL 18.4`, from everything that the server says about its build. */
export function releaseName(release: string): string {
  return /^\D*\d[\w.-]*/.exec(release)?.[0] ?? release;
}
