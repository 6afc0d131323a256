/** Lists every release of one DBMS between two that can be started here, by their numbers. */
import { UsageError } from '../../core/index.ts';
import { listReleases, listServers } from '../../dialects/index.ts';
import type { ServerListing } from '../../dialects/index.ts';

type Known = Pick<ServerListing, 'target' | 'version' | 'available'>;

/** Both ends are included, the good one first, which may be the newer one. */
export function releasesBetween(
  good: string,
  bad: string,
  known: readonly Known[] = [...listReleases(), ...listServers()],
): readonly string[] {
  const word = good.split('@')[0]!;
  if (bad.split('@')[0] !== word)
    throw new UsageError(
      `bisect: --good ${good} and --bad ${bad} are two DBMSs; expected releases of one, such as postgres@12 and postgres@18.`,
    );
  const rows = known.filter(({ target, available }) => available && new RegExp(`^${word}@[\\d.]+$`).test(target));
  const numbers = new Map<string, { readonly target: string; readonly number: readonly number[] }>();
  for (const { target, version } of rows) {
    const number = numberOf(version === '' ? target.slice(word.length + 1) : version);
    const named = target === good || target === bad;
    if (named || !numbers.has(number.join())) numbers.set(number.join(), { target, number });
  }
  const ordered = [...numbers.values()].toSorted((a, b) => byNumber(a.number, b.number)).map(({ target }) => target);
  const [from, to] = [placeOf(good, '--good', ordered), placeOf(bad, '--bad', ordered)];
  if (from === to) throw new UsageError(`bisect: ${good} and ${bad} are the same release; expected two.`);
  return from < to ? ordered.slice(from, to + 1) : ordered.slice(to, from + 1).toReversed();
}

function placeOf(target: string, option: string, ordered: readonly string[]): number {
  const place = ordered.indexOf(target);
  if (place === -1)
    throw new UsageError(
      `bisect: ${option} ${target} is no release that can be started here; expected one of ${ordered.join(', ')} (see: anomalist servers).`,
    );
  return place;
}

/** Returns the numbers of a version. A series whose newest release is not known yet comes after all known ones. */
function numberOf(version: string): readonly number[] {
  return [...version.split('.').map(Number), Infinity].slice(0, 3);
}

function byNumber(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, i) => each !== b[i]);
  return at === -1 ? 0 : a[at]! < (b[at] ?? -1) ? -1 : 1;
}
