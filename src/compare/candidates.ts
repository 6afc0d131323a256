/**
 * Recordings of one plan on several servers -> where they differ, in groups: orders in which the same servers end in the
 * same ways, of programs with the same skeleton. Pure; each order was run once, so nothing here is told before it is confirmed.
 */
import type { PlannedOrder } from './planned-orders.ts';
import type { PlannedProgram, RecordedProgram } from './record.ts';

/** `outcome`: what was answered and left, or which transactions came to nothing; `waits`: that alike, and somebody waited on one only. */
export type DifferenceIn = 'outcome' | 'waits';

export interface Candidate {
  readonly planned: PlannedProgram;
  readonly order: PlannedOrder;
}

export interface CandidateGroup {
  readonly kind: DifferenceIn;
  readonly skeleton: string;
  /** One of each program, in their order. */
  readonly members: readonly Candidate[];
  /** Orders that differ so. */
  readonly orders: number;
}

export interface Compared {
  readonly groups: readonly CandidateGroup[];
  /** Programs and orders that were held against each other. */
  readonly programs: number;
  readonly orders: number;
  /** Why others were not: programs, or orders. */
  readonly notCompared: Readonly<Record<string, number>>;
}

export function candidatesOf(plan: readonly PlannedProgram[], recordings: readonly (readonly RecordedProgram[])[]): Compared {
  const groups = new Map<string, { kind: DifferenceIn; skeleton: string; members: Candidate[]; orders: number }>();
  const notCompared: Record<string, number> = {};
  const leaveOut = (why: string): void => void (notCompared[why] = (notCompared[why] ?? 0) + 1);
  const compared = { programs: 0, orders: 0 };
  for (const [p, planned] of plan.entries()) {
    const all = recordings.map((recorded) => recorded[p]);
    if (all.some((each) => each === undefined)) continue;
    const own = all as readonly RecordedProgram[];
    const why = whyNot(own);
    if (why !== undefined) {
      leaveOut(why);
      continue;
    }
    compared.programs++;
    for (const [o, order] of planned.orders.entries()) {
      const runs = own.map(({ runs: of }) => of[o]!);
      if (runs.some(({ key }) => key === undefined)) {
        leaveOut('orders in which a lock was refused, or not had within a limit of time');
        continue;
      }
      compared.orders++;
      const kind: DifferenceIn | undefined = differ(runs.map(({ key }) => key!))
        ? 'outcome'
        : differ(runs.map(({ waits }) => waits))
          ? 'waits'
          : undefined;
      if (kind === undefined) continue;
      const skeleton = planned.program.made['skeleton'] ?? '';
      const key = JSON.stringify([
        kind,
        skeleton,
        partition(runs.map((run) => (kind === 'waits' ? run.waits : run.key!))),
        runs.map(({ ends }) => ends),
      ]);
      const group = groups.get(key) ?? { kind, skeleton, members: [], orders: 0 };
      groups.set(key, group);
      group.orders++;
      if (group.members.at(-1)?.planned !== planned) group.members.push({ planned, order });
    }
  }
  return { groups: [...groups.values()], ...compared, notCompared };
}

function whyNot(recorded: readonly RecordedProgram[]): string | undefined {
  const dropped = recorded.find((each) => each.dropped !== undefined)?.dropped;
  if (dropped !== undefined) return `programs: ${dropped}`;
  return differ(recorded.map(({ serial }) => serial)) ? 'programs whose transactions answer otherwise even one after the other' : undefined;
}

function differ(values: readonly string[]): boolean {
  return values.some((value) => value !== values[0]);
}

/** Which values are equal: the place of the first one like it. */
function partition(values: readonly string[]): readonly number[] {
  return values.map((value) => values.indexOf(value));
}
