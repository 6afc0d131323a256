/**
 * A statement's tokens, as our sessions read them (sql-mode.ts: no ANSI_QUOTES, no NO_BACKSLASH_ESCAPES, no
 * PIPES_AS_CONCAT). So "x" is a string, `x` a name, a backslash escapes, and `--` opens a comment only before a blank.
 * Only blanks and comments are skipped. A construct that no importer can carry over is a token with the reason. No rule
 * accepts it, but the rest of the statement is still read.
 */
import { Refused } from './refused.ts';

export type Token =
  /** A bare keyword or name. `text` is as written. */
  | { readonly kind: 'word'; readonly text: string; readonly start: number; readonly end: number }
  /** A name, without its backticks. */
  | { readonly kind: 'name'; readonly text: string; readonly start: number; readonly end: number }
  /** A string, without quotes and escapes. */
  | { readonly kind: 'string'; readonly text: string; readonly start: number; readonly end: number }
  /** A number, whole or with a fraction, without an exponent. */
  | { readonly kind: 'number'; readonly text: string; readonly start: number; readonly end: number }
  /**
   * A parameter, `:name`, without the colon. The importer has replaced the first name by `p0`, the second by `p1`
   * (placeholder).
   */
  | { readonly kind: 'parameter'; readonly text: string; readonly start: number; readonly end: number }
  /** `text` is the reason. */
  | { readonly kind: 'refused'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'sign'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'end'; readonly text: ''; readonly start: number; readonly end: number };

export function placeholder(index: number): string {
  return `:p${index}`;
}

interface Read {
  /** Absent: the text is skipped. */
  readonly token?: Omit<Token, 'start' | 'end'>;
  readonly end: number;
}

type Reader = (sql: string, at: number, more: readonly string[]) => Read | undefined;

/** Signs that only the body of a trigger or function may have, because its text is kept. */
export const BODY_SIGNS: readonly string[] = [':=', ':', '/'];

/** `more`: signs beside those that an importer carries over. */
export function tokensOf(sql: string, more: readonly string[] = []): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const { token, end } = readToken(sql, at, more);
    // A body keeps its text, so every token of it must be known.
    if (token?.kind === 'refused' && more.length > 0) throw new Refused(token.text, at);
    if (token !== undefined) tokens.push({ ...token, start: at, end } as Token);
    at = end;
  }
  tokens.push({ kind: 'end', text: '', start: sql.length, end: sql.length });
  return tokens;
}

function readToken(sql: string, at: number, more: readonly string[]): Read {
  for (const read of READERS) {
    const found = read(sql, at, more);
    if (found !== undefined) return found;
  }
  return refused(`the character ${JSON.stringify(sql.slice(at, at + 1))} begins no token of SQL that is supported: leave it out`, at + 1);
}

