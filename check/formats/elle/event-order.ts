/**
 * Orders two events a transaction as a Jepsen log can have them. They are ordered by time, invocations first among
 * equals because they overlap. A process completes one operation before it invokes the next. A completion that was
 * never seen stands where the log needs it: before the process goes on, or at the end.
 */
export interface TimedTxn {
  readonly session: number;
  readonly beginAt: number;
  readonly endAt: number;
}

export interface TxnEvent<T extends TimedTxn> {
  readonly txn: T;
  readonly invoke: boolean;
}

export function eventsInOrder<T extends TimedTxn>(txns: readonly T[]): readonly TxnEvent<T>[] {
  const events = txns.flatMap((txn, i) => [
    { at: txn.beginAt, order: 2 * i, event: { txn, invoke: true } },
    { at: txn.endAt, order: 2 * i + 1, event: { txn, invoke: false } },
  ]);
  events.sort((a, b) => (a.at === b.at ? Number(b.event.invoke) - Number(a.event.invoke) || a.order - b.order : a.at - b.at));
  const out: TxnEvent<T>[] = [];
  const open = new Map<number, T>();
  const completed = new Set<T>();
  const complete = (txn: T): void => {
    if (completed.has(txn)) return;
    completed.add(txn);
    out.push({ txn, invoke: false });
  };
  for (const { event } of events) {
    if (!event.invoke) {
      complete(event.txn);
      continue;
    }
    const before = open.get(event.txn.session);
    if (before !== undefined) complete(before);
    open.set(event.txn.session, event.txn);
    out.push(event);
  }
  return out;
}
