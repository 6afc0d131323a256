/** The files of what an exploration finds: written beside its report, and replayed from there. */
import { readFileSync } from 'node:fs';
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
  },
  { fits: ({ ranLive }) => ranLive, once: true },
);
