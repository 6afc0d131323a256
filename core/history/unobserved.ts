/**
 * Unobserved: which reads and writes of a transaction the record does not show. Each kind is a bit, and its row lists the
 * levels that do not depend on it. An edge that infer/ did not draw ends at a transaction with such a bit. All edges
 * between transactions without one are drawn (docs/PREDICATES.md, "What was seen whole"). A level is reported to hold
 * only if no transaction has a bit that the level depends on.
 */
import type { Level } from '../level/index.ts';

export type UnobservedName =
  | 'outcome'
  | 'rows'
  | 'taken back'
  | 'cut'
  | 'order'
  | 'end'
  | 'action'
  | 'evaluation'
  | 'join'
  | 'subquery'
  | 'limit'
  | 'lock within'
  | 'upsert'
  | 'unique'
  | 'reference'
  | 'unproven'
  | 'which version'
  | 'changed unseen'
  | 'unexplained';

interface UnobservedRow {
  readonly name: UnobservedName;
  /** Levels whose definitions do not depend on it. */
  readonly spares: readonly Level[];
  /** The words after "N transactions". */
  readonly words: string;
}

const NONE: readonly Level[] = [];
/**
 * Adya's PL-1 is about writes only, and the levels of Biswas and Enea are about items only. Every other level forbids
 * cycles of wr, wrp and ww (G1c).
 */
const PREDICATES: readonly Level[] = ['read-uncommitted', 'rc', 'ra', 'cc'];

/** A row's position is the number of its bit. */
export const UNOBSERVED: readonly UnobservedRow[] = [
  { name: 'outcome', spares: NONE, words: 'whose outcome is not known' },
  { name: 'rows', spares: NONE, words: 'with a statement that does not show all rows that it read or wrote' },
  { name: 'taken back', spares: NONE, words: 'with a statement that failed or was rolled back, whose reads are not followed' },
  { name: 'cut', spares: NONE, words: 'of a round whose record ends early' },
  { name: 'order', spares: NONE, words: 'that wrote a row whose order of versions is not known' },
  { name: 'end', spares: NONE, words: 'that may have removed a row of which nobody saw the end' },
  { name: 'action', spares: NONE, words: "by which a foreign key's action may have changed rows that name no writer" },
  { name: 'evaluation', spares: PREDICATES, words: 'whose conditions were not evaluated' },
  { name: 'join', spares: PREDICATES, words: 'that looked for rows by a join' },
  { name: 'subquery', spares: PREDICATES, words: 'that looked for rows by a subquery' },
  { name: 'limit', spares: PREDICATES, words: 'that looked for rows with LIMIT or SKIP LOCKED' },
  { name: 'lock within', spares: PREDICATES, words: 'that looked for rows in a query that locks within another' },
  { name: 'upsert', spares: PREDICATES, words: 'that wrote unless a row was there' },
  { name: 'unique', spares: PREDICATES, words: 'whose unique keys were looked for among rows that others changed' },
  { name: 'reference', spares: PREDICATES, words: 'whose foreign keys were looked for among rows that others changed' },
  { name: 'unproven', spares: PREDICATES, words: 'with a subquery that may not have been read at all' },
  { name: 'which version', spares: PREDICATES, words: 'with a condition of which it is not certain which version of a row it met' },
  { name: 'changed unseen', spares: PREDICATES, words: 'that changed rows of which it is not certain what others saw' },
  { name: 'unexplained', spares: NONE, words: 'with a result that no rule explains' },
];

export function unobservedBit(name: UnobservedName): number {
  return 1 << UNOBSERVED.findIndex((row) => row.name === name);
}

/** The bits that the level depends on. */
export function unobservedMask(level: Level): number {
  return UNOBSERVED.reduce((mask, row, i) => (row.spares.includes(level) ? mask : mask | (1 << i)), 0);
}

/** The number of transactions with a gap of each kind. A transaction may have several. */
export type UnobservedCounts = Readonly<Partial<Record<UnobservedName, number>>>;

/** `12 transactions that looked for rows by a join, 3 transactions ...`, the most first. */
export function unobservedWords(counts: UnobservedCounts): string {
  const rows = UNOBSERVED.flatMap(({ name, words }) => (counts[name] === undefined ? [] : [{ n: counts[name], words }]));
  return rows
    .sort((a, b) => b.n - a.n)
    .map(({ n, words }) => `${n} ${words}`)
    .join(', ');
}
