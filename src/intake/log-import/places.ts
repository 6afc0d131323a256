/**
 * Finds the column beside each slot of a statement, from its pieces: `column = ?`, `column IN (?, ?)`, SET column = ?,
 * the columns of an INSERT. Other slots have no place. The place decides only the name and the domain of a parameter. The
 * DBMS's own grammar reads the statement itself later.
 */
import type { Piece } from './pieces.ts';

export interface Place {
  /** The names as the statement has them, without quotes. `table` is a table, not an alias. */
  readonly table?: string;
  readonly column: string;
  /** `changed`: the value is added to the column or subtracted from it. */
  readonly role: 'compared' | 'set' | 'inserted' | 'changed';
}

interface Reference {
  readonly qualifier?: string;
  readonly column: string;
}

const KEYWORDS = new Set(
  'select insert into update delete from where set values and or not in is null like between on join left right inner outer cross as order group by having limit offset returning using for share distinct union all exists case when then else end default with'.split(
    ' ',
  ),
);
const COMPARISONS = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '<=>', 'like', 'ilike']);

/** Returns the tables that a statement names, by their aliases and names. */
export function tablesIn(pieces: readonly Piece[]): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (let i = 0; i < pieces.length; i++) {
    if (!isWord(pieces[i], /^(?:from|join|update|into|using)$/)) continue;
    for (let at = i + 1; ;) {
      const named = nameAt(pieces, at);
      if (named === undefined) break;
      at = named.end;
      if (isWord(pieces[at], /^as$/)) at++;
      const alias = identifier(pieces[at]);
      if (alias !== undefined) at++;
      tables.set(alias ?? named.name, named.name);
      tables.set(named.name, named.name);
      if (pieces[at]?.text !== ',') break;
      at++;
    }
  }
  return tables;
}

/** Returns a place for each slot, in order. `columnsOf`: returns the columns of a table, if the schema is known. */
export function placesIn(
  pieces: readonly Piece[],
  columnsOf: (table: string) => readonly string[] | undefined,
): readonly (Place | undefined)[] {
  const tables = tablesIn(pieces);
  const inserted = insertedColumns(pieces);
  const places: (Place | undefined)[] = [];
  let setting = false;
  for (const [i, piece] of pieces.entries()) {
    if (isWord(piece, /^set$/)) setting = true;
    else if (isWord(piece, /^(?:where|from|returning|values)$/)) setting = false;
    if (piece.kind !== 'slot') continue;
    const column = inserted.get(i);
    if (column !== undefined) {
      places.push({ ...tableNamed([...tables.values()][0]), column, role: 'inserted' });
      continue;
    }
    const found = referenceBeside(pieces, i);
    if (found === undefined) places.push(undefined);
    else {
      const role = found.changed ? 'changed' : setting ? 'set' : 'compared';
      places.push({ ...tableNamed(tableOf(found.reference, tables, columnsOf)), column: found.reference.column, role });
    }
  }
  return places;
}

function tableNamed(table: string | undefined): { readonly table?: string } {
  return table === undefined ? {} : { table };
}

function tableOf(
  { qualifier, column }: Reference,
  tables: ReadonlyMap<string, string>,
  columnsOf: (table: string) => readonly string[] | undefined,
): string | undefined {
  if (qualifier !== undefined) return tables.get(qualifier) ?? qualifier;
  const names = [...new Set(tables.values())];
  if (names.length === 1) return names[0];
  const having = names.filter((name) => columnsOf(name)?.some((each) => each.toLowerCase() === column.toLowerCase()));
  return having.length === 1 ? having[0] : undefined;
}

