/**
 * The lists that committed transactions read. They show that an append took effect, or that one came before another.
 */
import type { ListHistory, ListOp } from '../formats/list-history.ts';

/** This many transactions are searched first for a list. If there are more, the first list of the file is as good. */
const ASKED_FIRST = 64;

/** The operation at place `read` of transaction `reader` (its id), and the list that it returned. */
export interface ListRead {
  readonly reader: number;
  readonly read: number;
  readonly elements: readonly string[];
}

export class ListReads {
  private readonly history: ListHistory;
  private readonly byKey = new Map<string, ListRead[]>();
  /** The keys are a list and an element. The value is the first read that shows the element. */
  private readonly first = new Map<string, Map<string, ListRead>>();
  private appenders: Map<string, number> | undefined;

  constructor(history: ListHistory) {
    this.history = history;
    for (const t of history.transactions.keys()) {
      for (const [key, read] of this.of(t + 1)) {
        const all = this.byKey.get(key) ?? [];
        this.byKey.set(key, all);
        all.push(read);
        const first = this.first.get(key) ?? new Map<string, ListRead>();
        this.first.set(key, first);
        for (const element of read.elements) if (!first.has(element)) first.set(element, read);
      }
    }
  }

  /** Yields the reads of a committed transaction, by its id. */
  *of(id: number): Generator<readonly [key: string, read: ListRead]> {
    const txn = this.history.transactions[id - 1];
    if (txn?.outcome !== 'committed') return;
    for (const [i, op] of txn.ops.entries())
      if (op.kind === 'read' && op.elements !== undefined) yield [op.key, { reader: id, read: i, elements: op.elements }];
  }

  /** Returns the id of the transaction that appended an element. */
  appender(key: string, element: string): number | undefined {
    if (this.appenders === undefined) {
      this.appenders = new Map();
      for (const [i, { ops }] of this.history.transactions.entries())
        for (const op of ops) if (op.kind === 'append') this.appenders.set(`${op.key}\n${op.element}`, i + 1);
    }
    return this.appenders.get(`${key}\n${element}`);
  }

  /**
   * Returns a list that shows one append before another, or without the other. The transactions of `among` are searched
   * first.
   */
  ordering(key: string, one: string, other: string, among: ReadonlySet<number>): ListRead | undefined {
    const shows = ({ elements }: ListRead): boolean => {
      const [i, j] = [elements.indexOf(one), elements.indexOf(other)];
      return i >= 0 && (j < 0 || i < j);
    };
    const near = this.find(among, (of, read) => of === key && shows(read));
    if (near !== undefined) return near;
    const first = this.first.get(key)?.get(one);
    return first === undefined || shows(first) ? first : this.byKey.get(key)?.find(shows);
  }

  /** Returns a list that shows an append of these operations. The transactions of `among` are searched first. */
  showingAny(ops: readonly ListOp[], among: ReadonlySet<number>): ListRead | undefined {
    const appends = ops.flatMap((op) => (op.kind === 'append' ? [op] : []));
    const near = this.find(among, (of, { elements }) => appends.some(({ key, element }) => key === of && elements.includes(element)));
    if (near !== undefined) return near;
    for (const { key, element } of appends) {
      const read = this.first.get(key)?.get(element);
      if (read !== undefined) return read;
    }
    return undefined;
  }

  private find(among: ReadonlySet<number>, wanted: (key: string, read: ListRead) => boolean): ListRead | undefined {
    if (among.size > ASKED_FIRST) return undefined;
    for (const id of among) for (const [key, read] of this.of(id)) if (wanted(key, read)) return read;
    return undefined;
  }
}
