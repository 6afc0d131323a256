/** Which anomalies of a round may have broken an invariant, and in which order they are tried. */
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../../core/sql/index.ts';
import type { TestCase } from '../../../../../core/program/index.ts';
import type { Anomaly } from '../../../../../core/verdict/index.ts';
import { causeCandidates } from '../../../../../src/judge/assess/cause-candidates.ts';
import { queryOf, schemaOf, statementOf } from '../../../../sql.ts';

const SCHEMA = schemaOf('CREATE TABLE sums (v int); CREATE TABLE others (v int); CREATE VIEW shown AS SELECT v FROM sums');
const write = (table: string, value = 0): Statement => statementOf(SCHEMA, `UPDATE ${table} SET v = ${value}`);
const OF_SUMS = queryOf(SCHEMA, 'SELECT v FROM sums');

const PLANS: readonly (readonly [number, readonly Statement[]])[] = [
  [1, [write('sums')]],
  [2, [write('sums', 42)]],
  [3, [write('others')]],
  [4, [write('sums')]],
];
const testCase = {
  schema: SCHEMA,
  sessions: PLANS.map(([id, statements]) => ({ transactions: [{ id, statements, end: 'commit', autocommit: false }] })),
} as unknown as TestCase;

const NO_ROWS: readonly (readonly (string | null)[])[] = [];

const anomaly = (transactions: readonly number[], ...rels: readonly string[]): Anomaly =>
  ({ transactions, cycle: rels.map((rel) => ({ rel })), class: 'G2' }) as unknown as Anomaly;

function candidates(anomalies: readonly Anomaly[], { asked = OF_SUMS, rows = NO_ROWS } = {}) {
  return causeCandidates({ testCase, anomalies, query: asked, answer: { rows } }).map(({ ids }) => ids);
}

describe('the anomalies that may have broken an invariant', () => {
  it('wrote to a table that it is asked of, or to any where it is asked through a view', () => {
    expect(candidates([anomaly([3]), anomaly([1, 3]), anomaly([3, 0])])).toEqual([[1, 3]]);
    expect(candidates([anomaly([3])], { asked: queryOf(SCHEMA, 'SELECT v FROM shown') })).toEqual([[3]]);
    // The first rows and the closing read are no transactions of the case.
    expect(candidates([anomaly([0, 1, 9])])).toEqual([[1]]);
  });

  it('are tried from the smallest on, then by how many of them name what the broken rows hold', () => {
    expect(candidates([anomaly([1, 2, 4]), anomaly([1, 4]), anomaly([1, 2])], { rows: [['42', null]] })).toEqual([
      [1, 2],
      [1, 4],
      [1, 2, 4],
    ]);
    expect(candidates([anomaly([1, 4]), anomaly([1, 2])], { rows: [[null]] })).toEqual([
      [1, 4],
      [1, 2],
    ]);
  });

  it('are one for the same transactions, by their writes before what one of them was shown', () => {
    const shown = anomaly([1, 2], 'wr', 'wr');
    const written = anomaly([2, 1], 'ww', 'rw');
    const found = causeCandidates({ testCase, anomalies: [shown, written], query: OF_SUMS, answer: { rows: NO_ROWS } });
    expect(found.map((each) => each.anomaly)).toEqual([written]);
  });
});
