/**
 * A second check of what was read, independent of the reader. The printed text must hold every significant word,
 * quantifier and string of the original at least as often. Names are not compared, since they get qualifiers and stars
 * become columns. Words without an effect (AS, INNER, OUTER, ASC, ALL, INTO, WORK) are not compared either.
 */
import type { Token } from './tokens.ts';
import { tokensOf } from './tokens.ts';

const SIGNIFICANT: ReadonlySet<string> = new Set(
  `SELECT INSERT REPLACE UPDATE DELETE IGNORE DISTINCT WHERE GROUP HAVING ORDER DESC LIMIT UNION INTERSECT EXCEPT WITH RECURSIVE
  NATURAL LEFT LATERAL NOT EXISTS BETWEEN LIKE IN IS OR AND CASE WHEN THEN ELSE OVER PARTITION DEFAULT NULL RETURNING`.split(/\s+/),
);

/** Words that are significant only after one of these. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  ALL: ['UNION', 'INTERSECT', 'EXCEPT', '=', '<>', '!=', '<', '<=', '>', '>='],
  SHARE: ['FOR', 'IN'],
  LOCKED: ['SKIP'],
  NOWAIT: ['UPDATE', 'SHARE', 'MODE'],
  DUPLICATE: ['ON'],
  ROLLUP: ['WITH'],
};

/** Words that are significant only before a parenthesis. */
const CALLED: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'ROW_NUMBER', 'RANK', 'ANY', 'SOME', 'IF']);
/** Words that are no clause before a parenthesis. */
const NOT_CALLED: ReadonlySet<string> = new Set(['LEFT', 'REPLACE', 'INSERT']);

/** Words that have several spellings, with the printed one. */
const AS_PRINTED: Readonly<Record<string, string>> = { DISTINCTROW: 'DISTINCT', IF: 'CASE', SOME: 'ANY' };

/**
 * The first word that is missing in `printed`. Undefined: none. The printed text may show a string as an alias, or as a
 * number beside a column of numbers.
 */
export function lostWord(written: string, printed: string): string | undefined {
  const there = counted(printed, ['string', 'name', 'number']);
  return [...counted(written, ['string'])].find(([word, count]) => (there.get(word) ?? 0) < count)?.[0];
}

function counted(sql: string, quoted: readonly Token['kind'][]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  tokensOf(sql).forEach((token, i, tokens) => {
    // A date may become a timestamp, with a time after it.
    const word = quoted.includes(token.kind)
      ? `'${token.text.replace(/^-/, '').slice(0, 10)}'`
      : significant(token, upperCase(tokens[i - 1]), upperCase(tokens[i + 1]));
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  });
  return counts;
}

function upperCase(token: Token | undefined): string {
  return token?.kind === 'word' || token?.kind === 'sign' ? token.text.toUpperCase() : '';
}

function significant(token: Token, before: string, after: string): string | undefined {
  const word = upperCase(token);
  if (token.kind !== 'word' || before === '.') return undefined;
  if (word === 'DISTINCT' && (before === 'UNION' || before === 'INTERSECT' || before === 'EXCEPT')) return undefined;
  // The printer writes LOCK IN SHARE MODE as FOR SHARE.
  if (word === 'IN' && after === 'SHARE') return undefined;
  if (NOT_CALLED.has(word) && after === '(') return undefined;
  const counts = SIGNIFICANT.has(word) || word === 'DISTINCTROW' || (CALLED.has(word) && after === '(') || AFTER[word]?.includes(before);
  return counts ? (AS_PRINTED[word] ?? word) : undefined;
}
