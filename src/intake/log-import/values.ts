/** The values at one place: their number, range and forms. Only a few texts are kept, to distinguish them. */
import type { Slot } from './pieces.ts';

const NUMBER = /^-?\d+(?:\.(\d+))?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Most different values that are distinguished. */
const MOST_DISTINCT = 20;

const COUNTS = ['count', 'unknown', 'numbers', 'dates', 'moments', 'uuids', 'booleans', 'quoted'] as const;

export class Values {
  count = 0;
  /** Number of values that are not in the log. */
  unknown = 0;
  /** Number of values of each form. */
  numbers = 0;
  dates = 0;
  moments = 0;
  uuids = 0;
  booleans = 0;
  quoted = 0;
  /** Number of decimals. */
  scale = 0;
  min: number = Infinity;
  max: number = -Infinity;
  earliest = '';
  latest = '';
  /** The first few values. */
  readonly distinct: Set<string> = new Set();

  add({ value, kind }: Slot): void {
    this.count++;
    if (value === null) {
      this.unknown++;
      return;
    }
    if (kind === 'string') this.quoted++;
    if (this.distinct.size <= MOST_DISTINCT) this.distinct.add(value);
    if (kind === 'boolean') this.booleans++;
    const number = NUMBER.exec(value);
    if (number !== null) {
      this.numbers++;
      this.scale = Math.max(this.scale, number[1]?.length ?? 0);
      this.min = Math.min(this.min, Number(value));
      this.max = Math.max(this.max, Number(value));
    } else if (UUID.test(value)) this.uuids++;
    else if (DATE.test(value) || MOMENT.test(value)) {
      if (DATE.test(value)) this.dates++;
      else this.moments++;
      const day = value.slice(0, 10);
      if (this.earliest === '' || day < this.earliest) this.earliest = day;
      if (day > this.latest) this.latest = day;
    }
  }

  static merged(all: readonly Values[]): Values {
    const sum = new Values();
    for (const each of all) {
      for (const name of COUNTS) sum[name] += each[name];
      sum.scale = Math.max(sum.scale, each.scale);
      sum.min = Math.min(sum.min, each.min);
      sum.max = Math.max(sum.max, each.max);
      if (each.earliest !== '' && (sum.earliest === '' || each.earliest < sum.earliest)) sum.earliest = each.earliest;
      if (each.latest > sum.latest) sum.latest = each.latest;
      for (const value of each.distinct) if (sum.distinct.size <= MOST_DISTINCT) sum.distinct.add(value);
    }
    return sum;
  }

  /** True if there was only one value. */
  get constant(): boolean {
    return this.unknown === 0 && this.distinct.size === 1;
  }
}
