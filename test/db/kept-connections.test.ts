/**
 * Connections that outlive a round: the next one gets the same sessions of the server, but none that was left inside a
 * transaction and none that is gone; there are never more than were in use at once, and none is left at the end.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connection } from '../../core/dialect/index.ts';
import { KeptConnections } from '../../src/execute/index.ts';
import { endSession, sessionsOf } from './administration.ts';
import { describeEachServer } from './each-server.ts';
import { until } from './process-watch.ts';
import { sharedServer } from './suite-server.ts';

describeEachServer('connections that are kept', ({ dialect, start, target }) => {
  const suite = sharedServer({ target, dialect, start });
  const [level] = dialect.levels;
  let admin: Connection;
  let kept: KeptConnections;
  let opened = 0;

  beforeAll(async () => {
    admin = await dialect.connect(suite.server.url, {});
  });

  afterAll(async () => {
    await admin?.end();
  });

  beforeEach(() => {
    opened = 0;
    kept = new KeptConnections({ ...dialect, connect: (...given) => (opened++, dialect.connect(...given)) });
  });

  afterEach(async () => {
    await kept.close();
  });

  const connect = (statementTimeoutMs = 120_000): Promise<Connection> =>
    kept.dialect.connect(suite.server.url, { statementTimeoutMs, level: level! });

  it('are the same sessions for who asks for the same', async () => {
    const [a, b] = [await connect(), await connect()];
    expect(a.backend).not.toBe(b.backend);
    const before = [a.backend, b.backend].toSorted();
    for (const each of [a, b]) {
      expect((await each.begin(level!)).foreign).toBeUndefined();
      await each.query('SELECT 1');
      expect((await each.commit()).tag).toBe('commit');
      await each.end();
    }
    const again = [await connect(), await connect()];
    expect(again.map(({ backend }) => backend).toSorted()).toEqual(before);
    expect((await again[0]!.begin(level!)).foreign).toBeUndefined();
    await again[0]!.rollback();
    await expect(a.query('SELECT 1')).rejects.toThrow('the connection was given back');
    // Whoever had it before has no say in it.
    a.destroy();
    expect((await again[1]!.query('SELECT 7')).rows).toEqual([['7']]);
    expect((await again[0]!.query('SELECT 7')).rows).toEqual([['7']]);
    expect(opened).toBe(2);
    for (const each of again) await each.end();
  });

  it.each([
    ['inside a transaction', async (each: Connection) => void (await each.begin(level!))],
    [
      'inside one that failed',
      async (each: Connection) => {
        await each.begin(level!);
        await expect(each.query('SELECT no_such_column')).rejects.toThrow();
      },
    ],
    ['dropped', async (each: Connection) => each.destroy()],
  ])('are not used again once left: %s', async (_, leave) => {
    const first = await connect();
    const { backend } = first;
    await leave(first);
    await first.end();
    const second = await connect();
    expect(second.backend).not.toBe(backend);
    expect((await second.query('SELECT 7')).rows).toEqual([['7']]);
    await second.end();
  });

  it('are replaced where the server has ended them', async () => {
    const first = await connect();
    const { backend } = first;
    await first.end();
    await endSession(dialect, admin, backend);
    expect(await until(async () => !(await sessionsOf(dialect, admin)).includes(backend))).toBe(true);
    const second = await connect();
    expect(second.backend).not.toBe(backend);
    expect((await second.query('SELECT 7')).rows).toEqual([['7']]);
    await second.end();
    expect(opened).toBe(2);
  });

  it('are never more than were in use at once, whatever is asked for, and none is left', async () => {
    const sessions = async (): Promise<number> => (await sessionsOf(dialect, admin)).filter((each) => each !== admin.backend).length;
    for (const timeout of [120_000, 130_000, 120_000, 140_000]) {
      const both = [await connect(timeout), await connect(timeout)];
      expect(await until(async () => (await sessions()) === 2)).toBe(true);
      for (const each of both) await each.end();
    }
    expect(opened).toBe(8);
    const last = await connect(140_000);
    await kept.close();
    await last.end();
    expect(await until(async () => (await sessions()) === 0)).toBe(true);
  });
});
