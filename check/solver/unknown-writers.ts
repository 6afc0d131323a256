/**
 * Handles a value that several transactions wrote, one of them of unknown outcome. A read may be of it, and then it
 * committed. Both outcomes of these writers are tried, for as many of them as there is time for. A level is violated if
 * it is violated under every assumption.
 */
import { TXN_STATUS } from '../../core/index-kv.ts';
import type { AskedLevel, KvVerdict, Level } from '../../core/index.ts';
import { txnText } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import type { Links } from '../mini/link.ts';
import { eitherOutcome } from './refutation.ts';

const WAYS = 64;

type Judge<L extends AskedLevel> = (links: Links) => KvVerdict<L | Level>;

/** `judge` takes a history in which no read may be of a writer of unknown outcome. */
export function withUnknownWriters<L extends AskedLevel>(links: Links, level: L, judge: Judge<L>): KvVerdict<L | Level> {
  return inWays(links, level, judge, { left: WAYS });
}

export function undecided<L extends AskedLevel>(level: L, reason: string): KvVerdict<L> {
  return { level, answer: 'unknown', reason, anomalies: [] };
}

function inWays<L extends AskedLevel>(links: Links, level: L, judge: Judge<L>, ways: { left: number }): KvVerdict<L | Level> {
  const open = openWriter(links);
  if (open < 0) return judge(links);
  if (--ways.left < 0)
    return undecided(
      level,
      `more than ${Math.log2(WAYS)} transactions of unknown outcome wrote values that were read and that others wrote too`,
    );
  const { history } = links;
  const taken = (status: number): KvVerdict<L | Level> =>
    inWays(linkOperations({ ...history, status: history.status.with(open, status) }), level, judge, ways);
  const without = taken(TXN_STATUS.aborted);
  if (without.answer === true) return without;
  const having = taken(TXN_STATUS.committed);
  if (having.answer !== false || without.answer !== false) return having.answer === false ? without : having;
  const note = ` The outcome of ${txnText(history, open)} is unknown: this is so if it did not commit, and if it did, the level is violated as well.`;
  const anomalies = without.anomalies.map((anomaly) => eitherOutcome(anomaly, open, having.anomalies));
  return { ...without, anomalies: anomalies.map((anomaly) => ({ ...anomaly, explanation: `${anomaly.explanation}${note}` })) };
}

function openWriter({ unclear, opTxn, live, history }: Links): number {
  for (const { writes } of unclear) {
    const open = writes.find((op) => live[opTxn[op]] === 0 && history.status[opTxn[op]] === TXN_STATUS.unknown);
    if (open !== undefined) return opTxn[open];
  }
  return -1;
}
