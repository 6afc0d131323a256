/** Forms of statement, told from trees, and programs drawn towards some of them. */
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../core/sql/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import {
  PLAIN_SHAPES,
  formOf,
  formPairs,
  generateCase,
  readForms,
  resolveOptions,
  seedTowards,
  towardsOf,
} from '../../../schema-gen/index.ts';
import type { Form, FormPair, GivenOptions } from '../../../schema-gen/index.ts';
import { relationalWorkload } from '../../../src/workload/relational.ts';
import { mysql } from '../../../dialects/index.ts';

const { capabilities } = mysql;
const workload = relationalWorkload({ capabilities, mode: 'schedule', instrument: 'exact' });
const PAIRS = workload.pairs!;
const FORMS: readonly Form[] = [...new Set(PAIRS.flat())];

const statementsOf = ({ sessions }: TestCase): readonly Statement[] =>
  sessions.flatMap(({ transactions }) => transactions.flatMap(({ statements }) => statements));

function formsIn(forms: readonly Form[], seeds: number): readonly (Form | undefined)[] {
  return Array.from({ length: seeds }, (_, i) => workload.caseOf(seedTowards(`towards ${i}`, forms))).flatMap((testCase) =>
    statementsOf(testCase).map((statement) => formOf(statement, testCase.schema)),
  );
}

describe('pairs of forms', () => {
  it('are those between which a dependency can lie, in both orders', () => {
    expect(FORMS).toHaveLength(22);
    expect(PAIRS).toHaveLength(22 * 22 - 11 * 11);
    expect(PAIRS).toContainEqual(['select', 'update']);
    expect(PAIRS).toContainEqual(['update', 'select']);
    expect(PAIRS).toContainEqual(['update', 'update']);
    expect(PAIRS).not.toContainEqual(['select', 'group']);
  });

  it.each<[string, GivenOptions, Form]>([
    ['weight', { statements: { upsert: 0 } }, 'upsert-nothing'],
    ['REPLACE', {}, 'replace'],
    ['shared lock', { locks: { share: 0 } }, 'select-for-share'],
    ['view that can be updated', { updatableViewShare: 0 }, 'update-view'],
    ['foreign key', { foreignKeyShare: 0 }, 'parent'],
    ['other shape than the plain ones', PLAIN_SHAPES, 'window'],
  ])('have none that is never drawn: without a %s', (_, given, form) => {
    expect(formPairs(resolveOptions(given)).flat()).not.toContain(form);
  });
});

describe('a seed', () => {
  it('names the forms that its program is drawn towards', () => {
    expect(seedTowards('7/13', ['upsert-nothing', 'delete'])).toBe('7/13 towards upsert-nothing,delete');
    for (const pair of PAIRS) expect(towardsOf(seedTowards('7/13', pair))).toEqual(pair);
    expect(towardsOf('7/13')).toBeUndefined();
    expect(towardsOf(seedTowards('7/13', ['group', 'replace', 'cte', 'insert', 'select']))).toHaveLength(5);
    for (const text of ['', 'select', 'select,group', 'select,upsrt', 'update,', 'toString,update'])
      expect(readForms(text)).toBeUndefined();
  });

  it('gives the same program again, byte for byte, and another one towards another pair', () => {
    const seed = seedTowards('7/13', ['select', 'upsert-nothing']);
    const text = JSON.stringify(workload.caseOf(seed));
    expect(JSON.stringify(workload.caseOf(seed))).toBe(text);
    expect(text).toContain(JSON.stringify(seed));
    expect(JSON.stringify(workload.caseOf(seedTowards('7/13', ['select', 'delete'])))).not.toBe(text);
  });
});

describe('a program towards some forms', () => {
  it.each(FORMS)('with %s in it has that form more often than any that was not asked for', (form) => {
    const pair: FormPair = [form, 'update'];
    const met = formsIn(pair, 30);
    const count = (wanted: Form): number => met.filter((each) => each === wanted).length;
    const upkeep: readonly Form[] = ['insert', 'delete', 'parent'];
    const others = FORMS.filter((each) => !pair.includes(each) && !upkeep.includes(each));
    expect(count(form)).toBeGreaterThan(met.length / 8);
    expect(count('update')).toBeGreaterThan(met.length / 8);
    for (const other of others) expect(count(other), other).toBeLessThan(Math.min(count(form), count('update')) / 2);
  });

  it('with five in it has each of them, two of one weight too', () => {
    const forms: readonly Form[] = ['select', 'select-for-update', 'upsert', 'upsert-nothing', 'delete-using'];
    const met = formsIn(forms, 40);
    for (const form of forms) expect(met.filter((each) => each === form).length, form).toBeGreaterThan(met.length / 20);
  });

  it('has one table, on which both work', () => {
    for (let i = 0; i < 20; i++) {
      const { schema } = workload.caseOf(seedTowards(`one ${i}`, ['group', 'upsert']));
      expect(schema.tables).toHaveLength(1);
      expect(schema.tables[0]!.rows.length).toBeLessThanOrEqual(2);
    }
  });
});

it('the form of a statement is that of its outermost shape', () => {
  const read = generateCase('outermost', { statements: { select: 0, update: 1 }, writeSubqueryShare: 1, mode: 'schedule' });
  const updates = statementsOf(read).filter(({ kind }) => kind === 'update');
  expect(updates.length).toBeGreaterThan(0);
  for (const update of updates) expect(['update', 'parent', 'update-from', 'update-view']).toContain(formOf(update, read.schema));
  expect(formOf({ kind: 'savepoint', name: 's0' }, read.schema)).toBeUndefined();
});
