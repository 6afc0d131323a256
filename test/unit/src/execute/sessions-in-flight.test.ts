/** A session waits by the server's word alone, whatever was expected and however long its reply takes. */
import { describe, expect, it } from 'vitest';
import type { BlockedWatcher } from '../../../../core/dialect/index.ts';
import { SessionsInFlight } from '../../../../src/execute/index.ts';
import type { Expected, Member } from '../../../../src/execute/index.ts';

const member = (backend: string): Member => ({
  backend,
  end: () => Promise.resolve(),
  drop: () => undefined,
  close: () => Promise.resolve(),
});

/** Two sessions, of which the first has a transaction open, so that the server is asked about the second. */
async function besideAnother(watcher: BlockedWatcher): Promise<SessionsInFlight<Member, string>> {
  const sessions = new SessionsInFlight<Member, string>({ watchers: [watcher] });
  for (const backend of ['1', '2']) sessions.add(member(backend));
  await sessions.send(0, () => Promise.resolve({ reply: 'begun', releases: false, open: true }));
  return sessions;
}

describe('a step without a reply', () => {
  it.each<Expected | undefined>([undefined, 'reply', 'wait'])(
    'is awaited while the server reports no wait, expected: %s',
    async (expected) => {
      let reply: () => void;
      const slow = new Promise<void>((resolve) => (reply = resolve));
      let questions = 0;
      const sessions = await besideAnother({
        blocked: async () => {
          if (++questions === 5) reply();
          return new Set();
        },
      });
      const replies = await sessions.send(1, async () => (await slow, { reply: 'slow', releases: false, open: true }), expected);
      expect(replies).toEqual([{ session: 1, reply: 'slow' }]);
      expect(sessions.waiting()).toEqual(new Map());
      expect(sessions.overBy).toBe('reply');
    },
  );

  it.each<Expected | undefined>([undefined, 'reply', 'wait'])(
    'waits once the server names an idle session, expected: %s',
    async (expected) => {
      const sessions = await besideAnother({
        blocked: () => Promise.reject(new Error('the other question is asked')),
        waits: async () => new Map([['2', ['1']]]),
      });
      expect(await sessions.send(1, () => new Promise(() => undefined), expected)).toEqual([]);
      expect(sessions.waiting()).toEqual(new Map([[1, [0]]]));
      expect(sessions.overBy).toBe('wait');
    },
  );
});
