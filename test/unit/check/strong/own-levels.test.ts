import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkOwn, formatNamed } from '../../../../check/index.ts';
import type { Level, MixedLevel } from '../../../../core/level/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import { bruteForceOwn } from './brute-force-own.ts';
import type { LevelledTxn } from './brute-force-own.ts';
import { showHistory, toKv } from './random-history.ts';

const LEVELS: readonly MixedLevel[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'];
const COUNT = 20_000;

function judge(txns: readonly LevelledTxn[]): ReturnType<typeof checkOwn> {
  const history = toKv(txns);
  return checkOwn({ ...history, level: (t) => txns[Number(history.txnName?.(t).slice(1))]!.level });
}

function show(txns: readonly LevelledTxn[]): string {
  return `${showHistory(txns)}\n${txns.map(({ level }) => level).join(', ')}`;
}

/** Small histories, each transaction at one of some levels; of most of them the values repeat. */
function levelledHistory(): fc.Arbitrary<readonly LevelledTxn[]> {
  const levels = fc.subarray([...LEVELS], { minLength: 1 });
  const lots = fc.array(fc.nat({ max: 59 }), { minLength: 7, maxLength: 7 });
  return fc.tuple(smallHistory({ mostTxns: 7 }), levels, lots, fc.nat({ max: 3 })).map(([txns, some, each, values]) => {
    if (values > 0)
      for (const { ops } of txns) for (const op of ops) if (op.value !== 0 && op.value !== 999) op.value = 1 + (op.value % values);
    return txns.map((txn, t) => ({ ...txn, level: some[each[t]! % some.length]! }));
  });
}

/** Some read is of what several transactions left. */
function isChoice(txns: readonly LevelledTxn[]): boolean {
  const left = (key: number, value: number): number =>
    txns.filter(({ ops, outcome }) => outcome === 'committed' && ops.findLast((op) => op.write && op.key === key)?.value === value).length;
  return txns.some(({ ops }) => ops.some(({ write, key, value }) => !write && left(key, value) > 1));
}

/** `level: r(key,value,session,txn) ...` in words of plume, a transaction a line; all of them as one history. */
function parse(lines: readonly string[]): KvHistory {
  const levels = lines.map((line) => line.slice(0, line.indexOf(':')) as Level);
  const text = lines.map((line) => line.slice(line.indexOf(':') + 2)).join(' ');
  const bytes = new TextEncoder().encode(`${text.replaceAll(' ', '\n')}\n`);
  const parsed = formatNamed('plume').read([{ name: 'h', bytes }]);
  if (parsed.kind !== 'kv') throw new Error('a register history');
  const { history } = parsed;
  return { ...history, level: (t) => levels[Number(history.txnName?.(t)) - 1] };
}

describe('each transaction at its own level', () => {
  const skew = (one: string, other: string): readonly string[] => [`${one}: r(1,0,1,1) w(2,5,1,1)`, `${other}: r(2,0,2,2) w(1,6,2,2)`];
  const lost = (one: string, other: string): readonly string[] => [`${one}: r(1,0,1,1) w(1,5,1,1)`, `${other}: r(1,0,2,2) w(1,6,2,2)`];
  const torn = (reader: string): readonly string[] => ['serializable: w(1,5,1,1) w(2,5,1,1)', `${reader}: r(1,0,2,2) r(2,5,2,2)`];
  const past = (reader: string, other: string): readonly string[] => [
    'rc: w(1,7,1,1) w(2,1,1,1)',
    `rc: w(1,7,2,2) w(${other},1,2,2)`,
    'serializable: r(1,7,3,3)',
    `${reader}: r(2,0,3,4) r(3,0,3,4)`,
  ];
  const cases: readonly (readonly [what: string, lines: readonly string[], answer: boolean])[] = [
    ['write skew of two serializable ones', skew('serializable', 'serializable'), false],
    ['write skew of a serializable one and one of snapshot isolation', skew('serializable', 'snapshot-isolation'), true],
    ['write skew of a serializable one and one of rc', skew('serializable', 'rc'), true],
    ['a lost update of two of snapshot isolation', lost('snapshot-isolation', 'snapshot-isolation'), false],
    ['a serializable one whose update one of rc overwrites unseen', lost('serializable', 'rc'), true],
    ['a lost update of a serializable one and one of snapshot isolation', lost('serializable', 'snapshot-isolation'), false],
    ['a reader of rc that sees a half', torn('rc'), true],
    ['a reader of read-committed, which is rc', torn('read-committed'), true],
    ['a reader of ra that sees a half', torn('ra'), false],
    ['a reader of rc that sees one and then the other version', ['ra: w(1,5,1,1)', 'rc: r(1,0,2,2) r(1,5,2,2)'], true],
    ['the same at ra', ['rc: w(1,5,1,1)', 'ra: r(1,0,2,2) r(1,5,2,2)'], false],
    ['whatever a serializable one read from, one of its writes is in the past of cc', past('cc', '3'), false],
    ['one of both writes is not', past('cc', '4'), true],
    ['only cc looks so far', past('ra', '3'), true],
  ];
  test.each(cases)('%s', (_, lines, answer) => {
    const verdict = checkOwn(parse(lines));
    expect([verdict.level, verdict.answer]).toEqual(['own', answer]);
    for (const { levels } of verdict.anomalies) expect(levels).toContain('own');
  });

  test('a witness names the levels and gives the circle, the demand of the weaker level with its reason', () => {
    const [witness] = checkOwn(parse(torn('ra'))).anomalies;
    expect(witness!.name).toBe('NotAtOwnLevels');
    expect(witness!.cycle.map(({ rel }) => rel)).toEqual(['wr', 'rw']);
    expect(witness!.explanation).toContain('transaction 1 (serializable), transaction 2 (ra) fit into no order of commits');
  });

  test('a level without an axiom of its own, or none at all, leaves the answer open', () => {
    const reason = (lines: readonly string[]): string | undefined => checkOwn(parse(lines)).reason;
    expect(reason(torn('repeatable-read'))).toContain('transaction 2 is at repeatable-read, which has no meaning beside other levels');
    const { level: _, ...unnamed } = parse(torn('rc'));
    expect(checkOwn(unnamed).reason).toBe('the history names no level of transaction 1');
  });

  test(`${COUNT} random small histories get the verdict of the definition, and none is unknown`, () => {
    const reached = {
      'answer true': 0.25,
      'answer false': 0.15,
      'several levels': 0.6,
      'one level': 0.1,
      'a choice of writers': 0.15,
      'a witness of a weak and a strong level': 0.01,
    };
    always(levelledHistory(), { seed: 5, of: COUNT, least: 1000, reached }, (txns, reach) => {
      const expected = bruteForceOwn(txns);
      const verdict = judge(txns);
      expect(verdict.answer, show(txns)).toBe(expected);
      reach(`answer ${expected}`);
      reach(new Set(txns.map(({ level }) => level)).size > 1 ? 'several levels' : 'one level');
      if (isChoice(txns)) reach('a choice of writers');
      expect(verdict.anomalies.length > 0, `a witness\n${show(txns)}`).toBe(!expected);
      for (const { explanation } of verdict.anomalies)
        if (/\((rc|ra|cc)\)/.test(explanation) && /\((serializable|snapshot-isolation)\)/.test(explanation))
          reach('a witness of a weak and a strong level');
    });
  });
});
