// What an exploration of .spec files says: a line for each, findings in full, and everything that was left out.
import { describe, expect, it } from 'vitest';
import { rawText } from '../../../reports/index.ts';
import type { RawDifference, RawReport, RawSpec } from '../../../reports/index.ts';
import { specsExit } from '../../../src/app/commands/explore-specs.ts';

const spec = (more: Partial<RawSpec>): RawSpec => ({
  path: 'specs/a.spec',
  orders: 3,
  outcomes: 2,
  compared: 3,
  levels: ['serializable'],
  notCompared: [],
  differences: [],
  ...more,
});
const report = (...specs: readonly RawSpec[]): RawReport => ({
  tool: 'anomalist 1',
  command: 'anomalist explore specs --target postgres@18 --seed 1',
  startedAt: '2026-11-28T00:00:00.000Z',
  seconds: 1,
  target: 'postgres@18',
  server: 'PostgreSQL 18.4',
  seed: '1',
  specs,
});
const difference = (more: Partial<RawDifference>): RawDifference => ({
  level: 'serializable',
  verdict: 'bug',
  kind: 'no serial order gives this',
  permutation: ['r1', 'w2'],
  orders: 2,
  serialOrders: ['s1 before s2: step r1 would answer (1); observed (2).'],
  ...more,
});
const textOf = (...specs: readonly RawSpec[]): string => rawText(report(...specs)).replaceAll(/\s+/g, ' ');

describe('the text of .spec files', () => {
  it('has one line for each, with what differs and what is left out', () => {
    const left = spec({
      path: 'specs/b.spec',
      compared: 1,
      notCompared: [
        { reason: { code: 'several-transactions', session: 's1' }, orders: 1, permutation: ['a'] },
        { reason: { code: 'open-words', word: 'limit' }, orders: 1, permutation: ['a'] },
      ],
    });
    const text = rawText(report(spec({ differences: [difference({})] }), left));
    expect(text).toMatch(/^a\.spec +3 +2 +3 +1 bug$/m);
    expect(text).toMatch(/^b\.spec +3 +2 +1 +0 +1 several transactions, 1 limit$/m);
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain(
      '2 files, 0 refused files: 6 orders run, 4 compared, of which 2 differ from every serial order; 2 not compared.',
    );
    expect(flat).toContain('several transactions: 1 order of 1 file, such as b.spec: session s1 has several transactions');
  });

  it('tells a finding with its order, its serial orders and how often it came', () => {
    const text = textOf(spec({ differences: [difference({ rate: { tries: 5, seen: 5 } })] }));
    expect(text).toContain('bug a.spec at serializable: no serial order gives this');
    expect(text).toContain('The steps were sent in this order: r1 w2. The same order of steps differed in 5 of 5 runs.');
    expect(text).toContain('s1 before s2: step r1 would answer (1); observed (2).');
  });

  it('counts what is allowed, without calling it a finding', () => {
    const text = textOf(spec({ differences: [difference({ verdict: 'allowed', level: 'repeatable-read' })] }));
    expect(text).toContain('1 outcome of 1 file that no serial order gives, allowed at repeatable-read');
    expect(text).not.toContain('The steps were sent in this order');
  });

  it('says which file was refused and why', () => {
    expect(textOf(spec({ refused: 'a.spec: got "x" in line 3', orders: 0, compared: 0 }))).toContain(
      'Refused: a.spec: a.spec: got "x" in line 3',
    );
  });
});

describe('the exit code of .spec files', () => {
  it.each([
    ['a bug', report(spec({ differences: [difference({})] })), 'bug', 1],
    ['what is allowed', report(spec({ differences: [difference({ verdict: 'allowed' })] })), 'bug', 0],
    ['what is allowed, where anything fails', report(spec({ differences: [difference({ verdict: 'allowed' })] })), 'any', 1],
    ['nothing', report(spec({})), 'any', 0],
    ['nothing that was compared', report(spec({ compared: 0 })), 'bug', 3],
    ['one file that is refused', report(spec({ compared: 0, refused: 'wrong' })), 'bug', 2],
    ['a refused file among others', report(spec({ refused: 'wrong', compared: 0 }), spec({})), 'bug', 0],
    ['a server that failed', { ...report(spec({})), endedEarly: 'lost' }, 'bug', 2],
    ['a bug before the server failed', { ...report(spec({ differences: [difference({})] })), endedEarly: 'lost' }, 'bug', 1],
  ] as const)('of %s', (_, made, failOn, exit) => {
    expect(specsExit(made, failOn)).toBe(exit);
  });
});
