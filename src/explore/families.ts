/**
 * Groups the oracles' findings into families. The first one of each that occurs again in a new fixture represents it.
 * Findings that could not be tried again are counted, not reported.
 */
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import type { ConfirmedAhead } from './confirmed-ahead.ts';
import { violationFamily, violationGroups } from './violation-families.ts';
import { differenceFamily, differenceGroups } from './difference-families.ts';
import type { ExploredProgram } from './explore-program.ts';
import { hiddenFamily, hiddenGroups } from './hidden-families.ts';
import { knownPrograms } from './known.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { withProbes } from './probes.ts';
import type { Probes } from './probes.ts';

export interface Families {
  readonly families: readonly ExploreFamily[];
  readonly unconfirmed: number;
  /** Number of differences that were not tried again, because of an interruption or a lost server. */
  readonly untried: number;
  /** Names of their families. */
  readonly untriedNames: ReadonlySet<string>;
  /** The reason why the server could not be asked. */
  readonly lost?: string;
}

/** Tries families with as many workers as ran programs. The result has the order in which they were found, whichever worker tried them. */
export async function familiesOf(
  plan: FamiliesPlan,
  explored: readonly ExploredProgram[],
  confirmed?: Pick<ConfirmedAhead, 'familyOf'>,
): Promise<Families> {
  const tasks = tasksOf(plan, explored, confirmed);
  const tried: Tried[] = tasks.map(() => 'untried');
  // Known causes come last, so that an interruption leaves the unknown ones confirmed.
  const ahead = [...tasks.entries()].toSorted(([, a], [, b]) => Number(a.isKnown) - Number(b.isKnown)).values();
  let done = 0;
  let lost: string | undefined;
  let failed = false;
  const worker = async (w: number): Promise<void> => {
    const own = { ...plan, namespace: `${plan.namespace}_${w}` };
    await withProbes(own, async (probes) => {
      for (const [i, { work, enough }] of ahead) {
        if (enough) continue;
        if (plan.signal.aborted || lost !== undefined || failed) return;
        plan.tried?.({ families: done++, of: tasks.length });
        tried[i] = await work(own, probes).catch((error: unknown) => {
          const failure = serverFailure(plan.dialect, error);
          if (failure === undefined) {
            failed = true;
            throw error;
          }
          lost ??= `the server failed while differences were tried again: ${failure.message}`;
          return 'untried' as const;
        });
      }
    });
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(plan.workers, tasks.length) }, (_, w) => worker(w)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const untried = tasks.filter((_, i) => tried[i] === 'untried');
  return {
    families: tried.filter((family) => family !== undefined && family !== 'untried'),
    unconfirmed: membersOf(tasks.filter((_, i) => tried[i] === undefined)),
    untried: membersOf(untried),
    untriedNames: new Set(untried.map(({ name }) => name)),
    ...(lost !== undefined && { lost }),
  };
}

type Tried = ExploreFamily | 'untried' | undefined;

interface Task {
  readonly name: string;
  /** Number of programs. */
  readonly members: number;
  /** All its programs are instances of a case of the corpus. */
  readonly isKnown: boolean;
  /** Enough families of its verdict are tried before it. */
  readonly enough?: true;
  readonly work: (plan: FamiliesPlan, probes: Probes) => Promise<Tried>;
}

function membersOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { members }) => sum + members, 0);
}

function tasksOf(
  plan: FamiliesPlan,
  explored: readonly ExploredProgram[],
  confirmed: Pick<ConfirmedAhead, 'familyOf'> | undefined,
): readonly Task[] {
  const corpus = knownPrograms();
  const task = (
    group: { readonly name: string; readonly members: readonly unknown[]; readonly knownIn?: string | undefined },
    work: Task['work'],
  ): Task => ({ name: group.name, members: group.members.length, isKnown: group.knownIn !== undefined, work });
  const taken: Partial<Record<PromiseVerdict, number>> = {};
  const isEnough = (verdict: PromiseVerdict): boolean =>
    plan.most !== undefined && (taken[verdict] = (taken[verdict] ?? 0) + 1) > plan.most[verdict];
  return [
    ...differenceGroups(explored, plan, corpus).map((group) => ({
      ...task(group, async (own, probes) => confirmed?.familyOf(group) ?? differenceFamily(own, group, probes)),
      ...(isEnough(group.judgement.verdict) && { enough: true as const }),
    })),
    ...violationGroups(explored, plan.source).map((group) => task(group, (own) => violationFamily(own, group))),
    ...hiddenGroups(explored, plan.source).map((group) => task(group, (own, probes) => hiddenFamily(own, group, probes))),
  ];
}
