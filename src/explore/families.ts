/**
 * What the oracles found, in families. Of each the first that occurs again in a world made anew stands for it; what nobody
 * could try again is counted, not reported.
 */
import type { ExploreFamily } from '../../reports/index.ts';
import { serverFailure } from '../server-failure.ts';
import { breachFamily, breachGroups } from './breach-families.ts';
import { differenceFamily, differenceGroups } from './difference-families.ts';
import type { ExploredProgram } from './explore-program.ts';
import { hiddenFamily, hiddenGroups } from './hidden-families.ts';
import { knownPrograms } from './known.ts';
import type { LevelPlan } from './level-plan.ts';
import type { Probes } from './probes.ts';

export interface Families {
  readonly families: readonly ExploreFamily[];
  readonly unconfirmed: number;
  /** Differences that nobody tried again: it was interrupted, or the server was gone. */
  readonly untried: number;
  /** Of their families. */
  readonly untriedNames: ReadonlySet<string>;
  /** Why the server could not be asked. */
  readonly lost?: string;
}

export async function familiesOf(plan: LevelPlan, explored: readonly ExploredProgram[], probes: Probes): Promise<Families> {
  const families: ExploreFamily[] = [];
  let unconfirmed = 0;
  let untried = 0;
  const untriedNames = new Set<string>();
  let lost: string | undefined;
  const tasks = tasksOf(plan, explored, probes);
  for (const [i, { name, members, work }] of tasks.entries()) {
    plan.tried?.({ families: i, of: tasks.length });
    const family =
      plan.signal.aborted || lost !== undefined
        ? 'untried'
        : await work().catch((error: unknown) => {
            const failure = serverFailure(plan.dialect, error);
            if (failure === undefined) throw error;
            lost = `the server failed while differences were tried again: ${failure.message}`;
            return 'untried' as const;
          });
    if (family === 'untried') {
      untried += members;
      untriedNames.add(name);
    } else if (family === undefined) unconfirmed += members;
    else families.push(family);
  }
  return { families, unconfirmed, untried, untriedNames, ...(lost !== undefined && { lost }) };
}

interface Task {
  readonly name: string;
  /** Programs. */
  readonly members: number;
  readonly work: () => Promise<ExploreFamily | 'untried' | undefined>;
}

function tasksOf(plan: LevelPlan, explored: readonly ExploredProgram[], probes: Probes): readonly Task[] {
  const corpus = knownPrograms();
  const task = (group: { readonly name: string; readonly members: readonly unknown[] }, work: Task['work']): Task => ({
    name: group.name,
    members: group.members.length,
    work,
  });
  return [
    ...differenceGroups(explored, plan).map((group) => task(group, () => differenceFamily(plan, group, corpus))),
    ...breachGroups(explored, plan.source).map((group) => task(group, () => breachFamily(plan, group))),
    ...hiddenGroups(explored, plan.source).map((group) => task(group, () => hiddenFamily(plan, group, probes))),
  ];
}
