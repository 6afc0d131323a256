/**
 * Values that an answer rests on having been written once, or never: whatever the stream writes later is held against
 * them. Few; O(1) for a write of any other key.
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

  /** What rests on this value of the key. */
  written(keyLow: number, keyHigh: number, low: number, high: number): readonly T[] {
    const list = this.byKey.get(keyLow);
    if (list === undefined) return [];
    return list.filter((each) => each.keyHigh === keyHigh && each.low === low && each.high === high).map(({ item }) => item);
  }
}
