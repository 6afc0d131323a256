/**
 * Checks SNAPSHOT ISOLATION, SERIALIZABLE and STRICT SERIALIZABLE of mini-transaction histories in linear time
 * (Algorithm 1 of the mini-transaction paper). Every write follows a read of its key and values are unique, so the
 * reads fix the order of all versions. Bad reads are checked first, then divergence (two writers of one version), then
 * acyclicity by scheduling. A graph is drawn only of the transactions that could not be scheduled. docs/CHECKERS.md has
 * the proofs.
 */
import { InternalError } from '../../core/index-kv.ts';
import type { AskedLevel, KvAnomaly, KvHistory, KvReportMode, KvVerdict, Level, StrongLevel } from '../../core/index.ts';
import { stuckCycles } from './dependencies.ts';
import { describeBadRead, describeCycle, describeDivergence, operationOf, valueText } from './describe.ts';
import { undeterminedOrder } from './is-mini.ts';
import { linkOperations } from './link.ts';
import type { Links } from './link.ts';
import { listedInRealTime, realTime } from './real-time.ts';
import { divergentPairs, scheduleAll } from './schedule.ts';

export interface MiniOptions {
  readonly report?: KvReportMode;
}

/** Answers 'unknown' if the reads do not fix the version orders. check/solver answers those. */
export function checkMini(history: KvHistory, level: StrongLevel, options: MiniOptions = {}): KvVerdict {
  return checkLinked(prepare(linkOperations(history)), level, options);
}

export interface Prepared {
  readonly links: Links;
  /** The reason why the linear algorithms cannot answer "true". Undefined means that they can. */
  readonly undetermined: string | undefined;
  /** Pairs of writes that overwrote one version. */
  readonly divergent: readonly (readonly [number, number])[];
}

/**
 * Prepares the state that several levels of one history share. `ordered` says that the reads are known to fix the
 * version orders.
 */
export function prepare(links: Links, ordered = false): Prepared {
  return { links, undetermined: ambiguity(links) ?? (ordered ? undefined : undeterminedOrder(links)), divergent: divergentPairs(links) };
}

export function checkLinked({ links, undetermined, divergent }: Prepared, level: StrongLevel, options: MiniOptions): KvVerdict {
  const reporter = new Reporter(level, options.report ?? 'class');
  for (const bad of links.badReads) if (reporter.wants(bad.name)) reporter.add(describeBadRead(links, bad));
  for (const [first, other] of divergent) if (reporter.wants('LostUpdate')) reporter.add(describeDivergence(links, first, other));
  if (reporter.finished) return reporter.verdict();
  if (undetermined !== undefined && !reporter.violated) return { level, answer: 'unknown', reason: undetermined, anomalies: [] };
  if (undetermined !== undefined) return reporter.verdict();
  // The order of the file is often a proof already. A serial order is an order of snapshots too.
  const strict = level === 'strict-serializable';
  if (links.serialAsListed && (!strict || listedInRealTime(links.history, links.live))) return reporter.verdict();
  const times = strict ? realTime(links.history, links.live) : undefined;
  const schedule = scheduleAll(links, level === 'snapshot-isolation', times);
  if (schedule.stuck > 0) {
    const cycles = stuckCycles(links, schedule, level, reporter.mode === 'first' ? 1 : reporter.mode === 'class' ? 100 : Infinity);
    if (cycles.length === 0)
      throw new InternalError(`${schedule.stuck} transactions could not be scheduled, but there is no cycle among them`);
    for (const cycle of cycles) reporter.cycle(links, cycle);
  }
  if (strict && times === undefined && !reporter.violated) {
    return {
      level,
      answer: 'unknown',
      reason: 'the history has no begin and end times, so its real-time order is not known',
      anomalies: [],
    };
  }
  return reporter.verdict();
}

function ambiguity(links: Links): string | undefined {
  const [first] = links.unclear;
  if (first === undefined) return undefined;
  const { read } = first;
  const [a, b] = first.writes.filter((op) => links.opTxn[op] !== links.opTxn[read]).map((op) => operationOf(links, op).txnName);
  return `transaction ${operationOf(links, read).txnName} reads key ${operationOf(links, read).key} as ${valueText(links.history, read)}, which both transactions ${a} and ${b} wrote: values must be unique`;
}

/** Collects the anomalies that the report mode asks for and counts the rest. */
export class Reporter<L extends AskedLevel = StrongLevel> {
  readonly level: L;
  readonly mode: KvReportMode;
  violated = false;
  private readonly anomalies: KvAnomaly<L | Level>[] = [];
  private readonly more: Record<string, number> = {};

  constructor(level: L, mode: KvReportMode) {
    this.level = level;
    this.mode = mode;
  }

  get finished(): boolean {
    return this.mode === 'first' && this.violated;
  }

  /** Counts an anomaly of a name. Returns true if it is to be described too. */
  wants(name: string): boolean {
    this.violated = true;
    const listed =
      this.mode === 'all' ||
      (this.mode === 'first' ? this.anomalies.length === 0 : !this.anomalies.some((anomaly) => anomaly.name === name));
    if (!listed) this.more[name] = (this.more[name] ?? 0) + 1;
    return listed;
  }

  add(anomaly: KvAnomaly<L | Level>): void {
    this.anomalies.push(anomaly);
  }

  cycle(links: Links, cycle: Parameters<typeof describeCycle>[1]): void {
    const anomaly = describeCycle(links, cycle);
    if (this.wants(anomaly.name)) this.add(anomaly);
  }

  verdict(): KvVerdict<L | Level> {
    return {
      level: this.level,
      answer: !this.violated,
      anomalies: this.anomalies,
      ...(Object.keys(this.more).length === 0 ? {} : { more: this.more }),
    };
  }
}
