/**
 * Compares one level: the same plan runs on each server. Where servers differ, the orders run again on each of them, each
 * in a new fixture. Differences that occur each time are reported.
 */
import type { CompareLevel, CompareLine } from '../../reports/index.ts';
import { candidatesOf } from './candidates.ts';
import type { Candidate, CandidateGroup } from './candidates.ts';
import { confirmOn } from './confirm-on.ts';
import type { ConfirmedRun } from './confirm-on.ts';
import { lineOf, mergedLines } from './lines.ts';
import type { JudgedSide } from './lines.ts';
import { record } from './record.ts';
import type { PlannedProgram } from './record.ts';

export interface ComparePlan {
  readonly sides: readonly JudgedSide[];
  readonly plan: readonly PlannedProgram[];
  /** Number of servers that run at a time. */
  readonly workers: number;
  readonly command: (program: number) => string;
  readonly heard: (words: readonly string[]) => void;
}

/** Number of a group's candidates that are tried again before it is given up. */
const TRIES = 3;
/** Most groups that are tried, those of most programs first. */
const MOST_GROUPS = 80;

/** A difference with the runs that it rests on, one for each server. */
export interface ConfirmedDifference {
  readonly line: CompareLine;
  readonly group: CandidateGroup;
  readonly candidate: Candidate;
  readonly runs: readonly (ConfirmedRun | undefined)[];
}

export interface LevelCompared {
  readonly level: CompareLevel;
  /** The differences before equal ones are merged. */
  readonly differences: readonly ConfirmedDifference[];
}

export async function compareLevel({ sides, plan, workers, command, heard }: ComparePlan): Promise<LevelCompared> {
  const { level, signal } = sides[0]!;
  const recordings = await onEach(sides, workers, (side, s) =>
    record(side, plan, (orders) => heard([`${orders} orders on ${s + 1} of ${sides.length} servers`, level.level])),
  );
  const { groups, programs, orders, notCompared } = candidatesOf(plan, recordings);
  const ordered = groups.toSorted((a, b) => b.members.length - a.members.length);
  const tried = signal.aborted ? [] : ordered.slice(0, MOST_GROUPS);
  const candidates = tried.flatMap(({ members }) => members.slice(0, TRIES));
  const runs = await onEach(sides, workers, (side, s) => {
    let done = 0;
    return confirmOn(side, candidates, () =>
      heard([`${++done} of ${candidates.length} differences again on ${s + 1} of ${sides.length} servers`]),
    );
  });
  const tries = candidates.map((candidate, c) => ({ candidate, runs: runs.map((own) => own[c]) }));
  const complete = tries.filter((each) => each.runs.every((run) => run !== undefined));
  const confirmed = tried.map((group): ConfirmedDifference | undefined =>
    complete
      .filter(({ candidate }) => isOf(group, candidate))
      .flatMap((each) => {
        const line = lineOf(group, each, sides, command);
        return line === undefined ? [] : [{ line, group, ...each }];
      })
      .at(0),
  );
  const differences = confirmed.filter((each) => each !== undefined);
  const wasTried = tried.map((group) => complete.some(({ candidate }) => isOf(group, candidate)));
  const sum = (of: readonly CandidateGroup[]): number => of.reduce((total, group) => total + group.orders, 0);
  return {
    level: {
      level: level.level,
      programs,
      orders,
      notCompared,
      lines: mergedLines(differences.map(({ line }) => line)),
      unconfirmed: sum(tried.filter((_, g) => wasTried[g] && confirmed[g] === undefined)),
      untried: sum([...tried.filter((_, g) => !wasTried[g]), ...ordered.slice(tried.length)]),
    },
    differences,
  };
}

function isOf({ members }: CandidateGroup, candidate: Candidate): boolean {
  return members.includes(candidate);
}

/** Returns the results in the order of the servers. The first failure is thrown when all have ended. */
async function onEach<S, T>(sides: readonly S[], workers: number, work: (side: S, place: number) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  const ahead = sides.entries();
  const worker = async (): Promise<void> => {
    for (const [s, side] of ahead) done[s] = await work(side, s);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(workers, sides.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return done;
}
