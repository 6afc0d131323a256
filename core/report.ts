/**
 * What a run or a check found, ready to be written: reports/ turns it into text and touches nothing else.
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { ServerMake } from './dialect.ts';
import type { ExploreOracle, ExploredLine, KnownInCorpus } from './explored.ts';
import type { Finding, ListedFinding } from './finding.ts';
import type { InvariantCulprit, InvariantVerdict } from './invariant.ts';
import type { AskedLevel, Level } from './level.ts';
import type { OwnSetting } from './own-setting.ts';
import type { Note } from './note.ts';
import type { BreachKind, PromiseVerdict } from './promise.ts';
import type { Shard } from './shard.ts';
import type { AnswerSums, LevelAnswer } from './verdict.ts';

export interface Coverage {
  readonly rounds: number;
  readonly transactions: number;
  readonly statements: number;
  readonly committed: number;
  readonly aborted: number;
  readonly unknown: number;
  /** Errors by class. */
  readonly errors: Readonly<Record<string, number>>;
  /** Reads tags: exact, partial, none. */
  readonly reads: Readonly<Record<string, number>>;
  /** Conflicts between committed transactions that overlapped: `select-update rw` -> how many. */
  readonly conflicts: Readonly<Record<string, number>>;
  readonly blocked: number;
}

/**
 * Pairs of forms of statement (`select > update`): which met in a conflict, a dependency that leads from a statement of the
 * first form to one of the second, of two transactions that both committed and overlapped in time.
 */
export interface PairCoverage {
  /** So many dependencies. */
  readonly met: Readonly<Record<string, number>>;
  /** Those of which programs are drawn and that did not meet; not each of them can. */
  readonly notMet: readonly string[];
}

/** Predicate reads of a level's rounds, and what became of them. */
export interface PredicateReport {
  /** WHEREs that the DBMS evaluated after the rounds, over how many row versions. */
  readonly evaluated: number;
  readonly versions: number;
  /** Not evaluated: reason -> how many. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Evaluated, and not used: reason -> how many. */
  readonly thrownAway: Readonly<Record<string, number>>;
  /** Edges drawn. */
  readonly wrp: number;
  readonly rwp: number;
  readonly unexplained: UnexplainedResults;
}

/** Results that no version of the rows explains: what the server did there is not known, so a run that has one is not clean. */
export interface UnexplainedResults {
  readonly count: number;
  /** The first ones. */
  readonly shown: readonly Note<'result-unexplained' | 'text'>[];
}

/** How fast a level's rounds went. */
export interface Rates {
  /** While transactions ran: what goes on between rounds is not counted. */
  readonly commitsPerSecond: number;
  /** Of the transactions sent, the share that is not known to have committed, from 0 to 1. */
  readonly abortRate: number;
  /** From the last commit of a round to its verdict, at most. */
  readonly verdictSeconds: number;
  /** In order of time, a bounded number: each stands for the rounds since the one before. */
  readonly samples: readonly { readonly atSeconds: number; readonly commitsPerSecond: number; readonly abortRate: number }[];
}

/** A condition of a workload file on what a round leaves, over the rounds of a level. */
export interface InvariantReport {
  readonly name: string;
  /** Complete rounds after which it was asked. */
  readonly rounds: number;
  readonly broken: number;
  /** The first broken one: the rows that its query returned, in words. */
  readonly first?: { readonly round: number; readonly rows: string };
  /** The vendor's documents rule out every anomaly at this level: who broke it is for `verdict` to say. */
  readonly ruledOut: boolean;
  /** Of a broken one. */
  readonly verdict?: InvariantVerdict;
  /** What the verdict rests on, or why there is none. */
  readonly why?: string;
  /** With the verdict `yours`: who broke it one after the other. */
  readonly culprit?: InvariantCulprit;
  /** Kept one after the other: the anomaly of the first broken round that broke it, or why none is named. */
  readonly brokenBy?: InvariantCause;
  readonly untraced?: string;
}

/**
 * An anomaly whose transactions, run again alone from the rows as they were, break an invariant in the order that was
 * observed and keep it one after the other. The finding of this class, fingerprint and level tells of it, perhaps by other
 * transactions.
 */
export interface InvariantCause {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly fingerprint: string;
  /** Of the broken round. */
  readonly transactions: readonly { readonly id: number; readonly name?: string }[];
  /** They began with the file's first rows, since the rows as they were broke it already. */
  readonly fromFirstRows?: true;
  /** In the observed order: broken so many times. */
  readonly replayed: { readonly tries: number; readonly seen: number };
  /** Orders in which they ran one after the other and kept it. */
  readonly inTurn: number;
}

