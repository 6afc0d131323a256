/** `run` executes random transactions on a server and judges what they read and wrote, as the command `anomalist run` does. */
import { UsageError } from '../../core/base/index.ts';
import type { InvariantVerdict, Level } from '../../core/level/index.ts';
import type { Answer, InvariantReport, LevelReport, Report } from '../../core/verdict/index.ts';
import { invariantWhy } from '../../reports/index.ts';
import { runPipeline } from '../pipeline/pipeline.ts';
import { expectRunnable, planOf } from '../pipeline/run-choice.ts';
import type { RunChoice } from '../pipeline/run-choice.ts';
import { DEFAULT_WORKLOAD, chosenWorkload } from '../workload/option.ts';
import { drawnSeed, onTarget } from './call.ts';
import type { Around } from './call.ts';
import type { CallOptions, Inconclusive } from './events.ts';
import { findingsOf } from './finding.ts';
import type { Finding } from './finding.ts';
import { IncompleteError } from './incomplete-error.ts';
import { LEVEL_NAMES, NATURAL, POSITIVE, PRINTS, expectOptions, oneOf } from './options.ts';
import type { Rule } from './options.ts';
import { INLINE, isSql } from './sql.ts';
import type { Sql } from './sql.ts';

export interface RunOptions extends CallOptions {
  /** The rounds run at these levels. The default is every level of the server. */
  readonly levels?: readonly Level[];
  /** With `stress` (the default) the sessions run at full speed. With `schedule` one statement runs at a time. */
  readonly mode?: 'stress' | 'schedule';
  /**
   * It is the name of a workload, the path of a workload file, or an object with its text (docs/WORKLOADS.md). The default,
   * `relational`, runs random schemas and statements.
   */
  readonly workload?: string | Sql;
  /** Row versions are observed by this instrumentation. It applies to `relational`. The default is `exact`. */
  readonly instrument?: 'exact' | 'paper';
  /**
   * Each round has so many sessions. The default is 2 to 5, drawn for each round. Some rounds of `relational` have more if the
   * call starts the server. Key-value workloads have 8, or 3 with `schedule`.
   */
  readonly sessions?: number;
  /** Applies to a key-value workload. It has so many objects. The default depends on the workload. */
  readonly objects?: number;
  /** Applies to a key-value workload or a file. Each session runs so many per round. The default depends on the workload. */
  readonly transactions?: number;
  /** Applies to a file. Its ranges are multiplied by this factor. The default is 1. */
  readonly scale?: number;
  /** All levels together get this budget, in milliseconds. The default is 60,000. */
  readonly durationMs?: number;
  /** Each level runs this number of rounds. It replaces `durationMs` and has no default. */
  readonly rounds?: number;
  /** The seed is a whole number from 0. If it is absent, one is drawn, and the result holds it. */
  readonly seed?: number;
  /** Each finding that matters is replayed and reduced for at most so many seconds. The default is 20. With 0, none is replayed. */
  readonly reduceSeconds?: number;
  /** Findings with one of these fingerprints are known. The result sets their `known` to true. The default is none. */
  readonly known?: readonly string[];
}

export interface RunLevel {
  readonly level: Level;
  readonly rounds: number;
  readonly transactions: number;
  readonly committed: number;
  /** An answer says whether the histories keep a level (true), violate it (false), or neither could be shown (`unknown`). */
  readonly answers: Readonly<Partial<Record<Level, Answer>>>;
}

/** An invariant of the file was checked after each round of a level, with this result. */
export interface RunInvariant {
  readonly level: Level;
  readonly name: string;
  readonly rounds: number;
  /** So many rounds broke it. */
  readonly broken: number;
  /** The verdict says whose fault that is. Absent: no round broke it. */
  readonly verdict?: InvariantVerdict;
  /** It explains the verdict. */
  readonly why?: string;
}

export interface RunResult {
  /** The target's name has no credentials. */
  readonly target: string;
  /** The server describes its version so. */
  readonly server: string;
  readonly seed: number;
  /** The run took so many seconds. */
  readonly seconds: number;
  /** The command does the same. */
  readonly command: string;
  readonly levels: readonly RunLevel[];
  /** The worst finding comes first. */
  readonly findings: readonly Finding[];
  /** So many further findings were counted and not kept. `findings` has one of each of their families. */
  readonly alike: number;
  readonly invariants: readonly RunInvariant[];
  /** These levels and invariants could not be judged. Empty: all were judged. */
  readonly inconclusive: readonly Inconclusive[];
}

