/** Collects the results of a program's runs: each outcome once, and the first single-run violation of each kind. */
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

  /** Must be called right after the run, because the tables of a new outcome are checked as it left them. */
  async add(played: Played): Promise<void> {
    const mismatches = statusMismatches(played);
    const key = outcomeKey(played.outcome);
    // If a transaction's state is contradicted, its outcome is unknown.
    if (mismatches.length > 0) this.violated(mismatches, played);
    else if (!this.outcomes.has(key)) {
      this.outcomes.set(key, played);
      this.violated(await tableCorruption(this.arena, this.program, played), played);
    }
  }

  /** One violation of each kind is enough for a program. */
  violated(violated: readonly SingleRunViolation[], played: Played): void {
    for (const violation of violated)
      if (!this.violations.some((each) => sameKind(each.violation, violation))) this.violations.push({ violation, played });
  }
}
