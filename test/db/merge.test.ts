/**
 * Shards on a live server, by the command line: those of a run have every round once and are added up; of an exploration
 * they have its programs, of a matrix its table.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExploreReport, MatrixReport, ReportJson } from '../../reports/index.ts';
import { readReplayFiles } from '../../src/replay/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** A run is cut into so many shards of six rounds each; the nightly run cuts it into eight. */
const SHARDS = Number(process.env['ANOMALIST_SHARDS'] ?? 4);
const ROUNDS = 6 * SHARDS;
const TURNS = Array.from({ length: SHARDS }, (_, i) => `${i + 1}/${SHARDS}`);

describeEachServer(
  'merge',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const folder = (name: string): string => join(suite.folder, name);
    const only = (path: string): string => join(path, readdirSync(path)[0]!);
    const read = (path: string): ReportJson => JSON.parse(readFileSync(path, 'utf8')) as ReportJson;

    it(`of ${SHARDS} shards of a run has every round once, and what they found and covered added up`, async () => {
      const words = ['run', '--url', suite.server.url, '--mode', 'schedule', '--cases', String(ROUNDS), '--seed', '5', '--sessions', '4'];
      const more = ['--level', 'read-committed', '--level', 'serializable', '--reduce-seconds', '0', '--fail-on', 'any'];
      for (const turn of TURNS) {
        const { code, stderr } = await cli([...words, ...more, '--shard', turn, '--history', 'plain', '--out', folder('shards')]);
        expect([0, 1, 3], stderr).toContain(code);
      }
      const shards = readdirSync(folder('shards')).map((name) => join(folder('shards'), name));
      expect(shards.flatMap(roundsIn).toSorted()).toEqual(
        Array.from({ length: ROUNDS }, (_, round) => [`${round} read-committed`, `${round} serializable`])
          .flat()
          .toSorted(),
      );
      const merged = await cli(['merge', folder('shards'), '--out', folder('merged'), '--fail-on', 'any']);
      expect(merged.code, merged.stderr).toBe(1);
      const one = read(join(only(folder('merged')), 'findings.json'));
      const parts = shards.map((shard) => read(join(shard, 'findings.json')));
      expect(one.findings.length).toBeGreaterThan(3);
      expect(countsOf([one])).toEqual(countsOf(parts));
      expect(new Set(one.findings.map(({ level, verdict, fingerprint }) => `${level} ${verdict} ${fingerprint}`)).size).toBe(
        one.findings.length,
      );
      expect(coverageOf([one])).toEqual(coverageOf(parts));
      expect(one.command).not.toContain('--shard');
      for (const name of ['report.html', 'report.md', 'manifest.json', 'run.json', 'finding-1.json'])
        expect(readdirSync(only(folder('merged')))).toContain(name);
      expect(readReplayFiles(only(folder('merged'))).files.length).toBeGreaterThan(0);
      // A folder that is named twice, or a shard that is missing, is no clean end.
      const twice = await cli(['merge', folder('shards'), shards[0]!, '--out', folder('refused')]);
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('it is there twice')]);
      const some = await cli(['merge', ...shards.slice(1), '--out', folder('some')]);
      expect([some.code, some.stderr]).toEqual([2, expect.stringMatching(new RegExp(`shard \\d/${SHARDS} is missing`))]);
    });

    it('of shards of an exploration has its programs, orders, pairs and families', async () => {
      const words = ['explore', '--url', suite.server.url, '--level', 'read-committed', '--seed', '3', '--programs', '10'];
      const one = await cli([...words, '--workers', '2', '--json']);
      const codes: (number | null)[] = [];
      for (const turn of ['1/3', '2/3', '3/3']) {
        const { code, stderr } = await cli([...words, '--workers', '1', '--shard', turn, '--out', folder(`explored/${turn[0]}`)]);
        expect([0, 1], stderr).toContain(code);
        codes.push(code);
      }
      const merged = await cli(['merge', folder('explored'), '--out', folder('explored-merged'), '--json']);
      expect([merged.code, merged.stderr]).toEqual([codes.includes(1) ? 1 : 0, expect.stringContaining('explore.html')]);
      const [whole, sum] = [one, merged].map(({ stdout }) => JSON.parse(stdout) as ExploreReport);
      const shards = ['1', '2', '3'].map((n) => JSON.parse(readFileSync(folder(`explored/${n}/explore.json`), 'utf8')) as ExploreReport);
      expect(sum!.endedEarly).toBeUndefined();
      expect(planned(sum!)).toEqual(planned(whole!));
      // Whom a server ends in a deadlock may differ from run to run, and with it what comes out.
      expect(found([sum!])).toEqual(found(shards));
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

/** `7 serializable`, for each round of the record. */
function roundsIn(shard: string): readonly string[] {
  const lines = readFileSync(join(shard, 'history.ndjson'), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('{"e":"round"'))
    .map((line) => JSON.parse(line) as { readonly round: number; readonly level: string })
    .map(({ round, level }) => `${round} ${level}`);
}

/** How often each finding was seen. */
function countsOf(reports: readonly ReportJson[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { level, verdict, class: name, fingerprint, count } of reports.flatMap(({ findings }) => findings)) {
    const key = [level, verdict, name, fingerprint].join(' ');
    counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}

/** By level: what is counted, and of how many transactions it was shown to hold. */
function coverageOf(reports: readonly ReportJson[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (key: string, value: unknown): void => {
    if (typeof value === 'number') counts[key] = (counts[key] ?? 0) + value;
    else if (typeof value === 'object' && value !== null) for (const [name, each] of Object.entries(value)) add(`${key} ${name}`, each);
  };
  for (const { targets } of reports)
    for (const levels of Object.values(targets))
      for (const [level, { coverage, shown, anomalies, pairs }] of Object.entries(levels))
        add(level, { coverage, shown, anomalies, met: pairs?.met });
  return counts;
}

/** What the seed decides. */
function planned({ levels, command, lacking }: ExploreReport): object {
  return { command, lacking, levels: levels.map(({ programs, dropped, coverage }) => ({ programs, dropped, coverage })) };
}

/** Counts and families, added up over reports. */
function found(reports: readonly ExploreReport[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (key: string, n: number): void => void (counts[key] = (counts[key] ?? 0) + n);
  for (const { whole, sampled, orders, cut, outcomes, families } of reports.flatMap(({ levels }) => levels)) {
    for (const [key, n] of Object.entries({ whole, sampled, orders, cut, outcomes })) add(key, n);
    for (const { name, oracle, difference, verdict, programs } of families) add([name, oracle, difference, verdict].join(), programs);
  }
  return counts;
}
