/** The record of a real run, cut at every 1,000th byte: what is before the cut is read, and `check` takes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { postgres } from '../../dialects/index.ts';
import { checkFile } from '../../src/judge/assess/file.ts';
import { cli } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { eventsOf, historyOf } from './history-events.ts';
import { sharedServer } from './suite-server.ts';

/** Cuts that are checked too: the first, the last, and some between. */
const CHECKED = 12;

describeEachProtocol('a history that was cut', ({ dialect, start, target }) => {
  const suite = sharedServer({ target, dialect, start });

  it('is read up to the cut: transactions that it names and does not hold are unknown', async ({ skip }) => {
    skip(dialect !== postgres, 'the file is the same whatever the server');
    const out = join(suite.folder, 'out');
    const ran = await cli([
      'run',
      '--url',
      suite.server.url,
      '--level',
      'read-committed',
      '--sessions',
      '3',
      '--cases',
      '1',
      '--seed',
      '7',
      '--reduce-seconds',
      '0',
      '--out',
      out,
    ]);
    expect([0, 3], ran.stderr).toContain(ran.code);
    const bytes = readFileSync(historyOf(out));
    const whole = eventsOf(historyOf(out)).map((event) => JSON.stringify(event));
    expect(JSON.parse(whole.at(-1)!)).toMatchObject({ e: 'close', complete: true });
    const file = join(suite.folder, 'cut.ndjson.gz');
    const cuts = Array.from({ length: Math.floor((bytes.length - 1) / 1000) }, (_, i) => 1000 * (i + 1));
    const step = Math.ceil(cuts.length / CHECKED);
    let before = 0;
    let unknown = 0;
    for (const [i, at] of cuts.entries()) {
      writeFileSync(file, bytes.subarray(0, at));
      const events = eventsOf(file);
      expect(
        events.every((event, e) => JSON.stringify(event) === whole[e]),
        `cut at byte ${at}`,
      ).toBe(true);
      expect(events.length).toBeGreaterThanOrEqual(Math.max(before, 1));
      before = events.length;
      if (i % step !== 0 && i !== cuts.length - 1) continue;
      const { levels, notes } = await checkFile(file, {
        format: 'auto',
        levels: ['read-committed'],
        report: 'class',
        allowCut: true,
        progress: () => undefined,
      });
      // PostgreSQL keeps its READ COMMITTED: a write that the cut took must not look like one that nobody made.
      expect(
        levels.filter(({ answer }) => answer === false),
        `cut at byte ${at}`,
      ).toEqual([]);
      if (notes.some(({ code }) => code === 'record-cut')) unknown++;
    }
    expect(unknown).toBeGreaterThan(CHECKED / 2);
    expect(before).toBeGreaterThan(0.9 * whole.length);
    console.log(`${cuts.length} cuts of ${bytes.length} bytes, ${whole.length} events`);
  });
});
