/** Splits a .spec file into words, as isolationtester's scanner does: SQL stands between braces and ends at the first `}`. */
import { UsageError } from '../../../core/index.ts';

export interface SpecToken {
  readonly kind: 'word' | 'quoted' | 'number' | 'block' | '(' | ')' | ',' | '*';
  /** The text without quotes or braces. */
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
}

type Form = readonly [kind: SpecToken['kind'] | 'blank', pattern: RegExp];

const FORMS: readonly Form[] = [
  ['blank', /\s+|#[^\n]*/y],
  ['block', /\{[^}]*\}/y],
  ['quoted', /"(?:[^"\n]|"")*"/y],
  ['number', /\d+/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['(', /\(/y],
  [')', /\)/y],
  [',', /,/y],
  ['*', /\*/y],
];

export function specTokens(text: string, path: string): readonly SpecToken[] {
  const tokens: SpecToken[] = [];
  let line = 1;
  for (let at = 0; at < text.length;) {
    const { kind, match } = next(text, at, path, line);
    if (kind !== 'blank') tokens.push({ kind, text: inner(kind, match), line });
    line += match.split('\n').length - 1;
    at += match.length;
  }
  return tokens;
}

function next(text: string, at: number, path: string, line: number): { readonly kind: Form[0]; readonly match: string } {
  for (const [kind, pattern] of FORMS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return { kind, match };
  }
  const open = { '{': 'a block without its }', '"': 'a name without its closing "' }[text[at]!];
  throw new UsageError(
    `${path}: got ${open ?? JSON.stringify(text[at])} in line ${line}; expected a word, a block in braces or a name, as in PostgreSQL's src/test/isolation/README.`,
  );
}

function inner(kind: SpecToken['kind'], match: string): string {
  if (kind === 'block') return match.slice(1, -1).trim();
  return kind === 'quoted' ? match.slice(1, -1).replaceAll('""', '"') : match;
}
