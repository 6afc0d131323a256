/** The words of every reason for the verdict on a broken invariant. A reason without words does not compile. */
import type {
  AnyLevelCode,
  AnyLevelFeature,
  ControlFailure,
  ControlFailureCode,
  InvariantReason,
  InvariantReasonCode,
  NumberInQuery,
  PromiseVerdict,
  SerialOrderName,
} from '../../core/level/index.ts';
import type { InvariantReport } from '../../core/verdict/index.ts';
import type { ExploreReport, UnaskedInvariant } from '../explore/report.ts';

type Words = { readonly [C in InvariantReasonCode]: (reason: InvariantReason<C>) => string };

const WORDS: Words = {
  'any-level': ({ feature }) => `a correct server may break it at any level: ${anyLevelWords(feature)}`,
  'no-control': () => 'the transactions were not run one after the other',
  'ran-in-part': () => 'in this round a transaction was committed without a statement that failed, which can break it at any level',
  'control-failed': ({ failure, order }) =>
    `the transactions could not be run one after the other to compare: ${order === undefined ? '' : `in ${serialOrderWords(order)} `}${controlFailureWords(failure)}`,
  'no-overlap': ({ kept }) => `in this round no transaction was beside another one, yet ${keptWords(kept)}: no concurrency broke it`,
  'ended-itself': ({ kept, transaction }) =>
    `${keptWords(kept)}, but in each of these some transaction that committed in the round ended by its own IF (${transaction})`,
  documents: ({ promise, kept }) => `${DOCUMENTS[promise]}, and ${keptWords(kept)}`,
};

const DOCUMENTS: Readonly<Record<PromiseVerdict, string>> = {
  bug: 'the documents rule out every anomaly at this level',
  documented: 'the documents allow anomalies at this level that can break it',
  undocumented: 'the documents do not rule out every anomaly at this level',
};

const FEATURES: { readonly [C in AnyLevelCode]: (feature: AnyLevelFeature<C>) => string } = {
  'skip-locked': ({ transaction }) =>
    `the transaction ${transaction} reads with SKIP LOCKED, which is documented to show an inconsistent view`,
  'function-reads-numbers': ({ table }) =>
    `it calls a function that reads ${table}, whose rows the server numbers outside of transactions, so an abort leaves a gap`,
  'uses-numbers': ({ use }) =>
    `it relies on ${numberWords(use)}, which the server numbers outside of transactions, so an abort leaves a gap`,
};

const FAILURES: { readonly [C in ControlFailureCode]: (failure: ControlFailure<C>) => string } = {
  'outcomes-unknown': ({ transactions }) =>
    `nobody knows whether ${transactions.length === 1 ? `transaction ${transactions[0]} has` : `${transactions.length} of the transactions have`} committed`,
  'query-refused': ({ after, of, failure }) => `the server refused its query after ${after} of ${of} transactions: ${failure}`,
  'time-over': ({ ran, of }) => `${ran} of ${of} transactions had run when the time for it was over`,
  'ended-early': ({ failure }) => failure ?? 'it ended early',
  'nothing-ran': () => 'nothing could be run',
  'not-committed': ({ transaction, failure }) =>
    `transaction ${transaction} did not commit, as it did in the round${failure === undefined ? '' : `: ${failure}`}`,
  'committed-in-part': ({ transaction, failure }) => `transaction ${transaction} committed without a statement that failed: ${failure}`,
};

const ORDERS: Readonly<Record<SerialOrderName, string>> = {
  dependencies: 'the order that their reads and writes show',
  commits: 'the order of their commits',
  sessions: 'the order of the sessions, one after the other',
  'commits-reversed': 'the reverse order of their commits',
};

/** Returns the words of the reason. A report of an older version has the sentence alone. */
export function invariantWhy({ reason, why }: Pick<InvariantReport, 'reason' | 'why'>): string | undefined {
  return reason === undefined ? why : invariantReasonWords(reason);
}

/** Returns the words of an invariant whose cause is not known. A report of an older version has the sentence alone. */
export function untracedWords({ untracedAfter, untraced }: Pick<InvariantReport, 'untracedAfter' | 'untraced'>): string | undefined {
  if (untracedAfter === undefined) return untraced;
  const { tried, of } = untracedAfter;
  return `${tried} of ${of} anomalies that wrote to its tables were run again alone, and none of these broke it`;
}

/** Adds the sentences beside the data, for readers of a JSON file. */
export function storedInvariant<I extends Partial<InvariantReport>>(invariant: I): I & Sentences {
  const [why, untraced] = [invariantWhy(invariant), untracedWords(invariant)];
  return { ...invariant, ...(why !== undefined && { why }), ...(untraced !== undefined && { untraced }) };
}

type Sentences = Pick<InvariantReport, 'why' | 'untraced'>;

function invariantReasonWords(reason: InvariantReason): string {
  return (WORDS[reason.code] as (each: InvariantReason) => string)(reason);
}

/** Returns the invariants that are not asked, each with the reason, as the report of an exploration has them. */
export function explainedInvariants(unjudgedData: readonly UnaskedInvariant[]): Required<Pick<ExploreReport, 'unjudged' | 'unjudgedData'>> {
  return { unjudged: unjudgedData.map(({ invariant, feature }) => `${invariant}: ${anyLevelWords(feature)}`), unjudgedData };
}

function anyLevelWords(feature: AnyLevelFeature): string {
  return (FEATURES[feature.code] as (each: AnyLevelFeature) => string)(feature);
}

function controlFailureWords(failure: ControlFailure): string {
  return (FAILURES[failure.code] as (each: ControlFailure) => string)(failure);
}

/** Prints words that follow "in". */
export function serialOrderWords(order: SerialOrderName): string {
  return ORDERS[order];
}

function keptWords(orders: readonly SerialOrderName[]): string {
  return `one after the other the same transactions kept it (in ${orders.map(serialOrderWords).join('; in ')})`;
}

function numberWords(use: NumberInQuery): string {
  if (use.kind === 'column') return use.name;
  return use.kind === 'subquery' ? 'what a subquery gives' : 'what a set operation compares';
}
