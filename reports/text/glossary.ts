/**
 * The meaning of each word of a report, in a sentence each: kinds of dependency, classes, the names users know, verdicts.
 * The types guarantee that no kind, class or name of core/ is missing. Classes follow Adya 1999 (section 4.4), the names
 * Berenson et al. 1995 and Bailis et al. 2014. check/cycles/ has the exact patterns.
 */
import type { CycleBase, NonCycleClass, PromiseVerdict, RelName, Shape } from '../../core/index.ts';

const RELS = {
  ww: 'Write, then write: both transactions wrote one row, the second one next after the first.',
  wr: 'Write, then read: the second transaction read what the first one wrote.',
  rw: 'Read, then write: the first transaction read a row, the second one wrote its next version. The first did not see it, so it comes before the second.',
  wrp: 'Write, then predicate read: the first transaction changed which rows a WHERE of the second one matches, and the second one saw that.',
  rwp: 'Predicate read, then write: after the first transaction evaluated a WHERE, the second one changed which rows it matches. The first did not see that.',
  so: 'Session order: both ran in one session, one after the other.',
  rt: 'Real time: the COMMIT of the first was acknowledged before the second began.',
} as const satisfies Record<RelName, string>;

const CLASSES = {
  G0: 'A cycle of writes alone (ww): each transaction overwrote the other.',
  G1a: 'A transaction read a write of another one that was rolled back.',
  G1b: 'A transaction read a value that its own writer replaced before it committed.',
  G1c: 'A cycle of writes and reads (ww, wr): each transaction saw, or built on, what the other did.',
  'G-single-item': 'A cycle with exactly one rw, of single rows: no state of the database explains everything that was read.',
  'G-single': 'A cycle with exactly one rw or rwp, where a WHERE is part of it.',
  'G-nonadjacent-item': 'A cycle with several rw of single rows, no two of which follow each other: no snapshot gives it.',
  'G-nonadjacent': 'A cycle with several rw or rwp, no two of which follow each other, where a WHERE is part of it.',
  'G2-item': 'A cycle with rw of single rows that follow each other: snapshots allow it, serial orders do not.',
  G2: 'A cycle with rw or rwp that follow each other, where a WHERE is part of it.',
  internal: 'A transaction read something else than what it had written itself.',
  fork: 'Two committed observations of one row contradict each other: a committed write was lost.',
  'duplicate-write': 'One write occurs twice in the history of a row.',
  'thin-air': 'A row shows a write that no transaction made.',
  'status-mismatch':
    'The server said that a session is inside, outside or in a failed transaction, and its reply to the statement says otherwise.',
} as const satisfies Record<CycleBase | NonCycleClass, string>;

const SHAPES = {
  'dirty write': 'Two transactions overwrote each other’s rows before either was finished.',
  'circular information flow': 'Each of two transactions read what the other had written.',
  'lost update': 'A transaction wrote a row that it had read before another one changed it: that change is lost.',
  'read-write skew': 'A transaction read one row before another transaction changed it, and overwrote a second row of the other one.',
  'write skew': 'Each of two transactions read the row that the other one then wrote; both went on as if it had not.',
  'read skew': 'A transaction read one row from before another transaction, and one row from after it.',
  'non-repeatable read': 'A transaction read one row twice, and another one changed it in between.',
  'fractured read': 'A transaction read one row as another transaction left it, and a second row from before that transaction.',
  'observed transaction vanishes': 'A transaction saw another one, and later read a row as if that one had never been.',
  'predicate-many-preceders': 'A WHERE was answered from before a transaction that the reader saw elsewhere.',
  phantom: 'A transaction changed which rows a WHERE matches, and its reader saw that transaction in one place and not in the other.',
  'predicate write skew': 'A write skew where at least one transaction read by a WHERE: two bookings that overlap.',
  'long fork': 'Two readers saw two independent writes in opposite orders.',
  'causality violation': 'A transaction saw an effect but not its cause.',
  'read your writes': 'A session did not see what it had written itself.',
  'monotonic reads': 'A session saw a row, and later an older version of it.',
  'monotonic writes': 'The writes of one session took effect in another order.',
  'writes follow reads': 'A session’s write took effect before what the session had read.',
  'stale read': 'A transaction did not see what was committed before it began.',
  'dirty read': 'A transaction read a write that was rolled back later.',
  'dirty update': 'A transaction overwrote a value that was rolled back.',
  'intermediate read': 'A transaction read a value that its writer replaced before it committed.',
  'moved row': 'A statement met one row in two versions: it was changed, and met again, while the statement ran.',
} as const satisfies Record<Shape, string>;

const VERDICTS = {
  bug: 'The vendor’s documents rule it out at this level.',
  undocumented: 'The vendor’s documents neither rule it out nor allow it.',
  documented: 'The vendor’s documents allow it at this level.',
} as const satisfies Record<PromiseVerdict, string>;

const OTHERS = {
  '-session': 'Behind a class: the cycle needs the order of one session (so).',
  '-realtime': 'Behind a class: the cycle needs the order in real time (rt).',
  cycle: 'Each dependency says which transaction comes first. Dependencies that form a cycle fit no serial order.',
  predicate: 'The condition of a WHERE. It reads the rows that match, and also that no others do.',
  family: 'Findings of one class, one name and one cycle of edges, whatever their statements.',
  fingerprint: 'Findings that differ only in names and values have the same fingerprint.',
  'shown to hold':
    'The level is shown to hold for a transaction if every read that it depends on was observed. For the others only nothing forbidden was seen, which is less.',
  'snapshot read': 'It sees the database as it was when the transaction, or the statement, began.',
  'current read': 'It sees the newest committed version, and usually locks it: writes, SELECT … FOR UPDATE.',
  'auxiliary columns':
    'Two columns that the rounds add to each table to tell which version of a row was read or written. “As sent” shows the statements with them.',
} as const;

/** The groups in the order of a page. */
export const GLOSSARY: readonly { readonly group: string; readonly terms: Readonly<Record<string, string>> }[] = [
  { group: 'Edges', terms: RELS },
  { group: 'Names', terms: SHAPES },
  { group: 'Classes', terms: CLASSES },
  { group: 'Verdicts', terms: VERDICTS },
  { group: 'Other words', terms: OTHERS },
];
