/** The explore part of a run in its reports: what was found, what "nothing" rests on, and what was not run. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExploreFamily, ExploredLevel, ExploredPart, Report } from '../../../core/index.ts';
import { REPORTERS, exploreHtml, exploredPart, reportJson, detailsText } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { files, report } from './fixture.ts';

const FILE = 'corpus/explored/some.spec';
const LEVEL: ExploredLevel = {
  level: 'serializable',
  programs: 185,
  orders: 4_819,
  whole: 173,
  sampled: 8,
  seconds: 14.6,
  coverage: { pairs: 5_643, covered: 1_443 },
  unconfirmed: 0,
  findings: [],
};
const FINDING = {
  verdict: 'bug',
  oracle: 'serial orders',
  class: 'G2-item (write skew)',
  name: 'write skew, upsert of nothing',
  programs: 3,
  known: { file: FILE, programs: 2 },
  command: 'anomalist explore --target t --seed 5 --program 54',
} as const;
const explored = (level: Partial<ExploredLevel> = {}, part: Partial<ExploredPart> = {}): Report => ({
  ...report(),
  explored: { levels: [{ ...LEVEL, ...level }], page: 'explore.html', ...part },
});

function written(of: Report, name: string): string {
  const all = files();
  for (const reporter of Object.values(REPORTERS)) reporter(of, all.sink);
  return all.text(name);
}

describe('the explore part of a run', () => {
  it('adds at most ten lines to what --verbose says', () => {
    const lines = detailsText(explored({ findings: [FINDING] })).split('\n');
    expect(lines.length - detailsText(report()).split('\n').length).toBeLessThanOrEqual(10);
  });

  it('says of a finding which case of the corpus it is and what shows it again, in every report', () => {
    const of = explored({ findings: [FINDING] });
    for (const text of [detailsText(of), written(of, 'report.html'), written(of, 'report.md').replaceAll('\\', '')]) {
      expect(text).toContain('1 kind of outcome that no serial order gives, ruled out by the vendor');
      expect(text).toContain(`G2-item (write skew) in write skew, upsert of nothing: 3 programs, known: ${FILE} (2 of them)`);
      expect(text).toContain(FINDING.command);
      expect(text).toContain('185 programs, 4,819 orders (173 programs whole, 8 sampled), 25.6 % of the pairs of forms, 14.6 s');
    }
    for (const json of [reportJson(of), JSON.parse(written(of, 'findings.json')), JSON.parse(written(of, 'manifest.json'))])
      expect(json).toMatchObject({ explored: { levels: [{ findings: [FINDING] }] } });
  });

  it('is linked from the page', () => {
    expect(written(explored(), 'report.html')).toContain('href="explore.html"');
    expect(written(explored(), 'report.md')).toContain('(explore.html)');
  });

  it('says "nothing" only where no difference was left without an answer', () => {
    expect(detailsText(explored())).toContain('NOTHING SEEN: a serial order explains every outcome');
    expect(detailsText(explored({ unconfirmed: 1 }))).toContain('INCONCLUSIVE: no finding was confirmed; 1 difference ');
    expect(detailsText(explored({ unconfirmed: 2 }))).toContain('INCONCLUSIVE: no finding was confirmed; 2 differences');
    expect(detailsText(explored({ orders: 0 }))).toContain('INCONCLUSIVE: nothing was run');
  });

  it('stands apart from what comes before it', () => {
    expect(detailsText(explored())).toContain('\n\nEvery order of small programs\n');
    expect(detailsText({ ...explored(), findings: [] })).toContain('No findings\n\nEvery order of small programs\n');
  });

  it('names what is left to its page', () => {
    const many = Array.from({ length: 5 }, () => FINDING);
    expect(detailsText(explored({ findings: many }))).toContain('2 more in explore.html');
  });

  it('names what a run shows by itself, and says nothing of serial orders there', () => {
    const { class: _, known: __, ...damaged } = FINDING;
    const text = detailsText(explored({ findings: [{ ...damaged, verdict: 'bug', oracle: 'run', breach: 'damaged tables' }] }));
    expect(text).toContain('BUG: 1 finding, ruled out by the vendor');
    expect(text).toContain('damaged tables in ');
    expect(text).not.toContain('no serial order gives');
  });

  it('that was not run, or not to its end, says why', () => {
    const notRun = { ...report(), explored: { levels: [], cutShort: 'the rounds before it ended early: gone' } };
    expect(detailsText(notRun)).toContain('not run: the rounds before it ended early: gone');
    expect(written(notRun, 'report.html')).toContain('Not run: the rounds before it ended early: gone');
    expect(written(notRun, 'report.html')).not.toContain('explore.html');
    expect(detailsText(explored({}, { cutShort: 'interrupted' }))).toContain('ended early: interrupted');
  });
});

describe('rounds without instrumentation', () => {
  const rounds = (level: Partial<ExploredLevel> = {}): Report => ({
    ...explored(
      { rounds: 3, whole: 0, sampled: 185, coverage: { pairs: 0, covered: 0 }, ...level },
      { of: 'rounds', page: 'outcomes.html' },
    ),
    levels: [],
    findings: [],
  });

  it('have no levels: what they come to is said under a heading of its own, with what was not judged and why', () => {
    const text = detailsText(rounds({ unjudged: { 'more than 4 transactions ran together': 5, 'a LIMIT may take any row': 20 } }));
    expect(text).toContain('Outcomes of rounds without instrumentation\n');
    expect(text).toContain(
      '3 rounds, 185 programs, 4,819 orders, 14.6 s; 160 programs judged by serial orders; 20 not, as a LIMIT may take any row; 5 not, as more than 4 transactions ran together',
    );
    expect(text).not.toContain('Anomalies per level');
    expect(written(rounds(), 'report.html')).toMatch(/<span class="dot clean"><\/span><a href="#explored">serializable, outcomes<\/a>/);
    expect(written(rounds(), 'report.md')).toContain('## Outcomes of rounds without instrumentation');
  });

  it('of which no outcome was judged are never clean', () => {
    expect(detailsText(rounds({ unjudged: { 'more than 4 transactions ran together': 185 } }))).toContain(
      'INCONCLUSIVE: no outcome was judged',
    );
  });
});

const EVIL = '<script>alert(1)</script>';
const FAMILY: ExploreFamily = {
  name: EVIL,
  oracle: 'serial orders',
  difference: 'none',
  unnamed: EVIL,
  oneOf: ['G2'],
  verdict: 'documented',
  says: EVIL,
  source: '',
  programs: 1,
  forms: {},
  example: {
    program: 1,
    made: {},
    setup: [EVIL],
    sessions: [],
    begin: { level: 'serializable', sql: 'BEGIN' },
    start: [EVIL],
    lines: [{ session: 1, sql: EVIL, state: 'replies', reply: EVIL }],
    left: [EVIL],
    breaks: [EVIL],
    transactions: [],
    answers: [],
    times: 5,
    of: 5,
    command: 'anomalist explore',
  },
};
const REPORT: ExploreReport = {
  tool: 'anomalist',
  command: 'anomalist explore --seed 5',
  startedAt: '',
  seconds: 1,
  target: EVIL,
  server: EVIL,
  configuration: {},
  seed: '5',
  workers: 1,
  lacking: [EVIL],
  levels: [
    {
      ...LEVEL,
      cut: 0,
      outcomes: 3,
      statements: { judged: 0, unjudged: {} },
      dependencies: { asked: 2, unclear: { [EVIL]: 1 } },
      dropped: { [EVIL]: 1 },
      unconfirmed: 1,
      untried: 2,
      families: [FAMILY, { ...FAMILY, name: 'the worse one', verdict: 'bug', known: { file: FILE, programs: 1 } }],
    },
  ],
  endedEarly: EVIL,
};

describe('explore.html', () => {
  it('loads nothing and runs its own script alone, whatever names hold, and leads back to the page of the run', () => {
    const text = exploreHtml(REPORT, 'report.html');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toContain(EVIL);
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(text).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'"`,
    );
    expect(text).toContain('<a href="report.html">');
  });

  it('has every family, the worst first and open, with its example drawn and an address', () => {
    const text = exploreHtml(REPORT, 'report.html');
    expect(
      [...text.matchAll(/id="([\w-]+)"><details( open)?><summary><span class="badge (\w+)"/g)].map(([, id, open, verdict]) => [
        id,
        open,
        verdict,
      ]),
    ).toEqual([
      ['serializable-1', ' open', 'known'],
      ['serializable-2', undefined, 'documented'],
    ]);
    expect(text.match(/<ol class="script"/g)).toHaveLength(2);
    expect(text).toContain(`the worse one: 1 program, known: ${FILE}`);
    expect(text).toContain('by hand, once:');
  });

  it('comes to what the run says of it', () => {
    expect(exploredPart(REPORT, 'explore.html')).toMatchObject({
      page: 'explore.html',
      cutShort: EVIL,
      levels: [{ orders: 4_819, unconfirmed: 3, findings: [{ name: 'the worse one', verdict: 'bug' }, { verdict: 'documented' }] }],
    });
  });
});
