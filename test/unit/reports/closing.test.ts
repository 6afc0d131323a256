/** What is said last, and which finding is named first: of runs that did not come to their end, of known bugs, of what a vendor allows. */
import { describe, expect, it } from 'vitest';
import type { PromiseVerdict } from '../../../core/level/index.ts';
import type { AnomalyFinding, ExploreFamily, LevelReport, Report } from '../../../core/verdict/index.ts';
import {
  REPORTERS,
  bisectText,
  briefText,
  compareHtml,
  compareMarkdown,
  compareText,
  detailsText,
  exploreHtml,
  exploreText,
  exploredPart,
  withExploredFindings,
  matrixMarkdown,
  matrixText,
  reportJson,
} from '../../../reports/index.ts';
import type { CompareReport, ExploreReport, MatrixReport } from '../../../reports/index.ts';
import { worstOf as kindOfRun } from '../../../src/app/ui/run-details.ts';
import { LEVEL as EXPLORED, REPORT as EXPLORATION } from '../explore/fixture.ts';
import { files, LOST_UPDATE, report, WRITE_SKEW } from './fixture.ts';

const [READ_COMMITTED, , SERIALIZABLE] = report().levels as [LevelReport, LevelReport, LevelReport];
const CASE = 'corpus/explored/some.spec';

const family = (verdict: PromiseVerdict, more: Partial<ExploreFamily> = {}): ExploreFamily =>
  ({
    name: 'write skew, upsert of nothing',
    fingerprint: `explored|serial orders|skew|${verdict}`,
    oracle: 'serial orders',
    difference: 'no serial order gives this',
    unnamed: 'it was not run',
    oneOf: [],
    verdict,
    says: '',
    source: '',
    programs: 2,
    forms: {},
    example: {
      program: 54,
      setup: [],
      sessions: [],
      begin: { level: 'serializable', sql: 'BEGIN' },
      start: [],
      lines: [{ session: 1, sql: 'SELECT 1', state: 'replies', reply: '1' }],
      left: [],
      breaks: [],
      transactions: [],
      answers: [],
      command: `anomalist explore --program 54 # ${verdict}`,
    },
    ...more,
  }) as unknown as ExploreFamily;
const KNOWN: Partial<ExploreFamily> = { known: { file: CASE, programs: 2 } };

function told(of: Partial<Report>, families?: readonly ExploreFamily[], more: Partial<ExploreReport> = {}) {
  const plain = report({ levels: [READ_COMMITTED], findings: [LOST_UPDATE], ...of });
  if (families === undefined) return { report: plain };
  const explored: ExploreReport = { ...EXPLORATION, levels: [{ ...EXPLORED, families }], ...more };
  return { report: withExploredFindings({ ...plain, explored: exploredPart(explored, 'explore.html') }, explored), explored };
}

const brief = (all: ReturnType<typeof told>): string => briefText(all, { columns: 400, pages: [], longer: 'anomalist run --for-longer' });
const closing = (all: ReturnType<typeof told>): string => brief(all).trimEnd().split('\n').at(-1)!;
const lineBehind = (text: string, word: string): string => text.split('\n')[text.split('\n').indexOf(word) + 1]!.trim();

function written(of: Report, name: string): string {
  const all = files();
  for (const reporter of Object.values(REPORTERS)) reporter(of, all.sink);
  return all.text(name);
}

const PART_ALONE = 'this covers only the part that ran';

