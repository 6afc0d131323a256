/**
 * A note says beside a result what went wrong, what was left out, or what the result rests on. The stage that knows the fact
 * makes the note as data; reports/notes/ alone makes its words. Whoever reads notes asks for codes and fields.
 */
import type { SentKind } from './event.ts';
import type { InvariantCulprit, InvariantReason, InvariantVerdict, Level } from '../level/index.ts';

/** One row a kind of note: what is known of it. */
export interface NoteData {
  // The record of a round.
  readonly 'reply-without-statement': { readonly transaction: number; readonly statement: number };
  /** `versions`: how many the table has; absent: the record has no such statement. */
  readonly 'predicate-left-out': {
    readonly transaction: number;
    readonly statement: number;
    readonly versions?: { readonly table: string; readonly count: number };
  };
  readonly 'look-left-out': { readonly transaction: number; readonly statement: number };
  /** `statement`: its place in the record. */
  readonly 'list-unreadable': { readonly statement: number; readonly row: string; readonly list: string };
  readonly 'record-cut': NoData;
  readonly 'no-rounds': NoData;

  // Files of other programs.
  readonly 'element-never-appended': { readonly transaction: number; readonly element: string; readonly list: string };
  readonly 'element-twice': { readonly transaction: number; readonly element: string; readonly list: string };
  readonly 'transaction-id-reused': { readonly transaction: string; readonly sessions: readonly [first: string, other: string] };
  readonly 'more-ids-reused': { readonly stretches: number };
  readonly 'levels-not-known': { readonly names: readonly string[] };
  readonly 'values-numbered': NoData;
  readonly 'inserted-twice': { readonly key: string };
  readonly 'collection-left-out': { readonly operations: number };
  readonly 'reads-without-balances': { readonly reads: number };
  readonly 'times-left-out': { readonly format: string };
  readonly 'levels-left-out': { readonly format: string };

  // The judgement.
  readonly 'memory-limit-ignored': NoData;
  readonly 'checked-in-windows': { readonly forgotten: number; readonly window: number };
  /** A defect of ours. `reason`: why the level's answer is not known. */
  readonly 'checkers-disagree': { readonly about: Level; readonly reason: string };
  readonly 'result-unexplained': UnexplainedResult;
  readonly 'rows-missing': { readonly statements: number };
  readonly 'writes-unanswered': { readonly writes: number };
  /** `statement`: its place in the record. */
  readonly 'list-impossible': { readonly statement: number; readonly object: number; readonly list: string | null };
  readonly 'own-level-violated': { readonly explanation: string };

  // The rounds of a run.
  readonly 'final-read-stale': { readonly endpoint: string };
  /** `failure`: the server's words; absent: it replies to nothing. */
  readonly 'schema-left': { readonly schema: string; readonly failure?: string };
  /** `reason`: absent where none was given. */
  readonly 'round-cut': { readonly reason?: string };
  readonly 'invariant-refused': { readonly invariant: string; readonly failure: string };
  /** `rows`: what its query returned, in words; `reason`: what the verdict rests on. Notes of older versions have `why`, a sentence. */
  readonly 'invariant-broken': {
    readonly invariant: string;
    readonly rows: string;
    readonly verdict: InvariantVerdict;
    readonly reason?: InvariantReason;
    readonly why?: string;
    readonly culprit?: InvariantCulprit;
  };
  /** The importer replaced a part of a workload file by something else. The text is its line. */
  readonly approximated: { readonly line: string };

  // The end of a run.
  readonly 'not-seen-again': NamedFinding;
  readonly 'not-replayed': NamedFinding & { readonly failure: string };
  readonly 'mixed-not-replayed': NoData;
  readonly fingerprints: {
    readonly anomalies: number;
    readonly fingerprints: number;
    readonly reduced: number;
    readonly reducedFingerprints: number;
  };
  readonly 'replaying-cut': { readonly failure: string };
  readonly 'findings-replayed': { readonly replayed: number; readonly of: number };
  readonly 'ended-early': { readonly why: string };
  readonly 'anomalies-dropped': { readonly anomalies: number; readonly kept: number; readonly keptOfFamily: number };
  readonly 'findings-listed': { readonly findings: number };

  // A campaign.
  readonly 'slices-of-both-modes': NoData;
  readonly 'replayed-by-slices': { readonly replayed: number; readonly of: number };
  readonly 'listed-by-slices': { readonly findings: number };
  readonly 'more-notes': { readonly notes: number };

  // A matrix.
  /** `reason`: absent where none was given. */
  readonly 'schedule-cut': { readonly schedule: string; readonly reason?: string };
  readonly 'schedule-not-bare': { readonly schedule: string; readonly reason?: string };

  // A workload file that was drafted from a log.
  readonly 'seen-in-log': { readonly times: number; readonly rolledBack: number };
  /** As the log spells them. */
  readonly 'levels-in-log': { readonly levels: readonly string[] };
  readonly 'left-out-between': { readonly statements: readonly string[] };
  /** `what`: what the log has between the statements; the importer's refusal. */
  readonly 'transaction-left-out': { readonly why: 'essential' | 'write-refused'; readonly what: string } | { readonly why: 'all-refused' };
  /** `statement`: its number in the transaction, from 1. */
  readonly 'computed-in-log': {
    readonly column: string;
    readonly sign: '+' | '-';
    readonly by: string;
    readonly times: number;
    readonly statement: number;
  };
  readonly 'domain-guessed': { readonly parameter: string; readonly why: DomainGuess };
  readonly 'computation-not-known': { readonly parameter: string; readonly read?: { readonly statement: number; readonly table: string } };

  /** A note of an older version's file, which kept its words alone. */
  readonly text: { readonly text: string };
}

type NoData = Readonly<Record<string, never>>;

/** Why the values of a parameter are no more than a guess. */
export type DomainGuess = 'values-not-seen' | 'numbers-too-large';

/** A row that was not returned although every version of it that can have been seen satisfies the condition. */
export interface UnexplainedResult {
  readonly transaction: number;
  readonly statement: number;
  readonly kind: SentKind;
  readonly row: string;
  readonly table: string;
  readonly sql: string;
}

interface NamedFinding {
  readonly finding: string;
  /** `lost update` */
  readonly anomaly: string;
}

/** Where it is of: one of several runs, a round of it, a level. */
export interface NotePlace {
  readonly run?: string;
  readonly round?: number;
  readonly level?: Level;
}

export type NoteCode = keyof NoteData;

export type Note<C extends NoteCode = NoteCode> = { readonly [K in C]: NotePlace & { readonly code: K; readonly data: NoteData[K] } }[C];

export function noteAt<N extends Note>(note: N, place: NotePlace): N {
  return { ...note, ...place };
}

/** Notes of rounds in the order of these, the others behind them. */
export function byRound(a: NotePlace, b: NotePlace): number {
  return (a.round ?? Number.MAX_SAFE_INTEGER) - (b.round ?? Number.MAX_SAFE_INTEGER);
}

/** The same for notes that say the same of the same. */
export function noteKey({ run, round, level, code, data }: Note): string {
  return JSON.stringify([run, round, level, code, Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
