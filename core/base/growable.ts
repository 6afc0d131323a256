/** Typed-array columns that grow by doubling. `push` is amortised O(1), and `done` copies the used part once. */
type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

export class Growable<T extends Column> {
  length = 0;
  private data: T;
  private readonly make: (length: number) => T;

  constructor(make: (length: number) => T, capacity = 256) {
    this.make = make;
    this.data = make(capacity);
  }

  push(value: number): number {
    if (this.length === this.data.length) {
      const wider = this.make(this.data.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length] = value;
    return this.length++;
  }

  get(i: number): number {
    return this.data[i] ?? Number.NaN;
  }

  set(i: number, value: number): void {
    this.data[i] = value;
  }

  done(): T {
    return this.data.slice(0, this.length) as T;
  }
}

export const int32 = (): Growable<Int32Array> => new Growable((n) => new Int32Array(n));
export const uint32 = (): Growable<Uint32Array> => new Growable((n) => new Uint32Array(n));
export const uint16 = (): Growable<Uint16Array> => new Growable((n) => new Uint16Array(n));
export const uint8 = (): Growable<Uint8Array> => new Growable((n) => new Uint8Array(n));
export const float64 = (): Growable<Float64Array> => new Growable((n) => new Float64Array(n));
