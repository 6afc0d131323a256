/** The findings of a run or a check, ready to be written. reports/ turns them into text and touches nothing else. */
import type {
  AnomalyClass,
  Shape,
  InvariantCulprit,
  InvariantReason,
  InvariantVerdict,
  AskedLevel,
  Level,
  SingleRunViolationKind,
  PromiseVerdict,
} from '../level/index.ts';
import type { ServerMake, OwnSetting } from '../dialect/index.ts';
import type { ExploreOracle, ExploredLine, KnownInCorpus } from './explored.ts';
import type { Finding, ListedFinding } from './finding.ts';
import type { NotCompared } from './not-compared.ts';
import type { Note } from '../history/index.ts';
import type { Shard } from '../base/index.ts';
import type { AnswerSums, LevelAnswer } from './verdict.ts';

export interface Coverage {
  readonly rounds: number;
  readonly transactions: number;
  readonly statements: number;
  readonly committed: number;
  readonly aborted: number;
  readonly unknown: number;
  /** Error class -> count. */
  readonly errors: Readonly<Record<string, number>>;
  /** Reads tag (exact, partial, none) -> count. */
  readonly reads: Readonly<Record<string, number>>;
  /** Conflicts between committed transactions that overlapped: `select-update rw` -> count. */
  readonly conflicts: Readonly<Record<string, number>>;
  readonly blocked: number;
}

/**
 * Pairs of statement forms (`select > update`) and whether they met in a conflict. A conflict is a dependency from a
 * statement of the first form to one of the second. Both transactions committed and overlapped in time.
 */
export interface PairCoverage {
  /** The number of dependencies of each pair. */
  readonly met: Readonly<Record<string, number>>;
  /** Pairs that programs are drawn for and that did not meet. Some of them cannot meet. */
  readonly notMet: readonly string[];
}

/** The predicate reads of a level's rounds, and how many were used. */
export interface PredicateReport {
  /** WHEREs that the DBMS evaluated after the rounds, and the number of row versions that it evaluated them on. */
  readonly evaluated: number;
  readonly versions: number;
  /** Not evaluated: reason -> count. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Evaluated, but not used: reason -> count. */
  readonly thrownAway: Readonly<Record<string, number>>;
  /** The number of edges. */
  readonly wrp: number;
  readonly rwp: number;
  readonly unexplained: UnexplainedResults;
}

/** Results that no version of the rows explains. They show that the record misses something, so a run with one is not clean. */
export interface UnexplainedResults {
  readonly count: number;
  /** The first ones. */
  readonly shown: readonly Note<'result-unexplained' | 'text'>[];
}

/** The speed of a level's rounds. */
export interface Rates {
  /** Commits a second while transactions ran. The time between rounds does not count. */
  readonly commitsPerSecond: number;
  /** The share of the sent transactions, from 0 to 1, that did not certainly commit. */
  readonly abortRate: number;
  /** The longest time from the last commit of a round to its verdict. */
  readonly verdictSeconds: number;
  /** A bounded number of samples in order of time. Each covers the rounds since the one before. */
  readonly samples: readonly { readonly atSeconds: number; readonly commitsPerSecond: number; readonly abortRate: number }[];
}

/** A condition of a workload file on the state after a round, over the rounds of a level. */
export interface InvariantReport {
  readonly name: string;
  /** The number of complete rounds after which it was checked. */
  readonly rounds: number;
  readonly broken: number;
  /** The first round that broke it, and the rows that its query returned, as text. */
  readonly first?: { readonly round: number; readonly rows: string };
  /** The vendor's documents rule out every anomaly at this level. `verdict` says what broke the invariant. */
  readonly ruledOut: boolean;
  /** Present only if it was broken. */
  readonly verdict?: InvariantVerdict;
  /** The reason for the verdict, or why there is none. Absent in reports of older versions. */
  readonly reason?: InvariantReason;
  /** The same as a sentence. It is present in files, for readers. */
  readonly why?: string;
  /** With the verdict `yours`: the transaction that broke it in a serial execution. */
  readonly culprit?: InvariantCulprit;
  /** If a serial execution keeps it: the anomaly of the first broken round that broke it. */
  readonly brokenBy?: InvariantCause;
  /** None broke it: `tried` of the `of` anomalies that wrote to its tables were run again alone. */
  readonly untracedAfter?: { readonly tried: number; readonly of: number };
  /** `untracedAfter` as a sentence. It is present in files, for readers. */
  readonly untraced?: string;
}

/**
 * An anomaly whose transactions were replayed alone, on the rows of that moment. They break an invariant in the
 * observed order and keep it in a serial execution. The finding with this class, fingerprint and level describes it,
 * perhaps with other transactions.
 */
export interface InvariantCause {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly fingerprint: string;
  /** Transactions of the broken round. */
  readonly transactions: readonly { readonly id: number; readonly name?: string }[];
  /** The replay began with the file's first rows, since the rows of that moment already broke the invariant. */
  readonly fromFirstRows?: true;
  /** How many replays in the observed order broke it. */
  readonly replayed: { readonly tries: number; readonly seen: number };
  /** The number of serial orders that kept it. */
  readonly inTurn: number;
}

