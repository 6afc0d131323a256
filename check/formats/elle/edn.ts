/**
 * A reader of EDN (github.com/edn-format/edn), as Jepsen and Elle write it: comments, discards, commas as white space,
 * vectors, lists, sets, maps, keywords, symbols, characters, tagged values. One pass, a stack of its own, no recursion.
 * Integers become numbers where they are exact and bigints elsewhere; a float keeps its kind, so 1.0 is not 1.
 */
import type { UsageError } from '../../../core/index.ts';
import { excerpt, formatError, lineOf } from '../format.ts';

export type EdnValue = null | boolean | number | bigint | string | EdnName | EdnFloat | EdnSequence | EdnMap | EdnTagged;
export interface EdnName {
  readonly kind: 'keyword' | 'symbol' | 'character';
  readonly name: string;
}
export interface EdnFloat {
  readonly kind: 'float';
  readonly value: number;
}
export interface EdnSequence {
  readonly kind: 'vector' | 'list' | 'set';
  readonly items: readonly EdnValue[];
}
export interface EdnMap {
  readonly kind: 'map';
  /** Keys and values in turn. */
  readonly items: readonly EdnValue[];
}
export interface EdnTagged {
  readonly kind: 'tagged';
  readonly tag: string;
  readonly value: EdnValue;
}

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
const CHARACTERS: Readonly<Record<string, string>> = { newline: '\n', return: '\r', space: ' ', tab: '\t', formfeed: '\f', backspace: '\b' };

/** Deeper nesting than any history has is refused, so that what walks a value may recurse. */
const MAX_DEPTH = 200;

/**
 * Calls `form` with each top-level value and its byte offset. With `json`, reads JSON into the same values (integers of
 * 64 bits stay exact, which JSON.parse does not do): colons are white space, and what JSON does not have is refused.
 */
