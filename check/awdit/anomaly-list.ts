/**
 * Lists the anomalies of one verdict under a report mode: the first, one of each name, or all. The others are counted.
 */
import type { KvAnomaly, KvReportMode } from '../../core/index.ts';

/** Even `all` lists no more than this. The rest is counted. */
const MOST = 10_000;

export class AnomalyList {
  readonly anomalies: KvAnomaly[] = [];
  private readonly more: Record<string, number> = {};
  private readonly mode: KvReportMode;

  constructor(mode: KvReportMode) {
    this.mode = mode;
  }

  /** True if nothing more would be listed or counted. */
  get full(): boolean {
    return this.mode === 'first' && this.anomalies.length > 0;
  }

  add(anomaly: KvAnomaly): void {
    if (this.full) return;
    const taken = this.anomalies.length >= MOST || (this.mode === 'class' && this.anomalies.some((other) => other.name === anomaly.name));
    if (taken) this.count(anomaly.name, 1);
    else this.anomalies.push(anomaly);
  }

  count(name: string, times: number): void {
    if (times > 0) this.more[name] = (this.more[name] ?? 0) + times;
  }

  /** Undefined if every anomaly is listed. */
  get rest(): Readonly<Record<string, number>> | undefined {
    return Object.keys(this.more).length === 0 ? undefined : this.more;
  }
}
