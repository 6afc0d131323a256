/** Each reason for the verdict on a broken invariant has its own words. A file has the sentence beside the reason. */
import { expect, it } from 'vitest';
import type { AnyLevelCode, AnyLevelFeature, ControlFailure, ControlFailureCode } from '../../../core/level/index.ts';
import type { InvariantReason, InvariantReasonCode } from '../../../core/level/index.ts';
import type { InvariantReport } from '../../../core/verdict/index.ts';
import { explainedInvariants, invariantWhy, readReport, storedReport, untracedWords } from '../../../reports/index.ts';
import { report } from './fixture.ts';

const KEPT = 'one after the other the same transactions kept it (in the order of their commits; in the reverse order of their commits)';
const kept = ['commits', 'commits-reversed'] as const;
const SKIP: AnyLevelFeature<'skip-locked'> = { code: 'skip-locked', transaction: 'take' };

const WORDS: { readonly [C in InvariantReasonCode]: readonly [reason: InvariantReason<C>, words: string] } = {
  'any-level': [
    { code: 'any-level', feature: SKIP },
    'a correct server may break it at any level: the transaction take reads with SKIP LOCKED, which is documented to show an inconsistent view',
  ],
  'no-control': [{ code: 'no-control' }, 'the transactions were not run one after the other'],
  'ran-in-part': [
    { code: 'ran-in-part' },
    'in this round a transaction was committed without a statement that failed, which can break it at any level',
  ],
  'control-failed': [
    { code: 'control-failed', failure: { code: 'time-over', ran: 2, of: 6 }, order: 'dependencies' },
    'the transactions could not be run one after the other to compare: in the order that their reads and writes show 2 of 6 transactions had run when the time for it was over',
  ],
  'no-overlap': [{ code: 'no-overlap', kept }, `in this round no transaction was beside another one, yet ${KEPT}: no concurrency broke it`],
  'ended-itself': [
    { code: 'ended-itself', kept, transaction: 7 },
    `${KEPT}, but in each of these some transaction that committed in the round ended by its own IF (7)`,
  ],
  documents: [{ code: 'documents', promise: 'bug', kept }, `the documents rule out every anomaly at this level, and ${KEPT}`],
};

const GAP = 'which the server numbers outside of transactions, so an abort leaves a gap';
const FEATURES: { readonly [C in AnyLevelCode]: readonly (readonly [feature: AnyLevelFeature<C>, words: string])[] } = {
  'skip-locked': [[SKIP, 'the transaction take reads with SKIP LOCKED, which is documented to show an inconsistent view']],
  'function-reads-numbers': [
    [
      { code: 'function-reads-numbers', table: 'jobs' },
      'it calls a function that reads jobs, whose rows the server numbers outside of transactions, so an abort leaves a gap',
    ],
  ],
  'uses-numbers': [
    [{ code: 'uses-numbers', use: { kind: 'column', name: 'jobs.id' } }, `it relies on jobs.id, ${GAP}`],
    [{ code: 'uses-numbers', use: { kind: 'subquery' } }, `it relies on what a subquery gives, ${GAP}`],
    [{ code: 'uses-numbers', use: { kind: 'set-operation' } }, `it relies on what a set operation compares, ${GAP}`],
  ],
};

const FAILURES: { readonly [C in ControlFailureCode]: readonly (readonly [failure: ControlFailure<C>, words: string])[] } = {
  'outcomes-unknown': [
    [{ code: 'outcomes-unknown', transactions: [4] }, 'nobody knows whether transaction 4 has committed'],
    [{ code: 'outcomes-unknown', transactions: [4, 5] }, 'nobody knows whether 2 of the transactions have committed'],
  ],
  'query-refused': [
    [{ code: 'query-refused', after: 1, of: 3, failure: 'no table' }, 'the server refused its query after 1 of 3 transactions: no table'],
  ],
  'time-over': [[{ code: 'time-over', ran: 0, of: 3 }, '0 of 3 transactions had run when the time for it was over']],
  'ended-early': [
    [{ code: 'ended-early', failure: 'the server is gone' }, 'the server is gone'],
    [{ code: 'ended-early' }, 'it ended early'],
  ],
  'nothing-ran': [[{ code: 'nothing-ran' }, 'nothing could be run']],
  'not-committed': [
    [{ code: 'not-committed', transaction: 3 }, 'transaction 3 did not commit, as it did in the round'],
    [{ code: 'not-committed', transaction: 3, failure: 'key' }, 'transaction 3 did not commit, as it did in the round: key'],
  ],
  'committed-in-part': [
    [{ code: 'committed-in-part', transaction: 3, failure: 'key' }, 'transaction 3 committed without a statement that failed: key'],
  ],
};

it.each(Object.values(WORDS))('%j', (reason, words) => {
  expect(invariantWhy({ reason })).toBe(words);
});

it.each(Object.values(FEATURES).flat())('%j', (feature, words) => {
  expect(invariantWhy({ reason: { code: 'any-level', feature } })).toContain(`: ${words}`);
});

it.each(Object.values(FAILURES).flat())('%j', (failure, words) => {
  expect(invariantWhy({ reason: { code: 'control-failed', failure } })).toBe(
    `the transactions could not be run one after the other to compare: ${words}`,
  );
});

it('a report in a file has the sentence too, and one of an older version has it alone', () => {
  const [level, ...others] = report().levels;
  const stored = (more: Partial<InvariantReport>) => {
    const invariant: InvariantReport = { name: 'sum', rounds: 1, broken: 1, ruledOut: true, verdict: 'unknown', ...more };
    return storedReport(report({ levels: [{ ...level!, invariants: [invariant] }, ...others] }));
  };
  const reason = { code: 'no-control' } as const;
  expect(stored({ reason }).levels[0]!.invariants![0]).toMatchObject({ reason, why: WORDS['no-control'][1] });
  const untraced = '1 of 2 anomalies that wrote to its tables were run again alone, and none of these broke it';
  expect(stored({ untracedAfter: { tried: 1, of: 2 } }).levels[0]!.invariants![0]).toMatchObject({ untraced });
  const old = readReport(stored({ why: 'nobody ran them' })).levels[0]!.invariants![0]!;
  expect(old).not.toHaveProperty('reason');
  expect(invariantWhy(old)).toBe('nobody ran them');
  expect(untracedWords({ untraced: 'nobody tried' })).toBe('nobody tried');
});

it('an exploration names the invariants that it does not ask, with the reason', () => {
  const unjudgedData = [{ invariant: 'gaps', feature: SKIP }];
  expect(explainedInvariants(unjudgedData)).toEqual({ unjudged: [`gaps: ${FEATURES['skip-locked'][0]![1]}`], unjudgedData });
});
