/**
 * Each kind of statement has a row with its traits. Every question about kinds of statements in a history is answered from
 * these rows, so a new kind does not compile without its row.
 */
import type { SentKind } from './event.ts';

/**
 * - `query`: a user's query, with or without a lock.
 * - `row reads`: it reads row versions that the history records.
 * - `makes versions`: it may leave new versions of rows.
 * - `may delete`: it may delete rows.
 * - `newest`: it sees the newest committed rows, or locks the rows that it reads.
 * - `reads again`: it waits for a row's lock and then reads the row again.
 * - `control`: it reads and writes no row.
 * - `explored`: only programs of an exploration have it, and no history file.
 */
type Trait = 'query' | 'row reads' | 'makes versions' | 'may delete' | 'newest' | 'reads again' | 'control' | 'explored';

const TRAITS: { readonly [K in SentKind]: readonly Trait[] } = {
  begin: ['control'],
  select: ['query', 'row reads'],
  'select for update': ['query', 'row reads', 'newest', 'reads again'],
  'select for no key update': ['query', 'row reads', 'newest', 'reads again'],
  'select for share': ['query', 'row reads', 'newest', 'reads again'],
  // It sees the newest row only if the row's key has changed.
  'select for key share': ['query', 'row reads', 'reads again'],
  insert: ['row reads', 'makes versions', 'may delete', 'newest'],
  update: ['row reads', 'makes versions', 'newest', 'reads again'],
  delete: ['row reads', 'may delete', 'newest', 'reads again'],
  merge: ['row reads', 'makes versions', 'may delete', 'newest', 'reads again'],
  with: ['row reads', 'makes versions', 'may delete', 'newest', 'reads again'],
  probe: ['row reads', 'newest'],
  savepoint: ['control'],
  'rollback to': ['control'],
  release: ['control'],
  'advisory lock': ['control'],
  'lock table': ['control'],
  setting: ['control', 'explored'],
  'table change': ['control', 'explored'],
  commit: ['control'],
  rollback: ['control'],
  final: [],
};

/** The list has all kinds, in the order of the rows. */
export const SENT_KINDS = Object.keys(TRAITS) as readonly SentKind[];

/** Returns the kinds that have the trait. */
export function sentKindsThat(trait: Trait): ReadonlySet<SentKind> {
  return new Set(SENT_KINDS.filter((kind) => TRAITS[kind].includes(trait)));
}

const QUERIES = sentKindsThat('query');

/** Returns whether the kind is a user's query, with or without a lock. */
export function isQueryKind(kind: SentKind): boolean {
  return QUERIES.has(kind);
}
