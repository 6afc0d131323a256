/**
 * `run --instrument none` on real servers: statements as they are, outcomes held against the serial orders. What a weaker level
 * gives is found, confirmed, made smaller and shown again by its command; a server that lies about its level is a bug; nothing
 * is left on the server, and what was not judged is counted. 7 s on PostgreSQL, 17 to 19 on MySQL and MariaDB.
 */
import type { ExploreExample } from '../../core/verdict/index.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { judgedPrograms } from '../../reports/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { startLyingProxy } from './lying-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** Which of them shows something first hangs on what is drawn, and in stress on a race. */
const SEEDS = raceSeeds(5, 3, 4, 6);

/** Without ends, each once. */
function statementsOf(lines: ExploreExample['lines']): number {
  return lines.filter(({ sql, state }) => state !== 'waits' && !/^(COMMIT|ROLLBACK)$/.test(sql)).length;
}

describeEachServer(
  'run --instrument none',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    async function run(...words: readonly string[]): Promise<{ readonly code: number | null; readonly level: ExploreLevel }> {
      const before = new Set(readdirSync(suite.folder));
      const { code, stderr } = await cli(['run', '--instrument', 'none', '--out', suite.folder, '--fail-on', 'any', ...words]);
      const folder = readdirSync(suite.folder).find((name) => !before.has(name));
      expect(folder, stderr).toBeDefined();
      const report = JSON.parse(readFileSync(join(suite.folder, folder!, 'outcomes.json'), 'utf8')) as ExploreReport;
      expect(report.endedEarly).toBeUndefined();
      expect(readFileSync(join(suite.folder, folder!, 'report.html'), 'utf8')).toContain('href="outcomes.html"');
      return { code, level: report.levels[0]! };
    }

    async function ours(): Promise<readonly string[]> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        const { rows } = await connection.query('SELECT schema_name FROM information_schema.schemata');
        return rows.map(([name]) => name ?? '').filter((name) => name.startsWith('anomalist_'));
      } finally {
        await connection.end();
      }
    }

    it.each([
      ['schedule', 40],
      ['stress', 0],
    ] as const)(
      'by %s finds what READ COMMITTED allows, in a program made smaller that its command shows again',
      async (mode, reduceSeconds) => {
        const words = ['--url', suite.server.url, '--mode', mode, '--level', 'read-committed', '--reduce-seconds', String(reduceSeconds)];
        for (const seed of SEEDS) {
          const { code, level } = await run(...words, '--seed', seed, '--cases', '2');
          const { rounds, programs, orders, unjudged = {} } = level;
          expect([rounds, orders > programs]).toEqual([2, true]);
          expect(judgedPrograms({ programs, unjudged })).toBeGreaterThan(programs / 2);
          const [family] = level.families;
          if (family === undefined) continue;
          expect([code, family.verdict]).toEqual([1, 'documented']);
          const { lines, command, answers, times } = family.example;
          const smaller = level.families.filter(
            ({ example }) => statementsOf(example.lines) < example.made['forms']!.split(/, | \| /).length,
          );
          expect(times).toBeGreaterThan(0);
          expect(answers.length).toBeGreaterThan(0);
          expect(smaller.length > 0).toBe(reduceSeconds > 0);
          expect(new Set(lines.map(({ session }) => session)).size).toBeGreaterThan(1);
          expect(command).toMatch(/ --instrument none .*--level read-committed --round \d+ --cases 1$/);
          expect(await ours()).toEqual([]);
          return;
        }
        throw new Error('no seed showed anything');
      },
    );

    it('calls it a bug where the server promises more than it keeps', async () => {
      const proxy = await startLyingProxy(suite.server.url);
      try {
        for (const seed of SEEDS) {
          const words = ['--url', proxy.url, '--mode', 'schedule', '--level', 'serializable', '--reduce-seconds', '0'];
          const { code, level } = await run(...words, '--seed', seed, '--cases', '2');
          if (!level.families.some(({ verdict }) => verdict === 'bug')) continue;
          expect(code).toBe(1);
          return;
        }
        throw new Error('no seed showed anything');
      } finally {
        await proxy.close();
      }
    });

    it('says of more than four transactions that they are not judged', async () => {
      const { level } = await run('--url', suite.server.url, '--level', 'serializable', '--sessions', '6', '--cases', '1', '--seed', '1');
      expect(level.orders).toBeGreaterThan(0);
      expect(level.unjudged!['more than 4 transactions ran together']).toBeGreaterThan(0);
      expect(judgedPrograms(level)).toBeLessThan(level.programs);
    });
  },
  { protocol: true },
);
