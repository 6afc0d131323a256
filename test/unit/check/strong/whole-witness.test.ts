/**
 * What `check` says of random register histories: no anomaly names a level that holds; an anomaly's transactions alone, with
 * what they read of each other, show it again; cycles that the linear checkers find have a case distinction that follows.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AskedLevel } from '../../../../core/level/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { unified } from '../../../../src/judge/assess/file.ts';
import type { FoundAnomaly } from '../../../../src/judge/assess/file.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { verifyRefutation } from '../../../../src/judge/findings/verify-refutation/verify-refutation.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import type { SmallTxn } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import { showHistory, toKv } from './random-history.ts';

const LEVELS = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable', 'strict-serializable'] as const;

function checked(history: KvHistory): ReturnType<typeof unified> {
  const judged = assessForeign({ kind: 'kv', history }, { levels: LEVELS });
  if (judged.kind !== 'kv') throw new Error('a register history');
  return unified(judged.verdicts, 'class');
}

const violated = ({ levels }: ReturnType<typeof unified>): ReadonlySet<AskedLevel> =>
  new Set(levels.flatMap(({ level, answer }) => (answer === false ? [level] : [])));

/** Values repeat in one of two. */
function histories(): fc.Arbitrary<readonly SmallTxn[]> {
  return fc.tuple(smallHistory({ mostTxns: 7 }), fc.nat({ max: 7 })).map(([txns, values]) => {
    if (values > 3)
      for (const { ops } of txns) for (const op of ops) if (op.value !== 0 && op.value !== 999) op.value = 1 + (op.value % (values - 2));
    return txns;
  });
}

/** A read of what another transaction wrote is left out with that transaction. */
function alone(txns: readonly SmallTxn[], kept: ReadonlySet<SmallTxn>): readonly SmallTxn[] {
  const wrote = (of: Iterable<SmallTxn>, key: number, value: number): boolean =>
    [...of].some(({ ops }) => ops.some((op) => op.write && op.key === key && op.value === value));
  return txns
    .filter((txn) => kept.has(txn))
    .map((txn) => ({
      ...txn,
      ops: txn.ops.filter(({ write, key, value }) => write || wrote(kept, key, value) || !wrote(txns, key, value)),
    }));
}

function transactionsOf(found: FoundAnomaly, history: KvHistory, txns: readonly SmallTxn[]): ReadonlySet<SmallTxn> {
  return new Set(found.transactions.filter((t) => t >= 0).map((t) => txns[Number(history.txnName?.(t).slice(1))]!));
}

describe('a witness of a register history', () => {
  test('names no level that holds, its transactions alone show it, and cycles are derived again', () => {
    always(
      histories(),
      { seed: 310, of: 4_000, least: 400, reached: { 'an unknown outcome': 0.1, 'a cycle': 60, 'a bad read': 30, 'derived again': 60 } },
      (txns, reached) => {
        const history = toKv(txns);
        const whole = checked(history);
        if (txns.some(({ outcome }) => outcome === 'unknown')) reached('an unknown outcome');
        expect(
          whole.levels.filter(({ reason }) => reason?.includes('a defect')),
          showHistory(txns),
        ).toEqual([]);
        const broken = violated(whole);
        for (const found of whole.anomalies) {
          const said = `${found.class}: ${found.explanation}\n${showHistory(txns)}`;
          expect(
            [...found.levels].filter((level) => !broken.has(level)),
            said,
          ).toEqual([]);
          const part = alone(txns, transactionsOf(found, history, txns));
          const again = violated(checked(toKv(part)));
          expect(
            [...found.levels].filter((level) => !again.has(level)),
            `${said}\nalone:\n${showHistory(part)}`,
          ).toEqual([]);
          if (found.cycle.length === 0) reached('a bad read');
          else reached('a cycle');
          if (!('refutation' in found) || found.refutation === undefined) {
            // No cases cover both if the other outcome shows a bad read, or an edge that only a weaker level demands.
            expect(found.cycle.length === 0 || found.explanation.includes('The outcome of'), `no case distinction: ${said}`).toBe(true);
            continue;
          }
          if (found.refutation.cases.kind === 'outcome') reached('both outcomes');
          const { holds, lines } = verifyRefutation(JSON.parse(JSON.stringify(found)), history);
          expect(holds, `${said}\n${lines.join('\n')}`).toBe(true);
          reached('derived again');
        }
      },
    );
  });

  test('names by whom a transaction of unknown outcome took effect', () => {
    const txns = [txn(0, 'unknown', 0, 1, r(0, 2), w(0, 2)), txn(0, 'committed', 2, 3, r(0, 0)), txn(0, 'committed', 4, 5, r(0, 2))];
    const found = checked(toKv(txns)).anomalies.find((anomaly) => anomaly.explanation.includes('which it writes only later'));
    expect(found?.transactions).toEqual([0, 2]);
    expect(found?.explanation).toContain('transaction t0 took effect, since transaction t2 reads from it');
  });

  test('comes to an end where one of unknown outcome wrote a value that others wrote too', () => {
    const txns = [
      txn(0, 'committed', 0, 2, r(1, 0), r(0, 3)),
      txn(1, 'committed', 1, 3, w(0, 2), w(0, 3), w(0, 1)),
      txn(1, 'committed', 4, 6, w(0, 2)),
      txn(0, 'committed', 5, 7, w(0, 3), r(0, 0), w(2, 1), w(2, 2), r(1, 0)),
      txn(0, 'committed', 8, 9, r(2, 2)),
      txn(0, 'committed', 10, 11, r(2, 2)),
      txn(1, 'unknown', 12, 13, w(0, 3)),
    ];
    // The fourth transaction reads another value than the one that it wrote last.
    expect(checked(toKv(txns)).levels.map(({ answer }) => answer)).toEqual(LEVELS.map(() => false));
  });
});

const r = (key: number, value: number): SmallTxn['ops'][number] => ({ write: false, key, value });
const w = (key: number, value: number): SmallTxn['ops'][number] => ({ write: true, key, value });

function txn(session: number, outcome: SmallTxn['outcome'], begin: number, end: number, ...ops: SmallTxn['ops'][number][]): SmallTxn {
  return { session, outcome, begin, end, ops };
}
