/**
 * What the words of a report mean, in a sentence each: kinds of dependency, classes, the names users know, verdicts. One
 * table; the types see to it that no kind, class or name of core/ is missing. Classes follow Adya 1999 (section 4.4), the
 * names Berenson et al. 1995 and Bailis et al. 2014; check/cycles/ has the exact patterns.
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
  G0: 'A cycle of writes alone (ww): each transaction overwrote another one.',
  G1a: 'A committed transaction read a write of a transaction that was rolled back.',
  G1b: 'A transaction read a value that its own writer replaced before it committed.',
  G1c: 'A cycle of writes and reads (ww, wr): each transaction read or overwrote a write of another one.',
  'G-single-item': 'A cycle with exactly one rw, of single rows: no single state of the database explains all reads.',
  'G-single': 'A cycle with exactly one rw or rwp, and at least one edge of a predicate read.',
  'G-nonadjacent-item': 'A cycle with several rw of single rows, no two of which follow each other: snapshots do not allow it.',
  'G-nonadjacent': 'A cycle with several rw or rwp, no two of which follow each other, and at least one edge of a predicate read.',
  'G2-item': 'A cycle with rw of single rows that follow each other: snapshots allow it, serial orders do not.',
  G2: 'A cycle with rw or rwp that follow each other, and at least one edge of a predicate read.',
  internal: 'A transaction did not read its own earlier write, or it read a write that it made only later.',
  fork: 'Two committed observations of one row contradict each other: a committed write was lost.',
  'duplicate-write': 'One write occurs twice in the history of a row.',
  'thin-air': 'A row shows a write that no transaction made.',
  'status-mismatch':
    'The server said that a session is inside, outside or in a failed transaction, and its reply to the statement says otherwise.',
} as const satisfies Record<CycleBase | NonCycleClass, string>;

const SHAPES = {
  'dirty write': 'Two transactions overwrote each other’s rows before either was finished.',
  'circular information flow': 'Each of two transactions read what the other had written.',
  'lost update': 'A transaction wrote a row that it had read before another transaction changed it: that change is lost.',
  'read-write skew': 'A transaction read one row before another transaction changed it, and overwrote a second row of the other one.',
  'write skew': 'Each of two transactions read the row that the other one then wrote; both went on as if it had not.',
  'read skew': 'A transaction read one row from before another transaction, and one row from after it.',
  'non-repeatable read': 'A transaction read one row twice, and another transaction changed it between the reads.',
  'fractured read': 'A transaction read one row as another transaction left it, and a second row from before that transaction.',
  'observed transaction vanishes': 'A transaction read a write of another one, and later read a row as it was before that one.',
  'predicate-many-preceders': 'A WHERE was evaluated on a state before a transaction whose other writes the reader saw.',
  phantom: 'A transaction changed which rows a WHERE matches. The reader saw that transaction in one read and not in another.',
  'predicate write skew': 'A write skew where at least one of the reads is a predicate read: two bookings that overlap.',
  'long fork': 'Two readers saw two independent writes in opposite orders.',
  'causality violation': 'A transaction saw a write, and not an earlier write that its writer had read.',
  'read your writes': 'A session did not see its own earlier write.',
  'monotonic reads': 'A session saw a row, and later an older version of it.',
  'monotonic writes': 'The writes of one session took effect in another order.',
  'writes follow reads': 'A session’s write took effect before a write that the session had read.',
  'stale read': 'A transaction did not see a write that was committed before it began.',
  'dirty read': 'A read of a write that was rolled back.',
  'dirty update': 'A write on top of a write that was rolled back.',
  'intermediate read': 'A read of a value that its writer replaced before it committed.',
  'moved row': 'A statement read one row in two versions: another transaction changed the row while the statement ran.',
} as const satisfies Record<Shape, string>;

const VERDICTS = {
  bug: 'The vendor’s documentation rules it out at this level.',
  undocumented: 'The vendor’s documentation neither rules it out nor allows it.',
  documented: 'The vendor’s documentation allows it at this level.',
} as const satisfies Record<PromiseVerdict, string>;

const OTHERS = {
  '-session': 'A suffix of a class: the cycle needs the order of one session (so).',
  '-realtime': 'A suffix of a class: the cycle needs the order in real time (rt).',
  cycle: 'Dependencies that lead back to their start. Each one says which transaction comes first, so no serial order explains a cycle.',
  predicate: 'The condition of a WHERE. A predicate read returns the rows that match, and depends on all other rows not matching.',
  family: 'Findings with one class, one name and the same edges, whatever their statements.',
  fingerprint: 'A short code that is equal for findings that differ only in names and values.',
  'shown to hold':
    'The number of transactions that were observed completely, so that the level is proven for them. For the others no forbidden anomaly was found.',
  'snapshot read': 'A read of the database as it was when the transaction, or the statement, began.',
  'current read': 'A read of the newest committed version, usually with a lock: writes, SELECT … FOR UPDATE.',
  'auxiliary columns':
    'Two columns that a run adds to each table. They show which version of a row was read or written. “As sent” shows the statements with them.',
} as const;

/** In the order in which a page lists them. */
export const GLOSSARY: readonly { readonly group: string; readonly terms: Readonly<Record<string, string>> }[] = [
  { group: 'Edges', terms: RELS },
  { group: 'Names', terms: SHAPES },
  { group: 'Classes', terms: CLASSES },
  { group: 'Verdicts', terms: VERDICTS },
  { group: 'Other words', terms: OTHERS },
];
