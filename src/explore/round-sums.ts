/**
 * Sums the rounds of a level: counts, and the programs that show something. The sums have bounded size. For programs of
 * the same forms and the same kind of finding, a few are kept and the rest are counted.
 */
import type { NotComparedPrograms } from '../../core/verdict/index.ts';
import { addPrograms, programCounts, statementCounts } from '../../reports/index.ts';
import type { ExploreLevel } from '../../reports/index.ts';
import type { ExploredProgram } from './explore-program.ts';
import { familiesOf } from './families.ts';
import { statementsOf } from './mixed-snapshots.ts';
import type { StatementCounts } from './mixed-snapshots.ts';
import type { FamiliesPlan } from './level-plan.ts';

const MOST_ALIKE = 20;
const MOST = 2_000;

export class RoundSums {
  rounds = 0;
  programs = 0;
  orders = 0;
  found = 0;
  private outcomes = 0;
  private seconds = 0;
  /** Number of differences of programs that were not kept. */
  private further = 0;
  private readonly dropped: Record<string, number> = {};
  private unjudged: readonly NotComparedPrograms[] = [];
  private statements: StatementCounts = { judged: 0, unjudged: {} };
  private readonly kept: ExploredProgram[] = [];
  private readonly alike = new Map<string, number>();

  add(explored: readonly ExploredProgram[], seconds: number): void {
    this.rounds++;
    this.seconds += seconds;
    for (const one of explored) {
      if (one.dropped !== undefined) {
        add(this.dropped, one.dropped);
        continue;
      }
      this.programs++;
      this.orders += one.orders;
      this.outcomes += one.outcomes;
      this.found += one.found.length + one.violations.length;
      if (one.unjudged !== undefined) this.unjudged = addPrograms(this.unjudged, [{ reason: one.unjudged, programs: 1 }]);
      this.statements = statementsOf([{ statements: this.statements }, one]);
      this.keep(one);
    }
  }

  /** Returns the level's report after the findings have been tried again. */
  async level(plan: FamiliesPlan, stopped: string | undefined): Promise<ExploreLevel> {
    const { families, unconfirmed, untried, lost } = await familiesOf(plan, this.kept);
    const why = stopped ?? lost;
    return {
      level: plan.level.level,
      rounds: this.rounds,
      programs: this.programs,
      whole: 0,
      sampled: this.programs,
      orders: this.orders,
      cut: 0,
      seconds: this.seconds,
      outcomes: this.outcomes,
      dropped: this.dropped,
      ...programCounts(this.unjudged),
      coverage: { pairs: 0, covered: 0 },
      statements: statementCounts(this.statements),
      dependencies: { asked: 0, unclear: {} },
      unconfirmed,
      untried: untried + this.further,
      families,
      ...(why !== undefined && { stopped: why }),
    };
  }

  private keep(one: ExploredProgram): void {
    const { found, violations, program } = one;
    if (found.length + violations.length === 0) return;
    const kinds = new Set([...found.map(({ difference }) => difference.kind), ...violations.map(({ violation }) => violation.kind)]);
    const key = JSON.stringify([program.made['forms'], ...kinds]);
    const alike = this.alike.get(key) ?? 0;
    this.alike.set(key, alike + 1);
    if (alike < MOST_ALIKE && this.kept.length < MOST) this.kept.push(one);
    else this.further++;
  }
}

function add(counts: Record<string, number>, why: string): void {
  counts[why] = (counts[why] ?? 0) + 1;
}