export interface LevelReport {
  readonly target: string;
  readonly level: Level;
  /** Each transaction ran at one of these, `level` is the weakest; and whether each kept its own, by the definition. */
  readonly mixed?: { readonly levels: readonly Level[]; readonly own: LevelAnswer<AskedLevel> };
  readonly server: string;
  readonly make: ServerMake;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a server that we started differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
  readonly coverage: Coverage;
  /** Absent: the workload draws no forms. */
  readonly pairs?: PairCoverage;
  readonly rates?: Rates;
  readonly predicates?: PredicateReport;
  /** Of a workload file that has some. */
  readonly invariants?: readonly InvariantReport[];
  readonly answers: readonly LevelAnswer[];
  /** What the answers are told from, that of mixed levels too; absent of reports that no other is added to. */
  readonly sums?: readonly AnswerSums<AskedLevel>[];
  /** Class -> verdict -> count, and the same of shapes. */
  readonly classes: Readonly<Partial<Record<AnomalyClass, Readonly<Record<string, number>>>>>;
  readonly shapes: Readonly<Partial<Record<Shape, number>>>;
  /** Common name (a shape, else the class) -> verdict -> count: each anomaly once. */
  readonly names: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The level in force as the server itself named it inside the transactions -> in how many of them. */
  readonly inForce?: Readonly<Record<string, number>>;
  /** Present when the level's run tested nothing or could not be judged. */
  readonly inconclusive?: string;
}

/** Every order of small programs, run on the same server after the rounds: what it comes to. All of it has a page of its own. */
export interface ExploredPart {
  /** The rounds themselves, which were not instrumented: programs of theirs, judged by what they were told and what they left. */
  readonly of?: 'rounds';
  readonly levels: readonly ExploredLevel[];
  /** The page, beside the run's own; absent: nothing was run. */
  readonly page?: string;
  /** Why it was not run, or not to its end. */
  readonly cutShort?: string;
}

export interface ExploredLevel {
  readonly level: Level;
  /** Of rounds: so many. */
  readonly rounds?: number;
  /** Of rounds: programs whose outcomes were not held against serial orders, by the reason. */
  readonly unjudged?: Readonly<Record<string, number>>;
  readonly programs: number;
  readonly orders: number;
  /** Programs of which every order was run, up to steps that commute. */
  readonly whole: number;
  readonly sampled: number;
  readonly seconds: number;
  /** Of what programs are made of; none for a user's own transactions. */
  readonly coverage: { readonly pairs: number; readonly covered: number };
  /** Differences that did not occur again, or that nobody tried again. */
  readonly unconfirmed: number;
  /** The worst first. */
  readonly findings: readonly ExploredFinding[];
}

/** Outcomes of one kind. */
export interface ExploredFinding {
  readonly verdict: PromiseVerdict;
  readonly oracle: ExploreOracle;
  /** `G2-item (write skew)`, where its class could be named. */
  readonly class?: string;
  /** What the run shows by itself, whatever its serial orders give. */
  readonly breach?: BreachKind;
  readonly name: string;
  /** The same of every seed; absent: an older tool wrote it. */
  readonly fingerprint?: string;
  readonly programs: number;
  readonly known?: KnownInCorpus;
  /** The `--known` file has it. */
  readonly accepted?: true;
  /** Runs the first of these programs alone. */
  readonly command: string;
  /** What happened in it. */
  readonly lines?: readonly ExploredLine[];
}

/** A run whose report was merged into this one. */
export interface MergedPart {
  /** Of what it wrote: no run is added twice. */
  readonly digest: string;
  readonly runId: string;
  /** Without the words that name its shard: what all shards of one run have in common. */
  readonly command: string;
  readonly shard?: Shard;
  readonly endedEarly?: string;
}

export interface Report {
  readonly tool: string;
  readonly runId: string;
  readonly seed: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly mode: 'stress' | 'schedule';
  readonly instrument: string;
  readonly levels: readonly LevelReport[];
  /** Of the rounds and of what was explored. */
  readonly findings: readonly Finding[];
  /** Further findings, a line each; absent: none. */
  readonly listed?: readonly ListedFinding[];
  /** Anomalies of further findings, which were counted and not kept; absent: none. */
  readonly dropped?: number;
  /** Of a run that does a part of the rounds. */
  readonly shard?: Shard;
  /** Of a report that was merged. */
  readonly parts?: readonly MergedPart[];
  /** Why the run ended before its budget was spent: it was interrupted, or the server or a connection was lost. */
  readonly endedEarly?: string;
  /** The planned seconds of rounds, or rounds of each level, if the run ended early. */
  readonly budget?: { readonly seconds?: number; readonly rounds?: number };
  /** Of a run that was asked to explore too. */
  readonly explored?: ExploredPart;
  /** What went wrong or was left out. */
  readonly notes: readonly Note[];
}

/** Where a reporter writes: a name and its whole text. */
export interface Sink {
  write(name: string, text: string): void;
}

export type Reporter = (report: Report, sink: Sink) => void;
