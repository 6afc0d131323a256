/** One anomaly seen many times is one finding with its count, and once it is known the run passes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../../../../check/index.ts';
import type { Report } from '../../../../../core/verdict/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { exitCode } from '../../../../../src/app/commands/run.ts';
import { Findings } from '../../../../../src/judge/findings/findings.ts';
import { assessHistory } from '../../../../../src/judge/assess/graph.ts';
import { readKnown } from '../../../../../src/pipeline/known.ts';
import type { Known } from '../../../../../src/pipeline/known.ts';
import { historyFromText } from '../../../history-text.ts';

const TIMES = 1_000;

/** A write skew, under other names each time. */
const writeSkew = (n: number): string => {
  const [one, two] = [2 * n + 1, 2 * n + 2];
  return `t${one}@s1: r x ,0.0; w y ,0.0,${one}.1; commit
    t${two}@s2: r y ,0.0; w x ,0.0,${two}.1; commit`;
};

function runOf(rounds: number): Findings {
  const findings = new Findings();
  for (let round = 0; round < rounds; round++) {
    const { graph, verdict } = assessHistory(historyFromText(writeSkew(round)));
    for (const anomaly of verdict.anomalies) {
      findings.add(graph.history, anomaly, judge(anomaly, 'read-committed', {}, postgres.promises, postgres), {
        target: 'postgres',
        level: 'read-committed',
        round,
        setup: [],
        vendor: postgres.vendor,
        replay: '',
        testCase: { seed: 'x', schema: { tables: [] }, sessions: [] },
      });
    }
  }
  return findings;
}

/** An earlier run's findings: what it lacks is news, documented or not. */
function baseline(...fingerprints: readonly string[]): Known {
  return Object.assign(new Set(fingerprints), { tellsOf: ['rounds'] as const });
}

test('a run that finds the same anomaly 1,000 times reports it once with its count, and passes once it is known', () => {
  const each = runOf(1).list();
  expect(each.map(({ anomaly }) => anomaly.shapes[0])).toEqual(['write skew']);
  const findings = runOf(TIMES);
  const list = findings.list();
  expect(list.map(({ id, count }) => [id, count])).toEqual([['f1', TIMES]]);
  expect(findings.dropped).toBe(0);

  const report = { findings: list, levels: [{}] } as unknown as Report;
  const folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  try {
    const file = join(folder, 'known');
    writeFileSync(file, `${each[0]!.anomaly.fingerprint}\n`);
    expect([exitCode(report, 'new', baseline()), exitCode(report, 'new', readKnown(file))]).toEqual([1, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what nobody saw has no certificate, and all else has one', () => {
  const { graph, verdict } = assessHistory(historyFromText(writeSkew(0)));
  const certified = (unseen: boolean): boolean => {
    const findings = new Findings();
    const anomaly = verdict.anomalies[0]!;
    findings.add(
      graph.history,
      unseen ? { ...anomaly, unseen: true } : anomaly,
      judge(anomaly, 'read-committed', {}, postgres.promises, postgres),
      {
        target: 'postgres',
        level: 'read-committed',
        round: 0,
        setup: [],
        vendor: postgres.vendor,
        replay: '',
        testCase: { seed: 'x', schema: { tables: [] }, sessions: [] },
      },
    );
    return findings.list()[0]!.certificate !== undefined;
  };
  expect([certified(false), certified(true)]).toEqual([true, false]);
});

test('a bug is kept whole after hundreds of documented findings, and never counted as one more of them', () => {
  const { graph, verdict } = assessHistory(historyFromText(writeSkew(0)));
  const anomaly = verdict.anomalies[0]!;
  const findings = new Findings();
  const add = (fingerprint: string, said: 'bug' | 'documented'): unknown =>
    findings.add(
      graph.history,
      { ...anomaly, fingerprint },
      { verdict: said },
      {
        target: 'postgres',
        level: 'read-committed',
        round: 0,
        setup: [],
        vendor: postgres.vendor,
        replay: '',
        testCase: { seed: 'x', schema: { tables: [] }, sessions: [] },
      },
    );
  for (let i = 0; i < 300; i++) add(`documented ${i}`, 'documented');
  add('documented 0', 'bug');
  add('new', 'bug');
  expect(
    findings
      .list()
      .filter(({ judgement }) => judgement.verdict === 'bug')
      .map(({ anomaly: { fingerprint } }) => fingerprint),
  ).toEqual(['documented 0', 'new']);
  expect(findings.dropped).toBe(100);
});

/** A documented anomaly of so many transactions, of the family of `kind`. */
function documented(
  findings: Findings,
  fingerprint: string,
  transactions: number,
  kind: 'write skew' | 'long fork' = 'write skew',
  verdict: 'documented' | 'undocumented' = 'documented',
): void {
  const {
    graph,
    verdict: { anomalies },
  } = assessHistory(historyFromText(writeSkew(0)));
  const anomaly = { ...anomalies[0]!, fingerprint, shapes: [kind], transactions: Array.from({ length: transactions }, (_, i) => i + 1) };
  findings.add(
    graph.history,
    anomaly,
    { verdict },
    {
      target: 'postgres',
      level: 'read-committed',
      round: 0,
      setup: [{ sql: 'CREATE', makes: 'namespace' }],
      vendor: postgres.vendor,
      replay: '',
      testCase: { seed: 'x', schema: { tables: [] }, sessions: [] },
    },
  );
}

test('of a family that the documents allow the first of the fewest transactions is kept whole, the others are a line', () => {
  const findings = new Findings();
  for (const [fingerprint, size] of [
    ['three', 3],
    ['two', 2],
    ['other two', 2],
    ['four', 4],
    ['two', 2],
  ] as const)
    documented(findings, fingerprint, size);
  documented(findings, 'fork', 4, 'long fork');
  expect(
    findings.list().map(({ anomaly, count, setup, statements }) => [anomaly.fingerprint, count, setup.length, statements.length > 0]),
  ).toEqual([
    ['two', 2, 1, true],
    ['fork', 1, 1, true],
  ]);
  const lines = findings.listed();
  expect(lines.map(({ anomaly, count }) => [anomaly.fingerprint, count])).toEqual([
    ['three', 1],
    ['other two', 1],
    ['four', 1],
  ]);
  for (const line of lines)
    for (const field of ['statements', 'setup', 'certificate', 'observed', 'overlapping']) expect(line).not.toHaveProperty(field);
  expect(findings.size).toBe(5);
});

test('what the documents do not allow is kept whole, each of it', () => {
  const findings = new Findings();
  for (const fingerprint of ['a', 'b', 'c']) documented(findings, fingerprint, 2, 'write skew', 'undocumented');
  expect([findings.list().length, findings.listed()]).toEqual([3, []]);
});

test('a line that is news fails a run that asks for what is new, until it is known', () => {
  const findings = new Findings();
  documented(findings, 'G2-item|a', 2);
  documented(findings, 'G2-item|b', 3);
  const report = { findings: [], listed: findings.listed(), levels: [{}] } as unknown as Report;
  expect([
    exitCode(report, 'bug', new Set()),
    exitCode(report, 'new', baseline()),
    exitCode(report, 'any', new Set()),
    exitCode(report, 'new', baseline('G2-item|b')),
  ]).toEqual([0, 1, 1, 0]);
});
