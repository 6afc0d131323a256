/**
 * Values that an answer assumes to be written once, or never. Later writes of the stream are compared with them. There
 * are few, and a write of any other key takes O(1).
 */
interface Watched<T> {
  readonly keyHigh: number;
  readonly low: number;
  readonly high: number;
  readonly item: T;
}

export class WatchedValues<T> {
  private readonly byKey = new Map<number, Watched<T>[]>();

  get empty(): boolean {
    return this.byKey.size === 0;
  }

  watch(keyLow: number, keyHigh: number, low: number, high: number, item: T): void {
    const list = this.byKey.get(keyLow);
    if (list === undefined) this.byKey.set(keyLow, [{ keyHigh, low, high, item }]);
    else list.push({ keyHigh, low, high, item });
  }

  /** Returns the answers that rest on this value of the key. */
  written(keyLow: number, keyHigh: number, low: number, high: number): readonly T[] {
    const list = this.byKey.get(keyLow);
    if (list === undefined) return [];
    return list.filter((each) => each.keyHigh === keyHigh && each.low === low && each.high === high).map(({ item }) => item);
  }
}
