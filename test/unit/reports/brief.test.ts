/**
 * What a run says on stdout, at every width: over records of real runs, and over reports with names that are hostile or wide.
 * The records are of PostgreSQL 18.4, 24 November 2026: all that `npm start` found, without what no line of it shows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../core/base/index.ts';
import type { Note } from '../../../core/history/index.ts';
import type { ExploreFamily, Report } from '../../../core/verdict/index.ts';
import { briefText, exploredPart, withExploredFindings } from '../../../reports/index.ts';
import type { BriefOptions, ExploreReport } from '../../../reports/index.ts';
import { LEVEL, REPORT as NOTHING_EXPLORED } from '../explore/fixture.ts';
import { hostile, LOST_UPDATE, REPRODUCED, report, WRITE_SKEW } from './fixture.ts';

type Told = Parameters<typeof briefText>[0];

const WIDTHS = [60, 80, 100, 200];
const PAGES = ['out/1/report.html', 'out/1/explore.html'];
const LONGER = 'anomalist run --target postgres@18 --seed 1 --duration 300s --explore 150s';
const RECORDS = ['nothing', 'documented', 'bug'];

function text(told: Told, options: Partial<BriefOptions> = {}): string {
  return briefText(told, { columns: 80, pages: PAGES, longer: LONGER, ...options });
}

function lines(told: Told, options: Partial<BriefOptions> = {}): readonly string[] {
  return text(told, options).split('\n').slice(0, -1);
}

function recorded(name: string): Told {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'brief', `${name}.json`), 'utf8')) as Told;
}

/** Paths and single words of a command may be longer than a line. */
function tooWide(all: readonly string[], columns: number): readonly string[] {
  return all.filter(
    (line) => displayWidth(line) > columns && !line.startsWith('Report: ') && line.trim().replace(/ \\$/, '').includes(' '),
  );
}

const FAMILY: ExploreFamily = {
  name: 'write skew, upsert of nothing',
  oracle: 'serial orders',
  difference: 'none',
  named: { class: 'G2-item', shapes: ['write skew'], explanation: '', edges: [], times: 5, of: 5 },
  oneOf: [],
  verdict: 'bug',
  says: '',
  source: '',
  programs: 3,
  forms: {},
  known: { file: 'corpus/explored/some.spec', programs: 2 },
  example: {
    program: 54,
    made: {},
    setup: [],
    sessions: [],
    begin: { level: 'serializable', sql: 'BEGIN' },
    start: [],
    lines: [
      { session: 1, sql: 'BEGIN; SELECT v FROM t', state: 'replies', reply: '(1)' },
      { session: 2, sql: 'BEGIN; DELETE FROM t', state: 'waits', reply: '' },
      { session: 1, sql: 'COMMIT', state: 'replies', reply: '' },
      { session: 2, sql: 'BEGIN; DELETE FROM t', state: 'replies late', reply: '1 row' },
    ],
    left: [],
    breaks: [],
    transactions: [],
    answers: [],
    times: 5,
    of: 5,
    command: 'anomalist explore --target t --seed 5 --program 54',
  },
};

function withExplored(of: Report, families: readonly ExploreFamily[], more: Partial<ExploreReport> = {}): Told {
  const explored: ExploreReport = { ...NOTHING_EXPLORED, levels: [{ ...LEVEL, families }], ...more };
  return { report: withExploredFindings({ ...of, explored: exploredPart(explored, 'explore.html') }, explored), explored };
}

describe.each(RECORDS)('the record of a real run: %s', (name) => {
  it.each(WIDTHS)('fits %i columns, in at most 40 lines, the verdict last', (columns) => {
    const all = lines(recorded(name), { columns });
    expect(tooWide(all, columns)).toEqual([]);
    expect(all.length).toBeLessThanOrEqual(40);
    const end = all.slice(all.indexOf('Next:'));
    expect(end[1]).toMatch(/^ {4}anomalist /);
    expect(end.filter((line) => /^[A-Z ]+: /.test(line)).length).toBeGreaterThan(0);
  });
});

