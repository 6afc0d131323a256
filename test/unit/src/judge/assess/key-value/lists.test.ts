// What the lists of an append round prove beyond the order that they spell: appends that are in none of them.
import { describe, expect, it } from 'vitest';
import type { Level } from '../../../../../../core/level/index.ts';
import { assessRound } from '../../../../../../src/judge/assess/round.ts';
import { assessLists } from '../../../../../../src/judge/assess/key-value/index.ts';
import { played } from './simulate.ts';
import type { Played, PlayedOptions } from './simulate.ts';

type Verdict = ReturnType<typeof assessLists>['verdict'];

function judged(txns: readonly Played[], options: PlayedOptions): Verdict {
  const history = played(txns, { inTurn: true, contents: 'lists', ...options });
  const { verdict } = assessLists(history);
  expect(verdict.defects).toEqual([]);
  expect(assessRound(history).verdict.anomalies).toEqual(verdict.anomalies);
  return verdict;
}

const names = ({ anomalies }: Verdict): string[] => anomalies.map(({ class: name, shapes }) => [name, ...shapes].join(' ')).sort();
const answer = (verdict: Verdict, level: Level): unknown => verdict.levels.find((each) => each.level === level)?.answer;

describe('an acknowledged append that is in no list', () => {
  // all of them in sessions of their own, one after the other
  const first = [{ ops: 'a1' }, { ops: 'r1=,0.0,1.1 a1' }] as const;

  it('is a lost update where another one appended to what its transaction had read', () => {
    const verdict = judged([...first, { ops: 'r1=,0.0,1.1 a1' }, { ops: 'r1=,0.0,1.1,3.1' }], { closing: '1=,0.0,1.1,3.1' });
    expect(names(verdict)).toContain('G-single-item lost update');
    expect(names(verdict)).toContain('G-single-item-realtime stale read');
    expect(
      verdict.anomalies.find(({ shapes }) => shapes.includes('lost update'))!.cycle.map(({ from, rel, to }) => `${from} ${rel} ${to}`),
    ).toEqual(['2 rw 3', '3 ww 2']);
    expect(answer(verdict, 'serializable')).toBe(false);
    expect(answer(verdict, 'snapshot-isolation')).toBe(false);
    expect(answer(verdict, 'read-committed')).toBe(true);
  });

  it('is a stale read where nothing else was appended, for the closing read may be one', () => {
    const verdict = judged([...first, { ops: 'r1=,0.0,1.1 r2=,0.0' }], { closing: '1=,0.0,1.1 2=,0.0' });
    expect(names(verdict)).toEqual(['G-single-item-realtime stale read']);
    expect(verdict.anomalies[0]!.unseen).toBe(true);
    expect(verdict.anomalies[0]!.transactions).toEqual([4, 2]);
    expect(verdict.anomalies[0]!.explanation).toMatch(/2\.1 was acknowledged and is in no list/);
    expect(answer(verdict, 'strict-serializable')).toBe(false);
    expect(answer(verdict, 'serializable')).toBe(true);
  });

  it.each([
    [
      'whose transaction may not have committed',
      [{ ops: 'a1' }, { ops: 'r1=,0.0,1.1 a1', outcome: 'unknown' }, { ops: 'r1=,0.0,1.1' }],
      { closing: '1=,0.0,1.1' },
    ],
    [
      'whose transaction was refused',
      [{ ops: 'a1' }, { ops: 'r1=,0.0,1.1 a1', outcome: 'aborted' }, { ops: 'r1=,0.0,1.1' }],
      { closing: '1=,0.0,1.1' },
    ],
    ['in a round that was cut short', [...first, { ops: 'r1=,0.0,1.1' }], { closing: '1=,0.0,1.1', complete: false }],
    ['of which there is no closing read', [...first, { ops: 'r1=,0.0,1.1' }], {}],
    ['that met no row', [{ ops: 'a1' }, { ops: 'n1=7 r1=,0.0,1.1' }], { closing: '1=,0.0,1.1' }],
    ['that the closing read shows after all', [...first, { ops: 'r1=,0.0,1.1,2.1' }], { closing: '1=,0.0,1.1,2.1' }],
  ] as const)('proves nothing of one %s', (_, txns, options) => {
    const verdict = judged(txns, options);
    expect(verdict.anomalies.filter(({ explanation }) => explanation.includes('in no list'))).toEqual([]);
  });
});

describe('an append that no list shows', () => {
  it('is what its transaction and a reader of the list met by: the reason of an unknown level says so', () => {
    const met = judged([{ ops: 'r2=,0.0' }, { ops: 'a2' }], {});
    expect(new Set(met.levels.map(({ answer: said, reason }) => `${said}: ${reason}`))).toEqual(
      new Set(['unknown: nothing to judge: committed transactions met by appends that no list shows']),
    );
    const apart = judged([{ ops: 'r2=,0.0' }, { ops: 'a1' }], {});
    expect(apart.levels[0]!.reason).toBe('nothing to judge: no two committed transactions met on a row');
  });
});

describe('a transaction that is about one list twice', () => {
  it.each([
    ['is seen in its midst', [{ ops: 'a1 a1' }, { ops: 'r1=,0.0,1.1' }], '1=,0.0,1.1,1.2', 'G1b intermediate read'],
    ['does not see its own append', [{ ops: 'r1=,0.0 a1 r1=,0.0' }, { ops: 'r1=,0.0,1.1' }], '1=,0.0,1.1', 'internal'],
    [
      'sees another one come in between',
      [{ ops: 'a1' }, { ops: 'r1=,0.0 r1=,0.0,1.1' }],
      '1=,0.0,1.1',
      'G-single-item non-repeatable read',
    ],
  ] as const)('%s', (_, txns, closing, name) => {
    const verdict = judged(txns, { inTurn: false, closing });
    expect(names(verdict)).toContain(name);
    expect(answer(verdict, 'serializable')).toBe(false);
  });
});

describe('a list that appends cannot have made', () => {
  const before = [{ ops: 'a1' }, { ops: 'r1=,0.0,1.1 a1' }, { ops: 'r1=,0.0,1.1,2.1 a1' }] as const;

  it.each([
    ['one without its beginning', [...before, { ops: 'r1=,3.1' }], {}],
    ['one that ends in the middle', [...before, { ops: 'r1=,0.0,1.1,' }], {}],
    ['one with an element of a transaction that was never sent', [...before, { ops: 'r1=,0.0,1.1,2.1,77.1' }], {}],
    ['one that is not there any more', [...before, { ops: 'r1' }], {}],
    ['one that the closing read lacks', before, { closing: '2=,0.0' }],
  ] as const)('is %s', (_, txns, options) => {
    const verdict = judged(txns, options);
    expect(names(verdict)).toEqual(['thin-air']);
    expect(verdict.levels.every((each) => each.answer === false)).toBe(true);
    const open = judged(txns, { ...options, complete: false });
    expect(names(open)).toEqual([]);
    expect(open.levels.every((each) => each.answer === 'unknown')).toBe(true);
  });
});
