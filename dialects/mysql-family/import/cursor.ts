/**
 * A position among a statement's tokens. A rule that knows a token consumes it. If no rule knows one, the statement is
 * refused.
 */
import type { Faults } from '../../import/index.ts';
import { Refused } from './refused.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Token } from './tokens.ts';
import { tokensOf } from './tokens.ts';

export class Cursor {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  /** Opening parenthesis -> closing parenthesis, as indices of tokens. */
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

  /** The next token's offset in the text. */
  get offset(): number {
    return this.token.start;
  }

  /** The end of the last consumed token. */
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

  /** Whether the next token is one of these. */
  seesAny(texts: readonly string[]): boolean {
    return texts.some((text) => this.sees(text));
  }

  /** Consumes these words and signs if they come next. */
  accept(...texts: readonly string[]): boolean {
    if (!this.sees(...texts)) return false;
    this.#at += texts.length;
    return true;
  }

  /** Consumes these texts, where null stands for a name, and returns the first name. Undefined: something else comes next. */
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
    if (this.token.kind !== 'end') this.refuse(`${this.shown()} where the statement should end: what follows is not supported there`);
  }

  /** Whether the next token is a name: in backticks, or a word that is not reserved. */
  seesName(): boolean {
    return isName(this.token);
  }

  /** Whether the token after the next one is a string. */
  stringFollows(): boolean {
    return this.#tokens[this.#at + 1]?.kind === 'string';
  }

  /** Whether the next tokens are a word and an opening parenthesis. */
  seesCall(): boolean {
    return this.token.kind === 'word' && isText(this.#tokens[this.#at + 1], '(');
  }

  /** Whether the next tokens are a name in backticks and an opening parenthesis. */
  seesQuotedCall(): boolean {
    return this.token.kind === 'name' && isText(this.#tokens[this.#at + 1], '(');
  }

  name(what: string): string {
    if (!this.seesName())
      this.refuse(
        `${this.shown()} where the name of a ${what} is expected${this.token.kind === 'word' ? ': a reserved word needs backticks' : ''}`,
      );
    return this.take().text;
  }

  /** Reads a list in parentheses, with commas between its elements. */
  listed<T>(read: () => T): readonly T[] {
    this.expect('(');
    const all = this.several(read);
    this.expect(')');
    return all;
  }

  /** Returns the result of `read`. If it is refused, keeps the refusal and moves behind the element of the list. */
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
   * Whether the next parenthesis holds a query and not an expression. SELECT or WITH follows it, or further parentheses
   * that hold a query. In the latter case the inner query must be all that is inside, or a part of a set operation.
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

  /** The next token as the text has it, for a refusal. */
  shown(): string {
    const { kind, start, end } = this.token;
    if (kind === 'parameter') return 'found a parameter';
    return kind === 'end' ? 'the statement ends' : `found ${JSON.stringify(this.#sql.slice(start, end))}`;
  }

  /** Throws a refusal. If the next token is refused everywhere, its reason is the better one. */
  refuse(reason: string, offset: number = this.offset): never {
    const { kind, text, start } = this.token;
    throw kind === 'refused' ? new Refused(text, start) : new Refused(reason, offset);
  }
}

const AFTER_QUERY = ['UNION', 'INTERSECT', 'EXCEPT', 'ORDER', 'LIMIT', 'FOR', 'LOCK'];

/** Token kinds that keywords can have. Names in backticks and strings are no keywords. */
const TEXTS: ReadonlySet<Token['kind']> = new Set(['word', 'sign', 'number']);

function isText(token: Token | undefined, text: string): boolean {
  return token !== undefined && TEXTS.has(token.kind) && token.text.toUpperCase() === text;
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'name' || (token?.kind === 'word' && !RESERVED_WORDS.has(token.text.toUpperCase()));
}

/** The limit of nesting, because rules recurse for each parenthesis. */
const DEEPEST = 200;

function parentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, i) => {
    if (isText(token, '(')) open.push(i);
    if (open.length > DEEPEST) throw new Refused(`parentheses are nested more than ${DEEPEST} deep`, token.start);
    if (!isText(token, ')')) return;
    const opening = open.pop();
    if (opening === undefined) throw new Refused('a parenthesis ) closes no open parenthesis', token.start);
    closing.set(opening, i);
  });
  const left = open.pop();
  if (left !== undefined) throw new Refused('a parenthesis ( is not closed', tokens[left]!.start);
  return closing;
}
