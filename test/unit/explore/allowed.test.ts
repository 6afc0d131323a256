/** Triggers are tried where a server may ask for a right; what it says is kept, and what was made is dropped. */
import { describe, expect, it } from 'vitest';
import type { Connection, Dialect } from '../../../core/dialect/index.ts';
import { mysql, postgres } from '../../../dialects/index.ts';
import { allowedOn } from '../../../src/explore/allowed.ts';

interface Tried {
  readonly dialect: Dialect;
  readonly sent: string[];
  readonly done: string[];
}

function refusing(what: RegExp | undefined): Tried {
  const sent: string[] = [];
  const done: string[] = [];
  const connection = {
    query: (sql: string) => {
      sent.push(sql);
      return what?.test(sql)
        ? Promise.reject(Object.assign(new Error('You do not have the SUPER privilege'), { errno: 1419 }))
        : Promise.resolve({ columns: [], rows: [], affected: 0 });
    },
    end: () => Promise.resolve(void done.push('ended')),
  } as unknown as Connection;
  const dialect: Dialect = {
    ...mysql,
    connect: () => Promise.resolve(connection),
    assertFree: () => Promise.resolve(),
    dropNamespace: (_, namespace) => Promise.resolve(void done.push(namespace)),
  };
  return { dialect, sent, done };
}

const URL = 'mysql://127.0.0.1/';

describe('what a server allows', () => {
  it('is tried, and dropped again', async () => {
    const { dialect, sent, done } = refusing(undefined);
    const { capabilities, refused } = await allowedOn(dialect, URL, dialect.capabilities);
    expect([capabilities.triggers, refused]).toEqual([true, []]);
    expect(sent.some((sql) => sql.startsWith('CREATE TRIGGER'))).toBe(true);
    expect(done).toEqual([expect.stringMatching(/^anomalist_explore_tried_/), 'ended']);
  });

  it('is no trigger where it says so, in its words', async () => {
    const { dialect, done } = refusing(/^CREATE TRIGGER/);
    const { capabilities, refused } = await allowedOn(dialect, URL, dialect.capabilities);
    expect(capabilities.triggers).toBeUndefined();
    expect(refused).toEqual(['triggers, as the server says: You do not have the SUPER privilege']);
    expect(done).toHaveLength(2);
  });

  it('is not asked where nothing hangs on it, and nothing of ours is dropped where nothing was made', async () => {
    expect(await allowedOn(postgres, URL, postgres.capabilities)).toEqual({ capabilities: postgres.capabilities, refused: [] });
    const { dialect, done } = refusing(/^CREATE DATABASE/);
    await expect(allowedOn(dialect, URL, dialect.capabilities)).rejects.toThrow('SUPER');
    expect(done).toEqual(['ended']);
  });
});
