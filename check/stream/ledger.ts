/**
 * The verdicts of a stream on each level so far. A violation stands as soon as it is found. It falls to `unknown` only
 * if a value that it rests on is written again, because it is then not known which write was read. A level is reported
 * to hold only at the end, and only if no later transaction may have touched a forgotten one.
 */
import type { AwditLevel, KvAnomaly, KvHistory, KvVerdict, Level } from '../../core/index.ts';
import type { Frontier } from './frontier.ts';
import { WatchedValues } from './watched-values.ts';

/** A read of a value without a writer so far, by a forgotten transaction. */
interface OrphanRead {
  readonly anomaly: KvAnomaly;
  written: boolean;
}

/** The number of reads without a writer that are remembered. A stream with more of them is not worth the memory. */
const ORPHANS = 1000;

export class Ledger {
  private readonly levels: readonly Level[];
  private readonly frontier: Frontier;
  private readonly violated = new Map<Level, KvVerdict>();
  /** Levels that are unknown whatever else comes. */
  private readonly lost = new Map<Level, string>();
  private readonly watched = new WatchedValues<() => void>();
  private readonly orphans: OrphanRead[] = [];
  /** The reason why no level can be said to hold. */
  private doubt: string | undefined;

  constructor(levels: readonly Level[], frontier: Frontier) {
    this.levels = levels;
    this.frontier = frontier;
  }

  /** Returns the levels without a verdict so far. */
  open(): readonly Level[] {
    return this.levels.filter((level) => !this.violated.has(level) && !this.lost.has(level));
  }

  isViolated(level: Level): boolean {
    return this.violated.has(level);
  }

  get doubted(): boolean {
    return this.doubt !== undefined;
  }

  /** No level certainly holds any more. The first reason is kept. */
  doubtAll(reason: string): void {
    this.doubt ??= reason;
  }

  /** Makes these levels unknown for the rest of the stream. */
  loseWeak(levels: readonly AwditLevel[], reason: string): void {
    for (const level of levels) if (!this.violated.has(level)) this.lost.set(level, reason);
  }

  /** Withdraws all verdicts. */
  loseAll(reason: string): void {
    for (const level of this.levels) this.lose(level, reason);
  }

  /**
   * Records a violation seen in `history`, whose transaction 0 is not of the file if `ours`. Returns true if the
   * violation can be relied on.
   */
  violate(verdict: KvVerdict, history: KvHistory, ours: boolean): boolean {
    const { level, anomalies } = verdict;
    const sound = anomalies.filter((anomaly) => !pairsOf(anomaly, history, ours).some((pair) => this.frontier.maybeGone(...pair)));
    if (sound.length === 0) {
      this.lost.set(level, 'a violation was seen that rests on a value which a forgotten transaction may have written too');
      return false;
    }
    this.violated.set(level, { ...verdict, anomalies: sound });
    for (const anomaly of sound)
      for (const pair of pairsOf(anomaly, history, ours))
        this.watched.watch(...pair, () =>
          this.lose(level, 'a violation was seen that rests on a value which a later transaction wrote again: values must be unique'),
        );
    return true;
  }

  /**
   * Records a read without a writer, by a transaction that is being forgotten. `read` is like `transaction 3 reads key
   * 1 as 5`.
   */
  orphan(anomaly: KvAnomaly, read: string, key: readonly [number, number], value: readonly [number, number]): void {
    const orphan: OrphanRead = { anomaly, written: false };
    if (this.orphans.length === ORPHANS)
      return this.doubtAll(`more than ${ORPHANS} forgotten transactions read values that no transaction had written yet`);
    this.orphans.push(orphan);
    this.watched.watch(...key, ...value, () => {
      orphan.written = true;
      this.doubtAll(`${read}, a value that was written only after that transaction was forgotten`);
    });
  }

  /** Handles a new write: every verdict that rested on its value falls. */
  written(keyLow: number, keyHigh: number, low: number, high: number): void {
    if (this.watched.empty) return;
    for (const fall of this.watched.written(keyLow, keyHigh, low, high)) fall();
  }

  /** Returns the verdicts at the end of the stream. */
  verdicts(committed: boolean): readonly KvVerdict[] {
    return this.levels.map((level) => this.violated.get(level) ?? this.orphaned(level) ?? this.undecided(level, committed));
  }

  /**
   * Returns the verdicts of a stream that was not read to its end, for the reason `why`. A violation stands, and no
   * level is reported to hold.
   */
  soFar(why: string): readonly KvVerdict[] {
    return this.levels.map(
      (level) => this.violated.get(level) ?? { level, answer: 'unknown', reason: this.lost.get(level) ?? this.doubt ?? why, anomalies: [] },
    );
  }

  private orphaned(level: Level): KvVerdict | undefined {
    const anomalies = this.orphans
      .filter(({ written, anomaly }) => !written && anomaly.levels.includes(level))
      .map(({ anomaly }) => anomaly);
    if (anomalies.length === 0 || this.lost.has(level)) return undefined;
    return { level, answer: false, anomalies };
  }

  private undecided(level: Level, committed: boolean): KvVerdict {
    const reason = this.lost.get(level) ?? this.doubt;
    if (reason !== undefined) return { level, answer: 'unknown', reason, anomalies: [] };
    if (!committed)
      return { level, answer: 'unknown', code: 'nothing', reason: 'nothing to judge: no transaction committed', anomalies: [] };
    if (level === 'strict-serializable')
      return {
        level,
        answer: 'unknown',
        reason: 'the history has no begin and end times, so its real-time order is not known',
        anomalies: [],
      };
    return { level, answer: true, anomalies: [] };
  }

  private lose(level: Level, reason: string): void {
    this.violated.delete(level);
    this.lost.set(level, reason);
  }
}

/** Returns every value that the transactions of the anomaly read or wrote. */
function pairsOf(anomaly: KvAnomaly, history: KvHistory, ours: boolean): readonly Pair[] {
  const txns = new Set([...anomaly.transactions, ...anomaly.operations.map(({ txn }) => txn)]);
  return [...txns]
    .filter((t) => t >= (ours ? 1 : 0))
    .flatMap((t) => Array.from({ length: history.opEnd[t] - history.opStart[t] }, (_, i) => pairOf(history, history.opStart[t] + i)));
}

export type Pair = readonly [number, number, number, number];

/** Returns key and value of an operation in true halves. */
export function pairOf({ keyLow, keyHigh, valueLow, valueHigh }: KvHistory, op: number): Pair {
  return [
    keyLow[op],
    keyHigh === undefined ? keyLow[op] >> 31 : keyHigh[op],
    valueLow[op],
    valueHigh === undefined ? valueLow[op] >> 31 : valueHigh[op],
  ];
}
