/** `run`: random transactions on a server, judged by what they read and wrote, as the command line's `anomalist run` does it. */
import { UsageError } from '../../core/index.ts';
import type { Answer, InvariantReport, InvariantVerdict, Level, LevelReport, Report } from '../../core/index.ts';
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
  /** Default: every level of the server. */
  readonly levels?: readonly Level[];
  /** `stress` (default): sessions at full speed. `schedule`: one statement at a time. */
  readonly mode?: 'stress' | 'schedule';
  /** Default: random schemas and statements. Else the name of a workload, the path of a file, or its text (docs/WORKLOADS.md). */
  readonly workload?: string | Sql;
  /** How row versions are observed. Default: exact. */
  readonly instrument?: 'exact' | 'paper';
  readonly sessions?: number;
  /** Of a key-value workload. */
  readonly objects?: number;
  /** Of a key-value workload or a file: transactions a session and round. */
  readonly transactions?: number;
  /** Of a file: the factor by which its ranges are multiplied. */
  readonly scale?: number;
  /** Milliseconds over all levels together. Default: a minute. */
  readonly durationMs?: number;
  /** So many rounds a level instead of a duration. */
  readonly rounds?: number;
  /** Default: drawn, and in the result. */
  readonly seed?: number;
  /** The budget to replay and reduce each finding that matters. 0: none is replayed. */
  readonly reduceSeconds?: number;
  /** Fingerprints of findings that are not news: `known` of such a finding is true. */
  readonly known?: readonly string[];
}

export interface RunLevel {
  readonly level: Level;
  readonly rounds: number;
  readonly transactions: number;
  readonly committed: number;
  /** Which levels the histories keep: violated (false), shown to hold (true), or unknown. */
  readonly answers: Readonly<Partial<Record<Level, Answer>>>;
}

/** An invariant of the file, over the rounds of a level. */
export interface RunInvariant {
  readonly level: Level;
  readonly name: string;
  readonly rounds: number;
  /** So many rounds broke it. */
  readonly broken: number;
  /** Whose fault that is. Absent: it was not broken. */
  readonly verdict?: InvariantVerdict;
  readonly why?: string;
}

export interface RunResult {
  readonly target: string;
  /** The server's name for itself. */
  readonly server: string;
  readonly seed: number;
  readonly seconds: number;
  readonly command: string;
  readonly levels: readonly RunLevel[];
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** So many more are counted and not kept: one of each of their families is among `findings`. */
  readonly alike: number;
  readonly invariants: readonly RunInvariant[];
  /** Where no finding means nothing. Empty: every level was judged. */
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

/** Rejects with UsageError, DatabaseError or IncompleteError, or with the reason of `options.signal`. */
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

/** In the words of the command line. */
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

function invariantOf(level: Level, { name, rounds, broken, verdict, why }: InvariantReport): RunInvariant {
  return { level, name, rounds, broken, ...(verdict !== undefined && { verdict }), ...(why !== undefined && { why }) };
}

function inconclusiveAt({ level, inconclusive, invariants = [] }: LevelReport): readonly Inconclusive[] {
  const undecided = invariants.filter(({ broken, verdict, ruledOut }) => broken > 0 && verdict === 'unknown' && ruledOut);
  return [
    ...(inconclusive === undefined ? [] : [{ level, why: inconclusive }]),
    ...undecided.map(({ name, why = 'it is not known what broke it' }) => ({ level, what: name, why })),
  ];
}
