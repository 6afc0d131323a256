/**
 * Random transactions at full speed on every server at hand: each level shows the anomalies that it is known for and
 * nothing that its documents rule out; SERIALIZABLE shows nothing. With ANOMALIST_STRESS_SECONDS each level goes on for that
 * long.
 */
import { expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { unknownBugs } from './known-bugs.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

const ROUNDS = 3;
const SECONDS = Number(process.env['ANOMALIST_STRESS_SECONDS'] ?? 0);
const BUDGET = SECONDS > 0 ? ['--duration', `${SECONDS}s`] : ['--cases', String(ROUNDS)];
/** Tried until what must show did: which transactions meet is the sessions' race. */
const SEEDS = raceSeeds(Number(process.env['ANOMALIST_STRESS_SEED'] ?? 11), 12, 13, 14, 15, 16);

interface Found {
  readonly levels: Readonly<Record<string, unknown>>;
  readonly coverage: { readonly transactions: number; readonly committed: number };
  readonly anomalies: {
    readonly total: number;
    readonly byVerdict: Readonly<Record<string, number>>;
    readonly byShape: Readonly<Record<string, number>>;
  };
  readonly shownByLevel: Readonly<Record<string, { readonly transactions: number }>>;
}

/** What a level is known for there, and what holds at it whatever happens. */
interface Known {
  readonly shapes: readonly string[];
  readonly holds: readonly Level[];
}

const COMMITTED: Known = { shapes: ['lost update', 'read skew', 'non-repeatable read'], holds: ['read-committed'] };
const SNAPSHOT: Known = { shapes: ['write skew'], holds: ['snapshot-isolation'] };
/** InnoDB without innodb_snapshot_isolation: writes work on the newest row, and one whose key has changed is two (docs/DIALECTS.md). */
const NEWEST: Known = { shapes: ['lost update', 'write skew'], holds: [] };
const REPEATABLE: readonly { readonly target: RegExp; readonly known: Known }[] = [
  { target: /^(postgres|cockroachdb)/, known: SNAPSHOT },
  { target: /^mariadb@(1[2-9]|11\.8)/, known: { shapes: [], holds: ['snapshot-isolation'] } },
  { target: /./, known: NEWEST },
];

describeEachServer('stress', ({ target, dialect, start }) => {
  const suite = sharedServer({ target, dialect, start });

  async function stress(level: Level, seed: string): Promise<Found> {
    const { code, stdout, stderr } = await cli([
      'run',
      '--url',
      suite.server.url,
      '--level',
      level,
      ...BUDGET,
      '--seed',
      seed,
      '--reduce-seconds',
      '0',
      '--out',
      suite.folder,
      '--json',
    ]);
    const report = JSON.parse(stdout) as {
      readonly runId: string;
      readonly targets: Readonly<Record<string, Readonly<Record<string, Found>>>>;
    };
    const found = Object.values(report.targets)[0]![level]!;
    console.log(
      `${target}, ${level}, ${BUDGET.join(' ')}, seed ${seed}: ${found.coverage.committed} of ${found.coverage.transactions} transactions committed; ${JSON.stringify(found.anomalies)}`,
    );
    expect(found.coverage.committed).toBeGreaterThan(0);
    expect(unknownBugs(suite.folder, report.runId, dialect.name), stderr).toEqual([]);
    expect(code, stderr).toBe(found.anomalies.byVerdict['bug'] === 0 ? 0 : 1);
    return found;
  }

  /** Whatever the seed, nothing that is ruled out; of the shapes, all in one run or another. */
  async function shows(level: Level, { shapes, holds }: Known): Promise<void> {
    const missing = new Set(shapes);
    for (const seed of SEEDS) {
      const { levels, anomalies } = await stress(level, seed);
      for (const each of holds) expect(levels[each], each).not.toBe(false);
      for (const shape of shapes) if ((anomalies.byShape[shape] ?? 0) > 0) missing.delete(shape);
      if (missing.size === 0) return;
    }
    expect([...missing]).toEqual([]);
  }

  const offers = (level: Level): boolean => dialect.levels.some((each) => each.level === level && each.offByDefault !== true);

  it.runIf(offers('read-committed'))('finds what READ COMMITTED allows, and no bug', async () => {
    await shows('read-committed', COMMITTED);
  });

  it.runIf(offers('repeatable-read'))('finds what REPEATABLE READ is known for here, and no bug', async () => {
    await shows('repeatable-read', REPEATABLE.find((each) => each.target.test(target))!.known);
  });

  it.runIf(offers('serializable'))('finds nothing at SERIALIZABLE', async () => {
    // The level is shown for some transactions at least; which ones depends on their race.
    let shownFor = 0;
    for (const seed of SEEDS) {
      const { levels, anomalies, shownByLevel } = await stress('serializable', seed);
      const known = anomalies.byVerdict['bug']!;
      expect(anomalies.total - known).toBe(0);
      if (known === 0) expect(levels['serializable']).not.toBe(false);
      shownFor += shownByLevel['serializable']?.transactions ?? 0;
      if (shownFor > 0) break;
    }
    expect(shownFor).toBeGreaterThan(0);
  });
});
