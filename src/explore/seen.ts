/** What the runs of a program came to: each outcome once, and of each kind of breach the first. */
import type { Program } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import { damageOf, sameKind, statusMismatches } from './breach.ts';
import type { Breach, FoundBreach } from './breach.ts';
import { outcomeKey } from './outcome.ts';
import type { Played } from './play.ts';

export class Seen {
  readonly outcomes: Map<string, Played> = new Map();
  readonly breaches: FoundBreach[] = [];
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
    if (mismatches.length > 0) this.breached(mismatches, played);
    else if (!this.outcomes.has(key)) {
      this.outcomes.set(key, played);
      this.breached(await damageOf(this.arena, this.program, played), played);
    }
  }

  /** One of each kind is enough of a program. */
  breached(breached: readonly Breach[], played: Played): void {
    for (const breach of breached) if (!this.breaches.some((each) => sameKind(each.breach, breach))) this.breaches.push({ breach, played });
  }
}
