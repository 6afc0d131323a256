/**
 * `run --level mixed` on one server a protocol that has two levels which mean something beside each other: the level that
 * the record gives each transaction is the one that the server said was in force, one transaction after the other keeps all
 * of them, and behind a proxy that runs the serializable ones at another level both the definition and the vendor's promise
 * are seen broken. `check` says of the record what the run said.
 */
import { expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { LevelJson, ReportJson } from '../../reports/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { eventsOf } from './history-events.ts';
import { startLyingProxy } from './lying-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** Tried until what must show did: which transactions meet is the sessions' race. */
const SEEDS = raceSeeds(5, 6, 7, 8);

interface CheckJson {
  readonly levels: Readonly<Partial<Record<Level | 'own', boolean | 'unknown'>>>;
}

interface MixedRun {
  readonly code: number | null;
  readonly report: ReportJson;
  readonly level: LevelJson;
  readonly folder: string;
}

function drawn({ levels }: Dialect): readonly string[] {
  return levels.filter(({ beside }) => beside !== undefined).map(({ inForce }) => inForce);
}

describeEachServer(
  'mixed levels',
  ({ dialect, start, target }) => {
    const suite = sharedServer({ target, dialect, start });

    async function run(url: string, seed: string, more: readonly string[]): Promise<MixedRun> {
      const words = ['--url', url, '--level', 'mixed', '--cases', '1', '--seed', seed, '--out', suite.folder, '--json'];
      const { code, stdout, stderr } = await cli(['run', ...words, ...more]);
      expect(stdout, stderr).not.toBe('');
      const report = JSON.parse(stdout) as ReportJson;
      const [target] = Object.values(report.targets);
      return { code, report, level: target!.mixed!, folder: `${suite.folder}/${report.runId}` };
    }

    async function checked(folder: string): Promise<CheckJson['levels']> {
      const { stdout, stderr } = await cli(['check', folder, '--level', 'own', '--json']);
      expect(stdout, stderr).not.toBe('');
      return (JSON.parse(stdout) as CheckJson).levels;
    }

    it('one transaction after the other keeps its own level, which the record names', async () => {
      const serial = ['--workload', 'general', '--objects', '16', '--transactions', '15', '--concurrency', '1'];
      const { code, report, level, folder } = await run(suite.server.url, '5', serial);
      // nothing overlapped, which the report says
      expect(code).toBe(3);
      expect(report.levels).toEqual({ mixed: 'unknown' });
      expect(level.mixed!.own.answer).toBe(true);
      expect(report.findings).toEqual([]);
      expect(await checked(folder)).toEqual({ own: true });
      const asked = new Map<number, string>();
      const inForce = new Map<string, Set<string>>();
      for (const event of eventsOf(`${folder}/history.ndjson.gz`)) {
        if (event.e === 'invoke' && event.k === 'begin') asked.set(event.t, event.level ?? 'read-committed');
        if (event.e !== 'ok' || event.level === undefined) continue;
        const names = inForce.get(event.level) ?? new Set();
        inForce.set(event.level, names.add(asked.get(event.t)!));
      }
      const named = dialect.levels.flatMap(({ beside, inForce: words }) => (beside === undefined ? [] : [[words, [beside.definition]]]));
      expect(Object.fromEntries([...inForce].map(([words, names]) => [words, [...names]]))).toEqual(Object.fromEntries(named));
      expect(Object.keys(level.mixed!.levels)).toHaveLength(drawn(dialect).length);
    });

    it('a server that runs the serializable ones at another level breaks the definition and its promise', async () => {
      const proxy = await startLyingProxy(suite.server.url, { asked: 'SERIALIZABLE', kept: 'READ UNCOMMITTED' });
      try {
        let last: MixedRun | undefined;
        for (const seed of SEEDS) {
          last = await run(proxy.url, seed, ['--workload', 'mini', '--objects', '4', '--transactions', '60']);
          expect(await checked(last.folder)).toEqual({ own: last.level.mixed!.own.answer });
          if (last.code === 1 && last.level.mixed!.own.answer === false) break;
        }
        expect(last!.report.levels).toEqual({ mixed: false });
        const bugs = last!.report.findings.filter(({ verdict }) => verdict === 'bug');
        expect(bugs.length).toBeGreaterThan(0);
        for (const { class: name, explanation, replay } of bugs) {
          expect(explanation).toMatch(/Levels: T\d+ (serializable|repeatable-read|read-committed)/);
          // a read of what was not committed is ruled out at every level
          if (/^G-|^G2/.test(name ?? '')) expect(explanation).not.toContain(' read-committed');
          expect(replay).toContain('--level mixed --round 0');
        }
        expect(last!.report.notesData?.some(({ code }) => code === 'own-level-violated')).toBe(true);
      } finally {
        await proxy.close();
      }
    });
  },
  {
    protocol: true,
    inapplicable: (dialect) => (drawn(dialect).length < 2 ? 'it has no two levels that mean something beside each other' : undefined),
  },
);
