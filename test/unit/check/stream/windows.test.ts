/** Where a stream must say `unknown`, and where it must not: one small history each, with a window of a few transactions. */
import { describe, expect, test } from 'vitest';
import { StreamCheck } from '../../../../check/index.ts';
import type { StreamAnswer } from '../../../../check/index.ts';
import { UsageError } from '../../../../core/index.ts';
import type { Level } from '../../../../core/index.ts';

const LEVELS: readonly Level[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'];
const WINDOW = 4;

/** Read and write of key 9, over and over, by session 9: pushes what came before out of the window. */
function filler(from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += `r(9,${i},9,${1000 + i})\nw(9,${i + 1},9,${1000 + i})\n`;
  return text;
}

function checked(text: string, found?: (transactions: number) => void): StreamAnswer {
  const check = new StreamCheck({ levels: LEVELS, window: WINDOW, ...(found && { found: (_, transactions) => found(transactions) }) });
  check.push(new TextEncoder().encode(text));
  return check.end();
}

function said(text: string): { readonly answers: readonly unknown[]; readonly reason: string } {
  const answer = checked(text);
  if (answer.history !== undefined) throw new Error('nothing was forgotten');
  const reason = answer.verdicts.map((verdict) => verdict.reason ?? '').find((each) => each !== '') ?? '';
  return { answers: answer.verdicts.map((verdict) => verdict.answer), reason };
}

const ALL = (answer: unknown): readonly unknown[] => LEVELS.map(() => answer);
const FIRST = 'r(1,0,1,1)\nw(1,5,1,1)\nr(1,5,2,2)\nw(1,6,2,2)\n';

describe('what a stream has forgotten', () => {
  test('a version that is in force is read however late', () => {
    expect(said(`${FIRST}${filler(0, 20)}r(1,6,3,3000)\nw(1,7,3,3000)\n`).answers).toEqual(ALL(true));
  });

  test('a version that a forgotten transaction overwrote makes every level unknown, and the reason names the read', () => {
    for (const value of [5, 0]) {
      const { answers, reason } = said(`${FIRST}${filler(0, 20)}r(1,${value},3,3000)\n`);
      expect(answers).toEqual(ALL('unknown'));
      expect(reason).toMatch(value === 5 ? /transaction 3000 reads key 1 as 5/ : /key 1 is read as 0/);
    }
  });

  test('a violation is still found after such a read', () => {
    const skew = 'r(3,0,5,4001)\nr(4,0,5,4001)\nw(3,1,5,4001)\nr(3,0,6,4002)\nr(4,0,6,4002)\nw(4,1,6,4002)\n';
    expect(said(`${FIRST}${filler(0, 20)}r(1,5,3,3000)\n${skew}`).answers).toEqual(['unknown', 'unknown', 'unknown', 'unknown', false]);
  });

  test('a value that nobody ever wrote is thin air, also long after its reader was forgotten', () => {
    expect(said(`r(1,77,1,1)\n${filler(0, 20)}`).answers).toEqual(ALL(false));
    expect(said(`${FIRST}${filler(0, 20)}r(1,77,3,3000)\n`).answers).toEqual(ALL(false));
  });

  test('a write that comes within the window explains a read before it; one that comes after makes unknown', () => {
    expect(said(`r(1,5,1,1)\n${filler(0, 2)}r(1,0,2,2)\nw(1,5,2,2)\n${filler(2, 20)}`).answers).toEqual(ALL(true));
    const { answers, reason } = said(`r(1,5,1,1)\n${filler(0, 20)}r(1,0,2,3000)\nw(1,5,2,3000)\n`);
    expect(answers).toEqual(ALL('unknown'));
    expect(reason).toMatch(/transaction 1 reads key 1 as 5, a value that was written only after/);
  });

  test('a write without a read has no order with forgotten versions of its key', () => {
    const { answers, reason } = said(`${FIRST}${filler(0, 20)}w(1,8,3,3000)\n`);
    expect(answers).toEqual(ALL('unknown'));
    expect(reason).toMatch(/transaction 3000 writes key 1/);
    // of a key that nobody touched it is the first version
    expect(said(`${FIRST}${filler(0, 20)}w(2,8,3,3000)\nr(2,8,4,3001)\n`).answers).toEqual(ALL(true));
  });

  test('a transaction whose number was there before may be one that was forgotten', () => {
    const { answers, reason } = said(`${FIRST}${filler(0, 20)}r(1,6,3,2)\n`);
    expect(answers).toEqual(ALL('unknown'));
    expect(reason).toMatch(/number of a transaction returned/);
  });

  test('what was violated becomes unknown when a value that it rests on is written again', () => {
    const lost = `${FIRST}r(1,5,3,3)\nw(1,7,3,3)\n`;
    expect(said(`${lost}${filler(0, 20)}`).answers.slice(3)).toEqual([false, false]);
    const { answers, reason } = said(`${lost}${filler(0, 20)}r(1,7,4,3000)\nw(1,5,4,3000)\n`);
    expect(answers.slice(3)).toEqual(['unknown', 'unknown']);
    expect(reason).toMatch(/values must be unique|order of their versions/);
  });

  test('a read of a value that a forgotten transaction wrote too is not held against anybody', () => {
    // 5 is written twice: the first is forgotten and overwritten when the second is lost to an update
    const twice = `${FIRST}${filler(0, 20)}r(1,6,3,3000)\nw(1,5,3,3000)\nr(1,5,4,3001)\nw(1,8,4,3001)\nr(1,5,5,3002)\nw(1,9,5,3002)\n`;
    expect(said(twice).answers.slice(3)).toEqual(['unknown', 'unknown']);
  });

  test('one reader that stays far behind holds all that came after, up to a bound: then nothing is said to hold', () => {
    // session 3 goes on reading the first version, so that all of session 2 is behind it
    const lagging = (updates: number): string => {
      let text = '';
      for (let i = 0; i < updates; i++) text += `r(2,${i},2,${10 + 2 * i})\nw(2,${i + 1},2,${10 + 2 * i})\nr(2,0,3,${11 + 2 * i})\n`;
      return text;
    };
    expect(said(`${lagging(5)}${filler(0, 20)}`).answers).toEqual(ALL(true));
    const { answers, reason } = said(`${lagging(40)}${filler(0, 20)}`);
    expect(answers).toEqual(ALL('unknown'));
    expect(reason).toMatch(/more than 16 transactions would have to be held/);
  });

  test('a violation is said when it is seen, not at the end', () => {
    const at: number[] = [];
    checked(`${FIRST}r(1,5,3,3)\nw(1,7,3,3)\n${filler(0, 100)}`, (transactions) => at.push(transactions));
    expect(Math.max(...at)).toBeLessThanOrEqual(2 * WINDOW);
    expect(at.length).toBeGreaterThan(0);
  });

  test('a line that is none is refused with its number, however far it is', () => {
    expect(() => checked(`${filler(0, 50)}\n${filler(50, 60)}x(1,2,3,4)\n`)).toThrow(UsageError);
    expect(() => checked(`${filler(0, 50)}\n${filler(50, 60)}x(1,2,3,4)\n`)).toThrow(/line 122: got "x\(1,2,3,4\)"/);
  });
});
