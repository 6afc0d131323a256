/**
 * The answer to one cure, from what the same programs showed without it and with it. A cure counts on the programs that
 * broke a declared invariant without it, or that showed a difference where no invariant was broken. It is a cure only if
 * each of these ran with it, in every order, and no program shows anything any more, the freshly drawn ones included.
 */
import type { TriedCure } from '../../reports/index.ts';
import type { ExploredProgram } from './explore-program.ts';

/** The results of one program in all the orders that were run. */
export interface ProgramEvidence {
  readonly program: number;
  /** The program had an outcome that no serial order explains, or a single-run violation. */
  readonly differs: boolean;
  /** Invariants that such an outcome breaks and no serial order does. */
  readonly breaks: readonly string[];
  /** Invariants that its transactions break serially. */
  readonly own: readonly string[];
  /** The server could not say whether some invariant holds. */
  readonly unasked: boolean;
  /** Every order was run, except those that differ only in steps that commute. */
  readonly whole: boolean;
  readonly failedInTurn: number;
  /** The reason why it did not run. */
  readonly dropped?: string;
}

/** Programs that were run at one time. `unable`: the reason why all or some of them were not run. */
export interface Evidence {
  readonly programs: readonly ProgramEvidence[];
  readonly unable?: string;
}

/** The same programs without a cure and with it. */
export interface Trial {
  readonly before: Evidence;
  readonly after: Evidence;
}

/** The invariants that a cure must keep. Programs that broke one of them count for the cure. Empty: any difference counts. */
export type CureTarget = ReadonlySet<string>;

export type CureAnswer = Omit<TriedCure, 'what' | 'sql'>;

export function evidenceOf(explored: readonly ExploredProgram[], name: string): readonly ProgramEvidence[] {
  return explored
    .filter(({ program }) => program.made['transactions'] === name)
    .map(({ program, found, violations, own, failed, whole, failedInTurn, dropped }) => ({
      program: program.number,
      differs: found.length + violations.length > 0,
      breaks: [...new Set(found.flatMap(({ breaks }) => breaks))],
      own: own.map(({ invariant }) => invariant),
      unasked: failed.size > 0,
      whole,
      failedInTurn,
      ...(dropped !== undefined && { dropped }),
    }));
}

export function targetOf(before: readonly Evidence[]): CureTarget {
  return new Set(before.flatMap(({ programs }) => programs.flatMap(({ breaks }) => breaks)));
}

export interface CureSetup {
  /** The trials of the programs that were run first, then of those drawn anew. */
  readonly trials: readonly Trial[];
  readonly target: CureTarget;
  /** The file declares invariants. A cure then need not stop a difference that breaks none of them. */
  readonly declared: boolean;
}

export function cureAnswer({ trials, target, declared }: CureSetup): CureAnswer {
  const pairs = trials.flatMap(pairsOf);
  const counted = pairs.filter(({ before }) => shows(before, target));
  const ran = trials.flatMap(({ after }) => after.programs.filter(({ dropped }) => dropped === undefined));
  const showing = ran.filter((after) => shows(after, target));
  const breaksInTurn = pairs.some(({ before, after }) => after?.own.some((name) => !before.own.includes(name)));
  const fails = showing.length > 0 || breaksInTurn;
  const why = fails ? undefined : whyUndecided(trials, counted);
  const refuses = pairs.some(({ before, after }) => after !== undefined && refusesMore(before, after));
  return {
    ...(target.size > 0 && { invariants: [...target] }),
    before: { differing: counted.length, programs: pairs.length },
    after: { differing: showing.length, programs: ran.length },
    fresh: trials.slice(1).flatMap(pairsOf).length,
    ...(fails || why !== undefined ? { stops: false } : effectOf(ran, target, declared)),
    ...(breaksInTurn && { breaksInTurn: true as const }),
    ...(refuses && { refuses: true as const }),
    ...(why !== undefined && { why }),
  };
}

type Effect = Pick<CureAnswer, 'stops' | 'keeps' | 'evens' | 'unseen'>;

/** Returns the effect of a cure under which no program breaks its target any more. */
function effectOf(ran: readonly ProgramEvidence[], target: CureTarget, declared: boolean): Effect {
  if (!ran.every(({ whole }) => whole)) return { stops: false, unseen: true };
  if (ran.some(({ differs }) => differs)) return { stops: false, keeps: true };
  if (target.size === 0 && declared) return { stops: false, evens: true };
  return { stops: true, ...(target.size > 0 && { keeps: true as const }) };
}

interface Pair {
  readonly before: ProgramEvidence;
  readonly after: ProgramEvidence | undefined;
}

/** Pairs the programs that ran without the cure with the same ones under it. */
function pairsOf({ before, after }: Trial): readonly Pair[] {
  const found = new Map(after.programs.map((each) => [each.program, each]));
  return before.programs.filter(({ dropped }) => dropped === undefined).map((each) => ({ before: each, after: found.get(each.program) }));
}

/** True if the program counts for the target. */
export function shows({ differs, breaks }: ProgramEvidence, target: CureTarget): boolean {
  return target.size > 0 ? breaks.length > 0 : differs;
}

/** True if more transactions fail serially with the cure, or if a program has nothing left to run. */
function refusesMore(before: ProgramEvidence, after: ProgramEvidence): boolean {
  return after.dropped !== undefined || after.failedInTurn > before.failedInTurn;
}

/** Returns the reason why there is no answer; undefined if there is one. */
function whyUndecided(trials: readonly Trial[], counted: readonly Pair[]): string | undefined {
  const unable = trials.flatMap(({ before, after }) => [after.unable, before.unable]).find((why) => why !== undefined);
  if (unable !== undefined) return unable;
  if (counted.length === 0) return 'no program showed anything without it';
  if (trials.flatMap(pairsOf).some(({ after }) => after === undefined)) return 'it ended before';
  const dropped = counted.map(({ after }) => after?.dropped);
  if (dropped.every((why) => why !== undefined)) return dropped[0];
  if (trials.some(({ after }) => after.programs.some(({ differs, unasked }) => differs && unasked)))
    return 'the server could not say whether an invariant holds';
  return undefined;
}
