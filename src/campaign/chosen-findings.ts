/**
 * Which of a store's findings are asked for: new since a date, not known already, on one release alone. Apart from the store,
 * so that command line and page choose alike.
 */
import { UsageError } from '../../core/index.ts';
import { isKnown } from '../terminal/known.ts';
import type { StoredFinding } from './store/read-findings.ts';
import type { StoredRelease } from './store/read-coverage.ts';

/** What counts as known. */
export interface Baseline {
  /** All that was first seen before; absent: nothing by that. */
  readonly since?: Date | undefined;
  /** Of `--known`. */
  readonly known: ReadonlySet<string>;
}

export function isNews({ firstSeen, line, reduced }: StoredFinding, { since, known }: Baseline): boolean {
  if (since !== undefined && firstSeen < since) return false;
  return !isKnown({ ...line, ...(reduced !== null && { reproduction: { anomaly: { fingerprint: reduced } } }) }, known);
}

/**
 * Of each finding whether one release alone has it: no other one in the store has the same fingerprint at the same level. `on`:
 * that one, by the name of its target or by words of its version; true: whichever it is.
 */
export function onlyOn(
  all: readonly StoredFinding[],
  on: string | true,
  releases: readonly StoredRelease[],
): (finding: StoredFinding) => boolean {
  return onlyAt(all, on, releases, wordOf);
}

/** The same of whatever `wordIn` tells apart. */
export function onlyAt<F extends Pick<StoredFinding, 'target' | 'release'>>(
  all: readonly F[],
  on: string | true,
  releases: readonly StoredRelease[],
  wordIn: (finding: F) => string,
): (finding: F) => boolean {
  if (on !== true && !releases.some((release) => isNamed(release, on)))
    throw new UsageError(
      `--only ${on}: nothing in this store ran there; expected ${releases.length === 0 ? 'a store with slices that are done' : `one of ${releases.map(({ target, release }) => `${target} (${releaseName(release)})`).join(', ')}`}.`,
    );
  const placeOf = ({ target, release }: Pick<StoredFinding, 'target' | 'release'>): string =>
    on === true ? JSON.stringify([target, release]) : String(isNamed({ target, release }, on));
  const places = new Map<string, Set<string>>();
  for (const finding of all) places.set(wordIn(finding), (places.get(wordIn(finding)) ?? new Set()).add(placeOf(finding)));
  return (finding) => (on === true || isNamed(finding, on)) && places.get(wordIn(finding))!.size === 1;
}

function wordOf({ level, line: { anomaly } }: StoredFinding): string {
  return `${level} ${anomaly.class} ${anomaly.fingerprint}`;
}

/** `postgres@18`, `18`, `18.4` and `PostgreSQL 18.4` name PostgreSQL 18.4; `8.4` does not. */
function isNamed({ target, release }: Pick<StoredRelease, 'target' | 'release'>, word: string): boolean {
  if (target === word || release === word) return true;
  const at = new RegExp(`(^|[^\\w.])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}($|\\W)`);
  return at.test(releaseName(release));
}

/** `PostgreSQL 18.4` of all that the server says of its build: as far as its first number. */
export function releaseName(release: string): string {
  return /^\D*\d[\w.-]*/.exec(release)?.[0] ?? release;
}
