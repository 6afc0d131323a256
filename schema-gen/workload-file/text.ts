/**
 * Splits the text of a workload file into statements and directives, each with its line. A directive is a line comment
 * that begins with `@`, so that the file stays SQL. Statements end at a semicolon outside of strings, quoted names,
 * dollar quotes and comments, by the rules that PostgreSQL and MySQL share. A text that the two would read differently
 * is refused. Semicolons in the body of a trigger or function end nothing, with or without the mysql client's DELIMITER
 * around it.
 */
import type { Refusal } from '../../core/dialect/index.ts';
import { BodyDepth } from './body-depth.ts';

export interface Piece {
  readonly kind: 'statement' | 'directive';
  /**
   * A statement without its semicolon and the comments around it, except those that some server reads as SQL. For a
   * directive, the words after the `@`.
   */
  readonly text: string;
  readonly line: number;
}

export interface ParameterPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export function piecesOf(text: string): { readonly pieces: readonly Piece[]; readonly refused: readonly Refusal[] } {
  const pieces: Piece[] = [];
  const refused: Refusal[] = [];
  let from = -1;
  let to = -1;
  let line = 0;
  const finish = (): void => {
    if (from >= 0) pieces.push({ kind: 'statement', text: text.slice(from, to), line });
    from = -1;
  };
  for (const token of tokensOf(text)) {
    const { kind, start, end } = token;
    if (token.problem !== undefined) refused.push({ line: token.line, reason: token.problem });
    if (kind === 'directive') {
      if (from >= 0) refused.push({ line, reason: token.within === true ? UNENDED_BODY : UNENDED });
      finish();
      pieces.push({
        kind: 'directive',
        text: text
          .slice(start, end)
          .replace(/^--\s*@/, '')
          .trim(),
        line: token.line,
      });
    } else if (kind === 'semicolon') finish();
    else if (kind !== 'blank' && (kind !== 'tight' || from >= 0)) {
      if (from < 0) {
        from = start;
        ({ line } = token);
      }
      to = end;
    }
  }
  finish();
  return { pieces, refused };
}

const UNENDED = 'this statement has no semicolon before the next directive: end it with ;';
const UNENDED_BODY =
  'this body has a BEGIN, IF, CASE or loop without an END before the next directive: end each of them, and the statement with ;';

/** Finds the parameters of a statement: `:name`. */
export function parametersIn(sql: string): readonly ParameterPlace[] {
  return tokensOf(sql).flatMap(({ kind, start, end }) => (kind === 'parameter' ? [{ name: sql.slice(start + 1, end), start, end }] : []));
}

/**
 * Returns the statement on one line, without its comments, each parameter replaced by its value. The result is
 * undefined if it holds a text that one DBMS reads as a comment and another as two minus signs.
 */
export function withValues(sql: string, valueOf: (name: string) => string): string | undefined {
  const tokens = statementTokens(sql);
  if (tokens.some(({ kind }) => kind === 'tight')) return undefined;
  let text = '';
  for (const { kind, start, end } of tokens) {
    if (kind === 'blank') text += text === '' || text.endsWith(' ') ? '' : ' ';
    else text += kind === 'parameter' ? valueOf(sql.slice(start + 1, end)) : sql.slice(start, end);
  }
  return text.trimEnd();
}

/** An exploration prints the few statements of its file thousands of times, each time with other values. */
const MOST_KNOWN = 500;
const known = new Map<string, readonly Token[]>();

function statementTokens(sql: string): readonly Token[] {
  const tokens = known.get(sql) ?? tokensOf(sql);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(sql, tokens);
  return tokens;
}

/** A statement without its INTO :a, :b. The text behind it keeps its line. */
export interface Answered {
  readonly sql: string;
  readonly into?: readonly string[];
  /** The reason why its INTO cannot be read. */
  readonly problem?: string;
}

/**
 * Takes out the INTO of `SELECT stock INTO :stock FROM ...`, or one at the end. INSERT INTO names a table and is left.
 */