export function readEdn(bytes: Uint8Array, file: string, form: (value: EdnValue, at: number) => void, json = false): void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const stack: Frame[] = [{ kind: 'top', close: 0, at: 0, tag: '', items: [] }];
  let i = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const fail = (at: number, expected: string): UsageError =>
    formatError({ file, line: lineOf(bytes, at), byte: at }, excerpt(bytes, at), expected);

  const names = new Keywords();
  /** The offset after an integer of at most 15 digits, its absolute value in `scanned`; 0 when there is none here. */
  let scanned = 0;
  const wholeNumber = (from: Uint8Array, start: number): number => {
    let at = from[start] === 45 ? start + 1 : start;
    const digits = at;
    scanned = 0;
    for (let d = from[at]; d >= 48 && d <= 57; d = from[++at]) scanned = scanned * 10 + d - 48;
    if (at === digits || at - digits > 15) return 0;
    if (at < from.length && !isDelimiter(from[at]) && !(json && from[at] === 58)) return 0;
    return scanned === 0 && digits > start ? 0 : at;
  };

  /** Hands a finished value to the innermost frame; tags and discards take one value and close. */
  const put = (first: EdnValue, at: number): void => {
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
      if (frame.kind === 'top') form(value, at);
      else frame.items.push(value);
      return;
    }
  };

  while (i < bytes.length) {
    const c = bytes[i];
    if (isSpace(c) || (json && c === 58)) {
      i++;
    } else if (json && (c === 59 || c === 35 || c === 40 || c === 41 || c === 92)) {
      throw fail(i, 'JSON');
    } else if (c === 59) {
      while (i < bytes.length && bytes[i] !== 10) i++;
    } else if (c === 34) {
      const at = i;
      let text = '';
      let from = ++i;
      for (;;) {
        if (i >= bytes.length) throw fail(i, `the closing quote of the string at byte ${at}`);
        if (bytes[i] === 34) break;
        if (bytes[i] !== 92) {
          i++;
          continue;
        }
        text += decodeUtf8(decoder, bytes, from, i, fail);
        const letter = String.fromCharCode(bytes[i + 1] ?? 0);
        const hex = letter === 'u' ? /^[0-9a-fA-F]{4}$/.exec(latin(bytes, i + 2, i + 6))?.[0] : undefined;
        const char = hex === undefined ? ESCAPES[letter] : String.fromCharCode(Number.parseInt(hex, 16));
        if (char === undefined) throw fail(i, 'an escape: \\t \\r \\n \\\\ \\" \\b \\f or \\uXXXX');
        text += char;
        i += hex === undefined ? 2 : 6;
        from = i;
      }
      text += decodeUtf8(decoder, bytes, from, i, fail);
      i++;
      put(text, at);
    } else if (c === 91 || c === 40 || c === 123) {
      if (stack.length > MAX_DEPTH) throw fail(i, `at most ${MAX_DEPTH} levels of nesting`);
      const row = CLOSERS[String.fromCharCode(c)];
      stack.push({ kind: row.kind, close: row.close, at: i, tag: '', items: [] });
      i++;
    } else if (c === 93 || c === 41 || c === 125) {
      const frame = stack[stack.length - 1];
      if (frame.kind === 'tagged' || frame.kind === 'discard') throw fail(i, `a value for the ${frame.kind === 'discard' ? 'discard #_' : `tag #${frame.tag}`} at byte ${frame.at}`);
      if (frame.close !== c) throw fail(i, frame.kind === 'top' ? 'a value' : `"${String.fromCharCode(frame.close)}" to close the ${frame.kind} at byte ${frame.at}`);
      if (frame.kind === 'map' && frame.items.length % 2 === 1) throw fail(i, `a value for the last key of the map at byte ${frame.at}`);
      stack.pop();
      i++;
      put({ kind: frame.kind as 'vector', items: frame.items }, frame.at);
    } else if (c === 35) {
      i = dispatch(bytes, i, stack, put, fail);
    } else if (c === 92) {
      const at = i++;
      const from = i++;
      while (i < bytes.length && !isDelimiter(bytes[i])) i++;
      const name = decodeUtf8(decoder, bytes, from, Math.min(i, bytes.length), fail);
      const char = (Object.hasOwn(CHARACTERS, name) ? CHARACTERS[name] : undefined) ?? (/^u[0-9a-fA-F]{4}$/.test(name) ? String.fromCharCode(Number.parseInt(name.slice(1), 16)) : name.codePointAt(0) !== undefined && String.fromCodePoint(name.codePointAt(0) ?? 0) === name ? name : undefined);
      if (char === undefined) throw fail(at, 'a character: \\c, \\newline, \\space, \\tab, \\return or \\uXXXX');
      put({ kind: 'character', name: char }, at);
    } else {
      const at = i;
      const whole = wholeNumber(bytes, at);
      if (whole > 0) {
        // nearly all atoms of a history are small integers
        put(c === 45 ? -scanned : scanned, at);
        i = whole;
        continue;
      }
      const colon = json ? 58 : -1;
      while (i < bytes.length && !isDelimiter(bytes[i]) && bytes[i] !== colon) i++;
      const known = json ? undefined : names.find(bytes, at, i);
      if (known !== undefined) {
        put(known, at);
        continue;
      }
      const text = decodeUtf8(decoder, bytes, at, i, fail);
      if (json && !/^(null|true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(text)) throw fail(at, 'a JSON value');
      const value = json && text === 'null' ? null : atom(text, at, fail);
      if (!json && c === 58) names.keep(bytes, at, i, value);
      put(value, at);
    }
  }
  const frame = stack[stack.length - 1];
  if (frame.kind !== 'top') {
    const wanted = frame.close === 0 ? 'a value' : `"${String.fromCharCode(frame.close)}"`;
    throw fail(bytes.length, `${wanted} to end the ${frame.kind} that begins at byte ${frame.at} (is the file cut off?)`);
  }
}

/** Keywords seen, by their bytes: a history repeats a dozen of them a million times. */
class Keywords {
  private readonly byHash = new Map<number, { readonly text: Uint8Array; readonly value: EdnValue }>();

  find(bytes: Uint8Array, from: number, to: number): EdnValue | undefined {
    if (bytes[from] !== 58) return undefined;
    const row = this.byHash.get(hashOf(bytes, from, to));
    if (row === undefined || row.text.length !== to - from) return undefined;
    for (let i = 0; i < row.text.length; i++) if (row.text[i] !== bytes[from + i]) return undefined;
    return row.value;
  }

  keep(bytes: Uint8Array, from: number, to: number, value: EdnValue): void {
    if (this.byHash.size < 10_000) this.byHash.set(hashOf(bytes, from, to), { text: bytes.slice(from, to), value });
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]) | 0;
  return hash;
}

