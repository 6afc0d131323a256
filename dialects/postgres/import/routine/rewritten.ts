/**
 * Rewrites a user's text for sending. It removes `public.`, puts the namespace before functions of the file, and
 * replaces the clock by the constant time of the data. It uses the parser's own tokens, so that strings stay as they
 * are. Comments are removed but keep their line breaks, since a report may show a statement on one line.
 */
import type { RoutineText } from '../../../../core/sql/index.ts';
import { COMMENTS, type Parser, type Token } from './parser.ts';

export interface Rewritten {
  readonly text: RoutineText;
  /** Positions of the replaced clock functions, in bytes. */
  readonly clocks: readonly number[];
}

const MOMENT = "timestamp '2026-01-01 00:00:00'";
const TODAY = "date '2026-01-01'";
const CLOCKS: Readonly<Record<string, string>> = {
  now: MOMENT,
  transaction_timestamp: MOMENT,
  statement_timestamp: MOMENT,
  clock_timestamp: MOMENT,
};
const CLOCK_WORDS: Readonly<Record<string, string>> = { current_timestamp: MOMENT, localtimestamp: MOMENT, current_date: TODAY };

/** `isNamed` decides which names need the namespace. */
export function rewritten(source: string, parser: Parser, isNamed: (name: string, before: string, behind: string) => boolean): Rewritten {
  const bytes = Buffer.from(source);
  const all = parser.scan(source);
  const tokens = all.filter(({ tokenName }) => !COMMENTS.has(tokenName));
  const comments = all.filter(({ tokenName }) => COMMENTS.has(tokenName));
  const word = (i: number): string => wordOf(tokens[i]);
  const pieces: (string | { readonly names: string })[] = [];
  const clocks: number[] = [];
  let from = 0;
  const between = (start: number, end: number): string => {
    let text = '';
    for (const comment of comments.filter((each) => each.start >= start && each.end <= end)) {
      text += `${bytes.subarray(start, comment.start).toString()} ${comment.text.replaceAll(/[^\n]/g, '')}`;
      start = comment.end;
    }
    return text + bytes.subarray(start, end).toString();
  };
  const replace = (first: number, last: number, by: string | { readonly names: string }): void => {
    pieces.push(between(from, tokens[first]!.start), by);
    from = tokens[last]!.end;
  };
  for (let i = 0; i < tokens.length; i++) {
    const bare = word(i - 1) !== '.';
    if (bare && word(i) === 'public' && word(i + 1) === '.') {
      replace(i, i + 1, '');
      i++;
      if (isNamed(word(i + 1), word(i - 2), word(i + 2))) replace(i + 1, i + 1, { names: word(++i) });
    } else if (bare && isNamed(word(i), word(i - 1), word(i + 1))) replace(i, i, { names: word(i) });
    else if (bare && Object.hasOwn(CLOCKS, word(i)) && word(i + 1) === '(' && word(i + 2) === ')') {
      clocks.push(tokens[i]!.start);
      replace(i, i + 2, CLOCKS[word(i)]!);
      i += 2;
    } else if (bare && Object.hasOwn(CLOCK_WORDS, word(i)) && !tokens[i]!.text.startsWith('"')) {
      clocks.push(tokens[i]!.start);
      const precise = word(i + 1) === '(' && word(i + 3) === ')' ? 3 : 0;
      replace(i, i + precise, CLOCK_WORDS[word(i)]!);
      i += precise;
    }
  }
  pieces.push(between(from, bytes.length));
  return { text: pieces.filter((piece) => piece !== ''), clocks };
}

/** A name as the server reads it. Empty: there is no token. */
export function wordOf(token: Token | undefined): string {
  if (token === undefined) return '';
  const { text } = token;
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
}
