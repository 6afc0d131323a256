/**
 * `check` judges a key-value history in memory that another program recorded. `anomalist check` does the same with files.
 *
 *     check({ sessions: [[{ ops: [{ kind: 'write', key: 1, value: 1 }] }], [{ ops: [{ kind: 'read', key: 1, value: 1 }] }]] })
 */
import { KvHistoryBuilder } from '../../check/index.ts';
import { TXN_STATUS, UsageError } from '../../core/base/index.ts';
import { LEVELS, isLevel } from '../../core/level/index.ts';
import type { AskedLevel, Level } from '../../core/level/index.ts';
import type { TxnOutcome } from '../../core/history/index.ts';
import type { Answer } from '../../core/verdict/index.ts';
import type { KvAnomaly } from '../../core/kv/index.ts';
import { assessForeign } from '../judge/assess/foreign.ts';

/**
 * An operation reads or writes one key. Keys and values are signed 64-bit integers. A read with `value: null` found nothing. No two writes
 * of a key have the same value.
 */
export type Operation =
  | { readonly kind: 'write'; readonly key: number | bigint; readonly value: number | bigint }
  | { readonly kind: 'read'; readonly key: number | bigint; readonly value: number | bigint | null };

/** A transaction lists its operations in the order in which they ran. */
export interface Transaction {
  readonly ops: readonly Operation[];
  /** The default is `committed`. */
  readonly outcome?: TxnOutcome;
  /** The level `own` checks each transaction at this level. Either all transactions have one, or none has. */
  readonly level?: Level;
  /** Anomalies use this name for the transaction. */
  readonly name?: string;
  /** The transaction began at this time, in nanoseconds of one clock for all transactions. `strict-serializable` needs it. */
  readonly beginAt?: number;
  /** The transaction ended at this time, in nanoseconds of the same clock. */
  readonly endAt?: number;
}

export interface PlainHistory {
  /** Each session has its transactions in the order in which they ran. */
  readonly sessions: readonly (readonly Transaction[])[];
  /** With `zero` (the default) each key that no transaction writes 0 to is 0 at first. With `none` no key has a first value. */
  readonly initial?: 'zero' | 'none';
}

export interface CheckResult {
  /** An answer says whether the history keeps the level (true), violates it (false), or neither could be shown (`unknown`). */
  readonly levels: Readonly<Partial<Record<AskedLevel, Answer>>>;
  /** Each answer that is `unknown` has its reason here. */
  readonly reasons: Readonly<Partial<Record<AskedLevel, string>>>;
  readonly anomalies: readonly KvAnomaly<AskedLevel>[];
}

export interface CheckOptions {
  /**
   * `check` judges these levels. They are rc, ra, cc, snapshot-isolation, serializable, strict-serializable and own. The default
   * is every level that the history can answer. strict-serializable needs times, and own needs levels.
   */
  readonly levels?: readonly AskedLevel[];
  /** `first` stops at the first anomaly. `class` (the default) lists one of each name. `all` lists every one. */
  readonly report?: 'first' | 'class' | 'all';
}

/** Judges the history at once, without a server. Throws UsageError if the history is malformed. */
export function check(history: PlainHistory, options: CheckOptions = {}): CheckResult {
  const judged = assessForeign({ kind: 'kv', history: kvHistory(history) }, options);
  const verdicts = judged.kind === 'kv' ? judged.verdicts : [];
  const seen = new Set<string>();
  return {
    levels: Object.fromEntries(verdicts.map(({ level, answer }) => [level, answer])),
    reasons: Object.fromEntries(verdicts.flatMap(({ level, reason }) => (reason === undefined ? [] : [[level, reason]]))),
    anomalies: verdicts
      .flatMap((verdict) => verdict.anomalies)
      .filter(({ name, explanation }) => !seen.has(`${name} ${explanation}`) && seen.add(`${name} ${explanation}`)),
  };
}

function kvHistory({ sessions, initial = 'zero' }: PlainHistory): ReturnType<KvHistoryBuilder['finish']> {
  const builder = new KvHistoryBuilder(initial);
  for (const [s, transactions] of sessions.entries()) {
    const session = builder.session(String(s));
    for (const [t, { ops, outcome = 'committed', level, name, beginAt, endAt }] of transactions.entries()) {
      const where = `session ${s}, transaction ${t}`;
      if (!Object.hasOwn(TXN_STATUS, outcome))
        throw new UsageError(`${where}: got outcome ${JSON.stringify(outcome)}, expected committed, aborted or unknown`);
      const txn = builder.txn(session, name, TXN_STATUS[outcome]);
      if (level !== undefined && !isLevel(level))
        throw new UsageError(`${where}: got level ${JSON.stringify(level)}, expected one of ${LEVELS.map((row) => row.level).join(', ')}`);
      if (level !== undefined) builder.setLevel(txn, level);
      if (beginAt !== undefined || endAt !== undefined) builder.setTimes(txn, beginAt ?? Number.NaN, endAt ?? Number.NaN);
      for (const [i, { kind, key, value }] of ops.entries()) {
        const place = `${where}, operation ${i}`;
        if (value === null && kind === 'read') builder.readInitial(txn, int64(key, place));
        else if (kind === 'read') builder.read(txn, int64(key, place), int64(value, place));
        else if (kind === 'write') builder.write(txn, int64(key, place), int64(value, place));
        else throw new UsageError(`${place}: got kind ${JSON.stringify(kind)}, expected read or write`);
      }
    }
  }
  return builder.finish();
}

function int64(value: unknown, place: string): number | bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  throw new UsageError(`${place}: got ${String(value)}, expected a safe integer or a bigint of 64 bits`);
}
