/** `--towards`: forms that the workload draws, one of which writes. */
import { expect, it } from 'vitest';
import { UsageError } from '../../../../core/base/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { chosenWorkload } from '../../../../src/workload/option.ts';
import { relationalWorkload } from '../../../../src/workload/relational.ts';
import { towardsOption } from '../../../../src/workload/towards.ts';

const workload = relationalWorkload({ capabilities: postgres.capabilities, mode: 'stress', instrument: 'exact' });

it.each([
  [undefined, 'unmet'],
  ['unmet', 'unmet'],
  ['none', undefined],
  ['select,update', ['select', 'update']],
  ['delete', ['delete']],
] as const)('%s is %j', (word, expected) => {
  expect(towardsOption(word, workload)).toEqual(expected);
});

it('says nothing to a workload that draws no forms', () => {
  expect(towardsOption(undefined, {})).toBeUndefined();
  expect(() => chosenWorkload('mini', { mode: 'stress', towards: 'none' })).toThrow(
    /--towards says nothing to --workload mini; it applies to relational/,
  );
  expect(chosenWorkload('relational', { mode: 'stress', towards: 'none' }).name).toBe('relational');
});

it.each([
  ['a word that is no form', 'select,upsrt'],
  ['reads alone', 'select,group'],
  ['a form that this server has not', 'select,replace'],
])('refuses %s, and names the forms', (_, word) => {
  expect(() => towardsOption(word, workload)).toThrow(UsageError);
  expect(() => towardsOption(word, workload)).toThrow(/Forms: .*upsert-nothing.*\.$/);
});
