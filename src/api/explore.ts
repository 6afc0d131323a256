/** `explore` runs every order of small programs on a server, as the command `anomalist explore` does. */
import { UsageError } from '../../core/base/index.ts';
import type { Level, PromiseVerdict } from '../../core/level/index.ts';
import { explorationReport, judgedPrograms } from '../../reports/index.ts';
import type { ExploreLevel, ExploreReport, ExploreTogether } from '../../reports/index.ts';
import { exploreTarget } from '../explore/explore-target.ts';
import type { ExploreChoice } from '../explore/explore-choice.ts';
import { expectTransactions } from '../explore/file-choice.ts';
import { withAccepted } from '../pipeline/known.ts';
import { transactionsOfFile } from '../workload/file.ts';
import { drawnSeed, onTarget } from './call.ts';
import type { CallOptions, Inconclusive } from './events.ts';
import { findingsOf } from './finding.ts';
import type { Finding } from './finding.ts';
import { IncompleteError } from './incomplete-error.ts';
import { FLAG, LEVEL_NAMES, NATURAL, POSITIVE, PRINTS, TEXTS, expectOptions, oneOf, shown } from './options.ts';
import type { Rule } from './options.ts';
import { INLINE, isSql } from './sql.ts';
import type { Sql } from './sql.ts';

/**
 * `explore` runs these programs. A string is the path of a workload file (docs/WORKLOADS.md) or the name of a shipped one. An
 * object holds the text of a workload file, or names a catalogue of small programs.
 */
export type Programs = string | Sql | { readonly catalogue: 'transactions' | 'ddl' };

export interface ExploreOptions extends CallOptions {
  /** The programs run at these levels. The default is `['serializable']`. */
  readonly levels?: readonly Level[];
  /**
   * All levels together get this budget, in milliseconds. The default for a catalogue is 60,000. For a file there is no limit by
   * default, and all its programs run.
   */
  readonly durationMs?: number;
  /** Each level runs this number of programs. It replaces `durationMs` and has no default. */
  readonly programs?: number;
  /**
   * `pruned` (the default) runs every order of a program, except those that differ only in steps that commute. `all` runs every
   * order, and `serial` runs only serial orders. With a number, so many orders of each program are drawn.
   */
  readonly orders?: 'pruned' | 'all' | 'serial' | number;
  /** The seed is a whole number from 0. If it is absent, one is drawn, and the result holds it. */
  readonly seed?: number;
  /** So many fixtures run programs at the same time. The default is twice the number of processors, at most 4. */
  readonly workers?: number;
  /** Applies to a file. Only programs with one of these transactions run. The default is all programs. */
  readonly transactions?: readonly string[];
  /** Applies to a file. If true, every three of its transactions run together too. The default is false. */
  readonly triples?: boolean;
  /** Applies to a file. So many random draws of parameters and first rows follow the aimed ones. The default is 8. */
  readonly draws?: number;
  /** Applies to a file. Its ranges are multiplied by this factor. The default is 1. */
  readonly scale?: number;
  /** Applies to a catalogue. Only skeletons, fixtures and forms with one of these words in their names run. The default is all. */
  readonly only?: readonly string[];
  /** Findings with one of these fingerprints are known. The result sets their `known` to true. The default is none. */
  readonly known?: readonly string[];
}

export interface ExploredPair {
  /** The text joins the transactions' names, as in `withdraw + deposit`. */
  readonly transactions: string;
  /**
   * `safe`: every order of every program ran, and a serial order explains each. `nothing seen`: a serial order explains each
   * order that ran, but not all orders ran. `not safe`: no serial order explains some order, or a run alone shows a
   * violation. The other answers mean that no judgement was possible, and `inconclusive` has the reason.
   */
  readonly answer: 'safe' | 'nothing seen' | 'not safe' | 'not confirmed' | 'not judged' | 'not run';
  readonly verdict?: PromiseVerdict;
  readonly breaks: readonly string[];
}

export interface ExploredLevel {
  readonly level: Level;
  readonly programs: number;
  readonly orders: number;
  /** Each pair (or triple) of a file's transactions has its answer here. A catalogue has none. */
  readonly pairs: readonly ExploredPair[];
}

export interface ExploreResult {
  /** The target's name has no credentials. */
  readonly target: string;
  /** The server describes its version so. */
  readonly server: string;
  readonly seed: number;
  /** The exploration took so many seconds. */
  readonly seconds: number;
  /** The command does the same. */
  readonly command: string;
  readonly levels: readonly ExploredLevel[];
  /** The worst finding comes first. */
  readonly findings: readonly Finding[];
  /** These levels, pairs and invariants could not be judged. Empty: all were judged. */
  readonly inconclusive: readonly Inconclusive[];
}

