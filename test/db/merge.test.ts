/**
 * Shards of a schedule run, of an exploration and of a matrix on a live server, by the command line: what `merge` makes of
 * their folders is what the one command without --shard wrote.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExploreReport, MatrixReport, ReportJson } from '../../reports/index.ts';
import { readReplayFiles } from '../../src/replay/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { suiteServer } from './suite-server.ts';

const SHARDS = 8;
const TURNS = Array.from({ length: SHARDS }, (_, i) => `${i + 1}/${SHARDS}`);

describeEachServer(
  'merge',
  ({ start }) => {
    const suite = suiteServer(start);
    const folder = (name: string): string => join(suite.folder, name);
    const only = (path: string): string => join(path, readdirSync(path)[0]!);
    const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

    it(`of ${SHARDS} shards of a run has the findings and the coverage of the run`, async () => {
      const words = ['run', '--url', suite.server.url, '--mode', 'schedule', '--cases', '48', '--seed', '5', '--sessions', '4'];
      const more = ['--level', 'read-committed', '--level', 'serializable', '--reduce-seconds', '0', '--fail-on', 'any'];
      const whole = await cli([...words, ...more, '--towards', 'none', '--out', folder('whole')]);
      expect(whole.code, whole.stderr).toBe(1);
      for (const turn of TURNS) {
        const { code, stderr } = await cli([...words, ...more, '--shard', turn, '--out', folder('shards')]);
        expect([0, 1, 3], stderr).toContain(code);
      }
      const merged = await cli(['merge', folder('shards'), '--out', folder('merged'), '--fail-on', 'any']);
      expect(merged.code, merged.stderr).toBe(1);
      expect(merged.stdout.split('\n').at(-2)).toBe(whole.stdout.split('\n').at(-2));
      const [one, other] = [folder('whole'), folder('merged')].map((path) => read<ReportJson>(join(only(path), 'findings.json')));
      expect(one!.findings.length).toBeGreaterThan(3);
      expect(comparable(other!)).toEqual(comparable(one!));
      const names = (path: string): readonly string[] => readdirSync(only(path)).filter((name) => !name.startsWith('history'));
      expect(names(folder('merged'))).toEqual(names(folder('whole')));
      expect(readReplayFiles(only(folder('merged'))).files.length).toBeGreaterThan(0);
      // A folder that is named twice, or a shard that is missing, is no clean end.
      const twice = await cli(['merge', folder('shards'), only(folder('shards')), '--out', folder('refused')]);
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('it is there twice')]);
      const some = await cli(['merge', only(folder('shards')), '--out', folder('some')]);
      expect([some.code, some.stderr]).toEqual([expect.any(Number), expect.stringMatching(/shards .* are missing/)]);
      expect([1, 2]).toContain(some.code);
    });

    it('of shards of an exploration has its programs, orders, pairs and families', async () => {
      const words = ['explore', '--url', suite.server.url, '--level', 'read-committed', '--seed', '3', '--programs', '10'];
      const one = await cli([...words, '--workers', '2', '--json']);
      for (const turn of ['1/3', '2/3', '3/3']) {
        const { code, stderr } = await cli([...words, '--workers', '1', '--shard', turn, '--out', folder(`explored/${turn[0]}`)]);
        expect([0, 1], stderr).toContain(code);
      }
      const merged = await cli(['merge', folder('explored'), '--out', folder('explored-merged'), '--json']);
      expect([merged.code, merged.stderr]).toEqual([one.code, expect.stringContaining('explore.html')]);
      const [whole, sum] = [one, merged].map(({ stdout }) => JSON.parse(stdout) as ExploreReport);
      expect(sum!.endedEarly).toBeUndefined();
      expect(explored(sum!)).toEqual(explored(whole!));
      expect(whole!.levels[0]!.programs).toBeGreaterThan(3);
    });

    it('of shards of a matrix is the matrix', async () => {
      const words = ['matrix', '--url', suite.server.url, '--level', 'read-committed'];
      const one = await cli([...words, '--json']);
      for (const turn of ['1/2', '2/2']) await cli([...words, '--shard', turn, '--out', folder(`matrix-${turn[0]}`)]);
      const merged = await cli(['merge', folder('matrix-2'), folder('matrix-1'), '--out', folder('matrix'), '--json']);
      expect(merged.code, merged.stderr).toBe(one.code);
      const [whole, sum] = [one, merged].map(({ stdout }) => JSON.parse(stdout) as MatrixReport & { readonly table: object });
      expect(sum!.table).toEqual(whole!.table);
      expect(sum!.command).toBe(whole!.command);
      const half = await cli(['merge', folder('matrix-2'), '--out', folder('half'), '--json']);
      expect((JSON.parse(half.stdout) as MatrixReport).endedEarly).toBe('shard 1/2 is missing');
      expect([1, 2]).toContain(half.code);
    });
  },
  { once: true },
);

/** What a run found and covered: all but when, how fast and where its files lie. */
function comparable({ levels, targets, findings, families, command }: ReportJson): object {
  const rows = Object.entries(targets).flatMap(([target, all]) =>
    Object.entries(all).map(([level, { rates: _, ...row }]) => [target, level, row] as const),
  );
  return { levels, rows, findings, families: families.map((family) => JSON.stringify(family)).toSorted(), command };
}

function explored({ levels, command, lacking }: ExploreReport): object {
  return {
    command,
    lacking,
    levels: levels.map(({ programs, whole, sampled, orders, cut, outcomes, dropped, coverage, families }) => ({
      ...{ programs, whole, sampled, orders, cut, outcomes, dropped, coverage },
      families: families
        .map(({ name, oracle, difference, verdict, programs: members }) => [name, oracle, difference, verdict, members])
        .toSorted(),
    })),
  };
}
