/** Which findings make `run` exit 1, and which files name findings that are known. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../core/base/index.ts';
import type { InvariantVerdict } from '../../../core/level/index.ts';
import type { AnomalyFinding, Report } from '../../../core/verdict/index.ts';
import { exitCode } from '../../../src/app/commands/run.ts';
import { worseExit } from '../../../src/app/commands/run-exit.ts';
import { failsOn } from '../../../src/pipeline/fail-on.ts';
import type { FailOn, KnownFinding } from '../../../src/pipeline/fail-on.ts';
import { isKnown, readKnown } from '../../../src/pipeline/known.ts';
import type { Known } from '../../../src/pipeline/known.ts';

const found = (verdict: 'bug' | 'documented', fingerprint = 'f'): Report =>
  ({
    findings: [{ anomaly: { fingerprint, class: 'G2-item', shapes: ['write skew'] }, judgement: { verdict } }],
    levels: [{}],
  }) as unknown as Report;
const known = new Set(['f']);

const UNKNOWN = { accepted: false, inCorpus: false, baseline: false };
const CASES: readonly (readonly [FailOn, KnownFinding, boolean])[] = [
  ['bug', { ...UNKNOWN, verdict: 'bug' }, true],
  ['bug', { ...UNKNOWN, verdict: 'bug', inCorpus: true }, true],
  ['bug', { ...UNKNOWN, verdict: 'bug', accepted: true }, false],
  ['bug', { ...UNKNOWN, verdict: 'undocumented' }, false],
  ['bug', { ...UNKNOWN, verdict: 'documented', baseline: true }, false],
  ['new', { ...UNKNOWN, verdict: 'bug' }, true],
  ['new', { ...UNKNOWN, verdict: 'bug', inCorpus: true }, false],
  ['new', { ...UNKNOWN, verdict: 'bug', accepted: true }, false],
  ['new', { ...UNKNOWN, verdict: 'undocumented' }, true],
  ['new', { ...UNKNOWN, verdict: 'undocumented', inCorpus: true }, false],
  ['new', { ...UNKNOWN, verdict: 'documented' }, false],
  ['new', { ...UNKNOWN, verdict: 'documented', baseline: true }, true],
  ['new', { ...UNKNOWN, verdict: 'documented', baseline: true, accepted: true }, false],
  ['any', { ...UNKNOWN, verdict: 'documented' }, true],
  ['any', { ...UNKNOWN, verdict: 'bug', accepted: true, inCorpus: true }, true],
];

describe('the exit code of a run', () => {
  test('a documented anomaly fails only where any are asked for, or new ones beside a baseline that lacks it', () => {
    const baseline = (...words: readonly string[]): Known => Object.assign(new Set(words), { tellsOf: ['rounds' as const] });
    expect([
      exitCode(found('documented'), 'bug', new Set()),
      exitCode(found('documented'), 'new', new Set()),
      exitCode(found('documented'), 'new', new Set(['another'])),
      exitCode(found('documented'), 'new', baseline('another')),
      exitCode(found('documented'), 'new', baseline('documented f')),
      exitCode(found('documented'), 'new', Object.assign(new Set(['another']), { tellsOf: ['explored' as const] })),
      exitCode(found('documented'), 'any', new Set()),
    ]).toEqual([0, 0, 0, 1, 0, 0, 1]);
  });

  test.each(CASES)('%s, %o', (failOn, finding, fails) => {
    expect(failsOn(failOn, finding)).toBe(fails);
  });

  test('a finding is known by its reduced case too', () => {
    const reduced = {
      judgement: { verdict: 'bug' },
      anomaly: { fingerprint: 'g' },
      reproduction: { anomaly: { fingerprint: 'f' } },
    } as unknown as AnomalyFinding;
    expect([isKnown(reduced, known), isKnown(reduced, new Set(['g'])), isKnown(reduced, new Set(['h']))]).toEqual([true, true, false]);
  });

  test('a known finding fails only where any is asked for', () => {
    expect([exitCode(found('bug'), 'bug', known), exitCode(found('bug'), 'new', known), exitCode(found('bug'), 'any', known)]).toEqual([
      0, 0, 1,
    ]);
  });

  test('a run that lost its server is a failure, whatever it saw before, unless it found what was asked for', () => {
    const lost = (verdict: 'bug' | 'documented'): Report => ({ ...found(verdict), endedEarly: 'gone' });
    expect([exitCode(lost('documented'), 'bug', new Set()), exitCode(lost('bug'), 'bug', new Set())]).toEqual([2, 1]);
  });
});

describe('broken invariants', () => {
  type Broken = readonly (readonly [verdict: InvariantVerdict, ruledOut?: boolean])[];
  const exit = (failOn: FailOn, invariants: Broken, more: object = {}): number =>
    exitCode(
      {
        findings: [],
        levels: [{ invariants: invariants.map(([verdict, ruledOut = false]) => ({ verdict, ruledOut, broken: 1 })) }, { ...more }],
      } as unknown as Report,
      failOn,
      new Set(),
    );

  test('fail where the server broke one, or where any is asked for', () => {
    expect([exit('bug', [['yours'], ['bug']]), exit('new', [['bug'], ['yours']]), exit('any', [['yours']])]).toEqual([1, 1, 1]);
    expect([exit('bug', [['yours']]), exit('bug', [['documented']]), exit('new', [['yours']])]).toEqual([0, 0, 0]);
  });

  test('leave it open where nobody knows who broke one of them, and the level rules every anomaly out', () => {
    expect([
      exit('bug', [['unknown', true]]),
      exit('bug', [['yours'], ['unknown', true]]),
      exit('bug', [['unknown', true], ['yours']]),
    ]).toEqual([3, 3, 3]);
    expect([exit('bug', [['unknown']]), exit('bug', [], { inconclusive: 'nothing' })]).toEqual([0, 3]);
  });
});

test.each([
  [EXIT.interrupted, EXIT.anomaly],
  [EXIT.anomaly, EXIT.failure],
  [EXIT.failure, EXIT.inconclusive],
  [EXIT.inconclusive, EXIT.clean],
])('of the exit codes of two parts of a run %i is worse than %i', (worse, milder) => {
  expect([worseExit(worse, milder), worseExit(milder, worse), worseExit(worse, worse)]).toEqual([worse, worse, worse]);
});

describe('a file of known findings', () => {
  const read = (text: string): string[] => {
    const dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    try {
      writeFileSync(join(dir, 'known'), text);
      return [...readKnown(join(dir, 'known'))];
    } finally {
      rmSync(dir, { recursive: true });
    }
  };

  test('is fingerprints, one a line, with comments, or the findings.json of a run', () => {
    expect(read('a|b:0 # seen before\n\n# none\nG1a|aborted read|select>update\n')).toEqual(['a|b:0', 'G1a|aborted read|select>update']);
    expect(() => read('a|b:0\n<html>\n')).toThrow(/line 2: this is no fingerprint; expected one such as/);
    expect(() => read('a|b:0\n<html>\n')).not.toThrow(/html/);
    expect(read('{"findings":[{"fingerprint":"a|b:0"}]}')).toEqual(['a|b:0']);
    expect(read('{"findings":[{"fingerprint":"a|b:0","reproduced":{"fingerprint":"c"}},{"fingerprint":"d","reproduced":null}]}')).toEqual([
      'a|b:0',
      'c',
      'd',
    ]);
    expect(read('{"anomaly":{"fingerprint":"a|b:0"},"reproduction":{"anomaly":{"fingerprint":"c"}}}')).toEqual(['a|b:0', 'c']);
  });

  test('of a run is what the run said of it: a bug is not hidden by what was allowed elsewhere', () => {
    const file = (verdict: string): ReadonlySet<string> =>
      new Set(read(JSON.stringify({ findings: [{ fingerprint: 'f', verdict, class: 'G2-item', shapes: ['write skew'] }] })));
    expect([
      exitCode(found('documented'), 'new', file('documented')),
      exitCode(found('bug'), 'new', file('documented')),
      exitCode(found('bug'), 'new', file('bug')),
    ]).toEqual([0, 1, 0]);
  });

  test('of a run is the kinds of what the documents allow, and of a bug no more than its fingerprint', () => {
    const file = (verdict: string): ReadonlySet<string> =>
      new Set(read(JSON.stringify({ findings: [{ fingerprint: 'f', verdict, class: 'G2-item', shapes: ['write skew'] }] })));
    expect([
      exitCode(found('documented', 'g'), 'new', file('documented')),
      exitCode(found('bug', 'g'), 'new', file('bug')),
      exitCode(found('bug', 'g'), 'new', file('documented')),
    ]).toEqual([0, 1, 1]);
  });

  test.each(['{}', '[]', '{"x":1}', '{"findings":[null]}', '{"findings"'])('is refused as %s', (text) => {
    expect(() => read(text)).toThrow(/holds no findings/);
  });
});
