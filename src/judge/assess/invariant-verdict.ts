/**
 * Decides who broke an invariant. Even if the documents rule out every anomaly, the server has no bug if the transactions
 * also break the invariant in a serial order. Then the invariant is wrong. So the server is blamed only if the same
 * transactions kept the invariant in a serial control (serial-control.ts). Rounds without concurrent transactions blame
 * nobody.
 */
import { judge } from '../../../check/index.ts';
import { TXN_STATUS } from '../../../core/base/index.ts';
import { STATEMENT_STATUS } from '../../../core/history/index.ts';
import type {
  AnomalyClass,
  AnyLevelFeature,
  ControlFailure,
  InvariantCulprit,
  InvariantVerdict,
  Level,
  PromiseVerdict,
  SerialOrderName,
} from '../../../core/level/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import type { History } from '../../../core/history/index.ts';
import type { Anomaly, InvariantReport } from '../../../core/verdict/index.ts';

/** The answer of the serial control for one invariant. */
export type ControlAnswer =
  | { readonly kind: 'broken'; readonly culprit: InvariantCulprit }
  /**
   * `orders` kept it. `ended`: a transaction of the first order that committed in the round and ended by its own IF in the
   * control. In each order there was one.
   */
  | { readonly kind: 'kept'; readonly orders: readonly SerialOrderName[]; readonly ended?: number }
  | { readonly kind: 'unable'; readonly failure: ControlFailure; readonly order?: SerialOrderName };

export interface BrokenRound {
  /** The documents' promise against any anomaly at this level. */
  readonly promise: PromiseVerdict;
  /** A transaction may have been committed without a statement that failed. */
  readonly inPart: boolean;
  /** Two transactions were open at the same time. */
  readonly overlapped: boolean;
}

export type Judged = Pick<InvariantReport, 'reason' | 'culprit'> & { readonly verdict: InvariantVerdict };

/** `unjudged`: the reason why a correct server may break the invariant at any level. `control`: absent if none was run. */
export function invariantVerdict(
  { promise, inPart, overlapped }: BrokenRound,
  unjudged: AnyLevelFeature | undefined,
  control: ControlAnswer | undefined,
): Judged {
  if (unjudged !== undefined) return { verdict: 'undocumented', reason: { code: 'any-level', feature: unjudged } };
  if (control === undefined) return { verdict: 'unknown', reason: { code: 'no-control' } };
  if (control.kind === 'broken') return { verdict: 'yours', culprit: control.culprit };
  if (inPart) return { verdict: 'unknown', reason: { code: 'ran-in-part' } };
  if (control.kind === 'unable') {
    const { failure, order } = control;
    return { verdict: 'unknown', reason: { code: 'control-failed', failure, ...(order !== undefined && { order }) } };
  }
  const { orders: kept, ended } = control;
  if (!overlapped) return { verdict: 'unknown', reason: { code: 'no-overlap', kept } };
  // In a serial order that the round could have had, the transaction commits.
  if (promise === 'bug' && ended !== undefined) return { verdict: 'unknown', reason: { code: 'ended-itself', kept, transaction: ended } };
  return { verdict: promise, reason: { code: 'documents', promise, kept } };
}

/** Tells whether a transaction may have been committed without one of its statements, which failed. */
export function ranInPart({ statements, transactions }: Pick<History, 'statements' | 'transactions'>): boolean {
  for (let s = 0; s < statements.count; s++) {
    if (statements.status[s] === STATEMENT_STATUS.failed && transactions.status[statements.txn[s]!] !== TXN_STATUS.aborted) return true;
  }
  return false;
}

/** Tells whether two of these transactions, whatever their outcome, were open at the same time. */
export function overlapped({ statements, transactions }: Pick<History, 'statements' | 'transactions'>, ids: ReadonlySet<number>): boolean {
  const ends = Float64Array.from(transactions.endAt);
  // An aborted transaction had ended by its last reply. The end of one with unknown outcome is unknown.
  for (let s = 0; s < statements.count; s++) {
    const t = statements.txn[s]!;
    if (transactions.status[t] === TXN_STATUS.aborted && !(ends[t]! >= statements.replyAt[s]!)) ends[t] = statements.replyAt[s]!;
  }
  const began: number[] = [];
  for (let t = 1; t < transactions.count; t++) if (ids.has(transactions.id[t]!) && !Number.isNaN(transactions.beginAt[t]!)) began.push(t);
  began.sort((a, b) => transactions.beginAt[a]! - transactions.beginAt[b]!);
  let open: number[] = [];
  for (const t of began) {
    open = open.filter((other) => !(ends[other]! < transactions.beginAt[t]!));
    if (open.some((other) => transactions.session[other] !== transactions.session[t])) return true;
    open.push(t);
  }
  return false;
}

const CLASSES: readonly AnomalyClass[] = ['G0', 'G1c', 'G-single', 'G2-item', 'G2'];

/** Returns the promise against all anomalies: `bug` only if the documents rule out every one of them. */
export function promiseOfAll(
  { promises, ranLive }: Dialect,
  level: Level,
  configuration: Readonly<Record<string, string>>,
): PromiseVerdict {
  const verdicts = CLASSES.map((each) => {
    const anomaly: Anomaly = {
      class: each,
      shapes: [],
      levels: [],
      transactions: [],
      cycle: [],
      statements: [],
      fingerprint: '',
      explanation: '',
    };
    return judge(anomaly, level, configuration, promises, { ranLive }).verdict;
  });
  if (verdicts.every((verdict) => verdict === 'bug')) return 'bug';
  return verdicts.includes('documented') ? 'documented' : 'undocumented';
}
