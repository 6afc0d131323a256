// The exit code of `replay`: of a finding by its k of N, of a table by what occurs in it, if anything was run at all.
import { describe, expect, it } from 'vitest';
import type { Control, Reproduction } from '../../../core/verdict/index.ts';
import { EXIT } from '../../../core/base/index.ts';
import { exitOfCells, exitOfFinding } from '../../../src/app/commands/replay.ts';

const control = (outcome: string, own = true): Control => ({
  code: outcome.startsWith('not run') ? 'not run' : (outcome as NonNullable<Control['code']>),
  target: 't',
  server: 's',
  level: 'serializable',
  rate: { tries: 2, seen: outcome === 'occurs' ? 2 : 0 },
  outcome,
  own,
  judgement: { verdict: 'bug' },
});
const found = (
  seen: number,
  verdict: 'bug' | 'documented',
  ...controls: readonly Control[]
): Pick<Reproduction, 'rate' | 'judgement' | 'controls'> => ({ rate: { tries: 10, seen }, judgement: { verdict }, controls });

describe('the exit code of a finding', () => {
  it.each<[string, Parameters<typeof exitOfFinding>[0]]>([
    ['whose time was over before its controls', found(10, 'bug')],
    ['that is racy and was not seen by its control', found(3, 'bug', control('not seen'))],
    ['whose control was not run', found(10, 'bug', control('not run: no reason given'))],
    ['that only its control shows', found(0, 'bug', control('occurs'))],
  ])('is 1 of a bug %s', (_, reproduction) => {
    expect(exitOfFinding(reproduction, 'bug')).toBe(EXIT.anomaly);
  });

  it('is 0 of what the documents allow, and 1 of that on request', () => {
    expect(exitOfFinding(found(10, 'documented', control('occurs', false)), 'bug')).toBe(EXIT.clean);
    expect(exitOfFinding(found(3, 'documented'), 'any')).toBe(EXIT.anomaly);
  });
});

describe('the exit code of a table', () => {
  const lost = control('not run: cannot connect', false);

  it('is 3 where nothing was run', () => {
    expect(exitOfCells([lost, lost], 'bug')).toBe(EXIT.inconclusive);
    expect(exitOfCells([], 'bug')).toBe(EXIT.inconclusive);
  });

  it('is 3 where nothing was judged, or no cell that was run', () => {
    expect(exitOfCells([control('not judged'), lost], 'bug')).toBe(EXIT.inconclusive);
    expect(exitOfCells([control('not judged'), control('blocking')], 'bug')).toBe(EXIT.clean);
  });

  it.each(['lost', 'unusable'])('is 2 where one is %s, unless something was found', (code) => {
    expect(exitOfCells([control('not seen'), control(code)], 'bug')).toBe(EXIT.failure);
    expect(exitOfCells([lost, control(code)], 'bug')).toBe(EXIT.failure);
    expect(exitOfCells([control('occurs'), control(code)], 'bug')).toBe(EXIT.anomaly);
    expect(exitOfCells([{ ...control('occurs'), judgement: { verdict: 'documented' } }, control(code)], 'bug')).toBe(EXIT.failure);
  });

  it('is what the others say where some were', () => {
    expect(exitOfCells([lost, control('not seen')], 'bug')).toBe(EXIT.clean);
    expect(exitOfCells([lost, control('occurs')], 'bug')).toBe(EXIT.anomaly);
  });
});
