import { describe, expect, it } from 'vitest';
import { REPORTERS, reportJson, detailsText } from '../../../reports/index.ts';
import type { AnomalyFinding, Report } from '../../../core/verdict/index.ts';
import { files, hostile, LOST_UPDATE, report, WRITE_SKEW } from './fixture.ts';

function everything(of: Report): ReturnType<typeof files> {
  const written = files();
  for (const reporter of Object.values(REPORTERS)) reporter(of, written.sink);
  return written;
}

describe('the terminal summary', () => {
  it('prints the numbers of every level', () => {
    const text = detailsText(report());
    expect(text).toContain('4,321: 4,000 committed, 318 aborted, 3 unknown');
    expect(text).toContain('23,456: 655 blocked; reads: exact 9,000, partial 40, none 2');
    expect(text).toContain('12 rounds, 1,556 conflicting pairs');
    expect(text).toContain('select-update rw 812, update-update ww 377');
    expect(text).toContain('serialization 210, constraint 100, deadlock 8');
    expect(text).toMatch(/class +bug +undocumented +documented/);
    expect(text).toMatch(/G-single-item +0 +0 +14/);
    expect(text).toMatch(/true +read-uncommitted, read-committed\n/);
    expect(text).toMatch(/false +cursor-stability, snapshot-isolation, serializable\n/);
    expect(text).toContain('cc: three transactions ended with an unknown outcome');
  });

  it('says inconclusive plainly, and a bug before anything else', () => {
    const text = detailsText(report());
    expect(text).toContain('INCONCLUSIVE: no two committed transactions conflicted while they overlapped: nothing was tested');
    expect(text).toContain("BUG: 1 anomaly that the vendor's documents rule out at serializable");
    expect(text).not.toMatch(/pass/i);
  });

  it("prints the paper's table: anomalies per level and shape, with distinct fingerprints", () => {
    const lines = detailsText(report()).split('\n');
    const head = lines.findIndex((line) => line.includes('lost update  read-write skew'));
    const cells = (line: string | undefined): string[] => (line ?? '').trim().split(/ {2,}/);
    expect(cells(lines[head])).toEqual([
      'target',
      'level',
      '#txn',
      'total',
      'lost update',
      'read-write skew',
      'write skew',
      'other shapes',
      'fingerprints',
    ]);
    expect(cells(lines[head + 1])).toEqual(['postgres@18', 'read-committed', '4321', '19', '14 (1)', '0', '5 (0)', '2 (0)', '1']);
    expect(cells(lines[head + 3])).toEqual(['postgres@18', 'serializable', '4321', '1', '0', '0', '1 (1)', '0', '1']);
  });

  it('begins each finding with the one command that replays it, bugs first', () => {
    const lines = detailsText(report()).split('\n');
    const bug = lines.findIndex((line) => line.includes('1. BUG  write skew (G2-item)'));
    expect(lines[bug - 1]?.trim()).toBe(WRITE_SKEW.replay);
    const allowed = lines.findIndex((line) => line.includes('2. DOCUMENTED  lost update (G-single-item)'));
    expect(lines[allowed - 1]?.trim()).toBe(LOST_UPDATE.replay);
    expect(bug).toBeLessThan(allowed);
  });

  it('says whether there was a replay without instrumentation', () => {
    const text = detailsText(report());
    expect(text).toContain('No replay without instrumentation was made');
    expect(text).toContain('Replayed without instrumentation: seen in 9 of 10 tries.');
  });

  it('colours only through the function it is given', () => {
    expect(detailsText(report(), { color: (style, text) => `<${style}>${text}</>` })).toContain('<red>BUG:</>');
    expect(detailsText(report())).not.toContain('\u001b');
  });

  it('lets no control sequence of a database reach the terminal', () => {
    const codes = Array.from(detailsText(hostile('x\u001b]0;owned\u0007\u009b2Jy')), (sign) => sign.charCodeAt(0));
    expect(codes.filter((code) => (code < 0x20 && code !== 0x0a) || (code >= 0x7f && code < 0xa0))).toEqual([]);
  });
});

