/**
 * Replaces the parameters `:name` of a statement with text that its parser accepts. It skips strings, comments, quoted
 * names and `::`.
 */
import { refuse } from './refuse.ts';

export interface Lexicon {
  /** A backslash in '...' escapes the next character. Otherwise it does so only in E'...'. */
  readonly backslash: boolean;
  /** `#` opens a comment, and `--` only before a blank. */
  readonly hash: boolean;
  /** Comments may nest. */
  readonly nested: boolean;
  /** $tag$...$tag$ is a string, and $1 is refused. */
  readonly dollar: boolean;
}

export interface Parameterised {
  readonly sql: string;
  /** The names in order of their first occurrence. */
  readonly names: readonly string[];
}

/** `placeholder` gets the name and its position in `names`. */
export function replaceParameters(sql: string, lexicon: Lexicon, placeholder: (name: string, index: number) => string): Parameterised {
  const names: string[] = [];
  let out = '';
  eachToken(sql, lexicon, (text) => {
    const name = /^:([A-Za-z_]\w*)$/.exec(text)?.[1];
    if (name === undefined) {
      if (lexicon.dollar && /^\$\d/.test(text)) refuse(`the parameter ${text}: name it, as in :amount, and declare it with its type`);
      out += text;
      return;
    }
    if (!names.includes(name)) names.push(name);
    out += placeholder(name, names.indexOf(name));
  });
  return { sql: out, names };
}

/** Calls `act` for every token of the text, from left to right. */
export function eachToken(sql: string, lexicon: Lexicon, act: (text: string, at: number) => void): void {
  const token = tokenOf(lexicon);
  for (let at = 0; at < sql.length;) {
    token.lastIndex = at;
    const begun = token.exec(sql)?.[0] ?? sql[at]!;
    const text = lexicon.nested && begun === '/*' ? sql.slice(at, endOfComment(sql, at)) : begun;
    act(text, at);
    at += text.length;
  }
}

/**
 * Matches one token: a string, a quoted name, a comment, a word, `::` or a parameter. Any other character is a token of
 * its own.
 */
function tokenOf({ backslash, hash, nested, dollar }: Lexicon): RegExp {
  const rows = [
    backslash ? /'(?:[^'\\]|\\[\s\S]|'')*'/ : /[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'/,
    backslash ? /"(?:[^"\\]|\\[\s\S]|"")*"/ : /"(?:[^"]|"")*"/,
    /`(?:[^`]|``)*`/,
    ...(hash ? [/#[^\n]*/, /--(?=\s|$)[^\n]*/] : [/--[^\n]*/]),
    nested ? /\/\*/ : /\/\*[\s\S]*?\*\//,
    ...(dollar ? [/\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/, /\$\d+/] : []),
    /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/,
    /::|:=/,
    /:[A-Za-z_]\w*/,
  ];
  return new RegExp(rows.map((row) => row.source).join('|'), 'y');
}

function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const two = sql.slice(at, at + 2);
    if (two === '/*') depth++;
    else if (two === '*/') depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}