/** The characters of a bare name. From U+0080 on, all are allowed. */
const WORD = /[A-Za-z0-9_$\u0080-\uffff]+/y;
const BLANKS = /\s+/y;
const LINE_COMMENT = /(?:#|--(?=\s|$))[^\n]*/y;
const BLOCK_COMMENT = /\/\*[^]*?\*\//y;
const NUMBER = /\d+(?:\.\d*)?|\.\d+/y;
const PARAMETER = /:[A-Za-z_]\w*/y;
const SIGNS = ['<=>', '<>', '!=', '<=', '>=', '=', '<', '>', '+', '-', '*', '%', '(', ')', ',', '.', ';'];

/** The sign's meaning, and what to write instead. */
export const REFUSED_SIGNS: readonly (readonly [string, string])[] = [
  ['||', '|| is OR in this sql_mode: write OR, or CONCAT(...) for texts'],
  ['&&', '&& is not supported: write AND'],
  [':=', ':= assigns a variable of the session, which is not supported: give the value as a :parameter'],
  ['->', '-> is not supported: JSON is one text here; use columns'],
  ['@', '@ names a variable of the session or the server: give the value as a :parameter'],
  ['?', '? is a placeholder of a driver: give the parameter a name, as in :id'],
  ['/', '/ gives a fraction whose digits depend on the server: write * or compute the value outside'],
  ['!', '! : write NOT (...)'],
  ['|', '| calculates with bits: compute the value outside'],
  ['&', '& calculates with bits: compute the value outside'],
  ['^', '^ calculates with bits: compute the value outside'],
  ['~', '~ calculates with bits: compute the value outside'],
  ['{', '{ opens an escape of ODBC: write the literal itself'],
];

/** Other messages for the body of a trigger or function. */
const REFUSED_IN_BODIES: Readonly<Record<string, string>> = {
  '@': '@ names a variable of the session or the server, which outlives the statement: write DECLARE and a variable of the body',
};

function refused(text: string, end: number): Read {
  return { token: { kind: 'refused', text }, end };
}

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

const READERS: readonly Reader[] = [
  readBlanks,
  readLineComment,
  readBlockComment,
  readNumber,
  readWord,
  readString,
  readName,
  readParameter,
  readSign,
];

function readBlanks(sql: string, at: number): ReturnType<Reader> {
  const text = match(BLANKS, sql, at);
  return text === undefined ? undefined : { end: at + text.length };
}

function readLineComment(sql: string, at: number): ReturnType<Reader> {
  const text = match(LINE_COMMENT, sql, at);
  return text === undefined ? undefined : { end: at + text.length };
}

function readBlockComment(sql: string, at: number): ReturnType<Reader> {
  if (!sql.startsWith('/*', at)) return undefined;
  const text = match(BLOCK_COMMENT, sql, at);
  if (text === undefined) throw new Refused('a comment /* is not closed', at);
  if (/^\/\*M?!/.test(text))
    return refused(
      '/*! ... */ is a comment for some servers and SQL for others, so it is not supported: write the SQL itself',
      at + text.length,
    );
  if (text.startsWith('/*+')) return refused('/*+ ... */ is a hint to the optimizer, which would be lost: leave it out', at + text.length);
  return { end: at + text.length };
}

function readNumber(sql: string, at: number): ReturnType<Reader> {
  const text = match(NUMBER, sql, at);
  if (text === undefined) return undefined;
  const end = at + text.length;
  const more = match(WORD, sql, end);
  if (more !== undefined)
    return refused(
      `${text}${more} is neither a whole nor a decimal number: floating point, hexadecimal and binary literals, and names that begin with a digit, are not supported`,
      end + more.length,
    );
  if (text.startsWith('.') || text.endsWith('.')) return refused(`the number ${text}: write a digit on both sides of the point`, end);
  return { token: { kind: 'number', text }, end };
}

/** The two values of BIT(1), which is a boolean here. */
const BIT = /[bB]'([01])'/y;

function readWord(sql: string, at: number): ReturnType<Reader> {
  const bit = match(BIT, sql, at);
  if (bit !== undefined) return { token: { kind: 'number', text: bit[2]! }, end: at + bit.length };
  const text = match(WORD, sql, at);
  if (text === undefined) return undefined;
  const end = at + text.length;
  if (/^['"]/.test(sql.slice(end, end + 1)) && /^(_[A-Za-z]\w*|[NnXxBb])$/.test(text))
    return refused(`${text}'...' is a literal of another character set, or of bits: write a plain string`, end);
  return { token: { kind: 'word', text }, end };
}

/** The meaning of a backslash and a letter. Before any other character the backslash is dropped, but it stays before % and _. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', '0': '\0', Z: '\x1a', '%': '\\%', _: '\\_' };

function readString(sql: string, at: number): ReturnType<Reader> {
  const quote = sql[at];
  if (quote !== "'" && quote !== '"') return undefined;
  let text = '';
  for (let i = at + 1; i < sql.length; i++) {
    const character = sql[i]!;
    if (character === '\\') {
      const escaped = sql[++i] ?? '';
      text += ESCAPES[escaped] ?? escaped;
    } else if (character !== quote) text += character;
    else if (sql[i + 1] === quote) text += sql[++i];
    else {
      if (text.includes('\0')) throw new Refused('a string with the character 0, which not every DBMS holds', at);
      return { token: { kind: 'string', text }, end: i + 1 };
    }
  }
  throw new Refused(`a string is not closed: ${sql.slice(at, at + 20)}`, at);
}

function readName(sql: string, at: number): ReturnType<Reader> {
  if (sql[at] !== '`') return undefined;
  const closed = /`((?:[^`]|``)*)`/y;
  closed.lastIndex = at;
  const found = closed.exec(sql);
  if (found === null) throw new Refused(`a name is not closed: ${sql.slice(at, at + 20)}`, at);
  if (found[1] === '') throw new Refused('an empty name ``', at);
  return { token: { kind: 'name', text: found[1]!.replaceAll('``', '`') }, end: at + found[0].length };
}

function readParameter(sql: string, at: number): ReturnType<Reader> {
  const text = match(PARAMETER, sql, at);
  return text === undefined ? undefined : { token: { kind: 'parameter', text: text.slice(1) }, end: at + text.length };
}

function readSign(sql: string, at: number, more: readonly string[]): ReturnType<Reader> {
  const sign = [...more, ...SIGNS].find((each) => sql.startsWith(each, at));
  const row = REFUSED_SIGNS.find(([text]) => sql.startsWith(text, at) && !more.includes(text));
  // `->` and `!=` begin with a sign that is accepted alone.
  if (row !== undefined && row[0].length >= (sign?.length ?? 0))
    return refused((more.length > 0 && REFUSED_IN_BODIES[row[0]]) || row[1], at + row[0].length);
  return sign === undefined ? undefined : { token: { kind: 'sign', text: sign }, end: at + sign.length };
}
