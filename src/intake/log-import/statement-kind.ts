/** Classifies a statement of a log within its transaction, by its first words. */
import type { Piece } from './pieces.ts';

export type StatementKind =
  | { readonly kind: 'query-or-write' | 'begin' | 'commit' | 'rollback' | 'savepoint' }
  /** The level of the session's next transaction, or of the open one. */
  | { readonly kind: 'level'; readonly level: string | undefined }
  | { readonly kind: 'autocommit'; readonly on: boolean }
  /** The statement does not concern tables, so it is omitted. `what`: keywords only. */
  | { readonly kind: 'aside'; readonly what: string }
  /** Without this statement the transaction would be another one. */
  | { readonly kind: 'essential'; readonly what: string };

const TAKEN = /^(?:select|insert|update|delete|with|replace|merge)$/;
const ROWS: readonly (readonly [RegExp, (text: string) => StatementKind])[] = [
  [/^lock (?!tables\b)/, () => ({ kind: 'query-or-write' })],
  [/^(?:begin|start transaction)\b/, () => ({ kind: 'begin' })],
  [/^(?:commit|end)\b(?! prepared)/, () => ({ kind: 'commit' })],
  [/^(?:savepoint|release)\b|^rollback (?:work |transaction )?to\b/, () => ({ kind: 'savepoint' })],
  [/^(?:rollback|abort)\b(?! prepared)/, () => ({ kind: 'rollback' })],
  [/^set (?:@@)?(?:session |local )?(?:\. )?autocommit (?::?= )?(?:0|off|false)\b/, () => ({ kind: 'autocommit', on: false })],
  [/^set (?:@@)?(?:session |local )?(?:\. )?autocommit\b/, () => ({ kind: 'autocommit', on: true })],
  [/^set (?:session |local )?(?:characteristics as )?transaction\b/, (text) => ({ kind: 'level', level: levelIn(text) })],
  [/^(?:set|show|use|describe|desc|discard|reset|deallocate|close|fetch|ping)\b/, (text) => ({ kind: 'aside', what: keywords(text, 1) })],
];
/** Functions that take locks which no table holds. */
const LOCKS = /lock/;
const CATALOGS = /\b(?:information_schema|performance_schema|pg_catalog|mysql \.|pg_[a-z]\w*)/;

export function kindOf(pieces: readonly Piece[]): StatementKind {
  const text = opening(pieces);
  for (const [form, kind] of ROWS) if (form.test(text)) return kind(text);
  const first = text.split(' ', 1)[0]!;
  if (!TAKEN.test(first)) return { kind: 'essential', what: keywords(text, /^(?:create|alter|drop|lock|prepare)$/.test(first) ? 2 : 1) };
  if (first !== 'select') return { kind: 'query-or-write' };
  const whole = wordsOf(pieces);
  if (!/\bfrom\b/.test(whole)) {
    const what = 'SELECT without FROM';
    return LOCKS.test(whole) ? { kind: 'essential', what: 'a function that locks' } : { kind: 'aside', what };
  }
  return CATALOGS.test(whole) && !LOCKS.test(whole)
    ? { kind: 'aside', what: "SELECT of the server's catalogs" }
    : { kind: 'query-or-write' };
}

export function levelIn(text: string): string | undefined {
  return /isolation level (read uncommitted|read committed|repeatable read|serializable)/.exec(text)?.[1]?.toUpperCase();
}

/** Returns the first words and signs, in lower case. */
export function opening(pieces: readonly Piece[]): string {
  return wordsOf(pieces.slice(0, 12));
}

function wordsOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ kind, text, slot }) => (kind === 'slot' ? (slot!.kind === 'string' ? '' : slot!.value) : text.toLowerCase()))
    .join(' ');
}

/** Returns only words of the language. Names and literals are not repeated, because they may be private. */
function keywords(text: string, most: number): string {
  const words = text.split(' ').slice(0, most);
  return words.every((word) => /^[a-z]{2,20}$/.test(word)) ? words.join(' ').toUpperCase() : 'what begins with no word of SQL';
}
