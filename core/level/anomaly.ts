/**
 * The names of anomalies. Classes are Adya's, with Elle's refinements, and decide which levels are violated. Shapes are
 * the names that users know for particular cycles, and a cycle may have several. check/ defines each name as data.
 */
export type CycleBase = 'G0' | 'G1c' | 'G-single-item' | 'G-single' | 'G-nonadjacent-item' | 'G-nonadjacent' | 'G2-item' | 'G2';
export type CycleClass = CycleBase | `${CycleBase}-session` | `${CycleBase}-realtime`;

/** Anomalies that one read shows, beside what is known of the writes. */
export type BadReadClass =
  | 'G1a'
  | 'G1b'
  /** A read contradicts the transaction's own earlier write. */
  | 'internal'
  /** Two committed observations of one row, neither a prefix of the other: a committed write was lost. */
  | 'fork'
  /** One write occurs twice in a row's history. */
  | 'duplicate-write'
  /** A list names a write that no transaction of a complete history ever sent, or that its transaction never made. */
  | 'thin-air';

export type NonCycleClass =
  | BadReadClass
  /** The protocol's transaction status contradicts a reply. */
  | 'status-mismatch';

export type AnomalyClass = CycleClass | NonCycleClass;

export type NonCycleShape = 'dirty read' | 'dirty update' | 'intermediate read' | 'moved row';

export type CycleShape =
  | 'dirty write'
  | 'circular information flow'
  | 'lost update'
  | 'read-write skew'
  | 'write skew'
  | 'read skew'
  | 'non-repeatable read'
  | 'fractured read'
  | 'observed transaction vanishes'
  | 'predicate-many-preceders'
  | 'phantom'
  | 'predicate write skew'
  | 'long fork'
  | 'causality violation'
  | 'read your writes'
  | 'monotonic reads'
  | 'monotonic writes'
  | 'writes follow reads'
  | 'stale read';

export type Shape = CycleShape | NonCycleShape;

/** Returns the shape that users know best, or the class if there is none: one word to count anomalies by. */
export function commonName({ class: name, shapes }: { readonly class: AnomalyClass; readonly shapes: readonly Shape[] }): string {
  return shapes[0] ?? name;
}
