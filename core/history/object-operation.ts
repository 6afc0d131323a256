/**
 * The operation of a key-value statement on the one object that it names, or on all of them. The stage that makes the
 * statement sets it. The record carries it beside the SQL, so that a round is judged without parsing SQL.
 */
export type ObjectOperation =
  | {
      readonly do: 'read';
      /** Absent: every object. */
      readonly key?: number;
      /** The read returns the object only if it holds this. Null matches no value. Absent: whatever it holds. */
      readonly expected?: number | null;
      /** The object was absent at first. A read that returns no row shows that it still is. */
      readonly late?: true;
    }
  | {
      readonly do: 'write';
      readonly key: number;
      readonly value: number;
      /** A compare-and-set: the write applies only if the object holds this. Null matches no value. */
      readonly expected?: number | null;
      /** The write is an INSERT that does nothing, or fails, if the object exists. */
      readonly ifAbsent?: true;
    }
  /** The list element names its transaction and write by itself. */
  | { readonly do: 'append'; readonly key: number };

/**
 * The contents of an object in an uninstrumented round. `values`: each value is written once. `repeated`: a value may be
 * written again, except the initial one. `lists`: the text of a list is its order.
 */
export type ObjectContents = 'values' | 'repeated' | 'lists';
