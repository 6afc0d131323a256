/** What the runs of a program came to: each outcome once, and of each kind of single-run violation the first. */
import type { Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { tableCorruption, sameKind, statusMismatches } from './single-run-violation.ts';
import type { SingleRunViolation, FoundViolation } from './single-run-violation.ts';
import { outcomeKey } from './outcome.ts';
import type { Played } from './play.ts';

export class Seen {
  readonly outcomes: Map<string, Played> = new Map();
  readonly violations: FoundViolation[] = [];
  private readonly arena: Arena;
  private readonly program: Program;

  constructor(arena: Arena, program: Program) {
    this.arena = arena;
    this.program = program;
  }

  /** Right after the run: of a new outcome the tables are looked at as it left them. */
  async add(played: Played): Promise<void> {
    const mismatches = statusMismatches(played);
    const key = outcomeKey(played.outcome);
    // What a transaction came to whose state is contradicted nobody knows.
    if (mismatches.length > 0) this.violated(mismatches, played);
    else if (!this.outcomes.has(key)) {
      this.outcomes.set(key, played);
      this.violated(await tableCorruption(this.arena, this.program, played), played);
    }
  }

  /** One of each kind is enough of a program. */
  violated(violated: readonly SingleRunViolation[], played: Played): void {
    for (const violation of violated)
      if (!this.violations.some((each) => sameKind(each.violation, violation))) this.violations.push({ violation, played });
  }
}
