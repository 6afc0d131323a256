/** The data of an exploration: the enumerated orders at each level, and the outcomes that no serial order explains. */
import type { Shard } from '../../core/base/index.ts';
import type { AnyLevelFeature, Level, PromiseVerdict } from '../../core/level/index.ts';
import type { ServerMake, Vendor } from '../../core/dialect/index.ts';
import type { ApartCode, ExploreFamily, NotAimed, NotCompared, NotComparedPrograms, UncheckedStatement } from '../../core/verdict/index.ts';
import type { MeasuredTarget } from '../measured-target.ts';

/** A change of the transactions, their level or their tables, and the same programs with it. */
export interface TriedCure {
  readonly what: string;
  /**
   * The change as SQL of a workload file, a statement each. The file was read with this text. Absent: the change is not
   * one of the file, or has no text.
   */
  readonly sql?: readonly string[];
  /** A program counts if it breaks one of these invariants; absent: if it shows any difference. */
  readonly invariants?: readonly string[];
  /** Number of programs without the cure that broke one of these invariants (or showed a difference), out of all. */
  readonly before: { readonly differing: number; readonly programs: number };
  readonly after: { readonly differing: number; readonly programs: number };
  /** Number of these programs that were drawn anew to try the cure. */
  readonly fresh: number;
  /** Every counted program ran in every order with it, and no program shows a difference any more. */
  readonly stops: boolean;
  /** No program breaks an invariant any more, in any order. Differences may be left. */
  readonly keeps?: true;
  /** No program shows a difference any more, but none broke an invariant of the file without it either. */
  readonly evens?: true;
  /** No order that was run shows it, and not every order was run. */
  readonly unseen?: true;
  /** With the cure the transactions break an invariant serially that they keep without it. */
  readonly breaksInTurn?: true;
  /** With the cure more transactions fail serially than without it: it forbids what was correct. */
  readonly refuses?: true;
  /** The reason if there is no answer: the cure could not be tried, or not to the end. */
  readonly why?: string;
}

/** Ways to meet at which draws of values and first rows were aimed. */
export interface AimedAt {
  /** `two rows of members with the same organization_id (:member, :member)`, with the number of programs that ran and that were made. */
  readonly ways: readonly { readonly way: string; readonly ran: number; readonly of: number }[];
  /** Ways that keys and statements allow, for which no rows or values were found and no rows could be made. */
  readonly missing: readonly string[];
  /** Ways that no application's rows allow, or that no statement uses, each with the reason. */
  readonly without: readonly string[];
  /** `without` as data. Absent in reports of older versions. */
  readonly withoutData?: readonly NotAimed[];
  /** Number of further ways that a limit excluded. */
  readonly leftOut: number;
  /** Why there is none, half a sentence: they cannot meet. */
  readonly apart?: string;
  /** `apart` as data. Absent in reports of older versions. */
  readonly apartCode?: ApartCode;
}

/** Transactions of a workload file that ran together. */
export interface ExploreTogether {
  /** `book + cancel`. */
  readonly name: string;
  /**
   * `safe`: every order of every program was run and a serial order explains each. `nothing seen`: a serial order
   * explains each order that was run. `not confirmed`: a difference did not occur again, or was not tried again.
   */
  readonly answer: 'safe' | 'nothing seen' | 'not safe' | 'not confirmed' | 'not judged' | 'not run';
  /** Absent: every draw was random. */
  readonly aimed?: AimedAt;
  /** The worst verdict, if the transactions are not safe. */
  readonly verdict?: PromiseVerdict;
  readonly why?: string;
  /** The reason in `why` as data, if the statements or the rows of the transactions are the reason. */
  readonly notCompared?: NotCompared;
  /** Programs in which a difference from all serial orders, or a single-run violation, was seen. */
  readonly differing: number;
  /** Transactions that fail even serially, over all serial orders of all programs. */
  readonly failedInTurn: number;
  /** The cures that were tried. */
  readonly cures?: readonly TriedCure[];
  /** Number of programs that were run, out of all. */
  readonly programs: number;
  readonly of: number;
  readonly orders: number;
  /** Number of orders of these programs if nothing waits or fails. */
  readonly possible: number;
  /** Orders in which the server refused a transaction and it was tried again; absent: none. */
  readonly triedAgain?: number;
  /** Invariants that the differences break. */
  readonly breaks: readonly string[];
  /** Invariants that the transactions break serially, on any server: `the invariant I: book, then cancel`. */
  readonly yours: readonly string[];
  /** Invariants that the server could not answer, each with its reason. */
  readonly unasked: readonly string[];
}

