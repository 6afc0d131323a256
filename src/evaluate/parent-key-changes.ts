/**
 * The possible changes of rows that others refer to, key by key: a delete, which ON DELETE follows, or another key, which
 * ON UPDATE follows. Keys are compared loosely (case, accents, trailing blanks), because one collation or another takes
 * such keys for equal.
 */
import { loosely, userColumnsOf } from '../../core/index.ts';
import type { ForeignKey, Image, Table, Value } from '../../core/index.ts';

export interface ParentKeyChange {
  readonly deleted: boolean;
  readonly renamed: boolean;
}

/** The latest time at which each change may have happened; NaN: never. */
export type ChangedUntil = Readonly<Record<keyof ParentKeyChange, number>>;

const KEY_CHANGES: readonly (keyof ParentKeyChange)[] = ['deleted', 'renamed'];

export class ParentKeyChanges {
  /** The latest time of each change, by kind, table, columns and key. */
  private readonly until = new Map<string, number>();
  /** Tables whose rows may have had any key and any change. */
  private readonly any: Set<string>;

  constructor(any: Iterable<string>) {
    this.any = new Set(any);
  }

  mayBeAny(table: string): boolean {
    return this.any.has(table);
  }

  /** Returns false if the table was marked already. */
  addAny(table: string): boolean {
    if (this.any.has(table)) return false;
    this.any.add(table);
    return true;
  }

  /** Adds the changes of a row under each key that it ever had. */
  add(table: Table, columns: readonly string[], images: readonly Image[], until: ChangedUntil): void {
    for (const how of KEY_CHANGES) {
      if (Number.isNaN(until[how])) continue;
      for (const image of images) {
        const name = `${how} ${table.name} ${columns.join()} ${keyOf(table, columns, image)}`;
        this.until.set(name, Math.max(until[how], this.until.get(name) ?? until[how]));
      }
    }
  }

  /** Returns the changes since this time of rows that the key's columns name. Changes that no action follows are omitted. */
  of(table: Table, key: ForeignKey, values: Image | readonly Value[], since: number = Number.NEGATIVE_INFINITY): ParentKeyChange {
    const tuple = keyOf(table, key.columns, values);
    const { onDelete, onUpdate } = key;
    return {
      deleted: onDelete !== 'no action' && this.has('deleted', key, tuple, onDelete, since),
      renamed: onUpdate !== 'no action' && this.has('renamed', key, tuple, onUpdate, since),
    };
  }

  private has(
    how: keyof ParentKeyChange,
    key: ForeignKey,
    tuple: string | undefined,
    action: ForeignKey['onDelete'],
    since: number,
  ): boolean {
    const name = `${how} ${key.table} ${key.references.join()} `;
    if (tuple !== undefined) return this.any.has(key.table) || (this.until.get(`${name}${tuple}`) ?? Number.NaN) >= since;
    // The NULL may be the action's own: for an inserted row that returned nothing, only the last state is known.
    if (action !== 'set null') return false;
    return this.any.has(key.table) || [...this.until].some(([each, until]) => each.startsWith(name) && until >= since);
  }
}

/** Tells whether the key's action changes columns of a row that refers to a row with these changes. */
export function changesColumns({ onDelete, onUpdate }: ForeignKey, { deleted, renamed }: ParentKeyChange): boolean {
  return (renamed && onUpdate !== 'no action') || (deleted && (onDelete === 'set null' || onDelete === 'set default'));
}

export function columnsOfImage<T extends Value>(
  table: Table,
  columns: readonly string[],
  values: readonly (T | null)[],
): readonly (T | null)[] {
  const users = userColumnsOf(table);
  return columns.map((column) => values[users.findIndex(({ name }) => name === column)] ?? null);
}

/** Undefined if a column is NULL: then the row refers to nothing. */
export function keyOf(table: Table, columns: readonly string[], values: Image | readonly Value[]): string | undefined {
  const parts = columnsOfImage<boolean | number | string>(table, columns, values);
  return parts.includes(null) ? undefined : JSON.stringify(parts.map((part) => loosely(part!)));
}
