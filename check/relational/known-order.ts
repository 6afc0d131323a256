/**
 * Checks SERIALIZABLE, SNAPSHOT ISOLATION and STRICT SERIALIZABLE of a relational history by the scheduling of
 * mini-transaction histories. Every write was seen to replace a version, so the order of versions is known, and the
 * dependencies are acyclic if all transactions complete. It is a second opinion on the cycle search, and shares no code
 * with it but the tables of history.ts. For plain levels each transaction is a session of its own, so that only data
 * edges count.
 */
import type { StrongLevel } from '../../core/index.ts';
import { prepare } from '../mini/check-mini.ts';
import { linkOperations } from '../mini/link.ts';
import { realTime } from '../mini/real-time.ts';
import { scheduleAll } from '../mini/schedule.ts';
import type { RelationalKv } from './relational-kv.ts';

export interface KnownOrder {
  /** The reason why the order of versions is not known. Undefined means that it is known. */
  readonly undetermined: string | undefined;
  /**
   * Tells whether the transactions have an order in which each read and write is right. The answer has no meaning if
   * `undetermined` is set.
   */
  acyclic(level: StrongLevel): boolean;
}

export function knownOrder({ ordered, gap }: RelationalKv): KnownOrder {
  const links = linkOperations(ordered);
  const { undetermined, divergent } = prepare(links);
  const { history } = links;
  const { txnCount } = history;
  const alone = { ...history, sessionCount: txnCount, sessionStart: Uint32Array.from({ length: txnCount + 1 }, (_, t) => t) };
  const broken = links.badReads.length > 0 || divergent.length > 0;
  return {
    undetermined: gap ?? undetermined,
    acyclic: (level) => {
      if (broken) return false;
      if (level !== 'strict-serializable')
        return scheduleAll({ ...links, history: alone }, level === 'snapshot-isolation', undefined).stuck === 0;
      return scheduleAll(links, false, realTime(history, links.live)).stuck === 0;
    },
  };
}
