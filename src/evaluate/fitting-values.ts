/**
 * A correlated subquery is read once for each value that it is given. Where it alone shows rows of its table, a row that the
 * statement shows was read for one of the values; if its version fits one of all possible values only, the subquery was read
 * for that one, whichever row of the query around it had it.
 */
import type { PredicateEvent } from '../../core/index.ts';

/** A subquery's reads for all values that it can have been given, none left out. */
export interface ValuesRead<Asked> {
  readonly reads: readonly Asked[];
  /** Numbers of the versions of its table that the statement shows. */
  readonly shown: readonly number[];
}

/** The same events; those of reads that were made for certain say no more what they were made for. */
export function settled<Asked>(answered: ReadonlyMap<Asked, PredicateEvent>, all: readonly ValuesRead<Asked>[]): readonly PredicateEvent[] {
  const certain = new Set<Asked>();
  for (const { reads, shown } of all) {
    const answers = reads.map((each) => answered.get(each));
    if (answers.includes(undefined)) continue; // it may be the one that was not answered
    for (const n of shown) {
      const fitting = reads.filter((_, i) => answers[i]!.matches?.[n] !== '0');
      if (fitting.length === 1) certain.add(fitting[0]!);
    }
  }
  return [...answered].map(([asked, event]) => {
    if (!certain.has(asked)) return event;
    const { when: _, ...made } = event;
    return made;
  });
}
