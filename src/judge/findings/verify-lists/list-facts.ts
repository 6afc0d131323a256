/**
 * The facts of a list history, as far as some of its transactions show them: who appended an element, which list a read
 * returned, who committed. They do not depend on the program that found the anomaly.
 */
import type { ListHistory, ListTxn } from '../../../../check/index.ts';

export interface ReadList {
  readonly key: string;
  readonly elements: readonly string[];
}

export class ListFacts {
  private readonly history: ListHistory;
  private readonly among: ReadonlySet<number>;
  private readonly appenders = new Map<string, number>();

  constructor(history: ListHistory, among: Iterable<number>) {
    this.history = history;
    this.among = new Set(among);
    for (const [i, { ops }] of history.transactions.entries())
      for (const op of ops) if (op.kind === 'append') this.appenders.set(slot(op.key, op.element), i + 1);
  }

  txn(id: number): ListTxn | undefined {
    return this.history.transactions[id - 1];
  }

  name(id: number): string {
    return `transaction ${(this.txn(id) === undefined ? undefined : this.history.txnName?.(id - 1)) ?? id}`;
  }

  /** Returns undefined if no transaction appended the element. */
  appender(key: string, element: string): number | undefined {
    return this.appenders.get(slot(key, element));
  }

  aborted(key: string, element: string): boolean {
    return this.txn(this.appender(key, element) ?? 0)?.outcome === 'aborted';
  }

  has(id: number): boolean {
    return this.among.has(id);
  }

  /** Returns the elements in the order of the transaction's statements. */
  appends(id: number, key: string): readonly string[] {
    return (this.txn(id)?.ops ?? []).flatMap((op) => (op.kind === 'append' && op.key === key ? [op.element] : []));
  }

  /** Returns the list that a committed transaction read at a position, or the reason why there is none. */
  readAt(id: number, place: number): ReadList | string {
    if (!this.among.has(id)) return `${this.name(id)} is none of the refutation's`;
    const txn = this.txn(id);
    if (txn?.outcome !== 'committed') return `${this.name(id)} did not commit, so its reads show nothing`;
    const op = txn.ops[place];
    if (op === undefined) return `${this.name(id)} has no operation ${place}`;
    if (op.kind !== 'read') return `operation ${place} of ${this.name(id)} is an append, no read`;
    return op.elements === undefined
      ? `the result of operation ${place} of ${this.name(id)} is not known`
      : { key: op.key, elements: op.elements };
  }

  /** Returns why a transaction takes no part in an order: it is not among these, or they do not show that it committed. */
  takesNoPart(id: number): string | undefined {
    if (!this.among.has(id) || this.txn(id) === undefined) return `${id} is none of the refutation's transactions`;
    return this.committed(id) ? undefined : `${this.name(id)} did not commit, as far as these transactions show`;
  }

  /** A transaction committed if its outcome says so, or if a committed one read an append of it. */
  private committed(id: number): boolean {
    const outcome = this.txn(id)?.outcome;
    if (outcome !== 'unknown') return outcome === 'committed';
    const shows = (reader: ListTxn): boolean =>
      reader.ops.some((op) => op.kind === 'read' && op.elements?.some((element) => this.appender(op.key, element) === id));
    return [...this.among].some((reader) => {
      const txn = this.txn(reader);
      return txn?.outcome === 'committed' && shows(txn);
    });
  }
}

function slot(key: string, element: string): string {
  return `${key}\n${element}`;
}
