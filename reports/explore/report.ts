/** What an exploration holds, ready to be written: what was enumerated at each level, and what no serial order explains. */
import type { ExploreFamily, Level, PromiseVerdict, ServerMake, Shard, Vendor } from '../../core/index.ts';
import type { MeasuredTarget } from '../measured-target.ts';

/** A change of the transactions, their level or their tables, and the same programs with it. */
export interface TriedCure {
  readonly what: string;
  /** The change as SQL of a workload file, a statement each: it was read from this text. Absent: it is no change of the file, or has no such text. */
  readonly sql?: readonly string[];
  /** A program counts if it breaks one of these invariants; absent: if it shows any difference. */
  readonly invariants?: readonly string[];
  /** Programs without the cure that broke one of these invariants (or showed a difference), of so many. */
  readonly before: { readonly differing: number; readonly programs: number };
  readonly after: { readonly differing: number; readonly programs: number };
  /** So many of these programs were drawn anew to try the cure. */
  readonly fresh: number;
  /** Every counted program ran in every order with it, and no program shows a difference any more. */
  readonly stops: boolean;
  /** No program breaks an invariant any more, in any order. There may be differences left. */
  readonly keeps?: true;
  /** No program shows a difference any more, but none broke an invariant of the file without it either. */
  readonly evens?: true;
  /** No order that was run shows it, and not every order was run. */
  readonly unseen?: true;
  /** With it the transactions break an invariant one after the other, which they keep without it. */
  readonly breaksInTurn?: true;
  /** With it more transactions fail one after the other than without: it forbids what goes well. */
  readonly refuses?: true;
  /** The reason why nothing can be said of it: it could not be tried, or not to its end. */
  readonly why?: string;
}

/** Ways to meet at which draws of values and first rows were aimed. */
export interface AimedAt {
  /** `two rows of members with the same organization_id (:member, :member)`, with so many programs that ran and that were made. */
  readonly ways: readonly { readonly way: string; readonly ran: number; readonly of: number }[];
  /** Ways that keys and statements leave open, and for which no rows or values were found and no rows could be made. */
  readonly missing: readonly string[];
  /** Ways that no application's rows allow, or that no statement asks for, each with the reason. */
  readonly without: readonly string[];
  /** So many ways more were left out by a bound. */
  readonly leftOut: number;
  /** Why there is none, half a sentence: they cannot meet. */
  readonly apart?: string;
}

/** Transactions of a workload file that ran together. */
export interface ExploreTogether {
  /** `book + cancel`. */
  readonly name: string;
  /**
   * `safe`: every order of every program was run and a serial order explains each. `nothing seen`: of those that were run.
   * `not confirmed`: a difference did not occur again, or nobody tried.
   */
  readonly answer: 'safe' | 'nothing seen' | 'not safe' | 'not confirmed' | 'not judged' | 'not run';
  /** Absent: every draw was at random. */
  readonly aimed?: AimedAt;
  /** Of what is not safe the worst. */
  readonly verdict?: PromiseVerdict;
  readonly why?: string;
  /** Programs in which a difference from all serial orders, or a single-run violation, was seen. */
  readonly differing: number;
  /** Transactions that fail even one after the other, over all serial orders of all programs. */
  readonly failedInTurn: number;
  /** What was tried against it. */
  readonly cures?: readonly TriedCure[];
  /** Programs that were run, of so many. */
  readonly programs: number;
  readonly of: number;
  readonly orders: number;
  /** So many orders these programs have if nobody waits or fails. */
  readonly possible: number;
  /** Orders in which the server refused a transaction and it was tried again; absent: none. */
  readonly triedAgain?: number;
  /** Invariants that what is not safe breaks. */
  readonly breaks: readonly string[];
  /** Invariants that the transactions break one after the other, whoever serves them: `the invariant I: book, then cancel`. */
  readonly yours: readonly string[];
  /** Invariants that the server could not be asked for, each with its reason. */
  readonly unasked: readonly string[];
}

export interface ExploreLevel {
  readonly level: Level;
  /** As the server names it inside a transaction; absent: an older tool wrote it. */
  readonly inForce?: string;
  /** Generated cases that its programs are of; absent: they are of a catalogue, or of a file. */
  readonly rounds?: number;
  readonly programs: number;
  readonly whole: number;
  readonly sampled: number;
  /** Only serial orders were run (`--orders serial`): what it finds is held against the oracles. */
  readonly control?: true;
  readonly orders: number;
  /** Left out since they differ from one that was run by steps that commute; started and given up. */
  readonly cut: number;
  readonly seconds: number;
  readonly outcomes: number;
  /** Why programs were dropped, with how many. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Why the outcomes of programs were not held against serial orders, with how many: they were looked at for single-run violations alone. */
  readonly unjudged?: Readonly<Record<string, number>>;
  readonly coverage: {
    readonly pairs: number;
    readonly covered: number;
    /** A bit for each pair, in the catalogue's order, as base64: what several explorations covered together is told from it. */
    readonly which?: string;
  };
  /** Of outcomes that no serial order explains: statements that were run again alone on each state that they may have seen. */
  readonly statements: { readonly judged: number; readonly unjudged: Readonly<Record<string, number>> };
  /** Orders that a serial order explains, run with probes: so many, and why some of these said nothing. */
  readonly dependencies: { readonly asked: number; readonly unclear: Readonly<Record<string, number>> };
  /** Differences that did not occur again, or whose serial orders do not answer alike twice. */
  readonly unconfirmed: number;
  /** Differences that nobody tried again, as it was ended, or the server was gone, or enough of what the documents allow was. */
  readonly untried: number;
  readonly families: readonly ExploreFamily[];
  /** Of a workload file. */
  readonly together?: readonly ExploreTogether[];
  /** The server failed before the end. */
  readonly stopped?: string;
}

export interface ExploreReport extends MeasuredTarget {
  /** Where its findings are filed; absent: an older tool wrote it, and its findings have no files. */
  readonly vendor?: Vendor;
  /** The release of the server. */
  readonly make?: ServerMake;
  /** The words that name the target on a command line, without credentials. */
  readonly targetWords?: string;
  /** Of rounds that were not instrumented; absent: an exploration. */
  readonly of?: 'rounds';
  readonly seed: string;
  /** Of the programs every so-many-th one. */
  readonly shard?: Shard;
  /** Of a merged report: shards that were not there, in words. */
  readonly missing?: string;
  readonly workers: number;
  /** Of a workload file: invariants that are not asked, each with its reason. */
  readonly unjudged?: readonly string[];
  /** Forms that need what the DBMS lacks. */
  readonly lacking: readonly string[];
  readonly levels: readonly ExploreLevel[];
  readonly endedEarly?: string;
}
