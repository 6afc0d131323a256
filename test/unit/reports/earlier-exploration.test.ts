/** `explore --out` in a folder that was used before: what it removes, and which folders it refuses. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../core/base/index.ts';
import type { ExploreFamily } from '../../../core/verdict/index.ts';
import { earlierFindingFiles, removeEarlier } from '../../../src/app/terminal/earlier-exploration.ts';
import { LEVEL, REPORT } from '../explore/fixture.ts';

const FAMILY: ExploreFamily = {
  name: 'write skew, point',
  oracle: 'serial orders',
  difference: 'none',
  oneOf: [],
  verdict: 'bug',
  says: '',
  source: '',
  programs: 1,
  forms: {},
  example: {
    program: 1,
    made: {},
    setup: [],
    sessions: [],
    begin: { level: 'serializable', sql: 'BEGIN' },
    start: [],
    lines: [],
    left: [],
    breaks: [],
    transactions: [],
    answers: [],
    times: 5,
    of: 5,
    command: 'anomalist explore --program 1',
  },
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-earlier-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(...names: readonly string[]): void {
  for (const name of names) writeFileSync(join(folder, name), '');
}

/** The folder of an exploration with so many findings. */
function explored(findings: number): void {
  const families = Array.from({ length: findings }, (_, i) => ({ ...FAMILY, name: `${FAMILY.name} ${i + 1}` }));
  writeFileSync(join(folder, 'explore.json'), JSON.stringify({ ...REPORT, levels: [{ ...LEVEL, families }] }));
  write('explore.html', ...families.map((_, i) => `finding-${i + 1}.json`));
}

describe('the folder of an earlier exploration', () => {
  it('loses the finding files that its report names, and nothing else', () => {
    explored(3);
    write('notes.txt', 'finding-2.mine.sql', 'finding-2.json.bak', 'my-finding-1.json');
    const earlier = earlierFindingFiles(folder);
    expect(earlier.toSorted()).toEqual(['finding-1.json', 'finding-2.json', 'finding-3.json']);
    removeEarlier(folder, earlier.slice(1));
    expect(readdirSync(folder).toSorted()).toEqual([
      'explore.html',
      'explore.json',
      'finding-1.json',
      'finding-2.json.bak',
      'finding-2.mine.sql',
      'my-finding-1.json',
      'notes.txt',
    ]);
  });

  it('is refused with a finding file that its report does not name', () => {
    explored(1);
    write('finding-2.json', 'finding-2.repro.spec');
    expect(() => earlierFindingFiles(folder)).toThrow(UsageError);
    expect(() => earlierFindingFiles(folder)).toThrow(/holds finding-2\.json and finding-2\.repro\.spec, .* move these files away/);
  });

  it.each([
    ['no report', undefined],
    ['a report that is cut', '{"levels": [{"fam'],
    ['a report of another kind', '{"levels": 3}'],
  ])('is refused with finding files beside %s', (_, text) => {
    write('finding-1.json');
    if (text !== undefined) writeFileSync(join(folder, 'explore.json'), text);
    expect(() => earlierFindingFiles(folder)).toThrow(/holds finding-1\.json, .* move this file away or choose another --out/);
    expect(readdirSync(folder)).toContain('finding-1.json');
  });

  it('is refused if a run wrote it', () => {
    explored(1);
    write('run.json');
    expect(() => earlierFindingFiles(folder)).toThrow(/holds the report of a run \(run\.json\).* choose another --out/);
  });

  it('may be new, empty, or hold only files of others', () => {
    expect(earlierFindingFiles(join(folder, 'new'))).toEqual([]);
    expect(earlierFindingFiles(folder)).toEqual([]);
    write('notes.txt');
    expect(earlierFindingFiles(folder)).toEqual([]);
    expect(() => earlierFindingFiles(join(folder, 'notes.txt'))).toThrow(/notes\.txt: the folder cannot be read/);
  });
});