describe('a run that did not come to its end', () => {
  const CLEAN: LevelReport = { ...READ_COMMITTED, classes: {}, shapes: {}, names: {} };
  const quiet = [
    ['nothing', { levels: [CLEAN], findings: [] }, 'no anomaly was seen in'],
    ['what is documented', {}, "no violation of PostgreSQL's documentation was seen in"],
  ] as const;

  it.each(quiet)('closes with how far it came, not with the good of its part: %s', (_, of, says) => {
    expect(closing(told(of))).toMatch(/^(NO BUG SEEN|NOTHING SEEN): /);
    for (const [endedEarly, budget, far] of [
      ['interrupted', { seconds: 90 }, 'ended early after 61 of 90 s, 12 rounds: interrupted'],
      ['the server is gone', { rounds: 40 }, 'ended early after 61 s, 12 of 40 rounds: the server is gone'],
      ['interrupted', undefined, 'ended early after 61 s, 12 rounds: interrupted'],
    ] as const) {
      const cut = told({
        ...of,
        endedEarly,
        ...(budget && { budget }),
        levels: [{ ...((of as Partial<Report>).levels?.[0] ?? READ_COMMITTED), coverage: { ...READ_COMMITTED.coverage, rounds: 12 } }],
      });
      expect(closing(cut)).toMatch(/^INCOMPLETE: /);
      expect(closing(cut)).toContain(`${far}; ${says}`);
      expect(closing(cut).endsWith(PART_ALONE)).toBe(true);
      expect(brief(cut)).not.toMatch(/NO BUG SEEN|NOTHING SEEN/);
      for (const page of ['report.html', 'report.md']) expect(written(cut.report, page)).not.toMatch(/NO BUG SEEN|NOTHING SEEN/);
      expect(reportJson(cut.report)).toMatchObject({ endedEarly, verdict: { kind: 'inconclusive', word: 'INCOMPLETE' } });
      expect(kindOfRun(reportJson(cut.report))).toBe('inconclusive');
    }
  });

  it('says so of its explored part alone too', () => {
    const cut = told({}, [], { endedEarly: 'interrupted' });
    expect(closing(cut)).toMatch(/^INCOMPLETE: small programs ended early after 1 program, 20 orders: interrupted; no violation/);
    expect(kindOfRun(reportJson(cut.report))).toBe('inconclusive');
    // Rounds that ended early do so beside an explored part that came to its end.
    expect(closing(told({ endedEarly: 'gone' }, []))).toMatch(/^INCOMPLETE: ended early after 61 s, \d+ rounds: gone; no violation/);
    const notRun = { report: { ...told({}).report, explored: { levels: [], cutShort: 'no connection' } } };
    expect(closing(notRun)).toMatch(/^INCOMPLETE: small programs were not run: no connection; no violation/);
  });

  it('counts rounds of all levels against those of all levels', () => {
    const at = (rounds: number): LevelReport => ({ ...READ_COMMITTED, coverage: { ...READ_COMMITTED.coverage, rounds } });
    const cut = told({ endedEarly: 'interrupted', budget: { rounds: 8 }, levels: [at(3), at(2)] });
    expect(closing(cut)).toContain('after 61 s, 5 of 16 rounds: interrupted');
  });

  it('of rounds that were not instrumented is told by their programs', () => {
    const cut = told({ levels: [], findings: [], endedEarly: 'interrupted' }, [], { of: 'rounds', endedEarly: 'interrupted' });
    expect(closing(cut)).toMatch(/^INCOMPLETE: outcomes ended early after 1 program, 20 orders: interrupted; no anomaly was seen in/);
  });

  it('keeps a bug as what it says last, with how far it came above it', () => {
    const all = brief(told({ levels: [SERIALIZABLE], findings: [WRITE_SKEW], endedEarly: 'gone' }))
      .trimEnd()
      .split('\n')
      .slice(-2);
    expect(all[0]).toBe(`ended early after 61 s, 12 rounds: gone; ${PART_ALONE}`);
    expect(all[1]).toMatch(/^BUG: serializable: /);
  });
});

describe('other commands that did not come to their end', () => {
  const SAYS = 'this report covers only that part';

  it('explore', () => {
    const cut = { ...EXPLORATION, endedEarly: 'interrupted' };
    expect(exploreText(cut).replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(`INCOMPLETE: ended early after 1 program, 20 orders: interrupted; ${SAYS} $`),
    );
    expect(exploreHtml(cut, 'report.html')).toContain(SAYS);
    expect(exploreText(EXPLORATION)).not.toContain('INCOMPLETE');
  });

  it('matrix', () => {
    const cut: MatrixReport = {
      tool: '',
      command: '',
      startedAt: '',
      seconds: 1,
      target: '',
      server: '',
      configuration: {},
      levels: [],
      phenomena: [],
      notes: [],
      endedEarly: 'interrupted in cell 3 of 244',
    };
    const end = new RegExp(`INCOMPLETE: ended early after 0 cells: interrupted in cell 3 of 244; ${SAYS}$`);
    expect(matrixText(cut).trimEnd()).toMatch(end);
    expect(matrixMarkdown(cut)).toContain(SAYS);
    expect(matrixText({ ...cut, endedEarly: undefined } as unknown as MatrixReport)).not.toContain('INCOMPLETE');
  });

  it('compare and bisect', () => {
    const level = { level: 'serializable', programs: 4, orders: 9, notCompared: {}, lines: [], unconfirmed: 0, untried: 0 } as const;
    const common = { tool: '', command: '', startedAt: '', seconds: 1, seed: '1', endedEarly: 'interrupted' };
    const compared: CompareReport = { ...common, targets: [], lacking: [], levels: [level, level] };
    const far = (programs: string): string => `INCOMPLETE: ended early after ${programs}: interrupted; ${SAYS}`;
    const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trimEnd();
    expect(plain(compareText(compared)).endsWith(far('8 programs, 18 orders'))).toBe(true);
    expect(compareMarkdown(compared)).toContain(SAYS);
    expect(compareHtml(compared)).toContain(SAYS);
    expect(plain(bisectText({ ...common, releases: ['a', 'b'], asked: [], level, found: [] })).endsWith(far('4 programs, 9 orders'))).toBe(
      true,
    );
  });
});

