/** Reproductions with GET_LOCK, a lock of the session: they give it back where the tool's own connections do. */
import { expect, it } from 'vitest';
import type { SentKind } from '../../../core/history/index.ts';
import type { PlainRun, PlainStep } from '../../../core/verdict/index.ts';
import { plainCase } from '../../../reports/index.ts';

const step = (txn: number, kind: SentKind, sql: string): PlainStep => ({
  session: txn - 1,
  txn,
  kind,
  sql,
  autocommit: false,
  blocked: false,
  repliedAfter: null,
  rows: null,
  columns: [],
  result: null,
  error: null,
  added: false,
});

it('behind the COMMIT or ROLLBACK of a transaction that has asked for one, and behind no other', () => {
  const steps = [
    step(1, 'begin', 'BEGIN'),
    step(1, 'advisory lock', "SELECT GET_LOCK('a', 1)"),
    step(1, 'commit', 'COMMIT'),
    step(2, 'begin', 'BEGIN'),
    step(2, 'advisory lock', "SELECT GET_LOCK('a', 1)"),
    step(2, 'rollback', 'ROLLBACK'),
    step(3, 'begin', 'BEGIN'),
    step(3, 'commit', 'COMMIT'),
    step(4, 'advisory lock', 'SELECT pg_advisory_xact_lock(1)'),
    step(4, 'commit', 'COMMIT'),
  ];
  const plain = { steps, setup: [], finalState: [], serialOrders: [], proof: 'results', explanation: '' } as unknown as PlainRun;
  const ends = plainCase(plain, undefined).steps.filter(({ kind }) => kind === 'commit' || kind === 'rollback');
  expect(ends.map(({ sql }) => sql)).toEqual([
    ['COMMIT', 'DO RELEASE_ALL_LOCKS()'],
    ['ROLLBACK', 'DO RELEASE_ALL_LOCKS()'],
    ['COMMIT'],
    ['COMMIT'],
  ]);
});
