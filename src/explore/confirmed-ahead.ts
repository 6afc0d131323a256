/**
 * Confirms families while programs still run, so that a finding is told when it is found and not when the time is over.
 * One family is confirmed at a time, beside the workers. What is left waits for the end, where all workers confirm.
 *
 * The report is the same as without this. A family that was confirmed ahead is used only if the end would have tried the
 * same run first. What the documents allow is not hurried, and of a known cause the first family alone is told: the others
 * would keep the unknown ones waiting.
 */
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { countsOf, differenceFamily, differenceGroups, groupKey, membersToTry } from './difference-families.ts';
import type { DifferenceGroup } from './difference-families.ts';
import type { ExploredProgram } from './explore-program.ts';
import { knownPrograms } from './known.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { withProbes } from './probes.ts';

type Told = (family: ExploreFamily) => void;

export class ConfirmedAhead {
  private readonly plan: FamiliesPlan;
  private readonly tell: Told;
  private readonly corpus = knownPrograms();
  private readonly seen = new Set<string>();
  /** The corpus cases of which a family was confirmed. */
  private readonly met = new Set<string>();
  private readonly waiting: DifferenceGroup[] = [];
  private readonly confirmed = new Map<string, { readonly group: DifferenceGroup; readonly family: ExploreFamily }>();
  private working: Promise<void> | undefined;
  private over = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(plan: FamiliesPlan, tell: Told) {
    this.plan = { ...plan, namespace: `${plan.namespace}_ahead` };
    this.tell = tell;
  }

  /** Takes the findings of a program that was run. It does not wait for their confirmation. */
  add(explored: ExploredProgram): void {
    if (this.over || explored.found.length === 0) return;
    for (const group of differenceGroups([explored], this.plan, this.corpus)) {
      if (!isHurried(group.judgement.verdict) || this.seen.has(groupKey(group))) continue;
      this.seen.add(groupKey(group));
      this.waiting.push(group);
    }
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  /** Resolves once nothing is confirmed any more. */
  async end(): Promise<void> {
    this.over = true;
    await this.working;
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** Returns the family, if the run that would be tried first was confirmed ahead. */
  familyOf(group: DifferenceGroup): ExploreFamily | undefined {
    const ahead = this.confirmed.get(groupKey(group));
    if (ahead === undefined || membersToTry(group)[0]!.found !== ahead.group.members[0]!.found) return undefined;
    return { ...ahead.family, ...countsOf(this.plan, group, ahead.family.verdict) };
  }

  private async work(): Promise<void> {
    try {
      await withProbes(this.plan, async (probes) => {
        for (let group = this.next(); group !== undefined; group = this.next()) {
          const family = await differenceFamily(this.plan, group, probes);
          if (family === undefined || family === 'untried') continue;
          this.confirmed.set(groupKey(group), { group, family });
          if (group.knownIn !== undefined) this.met.add(group.knownIn);
          this.tell(family);
        }
      });
    } catch (error) {
      this.over = true;
      // The workers notice a lost server themselves. What was not confirmed here is tried at the end.
      if (serverFailure(this.plan.dialect, error) === undefined) this.failure = { error };
    }
  }

  private next(): DifferenceGroup | undefined {
    for (;;) {
      const group = this.over || this.plan.signal.aborted ? undefined : this.waiting.shift();
      if (group?.knownIn === undefined || !this.met.has(group.knownIn)) return group;
    }
  }
}

function isHurried(verdict: PromiseVerdict): boolean {
  return verdict !== 'documented';
}