export function withoutInto(sql: string): Answered {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'blank');
  const textOf = (at: number): string => (tokens[at] === undefined ? '' : sql.slice(tokens[at].start, tokens[at].end));
  const places = tokens.flatMap(({ kind }, at) =>
    kind === 'other' && textOf(at).toLowerCase() === 'into' && tokens[at + 1]?.kind === 'parameter' ? [at] : [],
  );
  const [at, another] = places;
  if (at === undefined) return { sql };
  if (another !== undefined) return { sql, problem: 'INTO stands twice in the statement; expected one INTO with all names' };
  const depth = tokens.slice(0, at).reduce((deep, _, i) => deep + (textOf(i) === '(' ? 1 : textOf(i) === ')' ? -1 : 0), 0);
  if (depth > 0) return { sql, problem: 'INTO stands within parentheses; expected it behind the columns of the whole statement' };
  let last = at + 1;
  while (textOf(last + 1) === ',' && tokens[last + 2]?.kind === 'parameter') last += 2;
  const into = tokens.slice(at, last + 1).flatMap(({ kind, start, end }) => (kind === 'parameter' ? [sql.slice(start + 1, end)] : []));
  const [from, to] = [tokens[at]!.start, tokens[last]!.end];
  return { sql: sql.slice(0, from) + sql.slice(from, to).replaceAll(/[^\n]/g, '') + sql.slice(to), into };
}

/**
 * Reads `IF condition ROLLBACK`, `IF condition COMMIT`, with or without THEN. The result is undefined for other texts.
 */
export function stopOf(sql: string): { readonly condition: string; readonly end: 'rollback' | 'commit' } | string | undefined {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'blank');
  const words = tokens.map(({ start, end }) => sql.slice(start, end).toLowerCase());
  if (words[0] !== 'if') return undefined;
  const end = words.at(-1);
  const to = words.at(-2) === 'then' ? -2 : -1;
  const inner = tokens.slice(1, to);
  if ((end !== 'rollback' && end !== 'commit') || inner.length === 0)
    return 'expected IF and a condition over what was read, with ROLLBACK or COMMIT behind it: IF :stock < 1 ROLLBACK';
  return { condition: sql.slice(inner[0]!.start, inner.at(-1)!.end), end };
}

/** Reads the name in `GET DIAGNOSTICS :changed = ROW_COUNT`. The result is undefined for other texts. */
export function countOf(sql: string): { readonly name: string } | string | undefined {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'blank');
  const words = tokens.map(({ start, end }) => sql.slice(start, end).toLowerCase());
  if (words[0] !== 'get' || words[1] !== 'diagnostics') return undefined;
  const [, , name, equals, count] = tokens.map(({ start, end }) => sql.slice(start, end));
  if (tokens[2]?.kind !== 'parameter' || equals !== '=' || count?.toLowerCase() !== 'row_count' || tokens.length > 5)
    return 'expected a name for how many rows the statement before it affected: GET DIAGNOSTICS :changed = ROW_COUNT';
  return { name: name!.slice(1) };
}

/** Finds the word outside of parentheses and quotes, or returns undefined. */
export function wordIn(sql: string, word: string): number | undefined {
  let depth = 0;
  for (const { kind, start, end } of tokensOf(sql)) {
    const text = sql.slice(start, end);
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (kind === 'other' && depth === 0 && text.toLowerCase() === word) return start;
  }
  return undefined;
}

/** Replaces each parameter for which there is a text. */
export function withParameters(sql: string, textOf: (name: string) => string | undefined): string {
  let at = 0;
  let text = '';
  for (const { name, start, end } of parametersIn(sql)) {
    text += sql.slice(at, start) + (textOf(name) ?? sql.slice(start, end));
    at = end;
  }
  return text + sql.slice(at);
}

interface Token {
  /** `tight` is a comment without a blank after its `--`, which MySQL reads as two minus signs. */
  readonly kind: 'blank' | 'tight' | 'directive' | 'semicolon' | 'parameter' | 'other';
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly problem?: string;
  /** The directive stands in the middle of a body. */
  readonly within?: true;
}