/** The pairs of a look and a change that ran in the orders that show a phenomenon. */
export interface ExploredPairs {
  /** Number of pairs that can stand in a fixture. */
  readonly possible: number;
  readonly fixtures: number;
  /** Number of fixtures whose pairs the server was asked about. */
  readonly askedFixtures: number;
  /** Number of pairs whose change alters what the look shows, in the fixtures asked. */
  readonly matter: number;
  /**
   * Of the pairs that matter, those chosen for a phenomenon, and those that ran. `byKind`: in each fixture each look beside
   * one change of each kind. `byForms`: each look beside each change once.
   */
  readonly rounds: readonly {
    readonly name: string;
    readonly list: 'byKind' | 'byForms';
    readonly pairs: number;
    readonly run: number;
    readonly orders: number;
  }[];
  /** Names of phenomena that the vendor allows at the level. */
  readonly notSought: readonly string[];
  readonly seconds: number;
}

export interface ExploreLevel {
  readonly level: Level;
  /** The level as the server names it inside the transaction; absent: an older version wrote the report. */
  readonly inForce?: string;
  /** Number of generated cases from which the programs come; absent: they come from a catalogue or a file. */
  readonly rounds?: number;
  readonly programs: number;
  readonly whole: number;
  readonly sampled: number;
  /** Only serial orders were run (`--orders serial`): findings then refute the oracles. */
  readonly control?: true;
  /**
   * The sessions raced (`--rendezvous`), and `orders` counts rounds. `inside`: outcomes that no serial order
   * explains and no order of whole statements gives, in programs whose orders were all run.
   */
  readonly raced?: { readonly inside: number };
  readonly orders: number;
  /** Orders that were skipped, because they differ from one that was run only in steps that commute, after they had been started. */
  readonly cut: number;
  readonly seconds: number;
  readonly outcomes: number;
  /** Number of dropped programs, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /**
   * Number of programs whose outcomes were not compared with serial orders, by reason. Only single-run violations were
   * searched for in them.
   */
  readonly unjudged?: Readonly<Record<string, number>>;
  /** `unjudged` as data. Absent in reports of older versions. */
  readonly unjudgedData?: readonly NotComparedPrograms[];
  readonly coverage: {
    readonly pairs: number;
    readonly covered: number;
    /** A bit for each pair, in the catalogue's order, as base64. The sum of several explorations is computed from it. */
    readonly which?: string;
  };
  /** Absent: the pair matrix was no part of the exploration. Its pairs do not count as programs. */
  readonly pairMatrix?: ExploredPairs;
  /** Statements of outcomes that no serial order explains. Each was run again alone on each state that it may have seen. */
  readonly statements: {
    readonly judged: number;
    readonly unjudged: Readonly<Record<string, number>>;
    /** `unjudged` by code. Absent in reports of older versions. */
    readonly unjudgedData?: Readonly<Partial<Record<UncheckedStatement, number>>>;
  };
  /** Orders that a serial order explains and that ran with probes: their number, and why some of these gave no answer. */
  readonly dependencies: { readonly asked: number; readonly unclear: Readonly<Record<string, number>> };
  /** Differences that did not occur again, or whose serial orders do not answer alike twice. */
  readonly unconfirmed: number;
  /** Differences that were not tried again. The exploration was ended, the server was gone, or enough documented ones were tried. */
  readonly untried: number;
  readonly families: readonly ExploreFamily[];
  /** The pairs of a workload file. */
  readonly together?: readonly ExploreTogether[];
  /** The server failed before the end. */
  readonly stopped?: string;
}

/** A correct server may break the invariant at any level. */
export interface UnaskedInvariant {
  readonly invariant: string;
  readonly feature: AnyLevelFeature;
}

export interface ExploreReport extends MeasuredTarget {
  /** The vendor to whom findings are reported; absent: an older version wrote the report, and its findings have no files. */
  readonly vendor?: Vendor;
  /** The release of the server. */
  readonly make?: ServerMake;
  /** The words that name the target on a command line, without credentials. */
  readonly targetWords?: string;
  /** The programs come from rounds that were not instrumented; absent: from an exploration. */
  readonly of?: 'rounds';
  readonly seed: string;
  /** Every n-th program was run. */
  readonly shard?: Shard;
  /** The missing shards of a merged report, in words. */
  readonly missing?: string;
  readonly workers: number;
  /** Invariants of a workload file that are not asked, each with its reason. */
  readonly unjudged?: readonly string[];
  /** `unjudged` as data. Absent in reports of older versions. */
  readonly unjudgedData?: readonly UnaskedInvariant[];
  /** Forms that need what the DBMS lacks. */
  readonly lacking: readonly string[];
  readonly levels: readonly ExploreLevel[];
  readonly endedEarly?: string;
}
