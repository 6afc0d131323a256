/**
 * What a statement of a key-value workload does to the one object that it names, or to all of them. The stage that made
 * the statement says it; the record carries it beside the SQL, so that a round is judged without reading SQL.
 */
export type ObjectOperation =
  | {
      readonly do: 'read';
      /** Absent: every object. */
      readonly key?: number;
      /** Only if the object holds this; null holds nowhere. Absent: whatever it holds. */
      readonly expected?: number | null;
      /** It was absent at first: that there is no row says that it is still as it was. */
      readonly late?: true;
    }
  | {
      readonly do: 'write';
      readonly key: number;
      readonly value: number;
      /** A compare-and-set: it applies only if the object holds this; null holds nowhere. */
      readonly expected?: number | null;
      /** An INSERT that does nothing, or fails, where the object is there. */
      readonly ifAbsent?: true;
    }
  /** Of an element that its list names by itself: the transaction and its write. */
  | { readonly do: 'append'; readonly key: number };

/**
 * What the replies of an uninstrumented round tell: values that are written once each, values that may be written again
 * and again (but for the initial one), or lists whose text is their order.
 */
export type ObjectContents = 'values' | 'repeated' | 'lists';
