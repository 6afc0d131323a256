/**
 * Finds values that an application has computed. A log shows no results, but it shows what was written to a row before.
 * Each value that is written to a column may differ from the one before by the same number, or by another value of the
 * same transaction. Then the file computes it in that way, as far as a log can tell.
 */
import type { Piece, Slot } from './pieces.ts';
import { placesIn } from './places.ts';

/** The row and column of one slot: `UPDATE table SET column = slot WHERE key = keySlot`. */
interface Target {
  readonly slot: number;
  readonly keySlot: number;
  readonly table: string;
  readonly column: string;
  readonly change: Change;
}

export interface Change {
  readonly keySlot: number;
  /** Number of writes for which the log has both values. */
  times: number;
  /** The difference, if it was always the same. */
  constant?: number | undefined;
  /** Slots whose value was always added (1) or subtracted (-1). */
  others?: ReadonlyMap<number, 1 | -1>;
}

/** Most rows whose last value is kept. */
const MOST_ROWS = 50_000;

/** The last numbers that were written, over all shapes. */
export class LastWritten {
  private readonly values = new Map<string, number>();
  private readonly epochs = new Map<string, number>();

  private key({ table, column }: Target, key: string): string {
    return `${table}.${column} ${this.epochs.get(table) ?? 0} ${key}`;
  }

  before(target: Target, key: string): number | undefined {
    return this.values.get(this.key(target, key));
  }

  write(target: Target, key: string, value: number): void {
    if (this.values.size >= MOST_ROWS) this.values.clear();
    this.values.set(this.key(target, key), value);
  }

  /** Forgets a table after another kind of change, because its content is then unknown. */
  forget(table: string): void {
    this.epochs.set(table, (this.epochs.get(table) ?? 0) + 1);
  }
}

export class Changes {
  private readonly targets: readonly Target[];
  /** Tables that the transaction changes in other ways. */
  private readonly blurred: readonly string[];

  constructor(statements: readonly (readonly Piece[])[]) {
    const targets: Target[] = [];
    const blurred: string[] = [];
    let first = 0;
    for (const pieces of statements) {
      const places = placesIn(pieces, () => undefined);
      const verb = pieces[0]!.text.toLowerCase();
      const table = places.find((place) => place?.table !== undefined)?.table;
      const keys = places.flatMap((place, i) => (place?.role === 'compared' ? [i] : []));
      const set = places.flatMap((place, i) => (place?.role === 'set' && place.table === table ? [i] : []));
      const plain = verb === 'update' && table !== undefined && keys.length === 1 && places.length === keys.length + set.length;
      if (plain)
        for (const i of set)
          targets.push({
            slot: first + i,
            keySlot: first + keys[0]!,
            table,
            column: places[i]!.column,
            change: { keySlot: first + keys[0]!, times: 0 },
          });
      else if (!/^(?:select|insert)$/.test(verb)) blurred.push(table ?? '');
      first += places.length;
    }
    this.targets = targets;
    this.blurred = blurred;
  }

  of(slot: number): Change | undefined {
    return this.targets.find((target) => target.slot === slot)?.change;
  }

  observe(values: readonly Slot[], database: string, last: LastWritten): void {
    for (const target of this.targets) {
      const key = `${database} ${values[target.keySlot]!.value ?? ''}`;
      const written = numberOf(values[target.slot]!);
      const before = last.before(target, key);
      if (written === undefined) last.forget(target.table);
      else {
        if (before !== undefined) narrow(target.change, written - before, values, target);
        last.write(target, key, written);
      }
    }
    for (const table of this.blurred) last.forget(table);
  }
}

function narrow(change: Change, difference: number, values: readonly Slot[], { slot, keySlot }: Target): void {
  const first = change.times++ === 0;
  if (first) change.constant = difference;
  else if (change.constant !== difference) change.constant = undefined;
  const others = new Map<number, 1 | -1>();
  for (const [i, value] of values.entries()) {
    const number = i === slot || i === keySlot ? undefined : numberOf(value);
    if (number === undefined || number === 0) continue;
    for (const sign of [1, -1] as const) if (number * sign === difference && (first || change.others?.get(i) === sign)) others.set(i, sign);
  }
  change.others = others;
}

function numberOf({ value, kind }: Slot): number | undefined {
  if (value === null || kind === 'string' || !/^-?\d{1,15}$/.test(value)) return undefined;
  return Number(value);
}
