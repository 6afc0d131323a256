/** Which reads of a list whose front was cut are certain: what is missing in it may be the reader's own write. */
import { expect, test } from 'vitest';
import { relationalKvHistory } from '../../../../check/index.ts';
import { OP, kvValue } from '../../../../core/kv/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { historyFromText } from '../../history-text.ts';

/** The versions that T1 has read, as far as that is certain; `left`: what is said of reads that are not. */
function readsOf(text: string): { readonly certain: readonly (string | undefined)[]; readonly left: string | undefined } {
  const { history, gap } = relationalKvHistory(inferDependencies(historyFromText(text)));
  const certain: (string | undefined)[] = [];
  for (let t = 0; t < history.txnCount; t++) {
    if (history.txnName?.(t) !== 'T1') continue;
    for (let op = history.opStart[t]!; op < history.opEnd[t]!; op++)
      if (history.kind[op] === OP.read) certain.push(history.valueName?.(Number(kvValue(history, op)), 0));
  }
  return { certain, left: gap?.includes('could not be placed') === true ? gap : undefined };
}

const OTHERS = '\nt5: w1; commit\nt6: w1; commit';
const LEFT = '1 reads could not be placed, as the front of a list was cut off';

test('a reader that did not write the row read what the list ends in', () => {
  expect(readsOf(`t1: r x 3,6.1; commit${OTHERS}`)).toEqual({ certain: ['6.1'], left: undefined });
});

test('a reader that wrote the row and sees its write read that', () => {
  expect(readsOf(`t1: w x 0,5.1,1.1; r x 0,5.1,1.1; commit${OTHERS}`)).toEqual({ certain: ['5.1', '1.1'], left: undefined });
});

test('one that wrote the row and sees another version behind the cut has read nothing for certain', () => {
  expect(readsOf(`t1: w x 0,5.1,1.1; r x 3,6.1; commit${OTHERS}`)).toEqual({ certain: ['5.1'], left: LEFT });
});

test('the same of a row that it inserted', () => {
  expect(readsOf(`t1: i x ,1.1; r x 3,6.1; commit${OTHERS}`)).toEqual({ certain: [], left: LEFT });
});

test('a list that is whole hides nothing: the read contradicts the own write, and is certain', () => {
  expect(readsOf('t1: w x ,0.0,1.1; r x ,0.0; commit')).toEqual({ certain: ['0', '0'], left: undefined });
});
