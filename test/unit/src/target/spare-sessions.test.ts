/** Which servers have places for sessions that an exploration can do without. */
import { expect, it } from 'vitest';
import { SMALL_SESSIONS } from '../../../../dialects/index.ts';
import { hasSpareSessions } from '../../../../src/target/target.ts';

it('a server of the user is asked for no session that is not needed, and neither is a small one', () => {
  expect([
    hasSpareSessions({}),
    hasSpareSessions({ mostSessions: SMALL_SESSIONS }),
    hasSpareSessions({ mostSessions: SMALL_SESSIONS + 1 }),
  ]).toEqual([false, false, true]);
});
