/** A form: with which statements an item is read, or written. One row of the catalogue's tables. */
import type { Capabilities, CompareOp, Expression, Lock, Select, Statement } from '../../core/index.ts';
import type { Item, WorldRow } from './worlds.ts';

export interface Site {
  readonly item: Item;
  readonly world: WorldRow;
  /** A number that no other statement of the program has. */
  readonly own: number;
}

export interface Form {
  readonly name: string;
  /** What the item must be at first; absent: either. */
  readonly item?: 'present' | 'absent';
  /** Only where k is a primary key. */
  readonly keyed?: true;
  /** Only in such a world. */
  readonly fits?: (world: WorldRow) => boolean;
  /** What a DBMS may lack; absent: none does. */
  readonly needs?: (capabilities: Capabilities) => boolean;
  /** It neither writes nor asks for a lock. */
  readonly plain?: true;
  readonly make: (site: Site) => Statement | readonly Statement[];
}

export function fits(form: Form, world: WorldRow, item: Item): boolean {
  return (
    (form.item === undefined || (form.item === 'present') === item.present) &&
    (form.keyed === undefined || world.keyed) &&
    (form.fits?.(world) ?? true)
  );
}

export const hasSecondIndex = ({ world }: WorldRow): boolean => world.tables[0]!.indexes.length + world.tables[0]!.uniques.length > 0;

export const number = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
export const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
export const compare = (table: string, name: string, op: CompareOp, value: number): Expression => ({
  kind: 'compare',
  op,
  left: column(table, name),
  right: number(value),
});
export const both = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
export const plus = (table: string, name: string, amount: number): Expression => ({
  kind: 'arithmetic',
  op: '+',
  left: column(table, name),
  right: number(amount),
});

/** Rows of the table, whole. */
export function rowsWhere(table: string, where?: Expression, strength?: Lock['strength'], alias: string = table): Select {
  return {
    kind: 'select',
    items: ['k', 'g', 'v'].map((name) => ({ expression: column(alias, name), alias: name })),
    from: { kind: 'table', table, alias },
    ...(where && { where }),
    ...(strength && { lock: { strength } }),
  };
}

export function single(table: string, alias: string, expression: Expression, where?: Expression): Select {
  return { kind: 'select', items: [{ expression, alias }], from: { kind: 'table', table, alias: table }, ...(where && { where }) };
}
