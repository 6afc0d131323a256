/** What the page says of the runs below OUT, whatever state they are in. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProgressBegin } from '../../../../../core/verdict/index.ts';
import { REPORTERS } from '../../../../../reports/index.ts';
import { ProgressFile } from '../../../../../src/pipeline/progress-file.ts';
import { OutFolder } from '../../../../../src/app/ui/out-folder.ts';
import { NO_PROGRESS, progressed } from '../../../../../src/app/ui/page/run-progress.ts';
import { ProgressTail } from '../../../../../src/app/ui/progress-tail.ts';
import { runDetails } from '../../../../../src/app/ui/run-details.ts';
import { RunLines } from '../../../../../src/app/ui/run-lines.ts';
import type { ReportJson } from '../../../../../reports/index.ts';
import { LOST_UPDATE, WRITE_SKEW, files, report } from '../../../../unit/reports/fixture.ts';
import { BEGIN, FINDING, GONE, ROUNDS, linesOf, runFolder } from './runs.ts';

let out: string;
let lines: RunLines;

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  lines = new RunLines(new OutFolder(out, true));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const reported = (): string => {
  const written = files();
  for (const reporter of Object.values(REPORTERS)) reporter(report({ findings: [WRITE_SKEW, LOST_UPDATE] }), written.sink);
  return written.text('findings.json');
};

describe('the list of runs', () => {
  it('has one that goes on, as long as its process is there, with what it told so far', () => {
    runFolder(out, '1', { 'progress.ndjson': linesOf([BEGIN(process.pid), ROUNDS(1, 20), FINDING('f1')]) });
    expect(lines.line('1')).toMatchObject({ state: 'running', target: 'postgres@18', transactions: 20, findings: { bug: 1 } });
    appendFileSync(join(out, '1', 'progress.ndjson'), linesOf([ROUNDS(2, 45), FINDING('f2')]));
    expect(lines.line('1')).toMatchObject({ state: 'running', transactions: 45, findings: { bug: 2 } });
  });

  it('says of one whose process is gone, or that could not go on, that it has no report, and why', () => {
    runFolder(out, '1', { 'progress.ndjson': linesOf([BEGIN(GONE), ROUNDS(1, 20)]) });
    runFolder(out, '2', {
      'progress.ndjson': linesOf([BEGIN(process.pid), { event: 'end', seconds: 3, exit: 2, why: 'the disk is full' }]),
    });
    expect(lines.line('1')).toMatchObject({ state: 'lost', why: 'its process ended without a report', transactions: 20 });
    expect(lines.line('2')).toMatchObject({ state: 'lost', why: 'the disk is full' });
  });

  it('does not take another process of the same number for it', () => {
    for (const id of ['1', '2']) runFolder(out, id, {});
    const path = join(out, '1', 'progress.ndjson');
    const file = new ProgressFile(path, { tool: 'x', target: 'postgres@18', seed: '1', command: 'run' });
    expect(lines.line('1')).toMatchObject({ state: 'running' });
    const [begin] = new ProgressTail(path).read() as readonly [ProgressBegin];
    runFolder(out, '2', { 'progress.ndjson': linesOf([{ ...begin, processStart: `not ${begin.processStart}` }]) });
    expect(lines.line('2')).toMatchObject({ state: 'lost', why: 'its process ended without a report' });
    file.end(0);
  });

  it('has a finished one by its report, also where an older version wrote it, and reads it again when it changes', () => {
    runFolder(out, '1', { 'progress.ndjson': linesOf([BEGIN(process.pid)]), 'findings.json': reported() });
    runFolder(out, '2', { 'findings.json': reported() });
    for (const id of ['1', '2'])
      expect(lines.line(id)).toMatchObject({ state: 'finished', kind: 'bug', findings: { bug: 1, undocumented: 0, documented: 1 } });
    const other = { ...(JSON.parse(reported()) as ReportJson), findings: [] };
    writeFileSync(join(out, '1', 'findings.json'), JSON.stringify(other));
    expect(lines.line('1')).toMatchObject({ findings: { bug: 0, documented: 0 } });
  });

  it('leaves out what is no run, and a file that is being written or is none of ours', () => {
    runFolder(out, '3', { 'progress.ndjson': '' });
    runFolder(out, '4', { 'findings.json': '{"targets":{' });
    runFolder(out, '5', { 'findings.json': '{"what":1}' });
    runFolder(out, '6', { 'notes.txt': 'x' });
    writeFileSync(join(out, 'file'), '');
    expect(lines.list()).toEqual([]);
  });

  it('has the latest first, and knows the run of a process that it started, not an older one of the same number', () => {
    const [before, after] = [new Date('2026-11-24T10:00:00Z'), new Date('2026-11-24T11:00:00Z')];
    runFolder(out, '20261124-100000-s1', { 'progress.ndjson': linesOf([BEGIN(process.pid, before)]) });
    expect(lines.idOf(process.pid, after)).toBeUndefined();
    runFolder(out, '20261124-110000-s1', { 'progress.ndjson': linesOf([BEGIN(process.pid, after)]) });
    expect(lines.idOf(process.pid, after)).toBe('20261124-110000-s1');
    expect(lines.list().map(({ id }) => id)).toEqual(['20261124-110000-s1', '20261124-100000-s1']);
    lines.startedHere = () => '20261124-110000-s1';
    expect(lines.list().map(({ startedHere }) => startedHere)).toEqual([true, undefined]);
  });
});

describe('the progress of a run', () => {
  it('is read as it was written, piece by piece, a line that is not whole with the next look', () => {
    const path = join(out, 'progress.ndjson');
    const text = linesOf([BEGIN(1), ROUNDS(1, 5), FINDING('ä'), { event: 'end', seconds: 2, exit: 0 }]);
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 7) {
      writeFileSync(path, bytes.subarray(0, cut));
      const tail = new ProgressTail(path);
      const first = tail.read();
      writeFileSync(path, bytes);
      expect(linesOf([...first, ...tail.read()])).toBe(text);
      expect(tail.read()).toEqual([]);
    }
    expect(new ProgressTail(join(out, 'no')).read()).toEqual([]);
  });

  it('is written by a run: what was asked first, what was seen whole, and nothing behind its end', () => {
    const path = join(out, 'progress.ndjson');
    const file = new ProgressFile(path, { tool: 'x', target: 'postgres@18', seed: '1', command: 'run' });
    for (let i = 0; i < 1_000; i++) file.words(() => [`${i}`]);
    file.note('a note');
    file.end(3, 'why');
    file.note('too late');
    const events = new ProgressTail(path).read();
    expect(events.map(({ event }) => event)).toEqual(['begin', 'words', 'note', 'end']);
    expect(progressed(NO_PROGRESS, events)).toMatchObject({
      begin: { pid: process.pid, target: 'postgres@18' },
      words: ['0'],
      notes: ['a note'],
      end: { exit: 3, why: 'why' },
    });
  });

  it('that cannot be written costs the run nothing', () => {
    const file = new ProgressFile(join(out, 'no', 'progress.ndjson'), { tool: 'x', target: 'x', seed: '1', command: 'run' });
    file.note('a note');
    file.end(0);
  });

  it('adds up to the same in one piece as in many, and keeps a bounded curve', () => {
    const events = [BEGIN(1), ...Array.from({ length: 5_000 }, (_, i) => ROUNDS(i + 1, 10 * (i + 1)))];
    const whole = progressed(NO_PROGRESS, events);
    const pieces = events.reduce((state, event) => progressed(state, [event]), NO_PROGRESS);
    expect(pieces.levels).toEqual(whole.levels);
    expect(pieces.seconds).toBe(5_000);
    for (const { curve } of [whole, pieces]) {
      expect(curve.length).toBeLessThanOrEqual(400);
      expect(curve.at(-1)).toEqual([5_000, 50_000]);
      expect(curve[0]).toEqual([1, 10]);
    }
  });
});

describe('what a run found', () => {
  it('stands under families, with the statements of those that have a file', () => {
    const details = runDetails('1', JSON.parse(reported()) as ReportJson, ['report.html'], (n) => `the SQL of ${n}`);
    expect(details.kind).toBe('bug');
    const found = details.families.flatMap(({ findings }) => findings);
    expect(found.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([1, 2]);
    for (const { n, whole, sql, transactions } of found) {
      expect([whole, sql]).toEqual([true, `the SQL of ${n}`]);
      expect(transactions.length).toBeGreaterThan(1);
    }
  });
});