const RULES: Readonly<Record<string, Rule>> = {
  levels: LEVEL_NAMES,
  mode: oneOf('stress', 'schedule'),
  workload: { expected: "a workload's name, a file's path or { sql: TEXT }", holds: (value) => typeof value === 'string' || isSql(value) },
  instrument: oneOf('exact', 'paper'),
  sessions: POSITIVE,
  objects: POSITIVE,
  transactions: POSITIVE,
  scale: POSITIVE,
  durationMs: POSITIVE,
  rounds: POSITIVE,
  seed: NATURAL,
  reduceSeconds: NATURAL,
  known: PRINTS,
};

/** Runs the workload on the target. Rejects with UsageError, DatabaseError or IncompleteError, or with the reason of `options.signal`. */
export async function run(target: string, options: RunOptions = {}): Promise<RunResult> {
  expectOptions('run', options, RULES);
  if (options.durationMs !== undefined && options.rounds !== undefined)
    throw new UsageError('run, options.durationMs and options.rounds: these are two budgets; expected one of them.');
  const choice = choiceOf(options);
  const { workload = DEFAULT_WORKLOAD } = options;
  const row = isSql(workload) ? chosenWorkload(INLINE, choice, workload.sql) : chosenWorkload(workload, choice);
  expectRunnable(choice, row);
  const seed = options.seed ?? drawnSeed();
  return onTarget(target, options, async (opened, around) => {
    const made = await row.make({ ...choice, mostSessions: opened.mostSessions }, opened.dialect);
    const report = await runPipeline({ ...planOf(opened, made, choice, aroundOf(seed, options, around)), runId: `s${seed}` });
    const result = resultOf(report, opened.name, seed);
    if (report.endedEarly !== undefined) throw new IncompleteError(report.endedEarly, result);
    return result;
  });
}

type Choice = RunChoice & Pick<RunOptions, 'objects' | 'transactions' | 'scale'>;

/** Returns the choice under the names of the command line's options. */
function choiceOf({ levels, mode = 'stress', durationMs, rounds, ...options }: RunOptions): Choice {
  const { instrument, sessions, objects, transactions, scale, reduceSeconds } = options;
  return {
    level: levels,
    mode,
    instrument,
    sessions,
    duration: durationMs,
    cases: rounds,
    round: 0,
    reduceSeconds,
    keep: false,
    ...(objects !== undefined && { objects }),
    ...(transactions !== undefined && { transactions }),
    ...(scale !== undefined && { scale }),
  };
}

function aroundOf(seed: number, { known }: RunOptions, { signal, progress, tell }: Around): Parameters<typeof planOf>[3] {
  return {
    seed: String(seed),
    known: new Set(known),
    signal,
    progress,
    progressFile: {
      rounds: (levels) => tell({ kind: 'rounds', levels: levels() }),
      finding: (finding) => tell({ kind: 'finding', finding }),
    },
  };
}

function resultOf({ seconds, command, levels, listed = [], dropped = 0, ...report }: Report, target: string, seed: number): RunResult {
  return {
    target,
    server: levels[0]?.server ?? '',
    seed,
    seconds,
    command,
    levels: levels.map(levelOf),
    findings: findingsOf({ seconds, command, levels, ...report }),
    alike: listed.length + dropped,
    invariants: levels.flatMap(({ level, invariants = [] }) => invariants.map((each) => invariantOf(level, each))),
    inconclusive: levels.flatMap(inconclusiveAt),
  };
}

function levelOf({ level, coverage: { rounds, transactions, committed }, answers }: LevelReport): RunLevel {
  return { level, rounds, transactions, committed, answers: Object.fromEntries(answers.map((each) => [each.level, each.answer])) };
}

function invariantOf(level: Level, { name, rounds, broken, verdict, ...rest }: InvariantReport): RunInvariant {
  const why = invariantWhy(rest);
  return { level, name, rounds, broken, ...(verdict !== undefined && { verdict }), ...(why !== undefined && { why }) };
}

function inconclusiveAt({ level, inconclusive, invariants = [] }: LevelReport): readonly Inconclusive[] {
  const undecided = invariants.filter(({ broken, verdict, ruledOut }) => broken > 0 && verdict === 'unknown' && ruledOut);
  return [
    ...(inconclusive === undefined ? [] : [{ level, why: inconclusive }]),
    ...undecided.map((each) => ({ level, what: each.name, why: invariantWhy(each) ?? 'it is not known what broke it' })),
  ];
}