/** What follows a "#": a set, a discard, a symbolic number or a tag. Returns the offset after it. */
function dispatch(bytes: Uint8Array, at: number, stack: Frame[], put: (value: EdnValue, at: number) => void, fail: (at: number, expected: string) => UsageError): number {
  const next = bytes[at + 1];
  if (next === 123) {
    if (stack.length > MAX_DEPTH) throw fail(at, `at most ${MAX_DEPTH} levels of nesting`);
    stack.push({ kind: 'set', close: 125, at, tag: '', items: [] });
    return at + 2;
  }
  if (next === 95) {
    if (stack.length > MAX_DEPTH) throw fail(at, `at most ${MAX_DEPTH} levels of nesting`);
    stack.push({ kind: 'discard', close: 0, at, tag: '', items: [] });
    return at + 2;
  }
  let i = at + 1;
  while (i < bytes.length && !isDelimiter(bytes[i])) i++;
  const name = latin(bytes, at + 1, i);
  const symbolic: Readonly<Record<string, number>> = { '#NaN': Number.NaN, '#Inf': Infinity, '#-Inf': -Infinity };
  if (Object.hasOwn(symbolic, name)) put({ kind: 'float', value: symbolic[name] }, at);
  else if (stack.length > MAX_DEPTH) throw fail(at, `at most ${MAX_DEPTH} levels of nesting`);
  else if (/^[A-Za-z]/.test(name)) stack.push({ kind: 'tagged', close: 0, at, tag: name, items: [] });
  else throw fail(at, 'a set #{...}, a discard #_, or a tag #name');
  return i;
}

function atom(text: string, at: number, fail: (at: number, expected: string) => UsageError): EdnValue {
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
    throw fail(at, 'a number');
  }
  if (/^[^\s:#\\"[\](){}\p{Cc}][^\s\\"[\](){}\p{Cc}]*$/u.test(text)) return { kind: 'symbol', name: text };
  throw fail(at, 'a value');
}

/** The canonical text of a value: equal values have equal texts, and EDN reads it back. */
export function printEdn(value: EdnValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  switch (value.kind) {
    case 'keyword': return `:${value.name}`;
    case 'symbol': return value.name;
    case 'character': return `\\${value.name}`;
    case 'float': return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
    case 'vector': return `[${value.items.map(printEdn).join(' ')}]`;
    case 'list': return `(${value.items.map(printEdn).join(' ')})`;
    case 'set': return `#{${value.items.map(printEdn).toSorted().join(' ')}}`;
    case 'map': return `{${pairs(value).map(([k, v]) => `${printEdn(k)} ${printEdn(v)}`).toSorted().join(', ')}}`;
    case 'tagged': return `#${value.tag} ${printEdn(value.value)}`;
  }
}

/** The entries of a map. */
function pairs(map: EdnMap): readonly (readonly [EdnValue, EdnValue])[] {
  return Array.from({ length: map.items.length / 2 }, (_, i) => [map.items[2 * i], map.items[2 * i + 1]] as const);
}

/** The value under a keyword (EDN) or a string (JSON) key; undefined when there is none. */
export function get(map: EdnMap, name: string): EdnValue | undefined {
  for (let i = 0; i < map.items.length; i += 2) {
    const key = map.items[i];
    if (key === name || (key !== null && typeof key === 'object' && key.kind === 'keyword' && key.name === name)) return map.items[i + 1];
  }
  return undefined;
}

/** The word of a keyword, symbol or string. */
export function word(value: EdnValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' && (value.kind === 'keyword' || value.kind === 'symbol') ? value.name : undefined;
}

/** A map, with the tag of a record (#jepsen.history.Op{...}) taken off. */
export function asMap(value: EdnValue | undefined): EdnMap | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && bare.kind === 'map' ? bare : undefined;
}

/** The items of a vector or list, tags taken off. */
export function asItems(value: EdnValue | undefined): readonly EdnValue[] | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && (bare.kind === 'vector' || bare.kind === 'list') ? bare.items : undefined;
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

function decodeUtf8(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, from: number, to: number, fail: (at: number, expected: string) => UsageError): string {
  let ascii = to - from < 24;
  for (let i = from; ascii && i < to; i++) ascii = bytes[i] < 128;
  if (ascii) return latin(bytes, from, to);
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    throw fail(from, 'UTF-8 text');
  }
}