describe('report.md', () => {
  it('holds every section', () => {
    const text = everything(report()).text('report.md');
    for (const part of [
      '# Anomalist report',
      '## Levels',
      '### postgres@18 at read-committed',
      '## Anomalies per level',
      '## Findings',
      '### 1. write skew (G2-item), bug',
      '### 2. lost update (G-single-item), documented',
      '#### Transactions and statements, in observed order',
      '#### Cycle',
      '#### Setup',
      '## Notes',
    ])
      expect(text).toContain(`${part}\n`);
    expect(text).toContain('`SELECT balance FROM accounts WHERE id = 2`');
    expect(text).toContain('1. T5 —rw→ T6: T5’s SELECT (statement 1) read accounts');
    expect(text).toContain('**inconclusive**');
    expect(text).toContain('`read committed` in 4,321 transactions');
    expect(text).toContain('No replay without instrumentation was made');
    expect(text).toContain('T6 in session 3: outcome unknown');
  });

  it('shows statements as they were written and rows by key and values, and what was added where it is asked for alone', () => {
    const probed: AnomalyFinding = {
      ...LOST_UPDATE,
      statements: LOST_UPDATE.statements.map((each) => ({ ...each, sql: `${each.sql} /* probe */`, own: each.sql })),
      anomaly: { ...LOST_UPDATE.anomaly, row: { table: 'accounts', row: 'r0.1_1' }, explanation: 'T1 read row r0.1_1 of accounts.' },
      rows: [
        {
          table: 'accounts',
          row: 'r0.1_1',
          key: ['id'],
          versions: { '0.0': { id: '1', balance: '100' }, '2.1': { id: '1', balance: '130' }, '1.1': { id: '1', balance: '120' } },
        },
      ],
    };
    const text = everything(report({ findings: [probed] })).text('report.md');
    const told = text.slice(text.indexOf('### 1.'), text.indexOf('<details>'));
    expect(told).not.toMatch(/probe|r0\.1|iso_/);
    expect(told).toContain('T1 read accounts 1.');
    expect(told).toContain('`UPDATE accounts SET balance = 130 WHERE id = 1` | 1 row | wrote accounts 1 (balance 100 to 130) |');
    expect(told).toContain('T1’s SELECT (statement 1) read accounts 1 (balance 100); T2’s UPDATE');
    expect(text.slice(text.indexOf('<details>'))).toContain('iso_w');
  });

  it('begins each finding with its replay command', () => {
    const text = everything(report()).text('report.md');
    expect(text).toContain(`### 1. write skew (G2-item), bug\n\n\`\`\`sh\n${WRITE_SKEW.replay}\n\`\`\``);
  });

  it('keeps hostile text inside its code spans, cells and fences', () => {
    const text = everything(hostile('</script><img src=x onerror=alert(1)> | ``` # x')).text('report.md');
    // Outside of code every bracket is escaped; inside, the fence is longer than any run of backticks in the text.
    const prose = text.replaceAll(/(?<!`)(`{4,})(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    expect(prose).not.toMatch(/(?<!\\)<img/);
    for (const line of text.split('\n').filter((row) => row.startsWith('| s') || /^\| \d/.test(row)))
      expect(line.endsWith(' |')).toBe(true);
  });
});

describe('the JSON files', () => {
  it('findings.json answers per level that was run, and holds verdicts, fingerprints and counts', () => {
    const written = everything(report());
    const json = JSON.parse(written.text('findings.json')) as ReturnType<typeof reportJson>;
    expect(json.levels).toEqual({ 'read-committed': true, 'repeatable-read': 'unknown', serializable: false });
    expect(json.findings.map((finding) => [finding.n, finding.class, finding.verdict, finding.fingerprint, finding.count])).toEqual([
      [1, 'G2-item', 'bug', WRITE_SKEW.anomaly.fingerprint, 1],
      [2, 'G-single-item', 'documented', LOST_UPDATE.anomaly.fingerprint, 14],
    ]);
    expect(json.findings.map((finding) => finding.bareReplay)).toEqual([null, { tries: 10, seen: 9 }]);
    expect(json.findings[0]?.cycle).toEqual(WRITE_SKEW.anomaly.cycle);
    const level = json.targets['postgres@18']?.['read-committed'];
    expect(level?.anomalies).toMatchObject({
      total: 19,
      byVerdict: { bug: 0, undocumented: 0, documented: 19 },
      byClass: { 'G-single-item': { documented: 14 } },
    });
    expect(level?.coverage.committed).toBe(4000);
    expect(level?.levels).toMatchObject({ 'cursor-stability': false, 'read-committed': true });
    expect(json.targets['postgres@18']?.['repeatable-read']).toMatchObject({
      answer: 'unknown',
      standing: 'inconclusive',
      reason: expect.stringContaining('nothing was tested') as string,
    });
  });

  it('a level that holds on one target and not on another is false', () => {
    const [first] = report().levels;
    const broken = { ...first!, target: 'other', answers: [{ level: 'read-committed', answer: false } as const] };
    expect(reportJson(report({ levels: [first!, broken] })).levels).toEqual({ 'read-committed': false });
    expect(reportJson(report({ levels: [broken, first!] })).levels).toEqual({ 'read-committed': false });
  });

  it('a target named __proto__ is a target', () => {
    const [first] = report().levels;
    expect(JSON.stringify(reportJson(report({ levels: [{ ...first!, target: '__proto__' }] })).targets)).toContain(
      '"__proto__":{"read-committed"',
    );
  });

  it('finding-<n>.json has all that a finding rests on', () => {
    const json = JSON.parse(everything(report()).text('finding-1.json')) as Record<string, unknown>;
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        'format',
        'version',
        'replay',
        'verdict',
        'promise',
        'anomaly',
        'bareReplay',
        'transactions',
        'statements',
        'setup',
        'level',
        'target',
        'count',
        'run',
      ]),
    );
    expect(json).toMatchObject({
      verdict: 'bug',
      bareReplay: null,
      statements: WRITE_SKEW.statements,
      anomaly: WRITE_SKEW.anomaly,
      setup: WRITE_SKEW.setup,
      run: { seed: '424242', server: expect.stringContaining('18.4') as string },
    });
  });

  it('manifest.json has seed, versions, configuration, level evidence, instrumentation, command and counts', () => {
    const json = JSON.parse(everything(report()).text('manifest.json')) as Record<string, unknown>;
    expect(json).toMatchObject({ seed: '424242', instrument: 'exact', mode: 'schedule', command: report().command });
    expect(json['levels']).toMatchObject([
      {
        level: 'read-committed',
        inForce: { 'read committed': 4321 },
        configuration: { synchronous_commit: 'on' },
        coverage: { transactions: 4321 },
        anomalies: { total: 19 },
      },
      { level: 'repeatable-read', inForce: null, standing: 'inconclusive' },
      { level: 'serializable', answer: false },
    ]);
    expect(json['findings']).toMatchObject([
      { file: 'finding-1.json', verdict: 'bug' },
      { file: 'finding-2.json', bareReplay: { seen: 9, tries: 10 } },
    ]);
  });

  it('writes one set of files, the same bytes for the same report', () => {
    const names = [
      'report.html',
      'report.md',
      'finding-1.json',
      'finding-2.json',
      'findings.json',
      'manifest.json',
      'run.json',
      'finding-1.repro.sql',
      'finding-1.tracker.md',
      'finding-1.graph.svg',
      'finding-1.graph.dot',
      'finding-1.graph.gexf',
    ];
    const [a, b] = [everything(report()), everything(report())];
    expect(a.names()).toEqual(names);
    for (const name of names) expect(a.text(name)).toBe(b.text(name));
  });
});

