/** A cascade is the run's word, but not against what the certificate shows: a row that a final read saw was not removed. */
import { expect, test } from 'vitest';
import { verifyFinding } from '../../../../../src/judge/findings/verify/verify-finding.ts';

type Claim = Parameters<typeof verifyFinding>[0];
type Certificate = Parameters<typeof verifyFinding>[2];

const CLAIM: Claim = {
  class: 'G2-item',
  transactions: [1, 2],
  statements: [0, 1],
  cycle: [
    {
      from: 1,
      to: 2,
      rel: 'rw',
      row: 'r0.0_0',
      table: 'c',
      fromStatement: 0,
      toStatement: 1,
      readPoint: 'snapshot',
      cascade: { last: '0.0', by: '2.1' },
    },
  ],
};

function edgeLine(finalSees: boolean): string {
  const statement = { status: 'ok', reads: 'exact', locks: [] } as const;
  const certificate: Certificate = {
    level: 'serializable',
    instrument: 'exact',
    complete: true,
    predicates: [],
    rows: [{ table: 'c', row: 'r0.0_0' }],
    transactions: [1, 2, 3].map((id) => ({ id, session: id, outcome: 'committed', begin: id, end: id + 10 })),
    statements: [
      { ...statement, txn: 1, number: 1, kind: 'select', sent: 1, replied: 2, seen: [['read', 'c', 'r0.0_0', ',0.0']] },
      {
        ...statement,
        txn: 2,
        number: 1,
        kind: 'delete',
        seq: 1,
        table: 'p',
        sent: 3,
        replied: 4,
        seen: [['delete', 'p', 'r0.0_9', ',0.0']],
      },
      { ...statement, txn: 3, number: 1, kind: 'final', sent: 20, replied: 21, seen: finalSees ? [['read', 'c', 'r0.0_0', ',0.0']] : [] },
    ],
  };
  return verifyFinding(
    CLAIM,
    [
      { index: 0, txn: 1, number: 1 },
      { index: 1, txn: 2, number: 1 },
    ],
    certificate,
  ).lines.find((line) => line.includes('T1 -rw-> T2'))!;
}

test('a cascade that nothing contradicts is taken, and one that a final read contradicts is not', () => {
  expect(edgeLine(false)).not.toContain('no list of row');
  expect(edgeLine(true)).toContain('no list of row r0.0_0 shows it');
});