describe('what a run says on stdout', () => {
  it('is the same text, whatever is coloured', () => {
    const plain = text(recorded('bug'));
    const painted = text(recorded('bug'), { color: (style, word) => `<${style}>${word}</>` });
    expect(painted).toContain('<red>BUG</>: ');
    expect(painted.replaceAll(/<\w*>|<\/>/g, '')).toBe(plain);
  });

  it('has a grid of levels and names, each anomaly once, and of whom the level is shown to hold', () => {
    const all = lines({ report: report() });
    expect(all.filter((line) => /^(read-committed|repeatable-read|serializable) /.test(line)).map((line) => line.split(/ {2,}/))).toEqual([
      ['read-committed', '~5', '~14', 'all'],
      ['repeatable-read', '.', '.', 'unknown'],
      ['serializable', '!1', '.', 'violated'],
    ]);
  });

  it('counts what there is no room for in one column', () => {
    const names = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`some anomaly ${i}`, { documented: 100 + i }]));
    const [level] = report().levels;
    const told = { report: report({ levels: [{ ...level!, names: { ...names, worst: { bug: 1, documented: 2 } } }] }) };
    const sum = 30 * 100 + (30 * 29) / 2;
    for (const columns of WIDTHS) {
      const all = lines(told, { columns });
      expect(tooWide(all, columns)).toEqual([]);
      const cells = all
        .find((line) => line.startsWith('read-committed'))!
        .split(/ {2,}/)
        .slice(1, -1);
      expect(cells[0]).toBe('!1 ~2');
      expect(cells.slice(1).reduce((left, cell) => left - Number(cell.replace('~', '').replace(',', '')), sum)).toBe(0);
    }
  });

  it('lists bugs and what the documents are silent about, numbered as their files are; the others when asked', () => {
    const told = { report: report() };
    const found = (all: readonly string[]): readonly string[] => all.filter((line) => /^[!?~] +e?\d+ /.test(line));
    expect(found(lines(told))).toEqual(['! 1  write skew, serializable: s1 SELECT balance FROM accounts WHERE id = 2; s3…']);
    expect(found(lines(told, { every: true, columns: 200 }))).toEqual([
      '! 1  write skew, serializable: s1 SELECT balance FROM accounts WHERE id = 2; s3 SELECT balance FROM accounts WHERE id = 1; s1 UPDATE accounts SET balance = -50 WHERE id = 1; s3 UPDATE accounts SET ba…',
      '~ 2  lost update, read-committed: s1 SELECT balance FROM accounts WHERE id = 1; s2 UPDATE accounts SET balance = 130 WHERE id = 1; s1 UPDATE accounts SET balance = 120 WHERE id = 1',
    ]);
  });

  it('shows the SQL of the reduced case where there is one', () => {
    const plain = REPRODUCED.reproduction!.plain!.steps.find(({ kind }) => kind === 'update')!;
    const [bug] = lines({ report: report({ findings: [REPRODUCED] }) }, { columns: 400 }).filter((line) => line.startsWith('! 1'));
    expect(bug).toContain(plain.sql);
    expect(bug).not.toContain('BEGIN');
  });

  it('leaves more than ten to the report', () => {
    const findings = Array.from({ length: 13 }, (_, i) => ({ ...WRITE_SKEW, id: `f${i}` }));
    const all = lines({ report: report({ findings }) });
    expect(all.filter((line) => /^! +\d/.test(line))).toHaveLength(10);
    expect(all).toContain('  3 more in the report');
    expect(lines({ report: report({ findings }) }, { every: true }).filter((line) => /^! +\d/.test(line))).toHaveLength(13);
  });

  it('tells what was explored in the same grid and list, and which case of the corpus it is', () => {
    const all = lines(withExplored(report({ findings: [], levels: [] }), [FAMILY]), { columns: 100 });
    expect(all.find((line) => line.startsWith('serializable, explore'))).toMatch(/^serializable, explore +!3$/);
    expect(all).toContain('! 1  write skew, serializable: s1 BEGIN; SELECT v FROM t; s2 BEGIN; DELETE FROM t');
    expect(all).toContain('     known: corpus/explored/some.spec (2 of them)');
    expect(all[all.indexOf('Next:') + 1]).toBe(`    ${FAMILY.example.command}`);
  });

  it('says what was covered, and why a part was not run', () => {
    expect(text({ report: report() }, { columns: 200 })).toContain(
      'schedule  25 rounds, 8,645 transactions (7,004 committed), 46,921 statements\n',
    );
    expect(text(withExplored(report(), []), { columns: 200 })).toContain('explore   serializable: 1 program, 20 orders (1 program');
    const cutShort = { ...report(), explored: { levels: [], cutShort: 'the rounds before it ended early: gone' } };
    expect(text({ report: cutShort })).toContain('explore   not run: the rounds before it ended early: gone');
    expect(text({ report: report({ endedEarly: 'the server is gone' }) })).toContain(
      '\nended early after 61 s, 25 rounds: the server is gone; this covers only the part\n  that ran\nBUG: ',
    );
  });

  it('says that there are notes, which --verbose lists', () => {
    const told = recorded('documented');
    const notes: readonly Note[] = [
      { code: 'values-numbered', data: {} },
      { code: 'mixed-not-replayed', data: {} },
    ];
    const noted = (many: number, every: boolean): string =>
      text({ ...told, report: { ...told.report, notes: notes.slice(0, many) } }, { every });
    expect(noted(2, false)).toContain('\n2 notes in report.md (--verbose lists them)\n');
    expect(noted(1, false)).toContain('\n1 note in report.md (--verbose lists it)\n');
    expect(noted(0, false)).not.toContain('report.md');
    expect(noted(1, true)).not.toContain('report.md');
  });

  it('goes on with the worst that was found, replayed ones first, else with the same run for longer', () => {
    const next = (told: Told): string => lines(told, { columns: 400 })[lines(told, { columns: 400 }).indexOf('Next:') + 1]!.trim();
    expect(next({ report: report() })).toBe(WRITE_SKEW.replay);
    expect(next({ report: report({ findings: [WRITE_SKEW, { ...REPRODUCED, replay: 'anomalist replay it' }] }) })).toBe(
      'anomalist replay it',
    );
    expect(next(withExplored(report({ findings: [LOST_UPDATE] }), [FAMILY]))).toBe(FAMILY.example.command);
    expect(next(withExplored(report({ findings: [LOST_UPDATE] }), [{ ...FAMILY, verdict: 'documented' }]))).toBe(LOST_UPDATE.replay);
    expect(next({ report: report({ findings: [] }) })).toBe(LONGER);
  });

  it('says that the password stands nowhere, where the command has a URL with one', () => {
    const next = (replay: string): readonly string[] => lines({ report: report({ findings: [{ ...REPRODUCED, replay }] }) });
    const note = '    # with the password in place of ***';
    expect(next("anomalist replay finding-1.json --url 'postgres://tester:***@host/db'")).toContain(note);
    expect(next('anomalist replay finding-1.json --url postgres://tester@host/db')).not.toContain(note);
  });

  it('breaks a command as a shell reads it, an option beside its value, a quoted word whole', () => {
    const command = `anomalist run --url 'postgres://u@h/d?a=b c&d=it'\\''s so' --workload 'my own file.sql' --seed 12345 --level serializable --round 3 --cases 1`;
    const all = lines(
      { report: report({ findings: [{ ...WRITE_SKEW, replay: command }] }) },
      { typed: (each) => `npx ${each}`, columns: 60 },
    );
    const broken = all.slice(all.indexOf('Next:') + 1).filter((line) => line.startsWith('    '));
    expect(broken.length).toBeGreaterThan(2);
    expect(broken.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
    expect(broken.map((line) => line.trim().replace(/ \\$/, '')).join(' ')).toBe(`npx ${command}`);
    expect(broken.some((line) => /--seed \\?$/.test(line))).toBe(false);
  });

  it.each([
    ["BUG: serializable: 1 anomaly that the vendor's documents rule out at serializable", { report: report() }],
    [
      'INCONCLUSIVE: repeatable-read: no two committed transactions conflicted',
      { report: report({ levels: report().levels.slice(0, 2) }) },
    ],
    [
      "NO BUG SEEN: no violation of PostgreSQL's documentation was seen in 4,321 transactions; 19 anomalies that it allows (--verbose lists them)",
      { report: report({ levels: report().levels.slice(0, 1) }) },
    ],
    ['NOTHING SEEN: no anomaly was seen in 20 orders of small programs', withExplored(report({ levels: [], findings: [] }), [])],
    [
      'UNDOCUMENTED: small programs at serializable: 1 kind of outcome that no serial order gives, neither ruled out nor allowed by the vendor',
      withExplored(report({ levels: [], findings: [] }), [{ ...FAMILY, verdict: 'undocumented' }]),
    ],
    ['INCONCLUSIVE: nothing was run', { report: report({ levels: [], findings: [] }) }],
  ] as const)('ends with the verdict: %s', (verdict, told) => {
    const all = lines(told, { columns: 400 });
    expect(all.at(-1)).toContain(verdict);
  });

  it('keeps its width and sends no control sign, whatever tables and values are called', () => {
    for (const evil of [
      'x\u001b]0;owned\u0007\u009b2Jy',
      '表\u0301格🦀'.repeat(40),
      'e\u0301'.repeat(300),
      'a b '.repeat(200),
      '👩‍👩‍👧‍👦❤️🇩🇪'.repeat(20),
      '\n\n',
    ])
      for (const columns of WIDTHS) {
        const all = lines({ report: { ...hostile(evil), endedEarly: evil } }, { columns, every: true });
        expect(tooWide(all, columns)).toEqual([]);
        const codes = Array.from(all.join('\n'), (sign) => sign.charCodeAt(0));
        expect(codes.filter((code) => (code < 0x20 && code !== 0x0a) || (code >= 0x7f && code < 0xa0))).toEqual([]);
      }
  });
});
