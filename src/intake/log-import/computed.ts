/**
 * A value that the application computes from a read, if the log makes it evident (changes.ts). The read gives its columns
 * names (SELECT ... INTO), and the write is an expression over one of them.
 */
import type { Schema } from '../../../core/index.ts';
import type { FoundColumn } from './columns.ts';
import { identifier, type Place } from './places.ts';
import type { Piece } from './pieces.ts';
import type { Shape } from './shapes.ts';

/** Fewest writes for which both values must be in the log. */
const FEWEST = 2;

export interface Computed {
  /** The statement that reads, and the names of its columns. */
  readonly statement: number;
  readonly names: readonly string[];
  readonly name: string;
  /** The difference as a number, or another slot (`sign` 1: added, -1: subtracted). */
  readonly more: number | { readonly slot: number; readonly sign: 1 | -1 };
  readonly times: number;
}

export interface Written {
  readonly slot: number;
  readonly statement: number;
  readonly place: Place | undefined;
  readonly column: FoundColumn | undefined;
}

export function computedOf(shape: Shape, written: Written, uses: readonly Written[], schema: Schema | undefined): Computed | undefined {
  const change = shape.changes.of(written.slot);
  const { column } = written;
  if (change === undefined || change.times < FEWEST || column === undefined || schema === undefined) return undefined;
  // A computed value explains nothing itself, and a key is no amount. If two slots fit, the right one is unknown.
  const others = [...(change.others ?? [])].filter(([slot]) => shape.changes.of(slot) === undefined && !isReference(uses[slot]!.column));
  const other = new Set(others.map(([slot]) => shape.slots[slot]!.group)).size === 1 ? others[0] : undefined;
  const more = change.constant !== undefined && change.constant !== 0 ? change.constant : other && { slot: other[0], sign: other[1] };
  if (more === undefined) return undefined;
  const keyGroup = shape.slots[change.keySlot]!.group;
  // The read finds one row by its own key, which the write uses too.
  const statement = shape.statements.findIndex((pieces, n) => {
    const own = uses.filter((use) => use.statement === n);
    return (
      n < written.statement &&
      pieces[0]!.text.toLowerCase() === 'select' &&
      own.length === 1 &&
      own[0]!.column?.isKey === true &&
      own[0]!.column.table === column.table &&
      shape.slots[own[0]!.slot]!.group === keyGroup &&
      columnsRead(pieces)?.includes(column.column.name) === true
    );
  });
  if (statement < 0) return undefined;
  const columns = columnsRead(shape.statements[statement]!)!;
  const names = columns.map((name) => `${name.replace(/\W+/g, '_')}_read${statement === 0 ? '' : statement + 1}`);
  return { statement, names, name: names[columns.indexOf(column.column.name)]!, more, times: change.times };
}

function isReference(column: FoundColumn | undefined): boolean {
  return (
    column !== undefined && (column.isUnique || column.root.table !== column.table || column.table.primaryKey.includes(column.column.name))
  );
}

/** Returns the columns of SELECT a, t.b FROM ...; undefined if there is anything else than columns, or one column twice. */
function columnsRead(pieces: readonly Piece[]): readonly string[] | undefined {
  const from = pieces.findIndex(({ kind, text }) => kind === 'word' && text.toLowerCase() === 'from');
  const columns: string[] = [];
  let item: Piece[] = [];
  for (const piece of [...pieces.slice(1, from), undefined]) {
    if (piece !== undefined && piece.text !== ',') {
      item.push(piece);
      continue;
    }
    const name = item.length === 1 || (item.length === 3 && item[1]!.text === '.') ? identifier(item.at(-1)) : undefined;
    if (name === undefined || columns.includes(name)) return undefined;
    columns.push(name);
    item = [];
  }
  return columns;
}
