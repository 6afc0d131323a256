/** Rewrites INSERT INTO t (a, b) VALUES (DEFAULT, ?) as INSERT INTO t (b) VALUES (?). ORMs use DEFAULT to let the server number rows. */
import type { Piece } from './pieces.ts';

export function withoutDefaults(pieces: readonly Piece[]): readonly Piece[] {
  const open = pieces.findIndex(({ text }) => text === '(');
  const close = pieces.findIndex(({ text }) => text === ')');
  if (open < 0 || !/^insert$/i.test(pieces[0]!.text) || !/^values$/i.test(pieces[close + 1]?.text ?? '')) return pieces;
  const columns = itemsOf(pieces, open, close);
  const rows: { readonly from: number; readonly to: number; readonly items: readonly (readonly Piece[])[] }[] = [];
  let at = close + 2;
  for (; pieces[at]?.text === '('; at++) {
    const to = closing(pieces, at);
    if (to === undefined) return pieces;
    rows.push({ from: at, to, items: itemsOf(pieces, at, to) });
    at = to + 1;
    if (pieces[at]?.text !== ',') break;
  }
  if (rows.some(({ items }) => items.length !== columns.length)) return pieces;
  const given = columns.flatMap((_, i) =>
    rows.every(({ items }) => items[i]!.length === 1 && /^default$/i.test(items[i]![0]!.text)) ? [] : [i],
  );
  if (given.length === columns.length || given.length === 0) return pieces;
  const list = (items: readonly (readonly Piece[])[]): readonly Piece[] =>
    given.flatMap((i, n) => (n === 0 ? items[i]! : [{ kind: 'sign', text: ',', apart: false } as const, ...items[i]!]));
  const sign = (text: string, apart: boolean): Piece => ({ kind: 'sign', text, apart });
  return [
    ...pieces.slice(0, open + 1),
    ...list(columns),
    ...pieces.slice(close, close + 2),
    ...rows.flatMap(({ items }, n) => [...(n === 0 ? [] : [sign(',', false)]), sign('(', true), ...list(items), sign(')', false)]),
    ...pieces.slice(rows.at(-1)!.to + 1),
  ];
}

function closing(pieces: readonly Piece[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < pieces.length; at++) {
    if (pieces[at]!.text === '(') depth++;
    else if (pieces[at]!.text === ')' && --depth === 0) return at;
  }
  return undefined;
}

/** Returns the pieces between the commas of a bracket. */
function itemsOf(pieces: readonly Piece[], open: number, close: number): readonly (readonly Piece[])[] {
  const items: Piece[][] = [[]];
  let depth = 0;
  for (const piece of pieces.slice(open + 1, close)) {
    if (piece.text === '(') depth++;
    else if (piece.text === ')') depth--;
    if (piece.text === ',' && depth === 0) items.push([]);
    else items.at(-1)!.push(piece);
  }
  return items;
}
