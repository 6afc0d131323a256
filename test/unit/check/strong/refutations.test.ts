/**
 * Case distinctions, derived again from the history: those that the solver finds all follow; of those that somebody edited,
 * or that are held against another history, whatever is accepted is true by the definition (brute force).
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkOwn, checkStrong } from '../../../../check/index.ts';
import { isAwditLevel } from '../../../../core/level/index.ts';
import type { AskedLevel, MixedLevel, StrongLevel } from '../../../../core/level/index.ts';
import type { KvAnomaly, KvCase, KvHistory } from '../../../../core/kv/index.ts';
import { Malformed } from '../../../../src/judge/findings/fields.ts';
import { verifyRefutation } from '../../../../src/judge/findings/verify-refutation/verify-refutation.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import type { Reached } from '../../../property.ts';
import { bruteForce } from './brute-force.ts';
import type { BruteLevel } from './brute-force.ts';
import { bruteForceOwn } from './brute-force-own.ts';
import type { LevelledTxn } from './brute-force-own.ts';
import { showHistory, toKv } from './random-history.ts';

type Witness = KvAnomaly<AskedLevel>;
type Deep<T> = { -readonly [K in keyof T]: Deep<T[K]> };

const STRONG: readonly StrongLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];
const MIXED: readonly MixedLevel[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'];

/** Of unique values, or of a few that repeat; each transaction names a level. */
function levelled(): fc.Arbitrary<readonly LevelledTxn[]> {
  const levels = fc.subarray([...MIXED], { minLength: 1 });
  const lots = fc.array(fc.nat({ max: 59 }), { minLength: 7, maxLength: 7 });
  return fc.tuple(smallHistory({ mostTxns: 7 }), levels, lots, fc.nat({ max: 3 })).map(([txns, some, each, values]) => {
    if (values > 0)
      for (const { ops } of txns) for (const op of ops) if (op.value !== 0 && op.value !== 999) op.value = 1 + (op.value % values);
    return txns.map((txn, t) => ({ ...txn, level: some[each[t]! % some.length]! }));
  });
}

function historyOf(txns: readonly LevelledTxn[]): KvHistory {
  const history = toKv(txns);
  return { ...history, level: (t) => txns[Number(history.txnName?.(t).slice(1))]!.level };
}

function witnesses(history: KvHistory): readonly Witness[] {
  return [...checkStrong(history, STRONG), checkOwn(history)]
    .flatMap(({ anomalies }) => anomalies as readonly Witness[])
    .filter(({ refutation }) => refutation !== undefined);
}

function* casesIn(found: KvCase): Generator<KvCase> {
  yield found;
  if (found.kind !== 'cycle') for (const { follows } of found.ways) yield* casesIn(follows);
}

/** Through the JSON of a report. */
const written = <T>(value: T): Deep<T> => JSON.parse(JSON.stringify(value)) as Deep<T>;

function tellsOf(witness: Witness, txns: readonly LevelledTxn[], reached: Reached): void {
  for (const each of casesIn(witness.refutation!.cases)) {
    reached(each.kind === 'cycle' ? 'a cycle' : `by ${each.kind}`);
    if (each.kind !== 'cycle') continue;
    for (const { rel, reader } of each.edges) reached(reader === undefined ? rel : 'demanded');
  }
  const { level: refuted } = witness.refutation!;
  if (refuted !== 'own' && isAwditLevel(refuted)) reached('weak');
  if (witness.refutation!.level === 'own' && txns.some(({ level }) => isAwditLevel(level))) reached('weak levels');
}

const wrote = (key: number, value: number): LevelledTxn['ops'][number] => ({ write: true, key, value });
const read = (key: number, value: number): LevelledTxn['ops'][number] => ({ write: false, key, value });
/** All in one session, at cc. */
const txnOf = (at: number, outcome: LevelledTxn['outcome'], ops: LevelledTxn['ops']): LevelledTxn => ({
  session: 0,
  outcome,
  begin: 2 * at,
  end: 2 * at + 1,
  ops,
  level: 'cc',
});

