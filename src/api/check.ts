/**
 * `check` judges a key-value history that was made elsewhere, in memory. The command line does the same with files.
 *
 *     check({ sessions: [[{ ops: [{ kind: 'write', key: 1, value: 1 }] }], [{ ops: [{ kind: 'read', key: 1, value: 1 }] }]] })
 */
import { KvHistoryBuilder } from '../../check/index.ts';
import { LEVELS, TXN_STATUS, UsageError, isLevel } from '../../core/index.ts';
import type { Answer, AskedLevel, KvAnomaly, Level, TxnOutcome } from '../../core/index.ts';
import { assessForeign } from '../judge/assess/foreign.ts';

/** Keys and values are signed 64-bit integers; `value: null` is a read that found nothing. Every write of a key has its own value. */
export type Operation =
  | { readonly kind: 'write'; readonly key: number | bigint; readonly value: number | bigint }
  | { readonly kind: 'read'; readonly key: number | bigint; readonly value: number | bigint | null };

export interface Transaction {
  readonly ops: readonly Operation[];
  /** Default: committed. */
  readonly outcome?: TxnOutcome;
  /** For `own`: of all transactions or of none. */
  readonly level?: Level;
  /** For witnesses. */
  readonly name?: string;
  /** Nanoseconds of one clock, for strict-serializable. */
  readonly beginAt?: number;
  readonly endAt?: number;
}

export interface PlainHistory {
  /** Each session's transactions in its order. */
  readonly sessions: readonly (readonly Transaction[])[];
  /** `zero` (default): a key that no transaction writes 0 to has the value 0 at first. `none`: it has none. */
  readonly initial?: 'zero' | 'none';
}

export interface CheckResult {
  readonly levels: Readonly<Partial<Record<AskedLevel, Answer>>>;
  /** Why an answer is 'unknown'. */
  readonly reasons: Readonly<Partial<Record<AskedLevel, string>>>;
  readonly anomalies: readonly KvAnomaly<AskedLevel>[];
}

export interface CheckOptions {
  /** Of rc, ra, cc, snapshot-isolation, serializable, strict-serializable, and own where transactions have levels; default: all that can be answered. */
  readonly levels?: readonly AskedLevel[];
  readonly report?: 'first' | 'class' | 'all';
}

/** Throws UsageError when the history is not of this shape. */
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
