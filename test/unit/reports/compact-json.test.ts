import { expect, test } from 'vitest';
import { compactJson } from '../../../reports/index.ts';

const FINDING = {
  n: 1,
  statements: [
    { sql: 'SELECT 1', versions: [] },
    { sql: 'COMMIT', versions: [{ row: 'r' }] },
  ],
  anomaly: { statements: [1, 12], explanation: 'one' },
  observed: { sessions: [{ statements: [{ kind: 'select' }] }] },
  certificate: { version: 1, rows: [{ row: 'r' }], statements: [{ txn: 1, seen: [['read', 't', 'r', ',0.0']] }], predicates: [] },
  lines: [
    { n: 2, file: null },
    { n: 3, file: 'f' },
  ],
};
const LINES = { observed: 'whole', certificate: 'items', statements: 'items' } as const;

test('says the same as JSON, lists inside of lists too', () => {
  expect(JSON.parse(compactJson(FINDING, LINES, (each) => 'file' in each && each.file === null))).toEqual(FINDING);
});

test('has what is many on one line each', () => {
  const text = compactJson(FINDING, LINES, (each) => 'file' in each && each.file === null)
    .split('\n')
    .map((line) => line.trim());
  for (const line of [
    '{"sql":"SELECT 1","versions":[]},',
    '"observed": {"sessions":[{"statements":[{"kind":"select"}]}]},',
    '{"txn":1,"seen":[["read","t","r",",0.0"]]}',
    '{"n":2,"file":null},',
    '"file": "f"',
  ])
    expect(text).toContain(line);
});