const RULES: Readonly<Record<string, Rule>> = {
  levels: LEVEL_NAMES,
  durationMs: POSITIVE,
  programs: POSITIVE,
  orders: {
    expected: 'pruned, all, serial or a whole number from 1',
    holds: (value) => ['pruned', 'all', 'serial'].includes(value as string) || POSITIVE.holds(value),
  },
  seed: NATURAL,
  workers: POSITIVE,
  transactions: TEXTS,
  triples: FLAG,
  draws: POSITIVE,
  scale: POSITIVE,
  only: TEXTS,
  known: PRINTS,
};

const OF_A_FILE = ['transactions', 'triples', 'draws', 'scale'] as const;

/**
 * Explores the programs on the target. Rejects with UsageError, DatabaseError or IncompleteError, or with the reason of
 * `options.signal`.
 */
export async function explore(target: string, programs: Programs, options: ExploreOptions = {}): Promise<ExploreResult> {
  expectOptions('explore', options, RULES);
  const choice = choiceOf(programs, options);
  const seed = options.seed ?? drawnSeed();
  return onTarget(target, options, async (opened, { signal, progress }) => {
    const report = await exploreTarget(opened, choice, { seed: String(seed), progress, signal });
    const result = resultOf(withAccepted(report, new Set(options.known)), seed);
    if (report.endedEarly !== undefined) throw new IncompleteError(report.endedEarly, result);
    return result;
  });
}

/** Throws UsageError before a server is started. */
function choiceOf(programs: Programs, options: ExploreOptions): ExploreChoice {
  if (options.durationMs !== undefined && options.programs !== undefined)
    throw new UsageError('explore, options.durationMs and options.programs: these are two budgets; expected one of them.');
  const { levels, durationMs, transactions, triples, draws, scale, only, workers, orders = 'pruned' } = options;
  const budget = { level: levels, duration: durationMs, programs: options.programs, orders, workers };
  if (typeof programs === 'object' && programs !== null && 'catalogue' in programs) {
    const names = oneOf('transactions', 'ddl');
    if (!names.holds(programs.catalogue))
      throw new UsageError(`explore, programs.catalogue: got ${shown(programs.catalogue)}; expected ${names.expected}.`);
    const ofFile = OF_A_FILE.find((name) => options[name] !== undefined);
    if (ofFile !== undefined)
      throw new UsageError(`explore, options.${ofFile}: it chooses from a file; expected a file, and no catalogue.`);
    return { ...budget, catalogue: programs.catalogue, only };
  }
  if (only !== undefined) throw new UsageError('explore, options.only: it chooses from a catalogue; expected a catalogue, and no file.');
  const text = isSql(programs) ? programs.sql : undefined;
  const file = isSql(programs) ? INLINE : programs;
  if (typeof file !== 'string' || file === '')
    throw new UsageError(`explore, programs: got ${shown(programs)}; expected a file's path, { sql: TEXT } or { catalogue: NAME }.`);
  const names = transactionsOfFile(`explore ${file}`, file, text);
  if (names !== undefined) expectTransactions(transactions ?? [], names);
  return { ...budget, file, text, transaction: transactions, triples, draws, scale };
}

function resultOf(report: ExploreReport, seed: number): ExploreResult {
  const { target, server, seconds, command, levels, unjudged = [] } = report;
  const [first] = levels;
  return {
    target,
    server,
    seed,
    seconds,
    command,
    levels: levels.map(({ level, programs, orders, together = [] }) => ({ level, programs, orders, pairs: together.map(pairOf) })),
    findings: findingsOf(explorationReport(report, '')),
    inconclusive: [
      ...levels.flatMap(inconclusiveAt),
      ...(first === undefined ? [] : unjudged.map((why): Inconclusive => ({ level: first.level, why }))),
    ],
  };
}

function pairOf({ name, answer, verdict, breaks }: ExploreTogether): ExploredPair {
  return { transactions: name, answer, ...(verdict && { verdict }), breaks };
}

const JUDGED: readonly ExploreTogether['answer'][] = ['safe', 'nothing seen', 'not safe'];

function inconclusiveAt(explored: ExploreLevel): readonly Inconclusive[] {
  const { level, orders, together = [] } = explored;
  const pairs = together.flatMap(({ name, answer, why, unasked, yours }): Inconclusive[] => [
    ...(JUDGED.includes(answer) ? [] : [{ level, what: name, why: why === undefined ? answer : `${answer}: ${why}` }]),
    ...unasked.map((each) => ({ level, what: name, why: each })),
    ...yours.map((each) => ({ level, what: name, why: `broken one after the other: ${each}` })),
  ]);
  const lost = explored.unconfirmed + explored.untried;
  const whole =
    orders === 0
      ? 'no program was run'
      : judgedPrograms(explored) === 0
        ? 'no outcome was judged'
        : together.length === 0 && lost > 0
          ? `${lost} differences were not seen again, or not tried again`
          : undefined;
  return [...(whole === undefined ? [] : [{ level, why: whole }]), ...pairs];
}
