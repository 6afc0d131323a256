/** Double booking by time: intervals and moments in a file, on every DBMS, with and without the lock that cures it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { ExploreReport, ExploreTogether } from '../../reports/index.ts';
import { cli } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));
const UNSAFE = join(SAMPLES, 'double-booking-by-time.sql');
const CURED = join(SAMPLES, 'double-booking-by-time.cured.sql');

/** In the words of a family: two hours behind, a quarter of an hour before. */
const INTERVALS: Readonly<Record<string, readonly [string, string]>> = { postgres: ["interval '2 hours'", "interval '15 minutes'"] };
const OTHERS = ['INTERVAL 2 HOUR', 'INTERVAL 15 MINUTE'] as const;

/** Draws go on until both took one room; so many seeds are looked at, at most. */
const SEEDS = 10;

describeEachProtocol('double booking by time', ({ target, dialect, start }) => {
  const suite = sharedServer({ target, dialect, start });

  /** In a time zone of which no server knows, so that an answer which hangs on the machine's is another one. */
  const explored = async (file: string, seed: number): Promise<ExploreTogether> => {
    const words = ['explore', file, '--url', suite.server.urls[0]!, '--level', 'read-committed', '--seed', String(seed), '--json'];
    const { stdout, stderr } = await cli(words, { TZ: 'Pacific/Chatham' });
    expect(stdout, stderr).not.toBe('');
    const [level] = (JSON.parse(stdout) as ExploreReport).levels;
    expect(level!.together, stderr).toHaveLength(1);
    return level!.together![0]!;
  };

  const found = async (file: string): Promise<boolean> => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { answer, breaks } = await explored(file, seed);
      if (answer === 'not safe' && breaks.includes('no-overlap')) return true;
    }
    return false;
  };

  it('is found where each only counts, and breaks the invariant', async () => {
    expect(await found(UNSAFE)).toBe(true);
  });

  it('is not called unsafe where the room is locked first', async () => {
    for (const seed of [1, 2, 3]) {
      const { answer, breaks } = await explored(CURED, seed);
      expect([answer, breaks]).toEqual(['safe', []]);
    }
  });

  it('is found with intervals that the server adds', async () => {
    const [later, earlier] = INTERVALS[dialect.name] ?? OTHERS;
    const file = join(suite.folder, 'intervals.sql');
    writeFileSync(
      file,
      readFileSync(UNSAFE, 'utf8')
        .replace('-- @parameter :to :from + 2..3 hours\n', '')
        .replace('ends_at > :from', `ends_at - ${earlier} > :from - ${earlier}`)
        .replaceAll(':to', `:from + ${later}`),
    );
    expect(await found(file)).toBe(true);
  });
});