describe('pairs of forms', () => {
  const [first, ...rest] = report().levels;
  const pairs = { met: { 'select > update': 12, 'update > update': 3 }, notMet: ['select > delete', 'select > upsert', 'update > delete'] };
  const of = report({ levels: [{ ...first!, pairs }, ...rest] });

  it('are counted in the terminal, and those that did not meet are named in report.md and on the page', () => {
    expect(detailsText(of)).toContain('forms        2 of 5 pairs of forms met in a conflict (40.0 %)');
    expect(detailsText(report())).not.toContain('pairs of forms');
    const text = everything(of).text;
    expect(text('report.md')).toContain('2 of 5 pairs of forms met in a conflict (40.0 %)');
    expect(text('report.md')).toMatch(/select (\\?>|&gt;) delete, upsert; update (\\?>|&gt;) delete/);
    expect(text('report.html')).toContain('<dt>forms</dt><dd>2 of 5 pairs of forms met in a conflict (40.0 %)</dd>');
    expect(text('report.html')).toContain('<dt>did not meet</dt><dd>select &gt; delete, upsert</dd>');
  });

  it('are all in findings.json and manifest.json', () => {
    const text = everything(of).text;
    expect(JSON.parse(text('findings.json'))).toMatchObject({ targets: { 'postgres@18': { 'read-committed': { pairs } } } });
    expect(JSON.parse(text('manifest.json'))).toMatchObject({ levels: [{ pairs }, {}, {}] });
  });
});
