/**
 * A server that promises SERIALIZABLE and runs READ COMMITTED: behind the lying proxy `run` must say `bug` and exit 1.
 * The same server without the proxy is clean.
 */
import { expect, it } from 'vitest';
import { mariadb, postgres } from '../../dialects/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { startLyingProxy } from './lying-proxy.ts';
import { growingSeconds, raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

interface RunJson {
  readonly levels: Readonly<Record<string, unknown>>;
  readonly findings: readonly {
    readonly verdict: string;
    readonly class: string;
    readonly replay: string;
    readonly reproduced: { readonly tries: number; readonly seen: number; readonly transactions: number } | null;
  }[];
}

/** Seeds that are tried until one of the bugs found was replayed: a round of racing sessions may show none, or one that needs its race. */
const SEEDS = raceSeeds(7, 8, 9, 10, 11, 12);

describeEachServer(
  'the verdict bug',
  ({ target, dialect, start }) => {
    /** Each look at who waits takes MariaDB 110 ms: there it would be the longest test of all. */
    const least = dialect === mariadb ? 0 : 4;
    /** Many rounds where a round is quick, one round elsewhere. */
    const budget = (rounds: string): readonly string[] =>
      dialect === postgres ? ['--cases', rounds] : ['--cases', '1', '--sessions', '3'];
    const suite = sharedServer({ target, dialect, start });

    it('is reached through a proxy that weakens every transaction and lies about it', async () => {
      const proxy = await startLyingProxy(suite.server.url);
      try {
        let bugs: RunJson['findings'] = [];
        let reproduced: NonNullable<RunJson['findings'][number]['reproduced']>[] = [];
        for (const [attempt, seed] of SEEDS.entries()) {
          // On a slow machine the first try may run out of its time.
          const seconds = growingSeconds(least, attempt);
          const { code, stdout, stderr } = await cli([
            'run',
            '--url',
            proxy.url,
            '--level',
            'serializable',
            ...budget('3'),
            '--seed',
            seed,
            '--reduce-seconds',
            String(seconds),
            '--out',
            suite.folder,
            '--json',
          ]);
          const report = JSON.parse(stdout) as RunJson;
          bugs = report.findings.filter((finding) => finding.verdict === 'bug');
          expect(code, stderr).toBe(bugs.length > 0 ? 1 : 0);
          // Without a bug it is true, or unknown if not all was seen.
          expect(bugs.length > 0 ? [false] : [true, 'unknown'], stdout).toContain(report.levels['serializable']);
          expect(bugs.every((bug) => /^anomalist (run|replay) /.test(bug.replay))).toBe(true);
          reproduced = bugs.flatMap((bug) => bug.reproduced ?? []);
          if (bugs.length > 0 && (least === 0 || reproduced.length > 0)) break;
        }
        expect(bugs.length).toBeGreaterThan(0);
        expect(reproduced.length > 0, 'bugs were replayed').toBe(least > 0);
        console.log(
          `${target} behind the lying proxy: ${reproduced.length} replayed (${reproduced.map(({ tries, seen, transactions }) => `${seen} of ${tries}, ${transactions} transactions`).join('; ')}); ${bugs.length} findings with verdict bug: ${[...new Set(bugs.map((bug) => bug.class))].join(', ')}`,
        );
      } finally {
        await proxy.close();
      }
    });

    it('is not reached on the same server without the proxy', async () => {
      const { code, stdout, stderr } = await cli([
        'run',
        '--url',
        suite.server.url,
        '--level',
        'serializable',
        ...budget('3'),
        '--seed',
        '7',
        '--out',
        suite.folder,
        '--json',
      ]);
      expect(code, stderr).toBe(0);
      const report = JSON.parse(stdout) as RunJson;
      expect(report.findings.filter((finding) => finding.verdict === 'bug')).toEqual([]);
      expect(report.levels['serializable']).not.toBe(false);
    });
  },
  { protocol: true },
);
