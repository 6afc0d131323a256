// What is told of a finding that was executed again, whatever the executions were like.
import { describe, expect, it, vi } from 'vitest';
import type { TestCase } from '../../../../core/program/index.ts';
import type { AnomalyFinding, ReductionReport, Reproduction } from '../../../../core/verdict/index.ts';
import { reproduceFinding } from '../../../../src/reproduce/index.ts';
import { caseNamed, ScriptedLab, wantedAt } from './scripted-replayer.ts';

const WANTED = wantedAt('repeatable-read', 'documented');
const OPTIONS = { wanted: WANTED, times: 4, reduceMs: 0, plain: false, controls: false };
const SIZE = { sessions: 2, transactions: 2, statements: 4, tables: 2, rows: 2 };
const REDUCTION: ReductionReport = { before: { ...SIZE, statements: 20 }, after: SIZE, executions: 50, seconds: 9, complete: true };

describe('a finding that was reduced before', () => {
  const finding = {
    observed: caseNamed('observed'),
    reproduction: { testCase: caseNamed('small'), scope: 'reduced', reduction: REDUCTION } as Reproduction,
  } satisfies Partial<AnomalyFinding>;

  it('keeps its reduction where the reduced case shows it', async () => {
    const found = await reproduceFinding(new ScriptedLab(({ seed }) => (seed === 'small' ? 'skew' : 'nothing')), finding, OPTIONS);
    expect(found).toMatchObject({ testCase: { seed: 'small' }, scope: 'reduced', reduction: REDUCTION });
  });

  it('is not called reduced where only the observed transactions show it', async () => {
    const found = await reproduceFinding(new ScriptedLab(({ seed }) => (seed === 'observed' ? 'skew' : 'nothing')), finding, OPTIONS);
    expect(found).toMatchObject({ testCase: { seed: 'observed' }, scope: 'cycle' });
    expect(found).not.toHaveProperty('reduction');
  });
});

describe('a finding that occurs again but once', () => {
  it('is told as seen, the replay that showed it among the N', async () => {
    const found = await reproduceFinding(
      new ScriptedLab((_, n) => (n === 1 ? 'skew' : 'nothing')),
      { observed: caseNamed('observed') },
      OPTIONS,
    );
    expect(found).toMatchObject({ rate: { tries: 5, seen: 1 }, anomaly: { class: 'G2-item' }, scope: 'cycle' });
  });

  it('is told by the case that showed it, where its reduced one does not', async () => {
    const transactions = [{ id: 7, statements: [], end: 'commit', autocommit: false }] as const;
    const observed: TestCase = { ...caseNamed('observed'), sessions: [{ transactions }], schedule: [0, 0] };
    let reduced = 0;
    // Nothing can be taken from it, and then it is numbered from 1.
    const isReduced = ({ sessions }: TestCase): boolean => sessions[0]?.transactions[0]?.id === 1;
    const replayer = new ScriptedLab((tried) => (tried === observed || (isReduced(tried) && reduced++ === 0) ? 'skew' : 'nothing'));
    const found = await reproduceFinding(replayer, { observed }, { ...OPTIONS, reduceMs: 600_000 });
    expect(reduced).toBe(5);
    expect(found!.testCase).toBe(observed);
    expect(found).toMatchObject({ rate: { tries: 5, seen: 5 }, scope: 'cycle' });
    expect(found).not.toHaveProperty('reduction');
  });
});

describe('the controls', () => {
  it('have time left however long the run without instrumentation took', async () => {
    const clock = vi.spyOn(performance, 'now');
    try {
      // Each execution without instrumentation takes a minute.
      const replayer = new ScriptedLab((_, __, mode) => {
        if (mode === 'none') clock.mockReturnValue(performance.now() + 60_000);
        return 'skew';
      });
      const found = await reproduceFinding(replayer, { observed: caseNamed('observed') }, { ...OPTIONS, plain: true, controls: true });
      expect(found!.controls.map(({ level, own }) => [level, own])).toEqual([
        ['read-committed', false],
        ['repeatable-read', true],
        ['serializable', false],
      ]);
    } finally {
      clock.mockRestore();
    }
  });
});
