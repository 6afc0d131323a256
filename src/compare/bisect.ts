/**
 * Finds the first release that has each of some differences between two releases, by binary search over those between
 * them. A release is started once for all differences that ask for it. A release that behaves like neither end, or not
 * the same each time, is skipped in the search of that difference.
 */
import type { CompareLine } from '../../reports/index.ts';
import type { ConfirmedRun } from './confirm-on.ts';
import { differenceAmong } from './lines.ts';
import type { Candidate } from './candidates.ts';

export interface BisectCase {
  readonly kind: CompareLine['kind'];
  readonly candidate: Candidate;
  /** The runs on the good release and on the bad one. */
  readonly good: ConfirmedRun;
  readonly bad: ConfirmedRun;
}

export interface BisectedCase {
  /** Positions in the list of releases: the last one that behaves like the good one, the first one that behaves like the bad one. */
  readonly last: number;
  readonly first: number;
  readonly lastRun: ConfirmedRun;
  readonly firstRun: ConfirmedRun;
  /** Positions of releases that were asked and behaved like neither. */
  readonly unclear: readonly number[];
}

/** Returns the runs of each candidate on the release at this position; fewer if it was interrupted. */
export type AskRelease = (place: number, candidates: readonly Candidate[]) => Promise<readonly ConfirmedRun[]>;

interface Search {
  last: number;
  first: number;
  lastRun: ConfirmedRun;
  firstRun: ConfirmedRun;
  readonly unclear: number[];
  readonly of: BisectCase;
}

/** `releases`: their number, both ends included. */
export async function bisect(
  cases: readonly BisectCase[],
  releases: number,
  ask: AskRelease,
  signal: AbortSignal,
): Promise<readonly BisectedCase[]> {
  const searches = cases.map((of): Search => ({ last: 0, first: releases - 1, lastRun: of.good, firstRun: of.bad, unclear: [], of }));
  for (;;) {
    const place = searches.map(middleOf).find((each) => each !== undefined);
    if (place === undefined || signal.aborted) break;
    const asking = searches.filter((search) => isOpen(search, place));
    const runs = await ask(
      place,
      asking.map(({ of }) => of.candidate),
    );
    for (const [s, search] of asking.entries()) {
      const run = runs[s];
      if (run !== undefined) narrow(search, place, run);
    }
  }
  return searches.map((search) => {
    const { of: _, ...found } = search;
    return found;
  });
}

function openPlaces({ last, first, unclear }: Search): readonly number[] {
  return Array.from({ length: Math.max(0, first - last - 1) }, (_, i) => last + 1 + i).filter((place) => !unclear.includes(place));
}

function isOpen(search: Search, place: number): boolean {
  return openPlaces(search).includes(place);
}

function middleOf(search: Search): number | undefined {
  const open = openPlaces(search);
  return open[Math.floor((open.length - 1) / 2)];
}

function narrow(search: Search, place: number, run: ConfirmedRun): void {
  const { good, bad, kind } = search.of;
  if (isLike(run, good, kind)) Object.assign(search, { last: place, lastRun: run });
  else if (isLike(run, bad, kind)) Object.assign(search, { first: place, firstRun: run });
  else search.unclear.push(place);
}

/** True if the run behaved the same each time, and as the other one did. */
function isLike(run: ConfirmedRun, other: ConfirmedRun, kind: CompareLine['kind']): boolean {
  if (run.alike !== run.of || run.observed.key !== other.observed.key) return false;
  return kind === 'outcome' || (run.waitsAlike === run.of && differenceAmong([run, other]) === undefined);
}
