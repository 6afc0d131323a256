/**
 * The speed of a level's rounds: commits per second while transactions ran, the share that did not commit, and the time
 * from the last commit to the verdict. There is one sample for each round at first. Samples are merged in pairs when they
 * become too many, so a run of any length needs the same memory.
 */
import { TXN_STATUS } from '../../../core/index.ts';
import type { History, Rates } from '../../../core/index.ts';

interface Sample {
  /** Time of its last round, since the run began. */
  readonly at: number;
  readonly seconds: number;
  readonly committed: number;
  readonly ended: number;
}

export const MOST_SAMPLES = 120;
const NANOSECONDS = 1e9;

export class RateMeter {
  private samples: Sample[] = [];
  private each = 1;
  private open: Sample | undefined;
  private inOpen = 0;
  private verdictSeconds = 0;

  /** `assessedAt`: when the verdict was there, in nanoseconds of the history's clock. */
  round({ transactions, statements, round }: History, assessedAt: number): void {
    let [first, last, committed, ended] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
    for (let t = 1; t < transactions.count; t++) {
      if (transactions.present[t] !== 1 || transactions.session[t]! >= round.sessions) continue;
      ended++;
      first = Math.min(first, transactions.beginAt[t]!);
      if (transactions.status[t] !== TXN_STATUS.committed || Number.isNaN(transactions.endAt[t]!)) continue;
      committed++;
      last = Math.max(last, transactions.endAt[t]!);
    }
    if (ended === 0) return;
    if (committed > 0) this.verdictSeconds = Math.max(this.verdictSeconds, (assessedAt - last) / NANOSECONDS);
    // If no transaction committed, the time up to the last reply was spent all the same.
    else
      for (let s = 0; s < statements.count; s++)
        if (transactions.session[statements.txn[s]!]! < round.sessions) last = Math.max(last, statements.replyAt[s]! || first);
    this.add({ at: last / NANOSECONDS, seconds: (last - first) / NANOSECONDS, committed, ended });
  }

  /** Undefined if nothing was sent. */
  rates(): Rates | undefined {
    const samples = this.open === undefined ? this.samples : [...this.samples, this.open];
    const all = samples.reduce<Sample | undefined>((sum, sample) => merged(sum, sample), undefined);
    if (all === undefined) return undefined;
    return {
      ...shown(all),
      verdictSeconds: rounded(this.verdictSeconds),
      samples: samples.map((sample) => ({ atSeconds: rounded(sample.at), ...shown(sample) })),
    };
  }

  private add(sample: Sample): void {
    this.open = merged(this.open, sample);
    if (++this.inOpen < this.each) return;
    this.samples.push(this.open);
    this.open = undefined;
    this.inOpen = 0;
    if (this.samples.length < MOST_SAMPLES) return;
    this.each *= 2;
    this.samples = this.samples.filter((_, i) => i % 2 === 0).map((even, i) => merged(even, this.samples[2 * i + 1]!));
  }
}

function merged(a: Sample | undefined, b: Sample): Sample {
  return a === undefined ? b : { at: b.at, seconds: a.seconds + b.seconds, committed: a.committed + b.committed, ended: a.ended + b.ended };
}

function shown({ seconds, committed, ended }: Sample): Pick<Rates, 'commitsPerSecond' | 'abortRate'> {
  return { commitsPerSecond: seconds > 0 ? rounded(committed / seconds) : 0, abortRate: rounded(1 - committed / ended) };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
