/**
 * What a run or a check found, ready to be written: reports/ turns it into text and touches nothing else.
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Certificate } from './certificate.ts';
import type { SentKind, TxnOutcome } from './event.ts';
import type { Level } from './level.ts';
import type { Judgement, PromiseVerdict } from './promise.ts';
import type { Reproduction } from './reproduction.ts';
import type { TestCase } from './test-case.ts';
import type { Anomaly, LevelAnswer } from './verdict.ts';

export interface ReportedStatement {
  readonly session: number;
  readonly txn: number;
  /** Statement index of the history: what an anomaly's steps refer to. */
  readonly index: number;
  /** Number within its transaction as sent. */
  readonly number: number;
  readonly kind: SentKind;
  readonly sql: string;
  /** Nanoseconds since the run's start; replyAt is null when no reply was seen. */
  readonly invokeAt: number;
  readonly replyAt: number | null;
  readonly blocked: boolean;
  readonly rows: number | null;
  readonly error: string | null;
  readonly result: readonly (readonly (string | null)[])[] | null;
  /** Row versions seen: table, rid, list triples, flattened, with their role. */
  readonly versions: readonly { readonly role: 'read' | 'write' | 'delete'; readonly table: string; readonly rid: string; readonly list: string }[];
}

export interface ReportedTxn {
  readonly id: number;
  /** What a user's file calls it. */
  readonly name?: string;
  readonly session: number;
  readonly outcome: TxnOutcome;
}

export interface Finding {
  readonly id: string;
  readonly target: string;
  readonly level: Level;
  readonly round: number;
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
  /** How many anomalies of the run share its fingerprint. */
  readonly count: number;
  /** Nothing was added to the statements that showed it. */
  readonly uninstrumented?: true;
  /** The transactions of the anomaly and every statement they sent, in order of invocation. */
  readonly transactions: readonly ReportedTxn[];
  readonly statements: readonly ReportedStatement[];
  /** The schema and initial rows as SQL. */
  readonly setup: readonly string[];
  /** The one command that replays it. */
  readonly replay: string;
  /** What a replay without instrumentation showed; absent: none was made, and the report says so. */
  readonly bareReplay?: { readonly tries: number; readonly seen: number };
  /** The cycle's transactions alone, from the rows as they were then, in their observed order: what a replay begins with. */
  readonly observed?: TestCase;
  /** The same with every transaction that overlapped them; absent where there was none. */
  readonly overlapping?: TestCase;
  /** Other schedules of the two that the times allow: in a stress round a statement takes effect between its invocation and its reply. */
  readonly otherOrders?: { readonly observed: readonly (readonly number[])[]; readonly overlapping: readonly (readonly number[])[] };
  /** Its fingerprint, or that of its reduced case, is in the file of known ones. */
  readonly known?: true;
  /** The raw observations that its anomaly rests on. */
  readonly certificate?: Certificate;
  /** What replaying it showed; absent: it was not replayed, or did not occur again (then the report's notes say so). */
  readonly reproduction?: Reproduction;
}

/** What only the whole record of a finding has: it is what takes the room. */
export type FindingRecord = Pick<Finding, 'statements' | 'setup' | 'observed' | 'overlapping' | 'otherOrders' | 'certificate'>;

/** A finding that is a line of the report: the documents allow it, and another one of its family is kept whole. */
export type ListedFinding = Omit<Finding, keyof FindingRecord | 'bareReplay' | 'reproduction'>;

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
  /** The first ones, each with its statement. */
  readonly shown: readonly string[];
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
}

/**
 * `bug` and `documented` say what the documents do, of an invariant that the same transactions kept one after the other;
 * `undocumented`: a correct server may break it at any level; `yours`: the transactions break it one after the other, with
 * nobody beside them; `unknown`: that could not be tried.
 */
export type InvariantVerdict = PromiseVerdict | 'yours' | 'unknown';

/** The transaction after which an invariant did not hold any more, in a serial execution. */
export interface InvariantCulprit {
  readonly transaction: number;
  /** What the file calls it. */
  readonly name?: string;
  /** Its own SQL, with the values that were drawn. */
  readonly statements: readonly string[];
  /** In which order the transactions ran, in words. */
  readonly order: string;
  /** What the invariant's query returned then. */
  readonly rows: string;
}

export interface LevelReport {
  readonly target: string;
  readonly level: Level;
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  readonly coverage: Coverage;
  readonly rates?: Rates;
  readonly predicates?: PredicateReport;
  /** Of a workload file that has some. */
  readonly invariants?: readonly InvariantReport[];
  readonly answers: readonly LevelAnswer[];
  /** Class -> verdict -> count, and the same of shapes. */
  readonly classes: Readonly<Partial<Record<AnomalyClass, Readonly<Record<string, number>>>>>;
  readonly shapes: Readonly<Partial<Record<Shape, number>>>;
  /** The level in force as the server itself named it inside the transactions -> in how many of them. */
  readonly inForce?: Readonly<Record<string, number>>;
  /** Present when the level's run tested nothing or could not be judged. */
  readonly inconclusive?: string;
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
  readonly findings: readonly Finding[];
  /** Further findings, a line each; absent: none. */
  readonly listed?: readonly ListedFinding[];
  /** Why the run ended before its budget was spent: the server or a connection was lost. */
  readonly endedEarly?: string;
  /** What went wrong or was left out, in words. */
  readonly notes: readonly string[];
}

/** Where a reporter writes: a name and its whole text. */
export interface Sink {
  write(name: string, text: string): void;
}

export type Reporter = (report: Report, sink: Sink) => void;
