/**
 * Groups the differences between recordings of one plan on several servers. A group has orders in which the same servers
 * end in the same ways, of programs with the same skeleton. The functions are pure. Each order was run once, so a
 * difference is reported only after it is confirmed.
 */
import type { PlannedOrder } from './planned-orders.ts';
import type { PlannedProgram, RecordedProgram } from './record.ts';

/** `outcome`: replies, final rows, or aborted transactions differ. `waits`: these are alike, and a session waited on one server only. */
export type DifferenceIn = 'outcome' | 'waits';

export interface Candidate {
  readonly planned: PlannedProgram;
  readonly order: PlannedOrder;
}

export interface CandidateGroup {
  readonly kind: DifferenceIn;
  readonly skeleton: string;
  /** One candidate of each program, in their order. */
  readonly members: readonly Candidate[];
  /** Number of orders that differ in this way. */
  readonly orders: number;
}

export interface Compared {
  readonly groups: readonly CandidateGroup[];
  /** Numbers of programs and orders that were compared. */
  readonly programs: number;
  readonly orders: number;
  /** Numbers of programs or orders that were not compared, by reason. */
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

/** Returns for each value the position of the first equal one. */
function partition(values: readonly string[]): readonly number[] {
  return values.map((value) => values.indexOf(value));
}