export interface LevelReport {
  readonly target: string;
  readonly level: Level;
  /**
   * Each transaction ran at one of these levels, and `level` is the weakest of them. `own` answers whether each kept
   * its own level.
   */
  readonly mixed?: { readonly levels: readonly Level[]; readonly own: LevelAnswer<AskedLevel> };
  readonly server: string;
  readonly make: ServerMake;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a server that the tool started differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
  readonly coverage: Coverage;
  /** Absent: the workload draws no forms. */
  readonly pairs?: PairCoverage;
  readonly rates?: Rates;
  readonly predicates?: PredicateReport;
  /** Present if the workload file has invariants. */
  readonly invariants?: readonly InvariantReport[];
  readonly answers: readonly LevelAnswer[];
  /** The sums behind the answers, including those of mixed levels. Absent in reports that cannot be merged. */
  readonly sums?: readonly AnswerSums<AskedLevel>[];
  /** Class -> verdict -> count, and shape -> count. */
  readonly classes: Readonly<Partial<Record<AnomalyClass, Readonly<Record<string, number>>>>>;
  readonly shapes: Readonly<Partial<Record<Shape, number>>>;
  /** Common name (a shape, else the class) -> verdict -> count. Each anomaly counts once. */
  readonly names: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The level in force, as the server named it inside the transactions -> the number of those transactions. */
  readonly inForce?: Readonly<Record<string, number>>;
  /** Present if the level's run tested nothing or could not be judged. */
  readonly inconclusive?: string;
}

/**
 * The exploration that ran on the same server after the rounds: every order of small programs. Its details have a page
 * of their own.
 */
export interface ExploredPart {
  /**
   * The rounds themselves, without instrumentation. They are judged as programs: by their replies and the state that
   * they left.
   */
  readonly of?: 'rounds';
  readonly levels: readonly ExploredLevel[];
  /** The file of its page, beside the run's own. Absent: nothing ran. */
  readonly page?: string;
  /** Why it did not run, or did not finish. */
  readonly cutShort?: string;
}

/** The number of programs that were not compared with serial orders for this reason. */
export interface NotComparedPrograms {
  readonly reason: NotCompared;
  readonly programs: number;
}

export interface ExploredLevel {
  readonly level: Level;
  /** For rounds: their number. */
  readonly rounds?: number;
  /** For rounds: programs whose outcomes were not compared with serial orders, by reason. */
  readonly unjudged?: Readonly<Record<string, number>>;
  /** `unjudged` as data. Absent in reports of older versions. */
  readonly unjudgedData?: readonly NotComparedPrograms[];
  readonly programs: number;
  readonly orders: number;
  /** The number of programs of which every order ran, except equivalent orders. */
  readonly whole: number;
  readonly sampled: number;
  readonly seconds: number;
  /** Pairs of factors that the programs cover. Both are 0 for a user's own transactions. */
  readonly coverage: { readonly pairs: number; readonly covered: number };
  /** Pairs of the matrix that ran, of those chosen in the fixtures asked. Absent: the matrix was left out. */
  readonly matrixPairs?: { readonly run: number; readonly chosen: number; readonly fixtures: number; readonly askedFixtures: number };
  /** Differences that did not occur again, or were not tried again. */
  readonly unconfirmed: number;
  /** The worst first. */
  readonly findings: readonly ExploredFinding[];
}

/** Outcomes of one kind. */
export interface ExploredFinding {
  readonly verdict: PromiseVerdict;
  readonly oracle: ExploreOracle;
  /** `G2-item (write skew)`. Absent: the outcome was not classified. */
  readonly class?: string;
  /** The violation that a single run shows, whatever its serial orders give. */
  readonly breach?: SingleRunViolationKind;
  readonly name: string;
  /** The fingerprint, which does not depend on the seed. Absent: an older version of the tool wrote the file. */
  readonly fingerprint?: string;
  readonly programs: number;
  readonly known?: KnownInCorpus;
  /** The `--known` file lists it. */
  readonly accepted?: true;
  /** The command that runs only the first of these programs. */
  readonly command: string;
  /** The statements and replies of that program. */
  readonly lines?: readonly ExploredLine[];
}

/** A run whose report was merged into this one. */
export interface MergedPart {
  /** The digest of its files. No run is added twice. */
  readonly digest: string;
  readonly runId: string;
  /** The command without its shard, so that all shards of a run have the same one. */
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
  /** The findings of the rounds and of the exploration. */
  readonly findings: readonly Finding[];
  /** Further findings, one line each. Absent: none. */
  readonly listed?: readonly ListedFinding[];
  /** The number of anomalies of further findings, which are counted and not kept. Absent: none. */
  readonly dropped?: number;
  /** Present if the run does only a part of the rounds. */
  readonly shard?: Shard;
  /** Present if the report was merged. */
  readonly parts?: readonly MergedPart[];
  /** Why the run ended before its budget was spent: an interrupt, or a lost server or connection. */
  readonly endedEarly?: string;
  /** The planned seconds of rounds, or rounds of each level. Present if the run ended early. */
  readonly budget?: { readonly seconds?: number; readonly rounds?: number };
  /** Present if the run was asked to explore too. */
  readonly explored?: ExploredPart;
  /** The notes say what went wrong and what was left out. */
  readonly notes: readonly Note[];
}

/** The output of a reporter: a file's name and its whole text. */
export interface Sink {
  write(name: string, text: string): void;
}

export type Reporter = (report: Report, sink: Sink) => void;
