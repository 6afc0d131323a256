/** A report lists the settings in which the server that was started for the run differs from its vendor's defaults, with the reasons. */
import { expect, it } from 'vitest';
import type { OwnSetting } from '../../../core/dialect/index.ts';
import type { Report } from '../../../core/verdict/index.ts';
import { REPORTERS, bisectText, compareHtml, compareMarkdown, compareText, exploreHtml, exploreText } from '../../../reports/index.ts';
import { matrixHtml, matrixJson, matrixMarkdown, matrixText } from '../../../reports/index.ts';
import type { BisectReport, CompareReport, ExploreReport, MatrixReport } from '../../../reports/index.ts';
import { mergedExplorations } from '../../../src/scale/merge/explored.ts';
import { mergedLevels } from '../../../src/scale/merge/levels.ts';
import { mergedMatrices } from '../../../src/scale/merge/matrices.ts';
import { Tally } from '../../../src/judge/tally/tally.ts';
import { LEVEL, REPORT } from '../explore/fixture.ts';
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
  expect(() => mergedLevels([[own], [others]])).toThrow(
    /fsync is off in one of the folders and the vendor's in another; expected the same settings/,
  );
  const reworded = new Tally('postgres@18', level, { ownSettings: SETTINGS.map((each) => ({ ...each, reason: 'another' })) }).report();
  expect(mergedLevels([[own], [reworded]])[0]!.ownSettings, 'a reason is no setting').toEqual(SETTINGS);
  expect(new Tally('postgres@18', level).report()).not.toHaveProperty('ownSettings');
});

const EXPLORED: ExploreReport = { ...REPORT, target: 'postgres@18', ownSettings: SETTINGS };
const MATRIX: MatrixReport = {
  tool: 'anomalist',
  command: 'anomalist matrix',
  startedAt: '',
  seconds: 1,
  target: 'postgres@18',
  server: 'PostgreSQL 18',
  configuration: {},
  ownSettings: SETTINGS,
  levels: [],
  phenomena: [],
  notes: [],
};
const COMPARED: CompareReport = {
  tool: 'anomalist',
  command: 'anomalist compare',
  startedAt: '',
  seconds: 1,
  seed: '1',
  targets: [
    { name: 'postgres@18', server: 'PostgreSQL 18', configuration: {}, ownSettings: SETTINGS },
    { name: 'a server of somebody', server: 'PostgreSQL 17', configuration: {} },
  ],
  lacking: [],
  levels: [],
};
const BISECTED: BisectReport = {
  ...COMPARED,
  releases: ['postgres@17', 'postgres@18'],
  asked: COMPARED.targets,
  level: { level: 'serializable', programs: 0, orders: 0, notCompared: {}, lines: [], unconfirmed: 0, untried: 0 },
  found: [],
};

const WHOLE = 'deadlock_timeout = 50ms, the vendor has 1s: a round would stand still; it may change which transaction is ended';
const BRIEF = 'fsync = off, the vendor has on';
/** A terminal folds lines and markdown escapes them, so each setting is put into one line. */
const inLines = (text: string): string => text.replaceAll(/\n */g, ' ').replaceAll('\\', '');

it.each([
  ['explore', exploreText(EXPLORED)],
  ['matrix', matrixText(MATRIX)],
  ['matrix, markdown', matrixMarkdown(MATRIX)],
  ['compare', compareText(COMPARED)],
  ['compare, markdown', compareMarkdown(COMPARED)],
  ['bisect', bisectText(BISECTED)],
])('the text of %s has each of them once, and the reason of one that may change an outcome', (_, text) => {
  const lines = inLines(text);
  for (const words of [WHOLE, BRIEF]) expect(lines.split(words), words).toHaveLength(2);
});

it.each([
  ['explore', exploreHtml(EXPLORED, 'report.html')],
  ['matrix', matrixHtml(MATRIX)],
  ['compare', compareHtml(COMPARED)],
])('the page of %s has each of them once, with its reason and what it may change', (_, page) => {
  for (const words of [WHOLE, `${BRIEF}: nothing outlives the run; it changes no outcome`])
    expect(page.split(words), words).toHaveLength(2);
});

it('a matrix as JSON has them as data', () => {
  expect(matrixJson(MATRIX).ownSettings).toEqual(SETTINGS);
});

it('matrices and explorations that are merged have those of their server, and those of servers that were set otherwise are not merged', () => {
  const shards = [1, 2].map((index) => ({ index, of: 2 }));
  const matrices = shards.map((shard) => ({ ...MATRIX, shard }));
  expect(mergedMatrices(matrices).ownSettings).toEqual(SETTINGS);
  const explorations = shards.map((shard) => ({ ...EXPLORED, shard, startedAt: String(shard.index), levels: [LEVEL] }));
  expect(mergedExplorations(explorations).ownSettings).toEqual(SETTINGS);
  const other = { ownSettings: SETTINGS.slice(1) };
  const apart = /postgres@18: fsync is off in one of the folders and the vendor's in another/;
  expect(() => mergedMatrices([matrices[0]!, { ...matrices[1]!, ...other }])).toThrow(apart);
  expect(() => mergedExplorations([explorations[0]!, { ...explorations[1]!, ...other }])).toThrow(apart);
});
