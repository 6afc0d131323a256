/** A place among a statement's tokens. Every token is taken once, by a rule that knows it, or the statement is refused. */
import type { Faults } from '../../import/index.ts';
import { Refused } from './refused.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Token } from './tokens.ts';
import { tokensOf } from './tokens.ts';

export class Cursor {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  /** Of an opening parenthesis, where its closing one is. */
  readonly #closing: ReadonlyMap<number, number>;
  #at = 0;

  constructor(sql: string, tokens: readonly Token[] = tokensOf(sql)) {
    this.#sql = sql;
    this.#tokens = tokens;
    this.#closing = parentheses(this.#tokens);
  }

  get token(): Token {
    return this.#tokens[this.#at]!;
  }

  /** Where the next token is, as an offset in the text. */
  get offset(): number {
    return this.token.start;
  }

  /** Where the last token that was taken ends. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  take(): Token {
    const { token } = this;
    if (token.kind === 'refused') this.refuse(token.text);
    this.#at++;
    return token;
  }

  /** Whether the next tokens are these words and signs, in any case. */
  sees(...texts: readonly string[]): boolean {
    return texts.every((text, i) => isText(this.#tokens[this.#at + i], text));
  }

  /** The same of any of several. */
  seesAny(texts: readonly string[]): boolean {
    return texts.some((text) => this.sees(text));
  }

  /** Takes the words and signs when they come next. */
  accept(...texts: readonly string[]): boolean {
    if (!this.sees(...texts)) return false;
    this.#at += texts.length;
    return true;
  }

  /** The same with names among them (null): the first name, or undefined where something else comes. */
  acceptAround(...texts: readonly (string | null)[]): string | undefined {
    const tokens = texts.map((_, i) => this.#tokens[this.#at + i]);
    if (!texts.every((text, i) => (text === null ? isName(tokens[i]) : isText(tokens[i], text)))) return undefined;
    this.#at += texts.length;
    return tokens[texts.indexOf(null)]!.text;
  }

  expect(...texts: readonly string[]): void {
    for (const text of texts) if (!this.accept(text)) this.refuse(`${this.shown()} where ${text} is expected`);
  }

  expectEnd(): void {
    if (this.token.kind !== 'end') this.refuse(`${this.shown()} where the statement should end: that is not imported there`);
  }

  /** A name: in backticks, or a word that is not reserved. */
  seesName(): boolean {
    return isName(this.token);
  }

  /** The token after the next one is a string. */
  stringFollows(): boolean {
    return this.#tokens[this.#at + 1]?.kind === 'string';
  }

  /** A word with a parenthesis behind it. */
  seesCall(): boolean {
    return this.token.kind === 'word' && isText(this.#tokens[this.#at + 1], '(');
  }

  name(what: string): string {
    if (!this.seesName())
      this.refuse(
        `${this.shown()} where the name of a ${what} is expected${this.token.kind === 'word' ? ': a reserved word needs backticks' : ''}`,
      );
    return this.take().text;
  }

  /** `(` with one `read` after the other, commas between, `)`. */
  listed<T>(read: () => T): readonly T[] {
    this.expect('(');
    const all = this.several(read);
    this.expect(')');
    return all;
  }

  /** What `read` gives; where it is refused, which is kept, the place is behind the element of the list all the same. */
  element<T>(read: () => T, faults: Faults): T | undefined {
    const start = this.#at;
    const result = faults.collect(read, this.offset);
    if (result !== undefined) return result;
    this.#at = start;
    while (!this.seesAny([',', ')']) && this.token.kind !== 'end')
      this.#at = this.sees('(') ? this.#closing.get(this.#at)! + 1 : this.#at + 1;
    return undefined;
  }

  several<T>(read: () => T): readonly T[] {
    const all = [read()];
    while (this.accept(',')) all.push(read());
    return all;
  }

  /**
   * The parenthesis that comes next holds a query, not an expression: SELECT or WITH after it, or after more of them where
   * the inner one is a part of a set operation, or all that is in it.
   */
  seesQuery(): boolean {
    return this.sees('(') && this.#holdsQuery(this.#at);
  }

  #holdsQuery(opening: number): boolean {
    const inside = this.#tokens[opening + 1];
    if (isText(inside, 'SELECT') || isText(inside, 'WITH')) return true;
    if (!isText(inside, '(') || !this.#holdsQuery(opening + 1)) return false;
    const after = this.#closing.get(opening + 1)! + 1;
    return after === this.#closing.get(opening) || AFTER_QUERY.some((text) => isText(this.#tokens[after], text));
  }

  /** For a refusal: the next token as it stands in the text. */
  shown(): string {
    const { kind, start, end } = this.token;
    if (kind === 'parameter') return 'a parameter stands';
    return kind === 'end' ? 'the statement ends' : `${JSON.stringify(this.#sql.slice(start, end))} stands`;
  }

  /** What cannot be carried over wherever it stands is the better reason. */
  refuse(reason: string, offset: number = this.offset): never {
    const { kind, text, start } = this.token;
    throw kind === 'refused' ? new Refused(text, start) : new Refused(reason, offset);
  }
}

const AFTER_QUERY = ['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', 'FOR', 'LOCK'];

/** Names in backticks and strings are none. */
const TEXTS: ReadonlySet<Token['kind']> = new Set(['word', 'sign', 'number']);

function isText(token: Token | undefined, text: string): boolean {
  return token !== undefined && TEXTS.has(token.kind) && token.text.toUpperCase() === text;
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'name' || (token?.kind === 'word' && !RESERVED_WORDS.has(token.text.toUpperCase()));
}

/** Rules call one another for each of them. */
const DEEPEST = 200;

function parentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, i) => {
    if (isText(token, '(')) open.push(i);
    if (open.length > DEEPEST) throw new Refused(`parentheses stand more than ${DEEPEST} deep`, token.start);
    if (!isText(token, ')')) return;
    const opening = open.pop();
    if (opening === undefined) throw new Refused('a parenthesis ) closes none', token.start);
    closing.set(opening, i);
  });
  const left = open.pop();
  if (left !== undefined) throw new Refused('a parenthesis ( is not closed', tokens[left]!.start);
  return closing;
}
