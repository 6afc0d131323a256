// The matrix as text, markdown, HTML and JSON: one report, hostile names included.
import { describe, expect, it } from 'vitest';
import { matrixHtml, matrixJson, matrixMarkdown, matrixText } from '../../../reports/index.ts';
import type { MatrixCell, MatrixReport } from '../../../reports/index.ts';
import { matrixExit } from '../../../src/app/commands/matrix.ts';

const HOSTILE = '<script>alert(1)</script>`|\u001b[31m\u202e';

function cell(overrides: Partial<MatrixCell> = {}): MatrixCell {
  return {
    level: 'read-committed',
    observed: 'blocking',
    why: 'session 2 waited for session 1',
    promised: 'documented',
    says: 'they say so',
    source: 'a document',
    date: '2026-01-01',
    version: '1',
    verdict: 'agrees',
    found: [],
    others: [],
    outcomes: [
      { txn: 1, session: 1, outcome: 'committed' },
      { txn: 2, session: 2, outcome: 'aborted' },
    ],
    transcript: [
      {
        session: 1,
        txn: 1,
        sql: `UPDATE ${HOSTILE}`,
        state: 'done',
        waitsFor: [],
        rows: 1,
        result: null,
        error: null,
        level: null,
        rolledBack: false,
      },
      {
        session: 2,
        txn: 2,
        sql: 'SELECT 1',
        state: 'waits',
        waitsFor: [1],
        rows: null,
        result: null,
        error: null,
        level: null,
        rolledBack: false,
      },
      {
        session: 2,
        txn: 2,
        sql: 'SELECT 1',
        state: 'replies',
        waitsFor: [1],
        rows: 1,
        result: [['1', null]],
        error: null,
        level: null,
        rolledBack: false,
      },
    ],
    ...overrides,
  };
}

function report(...cells: readonly MatrixCell[]): MatrixReport {
  return {
    tool: 'anomalist 0',
    command: `anomalist matrix --url ${HOSTILE}`,
    startedAt: '2026-01-01T00:00:00.000Z',
    seconds: 1,
    target: HOSTILE,
    server: `Server ${HOSTILE}`,
    configuration: { setting: HOSTILE },
    levels: cells.map(({ level }) => ({ level, inForce: ['x'] })),
    phenomena: [
      {
        phenomenon: 'P4',
        title: 'lost update',
        schedules: [
          { name: 'P4', variant: 'plain reads', title: HOSTILE, source: 'somebody', start: [HOSTILE], cells },
          { name: 'P4, again', variant: 'mixed', title: 'the same', source: 'somebody', start: [], cells },
        ],
      },
    ],
    notes: [{ code: 'schedule-cut', level: 'serializable', data: { schedule: HOSTILE, reason: HOSTILE } }],
  };
}

const GONE = 'the server failed in cell 2 of 2: connection refused';
const BUG = cell({
  observed: 'occurs',
  promised: 'must not occur',
  verdict: 'contradicts',
  why: 'a cycle',
  found: [{ class: 'G-single-item', shapes: ['lost update'], explanation: `T1 ${HOSTILE}`, edges: ['one edge'], verdict: 'bug' }],
});
const OPEN = cell({ observed: 'unknown', promised: 'must not occur', verdict: 'open', why: 'nobody knows' });

