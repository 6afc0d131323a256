/**
 * `compare` by the command line on live servers: a server and itself differ nowhere; one that locks whole pages beside one
 * that locks rows differs, with a reproduction of what each does.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompareReport } from '../../reports/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** It comes with our installation. */
const OWN = 'postgres@18';
/** Of one skeleton, small ones. */
const FEW = ['--level', 'serializable', '--only', 'write behind a read', '--only', 'point', '--only', 'by index', '--seed', '1'];

describeEachServer(
  'compare',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    it('of a server and itself says what it rests on, and that nothing differs', async () => {
      const { url } = suite.server;
      const out = join(suite.folder, 'compared');
      const { code, stdout, stderr } = await cli(['compare', '--url', url, '--url', url, '--programs', '8', '--orders', '6', '--out', out]);
      expect(code, `${stdout}${stderr}`).toBe(0);
      expect(stdout).toMatch(/serializable: nothing differs in \d+ programs, \d+ orders on each of 2 servers/);
      expect(readdirSync(out).toSorted()).toEqual(['compare.html', 'compare.json', 'compare.md']);
      const report = JSON.parse(readFileSync(join(out, 'compare.json'), 'utf8')) as CompareReport;
      expect(report.levels.map(({ lines }) => lines)).toEqual([[]]);
      expect(report.levels[0]!.orders).toBeGreaterThan(20);
    });
  },
  { once: true },
);

describe('compare', () => {
  it('of two settings tells what differs each time, as text, as a page and as JSON', async () => {
    const wide = `${OWN},max_pred_locks_per_relation=1,max_pred_locks_per_page=0`;
    const words = ['compare', '--target', OWN, '--target', wide, ...FEW, '--programs', '12', '--orders', '20'];
    const { code, stdout, stderr } = await cli([...words, '--json']);
    expect(code, `${stdout}${stderr}`).toBe(1);
    const { targets, levels } = JSON.parse(stdout) as CompareReport;
    expect(targets.map(({ name }) => name)).toEqual([OWN, wide]);
    for (const { ownSettings = [] } of targets) expect(ownSettings.map(({ name }) => name)).toContain('deadlock_timeout');
    const lines = levels.flatMap(({ lines: of }) => of);
    expect(lines.length).toBeGreaterThan(0);
    for (const { variants, varies } of lines) {
      expect(varies).toEqual([]);
      expect(variants.map(({ targets: of }) => of)).toEqual([[0], [1]]);
      expect(variants.map(({ example }) => [example.times, example.of])).toEqual([
        [5, 5],
        [5, 5],
      ]);
      expect(variants.every(({ example }) => example.lines.length > 3 && example.setup.length > 1)).toBe(true);
    }
  });
});
