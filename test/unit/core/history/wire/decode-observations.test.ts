import { expect, test } from 'vitest';
import { decodeObservations } from '../../../../../core/history/index.ts';
import type { QueryResult, ResultRow } from '../../../../../core/dialect/index.ts';
import type { Probe } from '../../../../../core/program/index.ts';

const json = (role: Probe['role'], userColumns: number): Probe => ({ layout: { kind: 'json' }, role, reads: 'exact', userColumns });
const result = (...rows: ResultRow[]): QueryResult => ({ columns: [], rows, affected: rows.length });

test('cuts the reads off the user rows and keeps lists to the letter', () => {
  const got = decodeObservations(json('read', 2), result(['1', null, '["t","r0.0_1",",0.0,12.3"]']));

  expect(got).toEqual({ triples: ['t', 'r0.0_1', ',0.0,12.3'], userRows: [['1', null]] });
});

test('flattens nested arrays in order, and skips the missing side of a left join', () => {
  const reads = '["t", "r1.1_0", ",1.1", [["u", "r0.0_1", ",0.0"], "w", null, null], null, "v", "r0.0_3", ",0.0"]';

  expect(decodeObservations(json('read', 0), result([reads])).triples).toEqual([
    't',
    'r1.1_0',
    ',1.1',
    'u',
    'r0.0_1',
    ',0.0',
    'v',
    'r0.0_3',
    ',0.0',
  ]);
});

test('takes row id and list of a table apart where each was shown once as one text', () => {
  const reads = '["t", ["r0.0_1 ,0.0", null, "r1.1_0 ,1.1,2.1"], [["u", null], "v", ["r0.0_3 "]]]';

  expect(decodeObservations(json('read', 0), result([reads])).triples).toEqual([
    't',
    'r0.0_1',
    ',0.0',
    't',
    'r1.1_0',
    ',1.1,2.1',
    'v',
    'r0.0_3',
    '',
  ]);
  expect(() => decodeObservations(json('read', 0), result(['["t", ["r0.0_1"]]']))).toThrow('expected a JSON array');
});

test('passes over a version that was filtered out', () => {
  const reads = '[false, [[["t", "r0.0_1", ",0.0"], [false, "r0.0_2", ",0.0"]]]]';

  expect(decodeObservations(json('read', 0), result([reads])).triples).toEqual(['t', 'r0.0_1', ',0.0']);
});

test('a read shows a version once, and two versions of one row both', () => {
  const rows = [['["t","r0.0_1",",0.0"]'], ['["t","r0.0_1",",0.0"]'], ['["t","r0.0_1",",0.0,1.1"]'], ['["t","r0.0_1",",0.0"]']];

  expect(decodeObservations(json('read', 0), result(...rows)).triples).toEqual(['t', 'r0.0_1', ',0.0', 't', 'r0.0_1', ',0.0,1.1']);
});

test('a write keeps repeats, since their number is compared with the affected rows', () => {
  const rows = [['["t","r0.0_1",",0.0,1.1"]'], ['["t","r0.0_1",",0.0,1.1"]']];

  expect(decodeObservations(json('write', 0), result(...rows)).triples).toHaveLength(6);
});

test('reads the paper columns and skips null ids', () => {
  const probe: Probe = {
    layout: {
      kind: 'columns',
      pairs: [
        { table: 't', rid: 1, list: 2 },
        { table: 'u', rid: 3, list: 4 },
      ],
    },
    role: 'read',
    reads: 'exact',
    userColumns: 1,
  };

  const got = decodeObservations(probe, result(['5', 'r0.0_1', ',0.0', null, null]));

  expect(got).toEqual({ triples: ['t', 'r0.0_1', ',0.0'], userRows: [['5']] });
});

test('without a probe the result is all the user’s', () => {
  const probe: Probe = { layout: { kind: 'none' }, role: 'read', reads: 'none', reason: 'r', userColumns: 1 };

  expect(decodeObservations(probe, result(['5']))).toEqual({ triples: [], userRows: [['5']] });
});

test.each([['nonsense'], ['{}'], ['[1]'], [null], ['["t", 5, "x"]']])('refuses %s as observations', (value) => {
  expect(() => decodeObservations(json('read', 0), result([value]))).toThrow(/iso_reads/);
});

test('nesting deeper than any stack is read', () => {
  const depth = 5000;
  const reads = `${'['.repeat(depth)}"t","r0.0_1",",0.0"${']'.repeat(depth)}`;

  expect(decodeObservations(json('read', 0), result([reads])).triples).toEqual(['t', 'r0.0_1', ',0.0']);
});