describe('a level that the vendor documents as weaker than its name', () => {
  const violated = (names: LevelReport['names'], classes: LevelReport['classes']): LevelReport => ({
    ...READ_COMMITTED,
    level: 'repeatable-read',
    answers: [{ level: 'repeatable-read', answer: false }],
    names,
    classes,
  });
  const ALLOWED = violated({ 'write skew': { documented: 5 } }, { 'G2-item': { documented: 5 } });

  it('is told with what the vendor allows, not as violated under NO BUG SEEN', () => {
    const of = told({ levels: [ALLOWED] });
    const text = brief(of);
    expect(text).toMatch(/^NO BUG SEEN: /m);
    expect(text).toContain('\nrepeatable-read allows write skew, as documented\n');
    expect(text).toMatch(/^repeatable-read +~5 +documented$/m);
    expect(text).not.toContain('violated');
    const page = written(of.report, 'report.html');
    expect(page).toContain('<td data-name="the vendor">allows write skew, as documented</td>');
    expect(page).not.toMatch(/the level is">violated/);
  });

  it('names the two most frequent and counts the others', () => {
    const names = Object.fromEntries(['a', 'b', 'c', 'd'].map((name, i) => [name, { documented: i + 1 }]));
    expect(brief(told({ levels: [violated(names, { G2: { documented: 10 } })] }))).toContain(
      'repeatable-read allows d, c and 2 others, as documented',
    );
  });

  it('stays violated where something was seen that no document allows', () => {
    const bad = violated(
      { 'write skew': { documented: 5 }, 'lost update': { undocumented: 1 } },
      { G2: { documented: 5, undocumented: 1 } },
    );
    const text = brief(told({ levels: [bad] }));
    expect(text).toMatch(/^repeatable-read .* violated$/m);
    expect(text).not.toContain('allows');
  });

  it('of mixed levels is less than the definition of each own level', () => {
    const mixed = {
      ...violated({}, {}),
      mixed: { levels: ['read-committed', 'serializable'], own: { level: 'own', answer: false } },
    } as unknown as LevelReport;
    expect(brief(told({ levels: [mixed], findings: [] }))).toContain(
      "allows anomalies that the definition of each transaction's own level forbids, as documented",
    );
  });
});

describe('known bugs', () => {
  it('are said last as what they are, with who knows them', () => {
    const of = told({}, [family('bug', KNOWN)]);
    expect(closing(of)).toBe(
      `KNOWN BUG: small programs at serializable: 1 kind of outcome that no serial order gives, ruled out by the vendor, each of which is known (${CASE})`,
    );
    expect(brief(of)).toContain('! 1  known bug: unnamed outcome, serializable: s1 SELECT 1');
    expect(exploreText(of.explored!)).toMatch(/^known bug {2}write skew, upsert of nothing/m);
    expect(exploreText(of.explored!)).toMatch(/^1 known bug$/m);
    expect(detailsText(of.report)).toContain('KNOWN BUG:');
    for (const page of ['report.html', 'report.md']) expect(written(of.report, page)).toContain('known bug');
    expect(kindOfRun(reportJson(of.report))).toBe('known');
  });

  it('are those of the --known file too', () => {
    expect(closing(told({}, [family('bug', { accepted: true })]))).toMatch(/^KNOWN BUG: .* each of which is known \(--known\)$/);
    const rounds = (known: boolean): Report =>
      told({ levels: [SERIALIZABLE], findings: [{ ...WRITE_SKEW, count: 1, ...(known && { known: true as const }) }] }).report;
    expect(closing({ report: rounds(true) })).toMatch(/^KNOWN BUG: serializable: .* each of which is known \(--known\)$/);
    expect(closing({ report: rounds(false) })).toMatch(/^BUG: serializable: /);
  });

  it('are none where a program of theirs is no case of the corpus, or an anomaly of no known finding', () => {
    expect(closing(told({}, [family('bug', { known: { file: CASE, programs: 1 } })]))).toMatch(/^BUG: /);
    const more = { ...SERIALIZABLE, classes: { 'G2-item': { bug: 2 } } };
    const invariants = [{ name: 'sums', rounds: 1, broken: 1, ruledOut: true, verdict: 'bug' as const }];
    const known = [{ ...WRITE_SKEW, count: 1, known: true as const }];
    expect(closing(told({ levels: [{ ...SERIALIZABLE, invariants }], findings: known }))).toMatch(/^BUG: /);
    expect(closing(told({ levels: [more], findings: [{ ...WRITE_SKEW, count: 1, known: true }] }))).toMatch(/^BUG: /);
  });

  it('stand behind those that nobody knows, and in front of what is milder', () => {
    const { explored } = told({}, [family('documented'), family('bug', KNOWN), family('undocumented'), family('bug')]).report;
    expect(explored!.levels[0]!.findings.map(({ verdict, known }) => [verdict, known !== undefined])).toEqual([
      ['bug', false],
      ['bug', true],
      ['undocumented', false],
      ['documented', false],
    ]);
  });

  it('are counted beside what is worse, and hide nothing', () => {
    expect(closing(told({}, [family('bug', KNOWN), family('bug')]))).toMatch(/^BUG: .*1 kind .*; beside 1 known bug \(corpus/);
    expect(closing(told({}, [family('bug', KNOWN), family('undocumented')]))).toMatch(/^UNDOCUMENTED: .*; beside 1 known bug/);
    const worse = brief(told({ levels: [SERIALIZABLE], findings: [WRITE_SKEW] }, [family('bug', KNOWN)]))
      .trimEnd()
      .split('\n');
    expect(worse.at(-1)).toMatch(/^BUG: serializable/);
    expect(worse.at(-2)).toMatch(/^known bug: small programs at serializable: /);
  });
});

describe('the finding to look at first', () => {
  const first = (of: ReturnType<typeof told>): unknown => reportJson(of.report).worst;

  it('is the explored one where that is worse, and never a documented one in its place', () => {
    const of = told({}, [family('documented'), family('bug')]);
    const { command } = family('bug').example;
    expect(first(of)).toEqual({
      part: 'explored',
      n: 1,
      file: 'finding-1.json',
      page: 'explore.html',
      fingerprint: family('bug').fingerprint,
      verdict: 'bug',
      level: 'serializable',
      known: false,
      command,
    });
    expect(lineBehind(brief(of), 'Next:')).toBe(command);
    const markdown = written(of.report, 'report.md');
    expect(markdown).toContain('Look first at finding 1, bug, in finding-1.json');
    expect(markdown.indexOf('Look first at')).toBeLessThan(markdown.indexOf('## Levels'));
    expect(written(of.report, 'report.html')).toMatch(/The worst case .*href="#finding-1"/);
  });

  it('is one of the rounds of equals, and a bug that nobody knows before a known one', () => {
    const rounds = { levels: [SERIALIZABLE], findings: [LOST_UPDATE, WRITE_SKEW] };
    expect(first(told(rounds, [family('bug')]))).toMatchObject({
      part: 'rounds',
      n: 1,
      file: 'finding-1.json',
      command: WRITE_SKEW.replay,
    });
    const known = { ...rounds, findings: [{ ...WRITE_SKEW, known: true as const }] };
    expect(first(told(known, [family('bug')]))).toMatchObject({ part: 'explored', known: false });
    expect(first(told(known, [family('bug', KNOWN)]))).toMatchObject({ part: 'rounds', known: true });
    expect(first(told({}, [family('bug', KNOWN), family('undocumented')]))).toMatchObject({ part: 'explored', known: true });
    expect(first(told({}, [family('documented')]))).toMatchObject({ part: 'rounds', verdict: 'documented' });
    expect(first(told({ findings: [] }))).toBeNull();
  });

  it('is listed first on the terminal, whichever part it is of', () => {
    const undocumented = { ...LOST_UPDATE, judgement: { verdict: 'undocumented' } } as AnomalyFinding;
    const listed = brief(told({ findings: [undocumented] }, [family('bug')]))
      .split('\n')
      .filter((line) => /^[!?] +\d/.test(line));
    expect(listed.map((line) => line.slice(0, 3))).toEqual(['! 1', '? 2']);
  });
});