describe('the matrix', () => {
  it('names in every form what was observed, what is promised and what came of it', () => {
    const one = report(cell({ observed: 'error', code: '40001', why: 'T2: no' }));
    expect(matrixText(one)).toContain('40001 d');
    expect(matrixMarkdown(one)).toContain('40001 d');
    expect(matrixHtml(one)).toMatch(/<span>40001<\/span><small>may<\/small>/);
    expect(matrixJson(one).table).toEqual({ P4: { 'read-committed': '40001 d' }, 'P4, again': { 'read-committed': '40001 d' } });
    expect(matrixJson(one).summary).toEqual({ P4: { 'read-committed': '40001 d' } });
  });

  it('has the transcript of every cell in observed order, with who waited for whom', () => {
    const page = matrixHtml(report(cell()));
    const at = (text: string): number => page.indexOf(text);
    expect(at('waits for session 1')).toBeGreaterThan(at('UPDATE'));
    expect(at('goes on: (1, NULL)')).toBeGreaterThan(at('waits for session 1'));
    expect(page).toContain('href="#c0-0-0"');
    expect(page).toContain('id="c0-0-0"');
    expect(matrixMarkdown(report(cell()))).toContain('-- waits for session 1');
  });

  it('shows in the terminal the transcripts of the cells that need looking at, and no others', () => {
    expect(matrixText(report(cell()))).not.toContain('goes on');
    expect(matrixText(report(BUG))).toContain('goes on');
    expect(matrixText(report(BUG))).toContain('! occurs X');
    expect(matrixText(report(OPEN))).toContain('? unknown X');
    expect(matrixText(report(OPEN))).toContain('nobody knows');
  });

  it('lets no name of a database become markup or reach the terminal as a control', () => {
    for (const one of [report(cell()), report(BUG)]) {
      expect(matrixHtml(one)).not.toContain('<script>');
      expect(matrixHtml(one)).toContain("default-src 'none'; style-src 'unsafe-inline'");
      for (const text of [matrixText(one), matrixHtml(one), matrixMarkdown(one)])
        for (const sign of ['\u001b', '\u202e']) expect(text).not.toContain(sign);
    }
  });

  it('exits with 1 for a contradiction, 3 where that could not be told, 0 where all agrees', () => {
    expect(matrixExit(report(cell()))).toBe(0);
    expect(matrixExit(report(OPEN))).toBe(3);
    expect(matrixExit(report(cell(), { ...cell(), lost: true }))).toBe(2);
    expect(matrixExit(report(BUG, { ...cell(), lost: true }))).toBe(1);
    expect(matrixExit(report(cell(), OPEN, BUG))).toBe(1);
    expect(matrixExit(report())).toBe(3);
    expect(matrixExit({ ...report(cell()), endedEarly: GONE })).toBe(2);
    expect(matrixExit({ ...report(cell(), BUG), endedEarly: GONE })).toBe(1);
  });

  it('that ended early says which cells were not run and why, and counts these for nothing', () => {
    const whole = report(cell());
    const [phenomenon] = whole.phenomena;
    const unrun = cell({
      observed: 'unknown',
      promised: 'must not occur',
      verdict: 'open',
      why: GONE,
      outcomes: [],
      transcript: [],
      notRun: true,
    });
    const schedules = phenomenon!.schedules.map((each, s) => (s === 0 ? each : { ...each, cells: [unrun] }));
    const partial: MatrixReport = { ...whole, phenomena: [{ ...phenomenon!, schedules }], endedEarly: GONE };
    const last = `1 cell: no violation of the vendor's documentation; 0 occur, 0 unknown; 1 not run. INCOMPLETE: ended early after 1 cell: ${GONE}; this report covers only that part`;
    expect(matrixText(partial).trimEnd().split('\n').at(-1)).toBe(last);
    expect(matrixText(partial)).toContain('P4, again      ? not run X');
    expect(matrixText(partial), 'no lines of a cell that has none').not.toContain('P4, again at read-committed');
    expect(matrixJson(partial).table).toEqual({ P4: { 'read-committed': 'waits d' }, 'P4, again': { 'read-committed': '? not run X' } });
    expect(matrixJson(partial).summary).toEqual({ P4: { 'read-committed': '? not run X*' } });
    expect(matrixMarkdown(partial)).toContain('? not run X');
    expect(matrixMarkdown(partial).match(/<details>/g)).toHaveLength(1);
    expect(matrixHtml(partial)).toContain(`Not known: ${GONE}`);
    expect(matrixHtml(partial)).not.toContain('Infinity');
  });
});

it('the source of a promise is named with the version that was read, and where it is not the one under test, why it holds', () => {
  const read = { source: 'https://example.org/docs/', date: '2022-10-13' };
  const shown = (more: Partial<MatrixCell>): string => matrixMarkdown(report(cell({ ...read, ...more })));
  expect(shown({ version: '18' })).toContain('https://example.org/docs/ (version 18, 2022-10-13)');
  expect(shown({ version: '15', holds: 'not re-read for 18' })).toContain(
    'https://example.org/docs/ (version 15, 2022-10-13; not re-read for 18)',
  );
  expect(shown({ version: 'every' })).toContain('https://example.org/docs/ (one text for all versions, 2022-10-13)');
});
