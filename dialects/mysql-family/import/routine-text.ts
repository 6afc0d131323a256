/** The statement that creates a trigger or function: its own text without comments, and with the changes of the reader. */
import type { RoutineText } from '../../../core/sql/index.ts';
import type { Token } from './tokens.ts';

/** Replaces the tokens between two positions. */
export interface Change {
  readonly start: number;
  readonly end: number;
  /** An empty text removes them. */
  readonly to: string | { readonly names: string };
}

export function routineText(sql: string, tokens: readonly Token[], changes: readonly Change[]): RoutineText {
  const pieces: (string | { readonly names: string })[] = [];
  const add = (piece: string | { readonly names: string }): void => {
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  };
  let end = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    if (token.kind === 'end') break;
    const change = changes.find((each) => each.start <= token.start && token.end <= each.end);
    if (change === undefined || (change.start === token.start && change.to !== '')) add(blank(sql.slice(end, token.start)));
    if (change === undefined) add(sql.slice(token.start, token.end));
    else if (change.start === token.start && change.to !== '') add(change.to);
    ({ end } = token);
  }
  return pieces;
}

/** The text between two tokens. A comment becomes a blank, so that none is ever sent. */
function blank(between: string): string {
  if (between.includes('\n')) return /^\s*$/.test(between) ? between : '\n';
  return between === '' ? '' : ' ';
}
