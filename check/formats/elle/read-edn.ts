/**
 * A reader of EDN (github.com/edn-format/edn), as Jepsen and Elle write it: comments, discards, commas as white space,
 * vectors, lists, sets, maps, keywords, symbols, characters, tagged values. It makes one pass with a stack of its own
 * and without recursion.
 */
import type { UsageError } from '../../../core/index.ts';
import { excerpt, formatError, lineOf } from '../format.ts';
import type { EdnValue } from './edn.ts';
import { Keywords } from './keywords.ts';

interface Frame {
  readonly kind: 'top' | 'vector' | 'list' | 'set' | 'map' | 'tagged' | 'discard';
  readonly close: number;
  readonly at: number;
  readonly tag: string;
  readonly items: EdnValue[];
}

const CLOSERS: Readonly<Record<string, { readonly kind: Frame['kind']; readonly close: number }>> = {
  '[': { kind: 'vector', close: 93 },
  '(': { kind: 'list', close: 41 },
  '{': { kind: 'map', close: 125 },
};
const ESCAPES: Readonly<Record<string, string>> = { '/': '/', t: '\t', r: '\r', n: '\n', '\\': '\\', '"': '"', b: '\b', f: '\f' };
const SYMBOLIC: Readonly<Record<string, number>> = { '#NaN': Number.NaN, '#Inf': Infinity, '#-Inf': -Infinity };
const CHARACTERS: Readonly<Record<string, string>> = {
  newline: '\n',
  return: '\r',
  space: ' ',
  tab: '\t',
  formfeed: '\f',
  backspace: '\b',
};

/** Deeper nesting than any history has is refused, so that functions over a value may recurse. */
const MAX_DEPTH = 200;

/**
 * Calls `form` with each top-level value and its byte offset. With `json`, it reads JSON into the same values. 64-bit
 * integers stay exact, unlike with JSON.parse. Colons are white space then, and syntax that JSON lacks is refused.
 */
export function readEdn(bytes: Uint8Array, file: string, form: (value: EdnValue, at: number) => void, json = false): void {
  new EdnReader(bytes, file, form, json).read();
}

class EdnReader {
  private readonly bytes: Uint8Array;
  private readonly file: string;
  private readonly form: (value: EdnValue, at: number) => void;
  private readonly json: boolean;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly stack: Frame[] = [{ kind: 'top', close: 0, at: 0, tag: '', items: [] }];
  private readonly keywords = new Keywords();
  /** The offset of the next byte to read. */
  private i = 0;
  /** The absolute value of the integer that wholeNumber found. */
  private scanned = 0;

  constructor(bytes: Uint8Array, file: string, form: (value: EdnValue, at: number) => void, json: boolean) {
    this.bytes = bytes;
    this.file = file;
    this.form = form;
    this.json = json;
  }

