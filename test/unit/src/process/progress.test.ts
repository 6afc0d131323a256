/** The progress line: its first counts whole at any width. */
import { expect, it } from 'vitest';
import { Progress } from '../../../../src/process/progress.ts';

const PARTS = ['1,234 distinct anomalies', '5,678 rounds', '91,011 txns', 'serializable 2'];

function shown(isTTY: boolean, columns: number, parts: readonly string[] = PARTS): string {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const progress = new Progress(stream);
  Reflect.set(progress, 'last', Number.NEGATIVE_INFINITY);
  progress.tick(() => parts);
  return written.join('').replace('\r', '');
}

it('is every part where there is room, and on no terminal', () => {
  expect(shown(true, 200)).toBe(PARTS.join(', '));
  expect(shown(false, 20)).toBe(`${PARTS.join(', ')}\n`);
});

it('is as many parts as there is room for, none of them cut', () => {
  for (let columns = 25; columns < 100; columns++) {
    const line = shown(true, columns);
    expect(line.length).toBeLessThan(columns);
    expect(PARTS.map((_, i) => PARTS.slice(0, i + 1).join(', '))).toContain(line);
  }
  expect(shown(true, 50)).toBe('1,234 distinct anomalies, 5,678 rounds');
});

it('is cut where not even the first has room', () => {
  expect(shown(true, 12, ['表'.repeat(40)])).toBe(`${'表'.repeat(5)}…`);
});
