/**
 * `postgres@18+small`: the same server with its smallest limits. Where tables of locks, undo and caches are full, a server
 * escalates, summarises, evicts and truncates; these are paths of code of their own, and what is promised stays promised.
 */
import type { ServerListing } from './listing.ts';

export const SMALL = '+small';

/** Sessions that such a server takes beside our own few. */
export const SMALL_SESSIONS = 8;

export function isSmall(target: string): boolean {
  return target.endsWith(SMALL);
}

/** The row of the server with its smallest limits; of one that has none known here, a row that says so. */
export function smallOf(listing: ServerListing): ServerListing {
  const { smallest, start } = listing;
  const target = `${listing.target}${SMALL}`;
  if (smallest === undefined)
    return { ...listing, target, available: false, reason: `its smallest limits are not known here; leave out ${SMALL}` };
  return {
    ...listing,
    target,
    reason: `${listing.reason}, with its smallest limits`,
    start: (options = {}) => start({ ...options, settings: { ...smallest, ...options.settings } }),
  };
}