describe('the case distinctions of the solver', () => {
  test('all follow from the history, at every level, with repeated values and unknown outcomes', () => {
    always(
      levelled(),
      {
        seed: 20,
        of: 6_000,
        least: 1_500,
        reached: {
          'a cycle': 300,
          'by order': 100,
          'by writer': 50,
          'by outcome': 2,
          rt: 20,
          so: 100,
          ww: 50,
          demanded: 5,
          'weak levels': 20,
          weak: 5,
        },
      },
      (txns, reached) => {
        const history = historyOf(txns);
        for (const witness of witnesses(history)) {
          const { holds, lines } = verifyRefutation(written(witness), history);
          expect(holds, `${showHistory(txns)}\n${lines.join('\n')}`).toBe(true);
          tellsOf(witness, txns, reached);
        }
      },
    );
  });

  // A value past an own write, one that its writer wrote over, one that an aborted transaction wrote too: nobody can have left it.
  test.each<[string, readonly LevelledTxn[]]>([
    [
      'past an own write',
      [
        txnOf(0, 'committed', [wrote(0, 2), read(0, 1)]),
        txnOf(1, 'unknown', [wrote(0, 1), wrote(1, 2), read(0, 2)]),
        txnOf(2, 'committed', [wrote(0, 1)]),
        txnOf(3, 'committed', [read(1, 0), read(0, 1)]),
      ],
    ],
    [
      'written over',
      [
        txnOf(0, 'unknown', [wrote(0, 3), wrote(0, 1), read(0, 1)]),
        txnOf(1, 'committed', [read(0, 3)]),
        txnOf(2, 'committed', [read(0, 0)]),
      ],
    ],
    [
      'aborted beside it',
      [
        txnOf(0, 'aborted', [wrote(1, 2)]),
        txnOf(1, 'unknown', [wrote(0, 1), wrote(1, 2), wrote(1, 1)]),
        txnOf(2, 'committed', [read(0, 0)]),
        txnOf(3, 'committed', [read(1, 2), read(0, 0)]),
      ],
    ],
  ])('follow where a transaction of unknown outcome counts by a read that nobody allows: %s', (_, txns) => {
    const history = historyOf(txns);
    const all = witnesses(history);
    expect(all.length).toBeGreaterThan(0);
    for (const witness of all) expect(verifyRefutation(written(witness), history)).toMatchObject({ holds: true });
  });

  test('edited, or held against another history, they are accepted only if what they say is true', () => {
    const edits = fc.array(fc.tuple(fc.nat({ max: 9_999 }), fc.nat({ max: 9_999 })), { minLength: 1, maxLength: 3 });
    always(
      fc.tuple(levelled(), levelled(), edits),
      { seed: 21, of: 6_000, least: 1_500, reached: { refused: 200, 'accepted and true': 20, 'another history': 200 } },
      ([txns, others, lots], reached) => {
        for (const witness of witnesses(historyOf(txns))) {
          const forged = written(witness);
          for (const [where, what] of lots) edit(forged, where, what);
          holdsOnlyIfTrue(forged, txns, reached);
          const about = damaged(txns, others, lots);
          reached('another history');
          holdsOnlyIfTrue(written(witness), about, reached);
        }
      },
    );
  });
});

function holdsOnlyIfTrue(witness: Witness, txns: readonly LevelledTxn[], reached: Reached): void {
  let holds = false;
  try {
    ({ holds } = verifyRefutation(witness, historyOf(txns)));
  } catch (error) {
    expect(error).toBeInstanceOf(Malformed);
  }
  if (!holds) return reached('refused');
  for (const level of witness.levels) {
    const possible =
      level === 'own' || isAwditLevel(level)
        ? bruteForceOwn(level === 'own' ? txns : txns.map((txn) => ({ ...txn, level })))
        : bruteForce(txns, level as BruteLevel);
    expect(possible, `${level}\n${showHistory(txns)}\n${txns.map((txn) => txn.level).join()}\n${JSON.stringify(witness.refutation)}`).toBe(
      false,
    );
  }
  reached('accepted and true');
}

/** Another number, relation, kind, level or truth in one place of it; or a part left out, or put twice. */
function edit(witness: Deep<Witness>, where: number, what: number): void {
  const places: { readonly holder: Record<string, unknown>; readonly name: string }[] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(holder)) {
      places.push({ holder, name });
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>);
    }
  };
  const about = { levels: witness.levels, transactions: witness.transactions, refutation: witness.refutation };
  visit(about);
  const { holder, name } = places[where % places.length]!;
  const value = holder[name];
  const words = ['so', 'wr', 'ww', 'rw', 'rt', 'cycle', 'order', 'writer', 'outcome', 'own', 'rc', 'ra', 'cc', ...STRONG];
  if (typeof value === 'number') holder[name] = (what % 9) - 1;
  else if (typeof value === 'string') holder[name] = words[what % words.length];
  else if (typeof value === 'boolean') holder[name] = !value;
  else if (Array.isArray(value) && value.length > 0) {
    const at = what % value.length;
    if (what % 3 === 0) value.splice(at, 1);
    else if (what % 3 === 1) value.push(written(value[at]));
    else value.reverse();
  }
}

/** The same transactions with something else in some place, or another history altogether. */
function damaged(
  txns: readonly LevelledTxn[],
  others: readonly LevelledTxn[],
  lots: readonly (readonly [number, number])[],
): readonly LevelledTxn[] {
  if (lots[0]![0] % 5 === 0) return others;
  const changed = structuredClone(txns) as Deep<LevelledTxn>[];
  for (const [where, what] of lots) {
    const txn = changed[where % changed.length]!;
    const op = txn.ops[what % txn.ops.length];
    if (what % 5 === 0) txn.outcome = (['committed', 'aborted', 'unknown'] as const)[where % 3]!;
    else if (what % 5 === 1) txn.level = MIXED[where % MIXED.length]!;
    else if (op !== undefined) op.value = 1 + (where % 4);
  }
  return changed;
}
