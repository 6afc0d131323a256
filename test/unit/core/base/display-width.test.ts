/** Columns of a terminal: never fewer than a terminal takes. */
import { expect, it } from 'vitest';
import { clipColumns, displayWidth, padColumns } from '../../../../core/base/index.ts';

it.each([
  ['', 0],
  ['plain text', 10],
  ['naïve', 5],
  ['nai\u0308ve', 5],
  ['表', 2],
  ['テーブル', 8],
  ['한글', 4],
  ['ｆｕｌｌ', 8],
  ['🦀', 2],
  ['\u{20000}', 2],
  ['…—→', 3],
])('%j takes its columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

it('an emoji of several signs takes no fewer than a terminal that shows them apart gives it', () => {
  expect(displayWidth('❤️')).toBeGreaterThanOrEqual(2);
  expect(displayWidth('👩‍👩‍👧‍👦')).toBeGreaterThanOrEqual(2);
  expect(displayWidth('🇩🇪')).toBeGreaterThanOrEqual(2);
});

it('what is cut fits, and says that it was cut; what is filled has its width', () => {
  for (const text of ['plain text of some length', '表格表格表格', 'e\u0301e\u0301e\u0301e\u0301', '🦀🦀🦀🦀'])
    for (let columns = 0; columns <= 30; columns++) {
      const cut = clipColumns(text, columns);
      expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
      if (displayWidth(text) <= columns) expect(cut).toBe(text);
      else if (columns > 0) expect(cut.endsWith('…')).toBe(true);
      for (const side of ['start', 'end'] as const) expect(displayWidth(padColumns(cut, columns, side))).toBe(columns);
    }
});
