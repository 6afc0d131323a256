/** The files of what an exploration finds: written beside its report, and replayed from there. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { suiteServer } from './suite-server.ts';

describeEachServer(
  'the files of an exploration',
  ({ start }) => {
    const suite = suiteServer(start);

    it('show its worst finding again', async () => {
      const out = join(suite.folder, 'explored');
      const url = ['--url', suite.server.url];
      const only = ['--only', 'write skew', '--only', 'two rows', '--only', 'point', '--only', 'set'];
      const explored = await cli(['explore', ...url, '--level', 'read-committed', '--seed', '7', '--programs', '6', ...only, '--out', out]);
      expect(explored.code, explored.stderr).toBe(0);
      const file = join(out, 'finding-1.json');
      const { kind, fingerprint, level } = JSON.parse(readFileSync(file, 'utf8')) as Record<'kind' | 'fingerprint' | 'level', string>;
      expect([kind, level]).toEqual(['outcome difference', 'read-committed']);
      expect(fingerprint).toMatch(/^explored\|serial orders\|/);
      for (const end of ['tracker.md', 'repro.sql', 'repro.mjs']) expect(readFileSync(join(out, `finding-1.${end}`), 'utf8')).not.toBe('');

      const replayed = await cli(['replay', file, ...url, '--level', 'read-committed', '--times', '3', '--fail-on', 'any']);
      expect(replayed.stdout, replayed.stderr).toMatch(/occurs 3\/3/);
      expect(replayed.code).toBe(1);
    });

    it('replace those of an earlier exploration in the same folder, and leave what others put there', async () => {
      const out = join(suite.folder, 'used');
      const explore = (level: string, ...more: readonly string[]): Promise<Awaited<ReturnType<typeof cli>>> =>
        cli(['explore', '--url', suite.server.url, '--level', level, '--seed', '7', '--programs', '6', ...more, '--out', out]);
      const only = ['--only', 'write skew', '--only', 'two rows', '--only', 'point', '--only', 'set'];
      expect((await explore('read-committed', ...only)).code).toBe(0);
      expect(readdirSync(out)).toContain('finding-1.repro.sql');
      writeFileSync(join(out, 'finding-1.notes.txt'), 'mine');
      const second = await explore('read-committed', ...only, '--orders', 'serial');
      expect(second.code, second.stderr).not.toBe(2);
      expect(readdirSync(out).toSorted()).toEqual(['explore.html', 'explore.json', 'finding-1.notes.txt']);

      writeFileSync(join(out, 'finding-1.json'), '{}');
      const refused = await explore('read-committed', ...only);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/holds finding-1\.json/) as string]);
      expect(readFileSync(join(out, 'finding-1.json'), 'utf8')).toBe('{}');
    });
  },
  { fits: ({ ranLive }) => ranLive, once: true },
);
