/**
 * Explains why the condition of an IF is refused. Only some conditions can be decided here instead of by the server.
 */
import type { Expression, Refusal, Undecided } from '../../core/index.ts';

export function undecidedWords(why: Undecided): string {
  switch (why.code) {
    case 'call':
      return `it holds ${why.name}()`;
    case 'kind':
      return `it holds ${NAMES[why.kind] ?? why.kind}`;
    case 'mixed':
      return `${why.sorts.join(' and ')} stand side by side in it`;
    case 'no-condition':
      return 'it is no comparison';
  }
}

/** The condition is read with a table of ours, so the message does not list the existing names. */
export function refusedWords({ reason, missing }: Refusal): string {
  if (missing?.code === 'no-table') return `there is no table ${missing.name} in the schema`;
  return missing?.code === 'no-column' ? `there is no column ${missing.name} in ${missing.table}` : reason;
}

const NAMES: { readonly [K in Expression['kind']]?: string } = {
  column: 'a column',
  subquery: 'a subquery',
  exists: 'EXISTS',
  inQuery: 'IN with a subquery',
  quantified: 'ANY and ALL',
  like: 'LIKE',
  concat: '||',
  cast: 'CAST',
  case: 'CASE',
  aggregate: 'an aggregate',
  rank: 'a window function',
  routine: 'a function of the file',
  overlaps: 'OVERLAPS, or two ranges: compare the ends',
};
