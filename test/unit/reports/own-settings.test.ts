/** A report lists the settings in which the server that was started for the run differs from its vendor's defaults, with the reasons. */
import { expect, it } from 'vitest';
import type { OwnSetting, Report } from '../../../core/index.ts';
import { REPORTERS } from '../../../reports/index.ts';
import { mergedLevels } from '../../../src/merge/levels.ts';
import { Tally } from '../../../src/tally/tally.ts';
import { files, report } from './fixture.ts';

const SETTINGS: readonly OwnSetting[] = [
  { name: 'fsync', value: 'off', vendor: 'on', reason: 'nothing outlives the run' },
  { name: 'deadlock_timeout', value: '50ms', vendor: '1s', reason: 'a round would stand still', outcome: 'which transaction is ended' },
];

function written(settings?: readonly OwnSetting[]): (name: string) => string {
  const plain = report();
  const levels = plain.levels.map((level) => ({ ...level, ...(settings && { ownSettings: settings }) }));
  const given: Report = { ...plain, levels };
  const { sink, text } = files();
  for (const reporter of Object.values(REPORTERS)) reporter(given, sink);
  return text;
}

it('report.html has each of them with its reason and what it may change', () => {
  const page = written(SETTINGS)('report.html');
  expect(page).toContain('fsync = off, the vendor has on: nothing outlives the run; it changes no outcome');
  expect(page).toContain('deadlock_timeout = 50ms, the vendor has 1s: a round would stand still; it may change which transaction is ended');
});

it('report.md has each of them, and the reason of one that may change an outcome', () => {
  const page = written(SETTINGS)('report.md');
  expect(page).toContain('fsync = off, the vendor has on<br>deadlock\\_timeout = 50ms, the vendor has 1s: a round would stand still;');
});

it('findings.json and manifest.json have them as data', () => {
  const text = written(SETTINGS);
  const { levels } = JSON.parse(text('manifest.json')) as { readonly levels: readonly { readonly ownSettings: unknown }[] };
  expect(levels.map(({ ownSettings }) => ownSettings)).toEqual(report().levels.map(() => SETTINGS));
  expect(text('findings.json').match(/"ownSettings"/g)).toHaveLength(report().levels.length);
});

it('a server of the user’s own has none of ours', () => {
  const text = written();
  for (const name of ['report.html', 'report.md', 'manifest.json', 'findings.json'])
    expect(text(name)).not.toMatch(/the vendor has|not the vendor’s|ownSettings/);
});

it('a level’s report has those of its server, alone and merged', () => {
  const level = { level: 'serializable' } as Tally['level'];
  const own = new Tally('postgres@18', level, { ownSettings: SETTINGS }).report();
  expect(own.ownSettings).toEqual(SETTINGS);
  expect(mergedLevels([[own], [own]])[0]!.ownSettings).toEqual(SETTINGS);
  const others = new Tally('postgres@18', level, { ownSettings: SETTINGS.slice(1) }).report();
  expect(() => mergedLevels([[own], [others]])).toThrow(/fsync.*is the vendor's in one of the folders and ours in another/);
  expect(new Tally('postgres@18', level).report()).not.toHaveProperty('ownSettings');
});
