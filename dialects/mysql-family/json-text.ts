/**
 * JSON for the tool only, composed as text. Row ids, lists and JSON values need no escape, but JSON_ARRAY checks every
 * character of its operands. For a list of 480 characters it takes 4.8 µs, and CONCAT takes 0.1 µs (MariaDB 11.8; MySQL
 * 9.7: 1.6 and 0.2; November 2026). Values that may need an escape, such as the user's, stay in a JSON_ARRAY of their
 * own.
 */
import type { Expression, Value } from '../../core/sql/index.ts';
import { LIST_COLUMN, READS_COLUMN, RID_COLUMN } from '../../core/history/index.ts';
import { quoteText } from './quote.ts';

type JsonArray = Extract<Expression, { kind: 'jsonArray' }>;

/** A constant text, or an expression that is never NULL. `json`: it has the collation of JSON. */
type Piece = { readonly fixed: string } | { readonly sql: string; readonly json?: true };

export interface TextPrinters {
  readonly expression: (expression: Expression) => string;
  /** Prints the aggregate as text that is never NULL. */
  readonly aggregate: (expression: Extract<Expression, { kind: 'jsonAgg' }>) => string;
  /** Whether the table with that alias always has a row, so that it is not the missing side of an outer join. */
  readonly present: (alias: string) => boolean;
}

const COMMA: Piece = { fixed: ',' };

export interface JsonText {
  /** The operands of a CONCAT, which is never NULL. */
  readonly operands: readonly string[];
  /** Whether some have the collation of JSON, which mixes with the connection's only among bytes. */
  readonly json: boolean;
}

/** The array, between `before` and `behind`. Undefined: some value may need an escape. */
export function jsonText(array: JsonArray, print: TextPrinters, before = '', behind = ''): JsonText | undefined {
  const pieces = piecesOf(array, print);
  if (pieces === undefined) return undefined;
  const operands = joined([{ fixed: before }, ...pieces, { fixed: behind }]).map((piece) =>
    'fixed' in piece ? quoteText(piece.fixed) : piece.sql,
  );
  return { operands, json: pieces.some((piece) => 'json' in piece) };
}

function piecesOf({ items }: JsonArray, print: TextPrinters): readonly Piece[] | undefined {
  const pieces: Piece[] = [{ fixed: '[' }];
  for (let i = 0; i < items.length;) {
    const names = namesAt(items, i);
    const own = names.length > 0 ? namePieces(names, print) : piecesOfItem(items[i]!, print);
    if (own === undefined) return undefined;
    if (i > 0) pieces.push(COMMA);
    pieces.push(...own);
    i += Math.max(1, names.length);
  }
  return [...pieces, { fixed: ']' }];
}

function piecesOfItem(item: Expression, print: TextPrinters): readonly Piece[] | undefined {
  if (item.kind === 'literal')
    return item.value === null || item.type === 'text' || item.type === 'boolean' ? [{ fixed: asciiJson(item.value) }] : undefined;
  if (item.kind === 'jsonArray') return piecesOf(item, print) ?? [{ sql: print.expression(item), json: true }];
  if (item.kind === 'jsonAgg') return [{ sql: print.aggregate(item), json: true }];
  // This is always NULL. A condition in it depends on the row that it names.
  if (item.kind === 'call' && item.name === 'nullif') return [{ sql: `IFNULL(${print.expression(item)}, 'null')` }];
  const isJson = item.kind === 'subquery' || item.kind === 'case' || (item.kind === 'column' && item.column === READS_COLUMN);
  return isJson ? [{ sql: `IFNULL(${print.expression(item)}, JSON_ARRAY())`, json: true }] : undefined;
}

/** Escapes characters outside of ASCII, because row ids and lists are in ascii, which does not mix with them. */
export function asciiJson(value: Value): string {
  return JSON.stringify(value).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

type Name = Extract<Expression, { kind: 'column' | 'proposed' }>;

/** The row id and the list of one row, which are NULL together. */
function namesAt(items: readonly Expression[], from: number): readonly Name[] {
  const [first, next] = items.slice(from, from + 2);
  if (first === undefined || !isName(first)) return [];
  return next !== undefined && isName(next) && next.kind === 'column' && first.kind === 'column' && next.table === first.table
    ? [first, next]
    : [first];
}

function isName(item: Expression): item is Name {
  return (item.kind === 'column' || item.kind === 'proposed') && (item.column === RID_COLUMN || item.column === LIST_COLUMN);
}

function namePieces(names: readonly Name[], print: TextPrinters): readonly Piece[] {
  const [first] = names;
  if (first?.kind === 'column' && !print.present(first.table)) {
    return [
      {
        sql: `IFNULL(CONCAT('"', ${names.map(print.expression).join(`, '","', `)}, '"'), ${quoteText(names.map(() => 'null').join(','))})`,
      },
    ];
  }
  return names.flatMap((name, i): readonly Piece[] => [{ fixed: i === 0 ? '"' : ',"' }, { sql: print.expression(name) }, { fixed: '"' }]);
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last !== undefined && 'fixed' in last && 'fixed' in piece) all[all.length - 1] = { fixed: last.fixed + piece.fixed };
    else all.push(piece);
  }
  return all;
}
