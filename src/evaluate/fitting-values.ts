/**
 * A subquery may not have been read, and one that names columns around it is read once for each value that it is given. A row
 * that the statement shows was read by something: if its version fits one only of all the reads of its table that the
 * statement can have made, that one was made, whichever row of the query around it was the reason.
 */
import type { PredicateEvent } from '../../core/index.ts';

interface Read {
  readonly statement: number;
  /** How many reads of the statement, each perhaps for several values, can have shown rows of the table; 0: others too. */
  readonly ways: number;
}

/** Of one table, by statement. */
export class PossibleReads<Asked extends Read> {
  readonly all: Asked[] = [];
  private readonly byStatement = new Map<number, { readonly reads: Asked[]; missing: number }>();

  /** `complete`: if the read was made, it was one of these. */
  add({ statement, ways }: Asked, reads: readonly Asked[], complete: boolean): void {
    this.all.push(...reads);
    let of = this.byStatement.get(statement);
    if (of === undefined) this.byStatement.set(statement, (of = { reads: [], missing: ways === 0 ? Infinity : ways }));
    of.reads.push(...reads);
    if (complete) of.missing--;
  }

  /** The same events; those of reads that were made for certain say no more what they were made for. `shown`: versions, by number. */
  settled(answered: ReadonlyMap<Asked, PredicateEvent>, shown: (statement: number) => readonly number[]): readonly PredicateEvent[] {
    const certain = new Set<Asked>();
    for (const [statement, { reads, missing }] of this.byStatement) {
      const answers = reads.map((each) => answered.get(each));
      // What was not answered may be the one.
      if (missing !== 0 || answers.includes(undefined) || answers.every((each) => each!.when === undefined)) continue;
      for (const n of shown(statement)) {
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
}
