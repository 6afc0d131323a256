/** Which pairs of forms met: by the dependencies between statements of transactions that committed and overlapped. */
import { expect, it } from 'vitest';
import type { FormPair } from '../../../../../schema-gen/index.ts';
import { PairTally } from '../../../../../src/judge/tally/pairs.ts';
import { graphOf, met, STATEMENTS } from './met.ts';

const PAIRS: readonly FormPair[] = [
  ['select', 'update'],
  ['update', 'select'],
  ['update', 'update'],
];

it.each(PAIRS)('%s > %s is met by a dependency that leads from the one to the other', (from, to) => {
  const tally = new PairTally(PAIRS);
  tally.add(...met(from as 'select', to as 'update'));
  expect(Object.keys(tally.report().met)).toEqual([`${from} > ${to}`]);
  expect(tally.report().notMet).toHaveLength(2);
  expect(tally.hasMet([from, to])).toBe(true);
});

it('is counted over rounds', () => {
  const tally = new PairTally(PAIRS);
  for (let i = 0; i < 3; i++) tally.add(...met('select', 'update'));
  expect(tally.report()).toEqual({ met: { 'select > update': 3 }, notMet: ['update > select', 'update > update'] });
});

it('a form is that of the tree, whatever was sent', () => {
  const tally = new PairTally([...PAIRS, ['select', 'delete']]);
  tally.add(...graphOf('t1: r x ,0.0; commit\nt2: w x ,0.0,2.1; commit', [[STATEMENTS.select], [{ kind: 'delete', table: 't' }]]));
  expect(tally.report().met).toEqual({ 'select > delete': 1 });
});

it.each([
  ['one began after the other had committed', 't1[0-100]: r x ,0.0; commit\nt2[200-300]: w x ,0.0,2.1; commit'],
  ['one of them was taken back', 't1: r x ,0.0; rollback\nt2: w x ,0.0,2.1; commit'],
  ['one of them is a final read', 't1[0-900]: w x ,0.0,1.1; commit\nt2@s5000[0-900]: z x ,0.0,1.1; commit'],
  ['they met at nothing', 't1: r y ,0.0; commit\nt2: w x ,0.0,2.1; commit'],
])('nothing has met where %s', (_, text) => {
  const tally = new PairTally(PAIRS);
  tally.add(...graphOf(text, [[STATEMENTS.select], [STATEMENTS.update]]));
  expect(tally.report().met).toEqual({});
});
