/** Files of a run: whole or not there, and no folder for a run that did not begin. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../core/base/index.ts';
import { openHistoryFile } from '../../../src/execute/history-file.ts';
import { newRunId, writeReports } from '../../../src/app/terminal/out-folder.ts';
import { typed } from '../../../src/process/typed.ts';
import { writeWhole } from '../../../src/process/write-whole.ts';
import { report } from './fixture.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-out-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('reports', () => {
  it('that cannot be written are named, and all others are', () => {
    mkdirSync(join(folder, 'whole'));
    writeReports(join(folder, 'whole'), report());
    const names = readdirSync(join(folder, 'whole'));
    // a folder of that name stands in the way
    mkdirSync(join(folder, 'some', 'report.html'), { recursive: true });
    mkdirSync(join(folder, 'some', 'manifest.json'));
    expect(() => writeReports(join(folder, 'some'), report())).toThrow(UsageError);
    expect(() => writeReports(join(folder, 'some'), report())).toThrow(
      /some: (report\.html, manifest\.json|manifest\.json, report\.html) could not be written \(.*\) and are missing; free space/,
    );
    expect(readdirSync(join(folder, 'some')).toSorted()).toEqual(names.toSorted());
  });

  it('have commands as they are typed here on their pages, and by the name of the program in what programs read', () => {
    const { replay } = report().findings[0]!;
    mkdirSync(join(folder, 'run'));
    writeReports(join(folder, 'run'), report());
    const text = (name: string): string => readFileSync(join(folder, 'run', name), 'utf8');
    expect(replay).toMatch(/^anomalist /);
    expect(typed(replay)).not.toBe(replay);
    expect(text('report.md')).toContain(`\n${typed(replay)}\n`);
    expect(text('report.html')).toContain(`<code>${typed('anomalist replay ')}`);
    expect(text('findings.json')).toContain(JSON.stringify(replay));
  });

  it('replace what a link leads to, and leave what was there and no part where they fail', () => {
    writeFileSync(join(folder, 'kept'), 'before');
    symlinkSync(join(folder, 'kept'), join(folder, 'link'));
    writeWhole(join(folder, 'link'), 'after');
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('after');
    mkdirSync(join(folder, 'taken'));
    expect(() => writeWhole(join(folder, 'taken'), 'never')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(() => writeWhole(join(folder, 'nowhere', 'report'), 'never')).toThrow(/ENOENT/);
    expect(readdirSync(folder).toSorted()).toEqual(['kept', 'link', 'taken']);
  });
});

describe('the folder of a run', () => {
  const HEADER = '{"e":"header"}\n';

  it.each([
    ['nothing', undefined],
    ['a header alone', HEADER],
    ['a part of a header', '{"e"'],
  ])('goes with those made for it where it holds %s', (_, history) => {
    const run = newRunId(join(folder, 'a', 'b'), '1');
    if (history !== undefined) writeFileSync(join(run.path, 'history.ndjson'), history);
    run.discardUnused();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes where the header alone was packed, and stays where a round was', () => {
    const packed = (name: string, text: string): string => {
      const run = newRunId(join(folder, 'packed'), name);
      const file = openHistoryFile(join(run.path, 'history.ndjson.gz'));
      file.write(Buffer.from(text));
      file.finish();
      file.close();
      run.discardUnused();
      return run.id;
    };
    packed('1', HEADER);
    expect(readdirSync(folder)).toEqual([]);
    const ran = packed('2', `${HEADER}{"e":"round"}\n`);
    expect(readdirSync(join(folder, 'packed', ran))).toEqual(['history.ndjson.gz']);
  });

  it('stays where it holds a round or anything else, and so do folders that were there or that others use', () => {
    const out = join(folder, 'out');
    const [ran, other, unused] = [newRunId(out, '1'), newRunId(out, '2'), newRunId(out, '3')];
    writeFileSync(join(ran.path, 'history.ndjson'), `${HEADER}{"e":"round"}\n`);
    writeFileSync(join(other.path, 'mine'), '');
    for (const run of [ran, other, unused]) run.discardUnused();
    expect(readdirSync(out).toSorted()).toEqual([ran.id, other.id].toSorted());
    expect(existsSync(join(ran.path, 'history.ndjson'))).toBe(true);
  });
});
