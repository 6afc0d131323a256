/**
 * A row that a statement did not return although every version of it satisfies the condition: nobody knows what the server
 * did there, so neither a run nor a check of its record is clean, and both name the statement.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HISTORY_FORMAT, HISTORY_VERSION, HistoryBuilder } from '../../../../../core/history/index.ts';
import type { HistoryEvent } from '../../../../../core/history/index.ts';
import type { Report } from '../../../../../core/verdict/index.ts';
import { detailsText, noteTexts, reportJson } from '../../../../../reports/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import { exitCode } from '../../../../../src/app/commands/run.ts';
import { assessHistory } from '../../../../../src/judge/assess/graph.ts';
import { coverageOf } from '../../../../../src/execute/index.ts';
import { Tally } from '../../../../../src/judge/tally/tally.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../../../history-text.ts';

/** Two transactions that meet on x; t1 looked at the whole table and did not get y, which was there all the time. */
function eventsOf(returned: string): HistoryEvent[] {
  const text = `t1: r ${returned}; r x ,0.0; commit\nt2: r x ,0.0; w x ,0.0,2.1; commit\nt9[5000-6000]: z x ,0.0,2.1 y ,0.0; commit`;
  const rids = rowIdsOf(text);
  const events = eventsFromText(text).map((event) => ('s' in event && event.t === 9 ? { ...event, s: 5000 } : event));
  const close = events.pop()!;
  return [
    { ...roundOf({ level: 'serializable', looks: true, references: [] }), sessions: 2000 },
    { e: 'images', table: 't', rids: [rids.get('x')!, rids.get('y')!], images: [['1'], ['2']] },
    ...events,
    { e: 'versions', table: 't', versions: [rids.get('x')!, '0.0', rids.get('y')!, '0.0', rids.get('x')!, '2.1'] },
    { e: 'predicate', t: 1, n: 1, table: 't', all: true },
    { e: 'evaluated', predicates: 1, versions: 3, skipped: {} },
    close,
  ];
}

function reportOf(events: readonly HistoryEvent[]): Report {
  const builder = new HistoryBuilder(events[0] as Extract<HistoryEvent, { e: 'round' }>);
  for (const event of events) builder.add(event);
  const history = builder.finish();
  const { graph, verdict } = assessHistory(history);
  const tally = new Tally('postgres@18', { level: 'serializable' } as Tally['level']);
  tally.round(coverageOf(history), verdict.levels);
  tally.assessed(3, graph, { seed: '1', schema: { tables: [] }, sessions: [] });
  return {
    tool: 't',
    runId: 'r',
    seed: '1',
    command: 'c',
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 1,
    mode: 'schedule',
    instrument: 'exact',
    levels: [tally.report()],
    findings: [],
    notes: [],
  };
}

function fileOf(events: readonly HistoryEvent[], folder: string): string {
  const file = path.join(folder, 'history.ndjson');
  const header: HistoryEvent = { e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 'test', seed: '1' };
  fs.writeFileSync(file, [header, ...events].map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}

const NAMED =
  /T1's statement 1 \(select\) did not return row \S+ of t, although every version of it that can have been seen satisfies a condition of "SELECT"/;

test('a run that has one is not clean: exit 3, and terminal and JSON show the statement', () => {
  const report = reportOf(eventsOf('x ,0.0'));
  expect(exitCode(report, 'bug', new Set())).toBe(3);
  expect(report.levels[0]!.inconclusive).toMatch(/1 result that no rule explains/);
  expect(detailsText(report)).toMatch(/INCONCLUSIVE: 1 result that no rule explains/);
  expect(detailsText(report)).toMatch(NAMED);
  const json = reportJson(report).targets['postgres@18']!['serializable']!;
  expect(json.unexplained.count).toBe(1);
  expect(json.unexplained.shown[0]).toMatch(NAMED);
});

test('the same run with the row returned is clean, and says that nothing was seen and for whom that is shown', () => {
  const report = reportOf(eventsOf('x ,0.0 y ,0.0'));
  expect(exitCode(report, 'bug', new Set())).toBe(0);
  expect(detailsText(report)).toMatch(/NOTHING SEEN: serializable: nothing seen; shown to hold for all transactions/);
  expect(reportJson(report).targets['postgres@18']!['serializable']).toMatchObject({
    answer: true,
    shown: { transactions: 2, of: 2 },
    standing: 'clean',
  });
});

test('check of the record: exit 3 at every level, with the statement', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-unexplained-'));
  try {
    const file = fileOf(eventsOf('x ,0.0'), folder);
    const checked = await checkFile(file, { format: 'auto', report: 'class', allowCut: false, progress: () => undefined });
    expect(checked.levels.every(({ answer }) => answer === 'unknown')).toBe(true);
    expect(noteTexts(checked.notes).join()).toMatch(NAMED);
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'src/app/cli.ts', 'check', file, '--level', 'read-uncommitted'], {
      encoding: 'utf8',
    });
    expect(run.status).toBe(3);
    expect(run.stdout).toMatch(NAMED);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
