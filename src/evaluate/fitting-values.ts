/**
 * Decides which of several possible reads was made. A server may not evaluate a subquery, and it evaluates one that names
 * outer columns once for each value of them. Some read must have shown each row of a statement's reply. If the row's
 * version fits only one of all the reads of its table that the statement can have made, then that read was made. Which
 * row of the outer query caused it does not matter.
 */
import type { PredicateEvent } from '../../core/index.ts';

interface Read {
  readonly statement: number;
  /**
   * Number of the statement's reads, each perhaps for several values, that can have shown rows of the table. 0: other
   * ways are possible too.
   */
  readonly ways: number;
}

/** The possible reads of one table, by statement. */
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

  /** Returns the same events. Those of reads that were certainly made lose their condition `when`. `shown`: versions by number. */
  settled(answered: ReadonlyMap<Asked, PredicateEvent>, shown: (statement: number) => readonly number[]): readonly PredicateEvent[] {
    const certain = new Set<Asked>();
    for (const [statement, { reads, missing }] of this.byStatement) {
      const answers = reads.map((each) => answered.get(each));
      // A read without an answer may be the one that was made.
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