/** Blanks are white space and comments. The forms are tried in this order, and the last one takes any character. */
const FORMS: readonly (readonly [Token['kind'] | 'dollar', RegExp])[] = [
  ['blank', /\s+/y],
  // A line of pg_dump to psql.
  ['blank', /^\\(?:un)?restrict\b[^\n]*/my],
  ['directive', /--[ \t]*@[^\n]*/y],
  ['blank', /--(?!\S)[^\n]*/y],
  ['tight', /--[^\n]*/y],
  // Some servers read this comment as SQL. It may contain other comments.
  ['other', /\/\*M?!(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|(?!\*\/|\/\*)[\s\S])*\*\//y],
  ['blank', /\/\*[\s\S]*?\*\//y],
  ['other', /'(?:[^']|'')*'/y],
  ['other', /"(?:[^"]|"")*"/y],
  ['other', /`(?:[^`]|``)*`/y],
  ['dollar', /\$(?:[A-Za-z_]\w*)?\$/y],
  ['other', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['other', /::|:=/y],
  ['parameter', /:[A-Za-z_]\w*/y],
  ['semicolon', /;/y],
  ['other', /[\s\S]/y],
];

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let delimiter = ';';
  let body: BodyDepth | undefined;
  for (let start = 0; start < text.length;) {
    const named = body === undefined ? delimiterAt(text, start) : undefined;
    if (named !== undefined) {
      tokens.push({ kind: 'blank', start, end: named.end, line });
      delimiter = named.delimiter;
      start = named.end;
      continue;
    }
    const ends = delimiter !== ';' && text.startsWith(delimiter, start);
    const found: Token = ends ? { kind: 'semicolon', start, end: start + delimiter.length, line } : tokenAt(text, start, line);
    const within: boolean = found.kind === 'semicolon' && !ends && (delimiter !== ';' || body?.within === true);
    const { kind }: Token = within ? { ...found, kind: 'other' } : found;
    tokens.push({ ...found, kind, ...(kind === 'directive' && body?.within === true && { within: true as const }) });
    if (kind === 'semicolon' || kind === 'directive') body = undefined;
    else if (kind !== 'blank' && (kind !== 'tight' || body !== undefined)) {
      body ??= new BodyDepth(text, start);
      body.pass(text.slice(start, found.end));
    }
    for (let i = start; i < found.end; i++) if (text[i] === '\n') line++;
    start = found.end;
  }
  return tokens;
}

/** A line of the mysql client, between statements. It changes the delimiter from there on. */
const DELIMITER = /(?<=^[ \t]*)DELIMITER[ \t]+(\S+)[^\n]*/imy;

function delimiterAt(text: string, start: number): { readonly delimiter: string; readonly end: number } | undefined {
  if (text[start] !== 'D' && text[start] !== 'd') return undefined;
  DELIMITER.lastIndex = start;
  const match = DELIMITER.exec(text);
  return match === null ? undefined : { delimiter: match[1]!, end: start + match[0].length };
}

function tokenAt(text: string, start: number, line: number): Token {
  for (const [kind, form] of FORMS) {
    form.lastIndex = start;
    const match = form.exec(text)?.[0];
    if (match === undefined) continue;
    const end = start + match.length;
    if (kind === 'dollar') {
      const close = text.indexOf(match, end);
      return close < 0 ? unended(text, start, line, match) : { kind: 'other', start, end: close + match.length, line };
    }
    if (match === "'" || match === '"' || match === '`') return unended(text, start, line, match);
    if (match === '/' && text[end] === '*') return unended(text, start, line, '/*');
    if (match.startsWith("'") && match.endsWith(`\\'`)) {
      return {
        kind: 'other',
        start,
        end,
        line,
        problem: `a backslash before a quote ends the string in one DBMS and not in another; write '' for a quote`,
      };
    }
    return { kind, start, end, line };
  }
  return { kind: 'other', start, end: start + 1, line };
}

function unended(text: string, start: number, line: number, quote: string): Token {
  return {
    kind: 'other',
    start,
    end: text.length,
    line,
    problem: `the text that begins here with ${quote} has no end; expected its closing mark`,
  };
}