/** Returns the column for each slot's piece in INSERT INTO t (a, b) VALUES (?, ?), (?, ?). */
function insertedColumns(pieces: readonly Piece[]): ReadonlyMap<number, string> {
  const columns: string[] = [];
  const given = new Map<number, string>();
  const into = pieces.findIndex((piece) => isWord(piece, /^into$/));
  const open = into < 0 ? undefined : nameAt(pieces, into + 1);
  let at = open?.end ?? pieces.length;
  if (pieces[at]?.text !== '(') return given;
  for (at++; at < pieces.length && pieces[at]!.text !== ')'; at++) if (pieces[at]!.text !== ',') columns.push(identifier(pieces[at]) ?? '');
  if (!isWord(pieces[at + 1], /^values?$/)) return given;
  let depth = 0;
  let n = 0;
  for (at += 2; at < pieces.length; at++) {
    const { kind, text } = pieces[at]!;
    if (text === '(') {
      if (depth++ === 0) n = 0;
    } else if (text === ')') depth--;
    else if (text === ',' && depth === 1) n++;
    else if (depth === 0 && text !== ',') break;
    else if (kind === 'slot' && depth === 1 && columns[n]) given.set(at, columns[n]!);
  }
  return given;
}

interface Beside {
  readonly reference: Reference;
  readonly changed: boolean;
}

function referenceBeside(pieces: readonly Piece[], slot: number): Beside | undefined {
  let at = slot - 1;
  const before = pieces[at];
  if (before === undefined) return undefined;
  if (COMPARISONS.has(before.text.toLowerCase())) return beside(referenceBefore(pieces, at));
  if (/^[-+]$/.test(before.text)) return beside(referenceBefore(pieces, at), true);
  if (isWord(before, /^between$/)) return beside(referenceBefore(pieces, isWord(pieces[at - 1], /^not$/) ? at - 1 : at));
  if (isWord(before, /^and$/) && pieces[at - 1]?.kind === 'slot' && isWord(pieces[at - 2], /^between$/))
    return referenceBeside(pieces, at - 1);
  while (at > 0 && (pieces[at]!.kind === 'slot' || pieces[at]!.text === ',')) at--;
  if (pieces[at]?.text === '(' && isWord(pieces[at - 1], /^in$/))
    return beside(referenceBefore(pieces, isWord(pieces[at - 2], /^not$/) ? at - 2 : at - 1));
  // The form `? = column`.
  if (COMPARISONS.has(pieces[slot + 1]?.text.toLowerCase() ?? '')) {
    const named = nameAt(pieces, slot + 2);
    return named === undefined
      ? undefined
      : beside({ column: named.name, ...(named.qualifier !== undefined && { qualifier: named.qualifier }) });
  }
  return undefined;
}

function beside(reference: Reference | undefined, changed = false): Beside | undefined {
  return reference === undefined ? undefined : { reference, changed };
}

/** Returns the column whose name ends before `end`, within lower(column) too. */
function referenceBefore(pieces: readonly Piece[], end: number): Reference | undefined {
  let at = end - 1;
  if (pieces[at]?.text === ')' && pieces[at - 2]?.text !== '.') at--;
  const column = identifier(pieces[at]);
  if (column === undefined) return undefined;
  const qualifier = pieces[at - 1]?.text === '.' ? identifier(pieces[at - 2]) : undefined;
  return { column, ...(qualifier !== undefined && { qualifier }) };
}

/** Reads table, schema.table or alias.column: the last part, and the one before it. */
function nameAt(
  pieces: readonly Piece[],
  start: number,
): { readonly name: string; readonly qualifier?: string; readonly end: number } | undefined {
  let at = start;
  let name = identifier(pieces[at]);
  let qualifier: string | undefined;
  if (name === undefined) return undefined;
  for (at++; pieces[at]?.text === '.'; at += 2) {
    qualifier = name;
    name = identifier(pieces[at + 1]);
    if (name === undefined) return undefined;
  }
  return { name, end: at, ...(qualifier !== undefined && { qualifier }) };
}

export function identifier(piece: Piece | undefined): string | undefined {
  if (piece?.kind === 'name') return piece.text.slice(1, -1).replaceAll(piece.text[0]! + piece.text[0]!, piece.text[0]!);
  return piece?.kind === 'word' && !KEYWORDS.has(piece.text.toLowerCase()) ? piece.text : undefined;
}

function isWord(piece: Piece | undefined, form: RegExp): boolean {
  return piece?.kind === 'word' && form.test(piece.text.toLowerCase());
}
