/**
 * `postgres@18+small`: the same server with its smallest limits. When lock tables, undo and caches are full, a server
 * escalates, summarises, evicts and truncates. These code paths must keep the same promises.
 */
import type { ServerListing } from './listing.ts';

export const SMALL = '+small';

/** Sessions that such a server accepts beside the few that the tool needs itself. */
export const SMALL_SESSIONS = 8;

export function isSmall(target: string): boolean {
  return target.endsWith(SMALL);
}

/** The row of the server with its smallest limits. If these are not known, the row says so. */
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
