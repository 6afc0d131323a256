// Poolers as they hand out sessions of a server, and whether that is seen.
import { describe, expect, it } from 'vitest';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import { expectOwnSessions } from '../../../dialects/own-sessions.ts';
import type { BareSession } from '../../../dialects/own-sessions.ts';

const WHERE = { url: 'postgres://u@h/d', title: 'PostgreSQL', patienceMs: 50 };

interface Pool {
  readonly take: (client: number) => string;
  readonly giveBack: (client: number, session: string) => void;
}

/** Sessions are handed out as the pool does, from BEGIN to COMMIT. */
function through(pool: Pool): { readonly check: Promise<void>; readonly closed: () => number } {
  let clients = 0;
  let closed = 0;
  const open = async (): Promise<BareSession> => {
    const client = clients++;
    let session = '';
    return {
      begin: async () => (session = pool.take(client)),
      commit: async () => pool.giveBack(client, session),
      close: async () => void closed++,
    };
  };
  return { check: expectOwnSessions(open, WHERE), closed: () => closed };
}

/** `put`: where a session that is given back goes. */
function poolOf(idle: string[], put: 'push' | 'unshift'): Pool {
  let made = idle.length;
  return { take: () => idle.pop() ?? `s${++made}`, giveBack: (_, session) => void idle[put](session) };
}

describe('each connection is a session of its own', () => {
  it('where each has its own, nothing is said, and all are closed', async () => {
    const { check, closed } = through({ take: (client) => `s${client}`, giveBack: () => undefined });
    await check;
    expect(closed()).toBe(3);
  });

  it.each([
    ['the one given back last, of a pool that grows', poolOf([], 'push')],
    ['the one given back last, of a pool that is there', poolOf(['s1', 's2', 's3', 's4'], 'push')],
    ['the one that has waited longest', poolOf(['s1', 's2', 's3'], 'unshift')],
    [
      'the one that has waited longest, of many',
      poolOf(
        Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
        'unshift',
      ),
    ],
    ['the one and only', poolOf(['s1'], 'push')],
  ])('a pool that hands out %s is refused', async (_, pool) => {
    const { check, closed } = through(pool);
    const error: unknown = await check.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(
      /lends its sessions for a transaction: (two connections, both open|one connection was in session \w+).*expected a session of the server for each connection.*connect to the server directly.*pool_mode=session/,
    );
    expect(closed()).toBe(3);
  });

  it('one that takes no BEGIN is refused with its words', async () => {
    const { check } = through({
      take: () => {
        throw new Error('transaction blocks not allowed in statement pooling mode');
      },
      giveBack: () => undefined,
    });
    await expect(check).rejects.toThrow(
      /takes no transactions \(transaction blocks not allowed in statement pooling mode\).*for one statement only/,
    );
  });

  it('another failure stays what it is', async () => {
    const { check } = through({
      take: () => {
        throw new Error('the server is shutting down');
      },
      giveBack: () => undefined,
    });
    await expect(check).rejects.toThrow(/^the server is shutting down$/);
  });

  it('a connection that is not served is a failure of the pool, within a bound', async () => {
    let clients = 0;
    const open = async (): Promise<BareSession> => {
      const client = clients++;
      return {
        begin: () => (client < 2 ? Promise.resolve(`s${client}`) : new Promise<never>(() => undefined)),
        commit: async () => undefined,
        close: async () => undefined,
      };
    };
    const error: unknown = await expectOwnSessions(open, WHERE).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DatabaseError);
    expect((error as Error).message).toMatch(/did not serve the third of 3 connections/);
  });
});