  read(): void {
    const { bytes, json, stack } = this;
    if (bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.i = 3; // byte order mark
    while (this.i < bytes.length) {
      const c = bytes[this.i];
      if (isSpace(c) || (json && c === 58)) this.i++;
      else if (json && (c === 59 || c === 35 || c === 40 || c === 41 || c === 92)) throw this.fail(this.i, 'JSON');
      else if (c === 59) this.comment();
      else if (c === 34) this.string();
      else if (c === 91 || c === 40 || c === 123) this.open(c);
      else if (c === 93 || c === 41 || c === 125) this.close(c);
      else if (c === 35) this.dispatch();
      else if (c === 92) this.character();
      else this.atom(c);
    }
    const frame = stack[stack.length - 1];
    if (frame.kind === 'top') return;
    const wanted = frame.close === 0 ? 'a value' : `"${String.fromCharCode(frame.close)}"`;
    throw this.fail(bytes.length, `${wanted} to end the ${frame.kind} that begins at byte ${frame.at} (is the file cut off?)`);
  }

  private fail(at: number, expected: string): UsageError {
    return formatError({ file: this.file, line: lineOf(this.bytes, at), byte: at }, excerpt(this.bytes, at), expected);
  }

  /** Hands a finished value to the innermost frame. Tags and discards take one value and close. */
  private put(first: EdnValue, at: number): void {
    const { stack } = this;
    let value = first;
    for (;;) {
      const frame = stack[stack.length - 1];
      if (frame.kind === 'discard') {
        stack.pop();
        return;
      }
      if (frame.kind === 'tagged') {
        stack.pop();
        value = { kind: 'tagged', tag: frame.tag, value };
        continue;
      }
      if (frame.kind === 'top') this.form(value, at);
      else frame.items.push(value);
      return;
    }
  }

  private comment(): void {
    while (this.i < this.bytes.length && this.bytes[this.i] !== 10) this.i++;
  }

  private string(): void {
    const { bytes } = this;
    const at = this.i;
    let text = '';
    let from = ++this.i;
    for (;;) {
      if (this.i >= bytes.length) throw this.fail(this.i, `the closing quote of the string at byte ${at}`);
      if (bytes[this.i] === 34) break;
      if (bytes[this.i] !== 92) {
        this.i++;
        continue;
      }
      text += this.utf8(from, this.i) + this.escape();
      from = this.i;
    }
    text += this.utf8(from, this.i);
    this.i++;
    this.put(text, at);
  }

  /** Returns the character that the escape sequence here stands for. */
  private escape(): string {
    const { bytes, i } = this;
    const letter = String.fromCharCode(bytes[i + 1] ?? 0);
    const hex = letter === 'u' ? /^[0-9a-fA-F]{4}$/.exec(latin(bytes, i + 2, i + 6))?.[0] : undefined;
    const char = hex === undefined ? ESCAPES[letter] : String.fromCharCode(Number.parseInt(hex, 16));
    if (char === undefined) throw this.fail(i, 'an escape: \\t \\r \\n \\\\ \\" \\b \\f or \\uXXXX');
    this.i += hex === undefined ? 2 : 6;
    return char;
  }

  private open(c: number): void {
    const { kind, close } = CLOSERS[String.fromCharCode(c)];
    this.push(kind, close, '');
    this.i++;
  }

  private push(kind: Frame['kind'], close: number, tag: string, at = this.i): void {
    if (this.stack.length > MAX_DEPTH) throw this.fail(at, `at most ${MAX_DEPTH} levels of nesting`);
    this.stack.push({ kind, close, at, tag, items: [] });
  }

  private close(c: number): void {
    const { stack, i } = this;
    const frame = stack[stack.length - 1];
    if (frame.kind === 'tagged' || frame.kind === 'discard')
      throw this.fail(i, `a value for the ${frame.kind === 'discard' ? 'discard #_' : `tag #${frame.tag}`} at byte ${frame.at}`);
    if (frame.close !== c)
      throw this.fail(
        i,
        frame.kind === 'top' ? 'a value' : `"${String.fromCharCode(frame.close)}" to close the ${frame.kind} at byte ${frame.at}`,
      );
    if (frame.kind === 'map' && frame.items.length % 2 === 1) throw this.fail(i, `a value for the last key of the map at byte ${frame.at}`);
    stack.pop();
    this.i++;
    this.put({ kind: frame.kind as 'vector', items: frame.items }, frame.at);
  }

  /** Reads the form behind a "#": a set, a discard, a symbolic number or a tag. */
  private dispatch(): void {
    const { bytes } = this;
    const at = this.i;
    const next = bytes[at + 1];
    if (next === 123 || next === 95) {
      if (next === 123) this.push('set', 125, '');
      else this.push('discard', 0, '');
      this.i += 2;
      return;
    }
    this.i++;
    this.toDelimiter(-1);
    const name = latin(bytes, at + 1, this.i);
    if (Object.hasOwn(SYMBOLIC, name)) this.put({ kind: 'float', value: SYMBOLIC[name] }, at);
    else if (this.stack.length > MAX_DEPTH || /^[A-Za-z]/.test(name)) this.push('tagged', 0, name, at);
    else throw this.fail(at, 'a set #{...}, a discard #_, or a tag #name');
  }

  private character(): void {
    const at = this.i++;
    const from = this.i++;
    this.toDelimiter(-1);
    const name = this.utf8(from, Math.min(this.i, this.bytes.length));
    const char = characterOf(name);
    if (char === undefined) throw this.fail(at, 'a character: \\c, \\newline, \\space, \\tab, \\return or \\uXXXX');
    this.put({ kind: 'character', name: char }, at);
  }

  /** Reads a number, keyword, symbol or constant that begins with c. */
  private atom(c: number): void {
    const { bytes, json, keywords } = this;
    const at = this.i;
    const whole = this.wholeNumber();
    if (whole > 0) {
      // Nearly all atoms of a history are small integers.
      this.put(c === 45 ? -this.scanned : this.scanned, at);
      this.i = whole;
      return;
    }
    this.toDelimiter(json ? 58 : -1);
    const known = json ? undefined : keywords.find(bytes, at, this.i);
    if (known !== undefined) {
      this.put(known, at);
      return;
    }
    const text = this.utf8(at, this.i);
    if (json && !/^(null|true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text)) throw this.fail(at, 'a JSON value');
    const value = json && text === 'null' ? null : atomOf(text, (expected) => this.fail(at, expected));
    if (!json && c === 58) keywords.keep(bytes, at, this.i, value);
    this.put(value, at);
  }

  /**
   * Returns the offset after an integer of at most 15 digits, with its absolute value in `scanned`. Returns 0 if there
   * is none here.
   */
  private wholeNumber(): number {
    const { bytes, i: start } = this;
    let at = bytes[start] === 45 ? start + 1 : start;
    const digits = at;
    let scanned = 0;
    for (let d = bytes[at]; d >= 48 && d <= 57; d = bytes[++at]) scanned = scanned * 10 + d - 48;
    this.scanned = scanned;
    if (at === digits || at - digits > 15) return 0;
    if (at < bytes.length && !isDelimiter(bytes[at]) && !(this.json && bytes[at] === 58)) return 0;
    return scanned === 0 && digits > start ? 0 : at;
  }

  private toDelimiter(colon: number): void {
    const { bytes } = this;
    let at = this.i;
    while (at < bytes.length && !isDelimiter(bytes[at]) && bytes[at] !== colon) at++;
    this.i = at;
  }

  private utf8(from: number, to: number): string {
    let ascii = to - from < 24;
    for (let i = from; ascii && i < to; i++) ascii = this.bytes[i] < 128;
    if (ascii) return latin(this.bytes, from, to);
    try {
      return this.decoder.decode(this.bytes.subarray(from, to));
    } catch {
      throw this.fail(from, 'UTF-8 text');
    }
  }
}

function characterOf(name: string): string | undefined {
  if (Object.hasOwn(CHARACTERS, name)) return CHARACTERS[name];
  if (/^u[0-9a-fA-F]{4}$/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16));
  const code = name.codePointAt(0);
  return code !== undefined && String.fromCodePoint(code) === name ? name : undefined;
}

function atomOf(text: string, fail: (expected: string) => UsageError): EdnValue {
  if (text === 'nil') return null;
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text.startsWith(':') && text.length > 1) return { kind: 'keyword', name: text.slice(1) };
  if (/^[+-]?\d/.test(text)) {
    if (/^[+-]?\d+N?$/.test(text)) {
      const big = BigInt(text.replace(/^\+|N$/g, ''));
      const plain = Number(big);
      return Number.isSafeInteger(plain) ? plain : big;
    }
    if (/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?M?$/.test(text)) return { kind: 'float', value: Number(text.replace(/M$/, '')) };
    throw fail('a number');
  }
  if (/^[^\s:#\\"[\](){}\p{Cc}][^\s\\"[\](){}\p{Cc}]*$/u.test(text)) return { kind: 'symbol', name: text };
  throw fail('a value');
}

function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13) || c === 44;
}

function isDelimiter(c: number): boolean {
  return isSpace(c) || c === 34 || c === 59 || c === 91 || c === 93 || c === 40 || c === 41 || c === 123 || c === 125 || c === 92;
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to && i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
