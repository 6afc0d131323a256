/** Which changes a noted lock covers, who is a suspect, and what the report says of both. */
import { expect, test } from 'vitest';
import type { NotedLock } from '../../../core/dialect/index.ts';
import { footprintsText } from '../../../reports/index.ts';
import type { FootprintReport, LookFootprint } from '../../../reports/index.ts';
import { footprintsExit } from '../../../src/app/commands/explore-footprints.ts';
import { alteredTables, deltaOf, isCovered } from '../../../src/explore/footprints/dependencies.ts';
import { suspectsOf } from '../../../src/explore/footprints/suspects.ts';

const lock = (kind: NotedLock['kind'], table = 't'): NotedLock => ({ table, kind, mode: 'S' });

test('rows that go, come or change are told apart, as multisets', () => {
  const before = { t: [['1'], ['1'], ['2']], same: [['7']], gone: [['3']] };
  const after = { t: [['1'], ['2'], ['4']], same: [['7']], gone: [] };
  expect(alteredTables(deltaOf(before, after))).toEqual([
    { table: 't', rows: 'other' },
    { table: 'gone', rows: 'gone' },
  ]);
  expect(alteredTables(deltaOf({ t: [] }, { t: [['1']] }))).toEqual([{ table: 't', rows: 'new' }]);
});

test('a row that comes is covered by a lock on a gap, and one that goes by a lock on a row', () => {
  const altered = (rows: 'gone' | 'new' | 'other') => [{ table: 't', rows }];
  expect(isCovered(altered('new'), [lock('row')])).toBe(false);
  expect(isCovered(altered('new'), [lock('gap')])).toBe(true);
  expect(isCovered(altered('gone'), [lock('gap')])).toBe(false);
  expect(isCovered(altered('gone'), [lock('row')])).toBe(true);
  for (const rows of ['gone', 'new', 'other'] as const) {
    for (const kind of ['table', 'page', 'row and gap'] as const) expect(isCovered(altered(rows), [lock(kind)])).toBe(true);
    expect(isCovered(altered(rows), [])).toBe(false);
    expect(isCovered(altered(rows), [lock('table', 'another')])).toBe(false);
  }
});

test('a change of several tables is covered by a lock in one of them, as it is not known which one mattered', () => {
  const altered = ['t', 'counted'].map((table) => ({ table, rows: 'other' as const }));
  expect(isCovered(altered, [lock('row', 'counted')])).toBe(true);
  expect(isCovered(altered, [lock('row', 'log')])).toBe(false);
});

const covered: LookFootprint = {
  form: 'point',
  fixture: 'one row',
  plan: false,
  item: 'x',
  sql: ['SELECT v FROM one WHERE k = 1'],
  noted: [{ table: 'one', index: 'PRIMARY', kind: 'row', mode: 'S' }],
  dependsOn: [{ change: 'set (x)', sql: ['UPDATE one SET v = 2'], tables: [{ table: 'one', rows: 'other' }], noted: true }],
  suspect: false,
};
const suspect: LookFootprint = {
  ...covered,
  form: 'point, taken back',
  noted: [],
  dependsOn: covered.dependsOn.map((each) => ({ ...each, noted: false })),
  suspect: true,
};
const report = (looks: readonly LookFootprint[]): FootprintReport => ({
  tool: 'anomalist',
  command: 'anomalist explore --footprints --target mysql@9.7',
  startedAt: '2026-11-28T00:00:00.000Z',
  seconds: 1,
  target: 'mysql@9.7',
  server: 'MySQL 9.7.4',
  lacking: [],
  forms: { all: 2, ran: 2 },
  levels: [{ level: 'serializable', reads: 'all', looks, lost: [] }],
});

test('suspects are data, with the changes that nothing was noted down for', () => {
  expect(suspectsOf({ looks: [covered, suspect] })).toEqual([
    { form: 'point, taken back', fixture: 'one row', item: 'x', changes: ['set (x)'] },
  ]);
});

test('the text names a suspect with its SQL, and a suspect is no finding', () => {
  const text = footprintsText(report([covered, suspect]));
  expect(text).toContain('1 suspect of 1 form');
  expect(text).toContain('suspect  point, taken back');
  expect(text).toContain('UPDATE one SET v = 2;');
  expect(text).toMatch(/^point +- +1 +values +index row S$/m);
  expect(text).toMatch(/^point, taken back +- +1 +values +-$/m);
  expect(footprintsText(report([covered]))).toContain('No suspects');
  const some = { ...report([covered]), forms: { all: 4, ran: 1 } };
  expect(footprintsText(some)).toContain('3 of 4 ways to read could not be asked.');
  expect(footprintsText({ ...some, endedEarly: 'interrupted' })).not.toContain('could not be asked');
  expect(footprintsExit(report([covered, suspect]))).toBe(0);
  expect(footprintsExit(report([]))).toBe(3);
});
