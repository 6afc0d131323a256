/** Findings in families: counted once each, none lost, one of each shown. */
import { describe, expect, it } from 'vitest';
import { REPORTERS, edgeKinds, families, reportJson, detailsText } from '../../../reports/index.ts';
import { HistoryBuilder } from '../../../core/history/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import type { AnomalyFinding, ListedFinding } from '../../../core/verdict/index.ts';
import { Findings, MOST_FINDINGS, MOST_OF_FAMILY } from '../../../src/judge/findings/findings.ts';
import { roundOf } from '../history-text.ts';
import { files, LOST_UPDATE, report, vendorNamed, WRITE_SKEW } from './fixture.ts';
import { unpacked } from '../unpacked-page.ts';

/** Twelve fingerprints of one family, and a write skew. */
const MANY: readonly AnomalyFinding[] = [
  ...Array.from({ length: 12 }, (_, i): AnomalyFinding => ({
    ...LOST_UPDATE,
    id: `f${i}`,
    count: i + 1,
    anomaly: {
      ...LOST_UPDATE.anomaly,
      fingerprint: `print ${i}`,
      cycle: i % 2 ? LOST_UPDATE.anomaly.cycle.toReversed() : LOST_UPDATE.anomaly.cycle,
    },
  })),
  WRITE_SKEW,
];

function asLine(finding: AnomalyFinding): ListedFinding {
  const { statements: _, setup: __, bareReplay: ___, ...line } = finding;
  return line;
}

describe('families of findings', () => {
  it('are one class, one name and one cycle of edges, wherever the cycle was entered', () => {
    const [skew, lost, ...none] = families(report({ findings: MANY }));
    expect(none).toEqual([]);
    expect([skew!.name, skew!.edges, skew!.findings.map(({ n }) => n)]).toEqual(['write skew (G2-item)', 'rw rw', [1]]);
    expect([lost!.name, lost!.edges, lost!.anomalies, lost!.findings.length]).toEqual(['lost update (G-single-item)', 'rw ww', 78, 12]);
    expect(edgeKinds({ cycle: [] })).toBe('');
  });

  it('hold every finding once', () => {
    const numbers = families(report({ findings: MANY })).flatMap(({ findings }) => findings.map(({ n }) => n));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(MANY.map((_, i) => i + 1));
  });

  it('are what the terminal shows of many findings: a table, and one of each', () => {
    const text = detailsText(report({ findings: MANY }));
    expect(text).toContain('Findings: 13 in 2 families');
    expect(text).toMatch(/lost update \(G-single-item\) +rw ww +postgres@18 +read-committed +documented +78 +12 +2-13/);
    expect(text.match(/fingerprint /g)).toHaveLength(2);
    expect(text).toContain('11 more in report.md and report.html');
    expect(detailsText(report())).not.toContain('families');
  });

  it('stand before the findings in report.md and report.html, and in findings.json', () => {
    const written = files();
    for (const reporter of Object.values(REPORTERS)) reporter(report({ findings: MANY }), written.sink);
    expect(written.text('report.md')).toContain('13 findings in 2 families');
    expect(written.text('report.html').match(/<details class="family /g)).toHaveLength(2);
    expect(reportJson(report({ findings: MANY })).families.map(({ name, anomalies }) => [name, anomalies])).toEqual([
      ['write skew (G2-item)', WRITE_SKEW.count],
      ['lost update (G-single-item)', 78],
    ]);
  });

  it('are represented in a run however many findings another family has', () => {
    const findings = new Findings();
    const empty = new HistoryBuilder(roundOf()).finish();
    const testCase: TestCase = { seed: 'x', schema: { tables: [] }, sessions: [] };
    const add = (anomaly: AnomalyFinding['anomaly'], n: number): unknown =>
      findings.add(empty, { ...anomaly, fingerprint: `${anomaly.class} ${n}`, transactions: [] }, LOST_UPDATE.judgement, {
        target: 'x',
        level: 'read-committed',
        round: 0,
        setup: [],
        vendor: vendorNamed('postgres'),
        replay: '',
        testCase,
      });
    for (let n = 0; n < MOST_FINDINGS + 5; n++) add(LOST_UPDATE.anomaly, n);
    for (let n = 0; n < MOST_OF_FAMILY + 2; n++) add(WRITE_SKEW.anomaly, n);
    expect(findings.size).toBe(MOST_FINDINGS + MOST_OF_FAMILY);
    expect(findings.dropped).toBe(5 + 2);
  });

  it('count the findings that are a line, and tell which one is told in full', () => {
    const listed = MANY.slice(1, 12).map(asLine);
    const withLines = report({ findings: [MANY[0]!, WRITE_SKEW], listed });
    const [, lost] = families(withLines);
    expect([lost!.anomalies, lost!.findings.map(({ n }) => n), lost!.lines.map(({ n }) => n)]).toEqual([
      78,
      [2],
      listed.map((_, i) => i + 3),
    ]);
    const text = detailsText(withLines);
    expect(text).toContain('Findings: 13 in 2 families');
    expect(text).toMatch(/lost update \(G-single-item\) +rw ww +postgres@18 +read-committed +documented +78 +12 +2$/m);
    expect(text).toContain('11 more in report.md and report.html');
    const { findings, families: inJson } = reportJson(withLines);
    expect(findings.map(({ n, file }) => [n, file])).toEqual([
      [1, 'finding-1.json'],
      [2, 'finding-2.json'],
      ...listed.map((_, i) => [i + 3, null]),
    ]);
    expect(inJson.flatMap((family) => family.findings).toSorted((a, b) => a - b)).toEqual(findings.map(({ n }) => n));
    const written = files();
    for (const reporter of Object.values(REPORTERS)) reporter(withLines, written.sink);
    expect(written.text('report.md')).toContain('A line each');
    for (const { anomaly } of listed) expect(written.text('report.md')).toContain(anomaly.fingerprint);
    const open = unpacked(written.text('report.html'));
    for (const [i, { anomaly }] of listed.entries()) {
      const { body = '' } = open.get(i + 3) ?? {};
      expect(body).toContain(anomaly.fingerprint);
      expect(body).toContain('<a href="#finding-2">finding 2</a>');
      expect(body).toContain('<svg class="cycle"');
    }
    const json = written.text('findings.json');
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(reportJson(withLines))));
    expect(json.split('\n').filter((line) => line.includes('"file":null'))).toHaveLength(listed.length);
    expect(written.names().filter((name) => /^finding-\d+\.json$/.test(name))).toEqual(['finding-1.json', 'finding-2.json']);
    expect(reportJson(report({ findings: [LOST_UPDATE] })).targets).toEqual(
      reportJson(report({ findings: [LOST_UPDATE], listed: [] })).targets,
    );
  });
});
