/** What one statement returned, and who else was there, must not make a finding's file large: a run leaves dozens of them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judge } from '../../../../../check/index.ts';
import { HistoryBuilder } from '../../../../../core/history/index.ts';
import type { Statement } from '../../../../../core/sql/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import type { History } from '../../../../../core/history/index.ts';
import type { AnomalyFinding, Report } from '../../../../../core/verdict/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { resultText } from '../../../../../reports/index.ts';
import { assessHistory } from '../../../../../src/judge/assess/graph.ts';
import { Findings } from '../../../../../src/judge/findings/findings.ts';
import { keptResult } from '../../../../../src/judge/findings/reported.ts';
import { verifyFinding } from '../../../../../src/judge/findings/verify/verify-finding.ts';
import { readReplayFiles } from '../../../../../src/replay/index.ts';
import { writeReports } from '../../../../../src/app/terminal/out-folder.ts';
import { eventsFromText, roundOf } from '../../../history-text.ts';
import { wholePage } from '../../../unpacked-page.ts';

const ROWS = 5_000;
const BESIDE = 60;
const MOST_BYTES = 60_000;

/** A write skew whose first read returns thousands of rows, and reads as many, while many others run. */
function largeHistory(): History {
  const others = Array.from({ length: ROWS }, (_, n) => `o${n} ,0.0`).join(' ');
  const beside = Array.from({ length: BESIDE }, (_, n) => `t${n + 3}: r q${n} ,0.0; commit`);
  const builder = new HistoryBuilder(roundOf({}));
  const events = eventsFromText(
    [`t1: r x ,0.0 ${others}; w y ,0.0,1.1; commit`, 't2: r y ,0.0; w x ,0.0,2.1; commit', ...beside].join('\n'),
  );
  const first = events.findIndex((event) => event.e === 'ok' && event.t === 1 && (event.r?.length ?? 0) > ROWS);
  events[first] = {
    ...events[first]!,
    result: Array.from({ length: ROWS }, (_, n) => [String(n), 'a value of some length']),
  } as (typeof events)[number];
  for (const event of events) builder.add(event);
  return builder.finish();
}

/** Plans as a generator makes them: long trees, much alike. */
function largeCase(): TestCase {
  const query: Statement = {
    kind: 'select',
    items: Array.from({ length: 40 }, (_, n) => ({ expression: { kind: 'column', table: 't', column: `c${n}` }, alias: `c${n}` })),
    from: { kind: 'table', table: 't', alias: 't' },
  };
  return {
    seed: 's',
    schema: { tables: [] },
    sessions: Array.from({ length: BESIDE + 2 }, (_, n) => ({
      transactions: [{ id: n + 1, statements: [query, query], end: 'commit' as const, autocommit: false }],
    })),
  };
}

let folder: string;
let finding: AnomalyFinding;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  const { graph, verdict } = assessHistory(largeHistory());
  const findings = new Findings();
  for (const anomaly of verdict.anomalies) {
    findings.add(graph.history, anomaly, judge(anomaly, 'read-committed', {}, postgres.promises, postgres), {
      target: 'postgres',
      level: 'read-committed',
      round: 0,
      setup: [],
      vendor: postgres.vendor,
      replay: '',
      testCase: largeCase(),
    });
  }
  finding = findings.list()[0]!;
  const report: Report = {
    tool: 'anomalist',
    runId: 'r',
    seed: 's',
    command: 'anomalist run',
    startedAt: '',
    seconds: 1,
    mode: 'stress',
    instrument: 'exact',
    levels: [],
    findings: [finding],
    notes: [],
  };
  writeReports(folder, report);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('of a statement that returned and read thousands of rows it has the first, and says how many there were', () => {
  const read = finding.statements.find(({ kind, txn }) => kind === 'select' && txn === 1)!;
  expect(read.result!.length).toBeGreaterThan(0);
  expect(read.result!.length + read.resultLeftOut!).toBe(ROWS);
  expect(read.versions.length + read.versionsLeftOut!).toBe(ROWS + 1);
  // What the anomaly rests on is there.
  const about = new Set(finding.anomaly.cycle.map(({ row }) => row));
  expect(read.versions.filter(({ rid }) => about.has(rid)).length).toBeGreaterThan(0);
  expect(JSON.stringify(finding.overlapping).length).toBeGreaterThan(4 * MOST_BYTES);
});

test('each of its files is small, and says what is left out', () => {
  for (const name of ['finding-1.json', 'report.html', 'report.md', 'findings.json'])
    expect([name, readFileSync(join(folder, name)).length < MOST_BYTES]).toEqual([name, true]);
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toMatch(/ and 4,9\d\d more rows \|/);
  expect(wholePage(readFileSync(join(folder, 'report.html'), 'utf8'))).toMatch(/… 4,99\d more rows/);
  expect(readFileSync(join(folder, 'finding-1.json'), 'utf8')).toMatch(/"resultLeftOut":49\d\d,/);
});

test('of a folder with every report the findings are replayed, and no other file is taken for one', () => {
  expect(readReplayFiles(folder).files.map(({ path, kind }) => [basename(path), kind])).toEqual([['finding-1.json', 'finding']]);
});

test('it is verified from its file, and replayed with the very cases', () => {
  const file = JSON.parse(readFileSync(join(folder, 'finding-1.json'), 'utf8')) as AnomalyFinding;
  expect(verifyFinding(file.anomaly, file.statements, file.certificate!)).toMatchObject({ holds: true });
  const [read] = readReplayFiles(join(folder, 'finding-1.json')).files;
  const { observed, overlapping, otherOrders } = (read as { finding: AnomalyFinding }).finding;
  expect(observed!.sessions.length).toBe(2);
  expect(overlapping!.sessions.length).toBe(BESIDE + 2);
  expect({ observed, overlapping, otherOrders }).toEqual(
    JSON.parse(JSON.stringify({ observed: finding.observed, overlapping: finding.overlapping, otherOrders: finding.otherOrders })),
  );
});

test('cases that cannot be unpacked are refused, with what was expected', () => {
  const path = join(folder, 'finding-2.json');
  const file = JSON.parse(readFileSync(join(folder, 'finding-1.json'), 'utf8')) as { cases: string };
  writeFileSync(path, JSON.stringify({ ...file, cases: file.cases.slice(0, 100) }));
  expect(() => readReplayFiles(path)).toThrow(
    /finding-2\.json: the cases of the finding cannot be unpacked \(.+\); expected a finding-<n>\.json/,
  );
});

test('a result is cut by rows and by length, one value longer than all room included', () => {
  const rows = (n: number): string[][] => Array.from({ length: n }, () => ['12345']);
  expect(keptResult(null, { rows: 2, characters: 100 })).toEqual({ result: null });
  expect(keptResult(rows(2), { rows: 2, characters: 10 })).toEqual({ result: rows(2) });
  expect(keptResult(rows(5), { rows: 2, characters: 100 })).toEqual({ result: rows(2), resultLeftOut: 3 });
  expect(keptResult(rows(5), { rows: 9, characters: 12 })).toEqual({ result: rows(2), resultLeftOut: 3 });
  expect(keptResult(rows(1), { rows: 9, characters: 4 })).toEqual({ result: [], resultLeftOut: 1 });
  expect([
    resultText({ result: [] }),
    resultText({ result: [], resultLeftOut: 1 }),
    resultText({ result: [['1', null]], resultLeftOut: 2 }),
  ]).toEqual(['no row', '1 row', '(1, NULL) and 2 more rows']);
});
