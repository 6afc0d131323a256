/**
 * Completes a witness of a list history, so that its transactions alone show it. It also adds the cases that `anomalist
 * verify` derives again. Beside the transactions of the cycle, the witness needs the readers whose lists show the order
 * of two appends. It also needs the readers that show that a transaction of unknown outcome committed.
 */
import type { Anomaly, CycleStep, History, ListRefutationCase, ListRefutationEdge } from '../../core/index.ts';
import type { ListHistory, ListOp } from '../formats/list-history.ts';
import type { ListCase } from './choose-orders.ts';
import { ListReads } from './list-reads.ts';
import type { ListRead } from './list-reads.ts';

/** `verify` reads no deeper case distinction. */
const DEEPEST = 60;

export interface ListWitness {
  readonly anomaly: Anomaly;
  /** The read whose list shows the order of a ww step. It is undefined if no list does, or if the step needs none. */
  readonly shownBy: (step: CycleStep) => ListRead | undefined;
  /** The key is a transaction of unknown outcome. The value is a read that shows an append of it. */
  readonly committed: ReadonlyMap<number, ListRead>;
}

export class ListWitnesses {
  private readonly list: ListHistory;
  private readonly history: History;
  private readonly keys: ReadonlyMap<string, string>;
  private known: ListReads | undefined;

  /** `rows` holds the row that each key became. */
  constructor(list: ListHistory, history: History, rows: ReadonlyMap<string, string>) {
    this.list = list;
    this.history = history;
    this.keys = new Map([...rows].map(([key, row]) => [row, key]));
  }

  /** `cases` belongs to an anomaly that no single cycle shows. */
  whole(anomaly: Anomaly, cases?: ListCase): ListWitness {
    const { list, history, keys } = this;
    const reads = (this.known ??= new ListReads(list));
    const real = anomaly.transactions.filter((id) => list.transactions[id - 1] !== undefined);
    const witness = new Witness(list, history, keys, reads, real);
    const found = witness.casesOf(anomaly, cases);
    witness.seeCommitted();
    const transactions = [...witness.transactions];
    return {
      anomaly: {
        ...anomaly,
        transactions,
        ...(found !== undefined && { refutation: { kind: 'lists', transactions: transactions.toSorted((a, b) => a - b), cases: found } }),
      },
      shownBy: (step) => witness.shown.get(step),
      committed: witness.committed,
    };
  }
}

/** Thrown if no cases show the anomaly. */
class NotDerivable extends Error {}

class Witness {
  readonly transactions: Set<number>;
  readonly shown = new Map<CycleStep, ListRead>();
  readonly committed = new Map<number, ListRead>();
  private readonly list: ListHistory;
  private readonly history: History;
  private readonly keys: ReadonlyMap<string, string>;
  private readonly reads: ListReads;

  constructor(list: ListHistory, history: History, keys: ReadonlyMap<string, string>, reads: ListReads, transactions: readonly number[]) {
    this.list = list;
    this.history = history;
    this.keys = keys;
    this.reads = reads;
    this.transactions = new Set(transactions);
  }

  casesOf(anomaly: Anomaly, cases: ListCase | undefined): ListRefutationCase | undefined {
    try {
      if (cases !== undefined) return this.case(cases, new Set(), 0);
      return anomaly.cycle.length > 0 ? this.cycle(anomaly.cycle, new Set(), 0) : this.badRead(anomaly);
    } catch (error) {
      if (error instanceof NotDerivable) return undefined;
      throw error;
    }
  }

  /** A transaction of unknown outcome took effect if another one read an append of it. */
  seeCommitted(): void {
    for (const id of this.transactions) {
      const txn = this.list.transactions[id - 1];
      if (txn?.outcome !== 'unknown') continue;
      const read = this.reads.showingAny(txn.ops, this.transactions);
      if (read === undefined) continue;
      this.committed.set(id, read);
      this.transactions.add(read.reader);
    }
  }

  private case(found: ListCase, assumed: ReadonlySet<string>, depth: number): ListRefutationCase {
    if (depth > DEEPEST) throw new NotDerivable();
    if (found.kind === 'cycle') return this.cycle(found.steps, assumed, depth);
    const { transactions, rows } = this.history;
    const key = this.keys.get(rows.rid[found.row]) ?? '';
    const [one, other] = [transactions.id[found.one.txn], transactions.id[found.other.txn]];
    const follows = (first: number, second: number, next: ListCase): ListRefutationCase =>
      this.case(next, new Set([...assumed, before(key, first, second)]), depth + 1);
    return orderCase(key, one, other, follows(one, other, found.oneFirst), follows(other, one, found.otherFirst));
  }

  /**
   * A step that no list shows and no assumption contains is a case. If it is reversed, the second transaction had not
   * seen the other's append.
   */
  private cycle(steps: readonly CycleStep[], assumed: ReadonlySet<string>, depth: number): ListRefutationCase {
    if (depth > DEEPEST) throw new NotDerivable();
    const edges: ListRefutationEdge[] = [];
    for (const step of steps) {
      const edge = this.edge(step, assumed);
      if (edge !== undefined) {
        edges.push(edge);
        continue;
      }
      const { from, to } = step;
      const key = this.keyOf(step);
      const unseen = this.withoutAppendOf(from, to, key);
      const turned: ListRefutationEdge[] = [
        { from, to, rel: 'rw', reader: from, read: unseen },
        { from: to, to: from, rel: 'ww', key },
      ];
      const first = this.cycle(steps, new Set([...assumed, before(key, from, to)]), depth + 1);
      return orderCase(key, from, to, first, { kind: 'cycle', edges: turned });
    }
    return { kind: 'cycle', edges };
  }

  /** The edge is undefined if no list shows it and no assumption contains it. */
  private edge(step: CycleStep, assumed: ReadonlySet<string>): ListRefutationEdge | undefined {
    const { from, to, rel } = step;
    for (const id of [from, to]) this.transactions.add(id);
    if (rel === 'so' || rel === 'rt') return { from, to, rel };
    if (rel === 'wr') return { from, to, rel, reader: to, read: this.read(step.toStatement) };
    if (rel === 'rw') return { from, to, rel, reader: from, read: this.read(step.fromStatement) };
    if (rel !== 'ww') throw new NotDerivable();
    const key = this.keyOf(step);
    const [one, other] = [this.operation(step.fromStatement), this.operation(step.toStatement)];
    if (assumed.has(before(key, from, to))) return { from, to, rel, key };
    if (one?.op.kind !== 'append' || other?.op.kind !== 'append') throw new NotDerivable();
    const shown = this.reads.ordering(key, one.op.element, other.op.element, this.transactions);
    if (shown === undefined) return undefined;
    const { reader, read } = shown;
    this.shown.set(step, shown);
    this.transactions.add(reader);
    return { from, to, rel, key, reader, read };
  }

  private badRead({ class: name, statements }: Anomaly): ListRefutationCase {
    const reads = statements.flatMap((statement) => {
      const found = this.operation(statement);
      return found?.op.kind === 'read' ? [{ reader: found.id, read: found.place }] : [];
    });
    const [one, other] = reads;
    if (one === undefined || !isBadRead(name) || (name === 'fork' && other === undefined)) throw new NotDerivable();
    if (name === 'thin-air') this.seeRepeated(one.reader, one.read);
    return { kind: 'read', class: name, ...one, ...(name === 'fork' && { beside: other }) };
  }

  /**
   * An element that stands twice in a row has no writer the second time. Without its append it would no longer stand
   * there.
   */
  private seeRepeated(reader: number, read: number): void {
    const op = this.list.transactions[reader - 1].ops[read];
    const elements = (op.kind === 'read' && op.elements) || [];
    const repeated = elements.find((element, i) => element === elements[i - 1]);
    const appender = repeated === undefined ? undefined : this.reads.appender(op.key, repeated);
    if (appender !== undefined) this.transactions.add(appender);
  }

  /** Returns the place of a read of the key that lacks some append of the other transaction to it. */
  private withoutAppendOf(id: number, other: number, key: string): number {
    const appended = (this.list.transactions[other - 1]?.ops ?? []).flatMap((op) =>
      op.kind === 'append' && op.key === key ? [op.element] : [],
    );
    for (const [of, { read, elements }] of this.reads.of(id))
      if (of === key && appended.some((element) => !elements.includes(element))) return read;
    throw new NotDerivable();
  }

  private keyOf({ row }: CycleStep): string {
    const key = row === undefined ? undefined : this.keys.get(row);
    if (key === undefined) throw new NotDerivable();
    return key;
  }

  private read(statement: number | undefined): number {
    const found = this.operation(statement);
    if (found?.op.kind !== 'read') throw new NotDerivable();
    return found.place;
  }

  private operation(statement: number | undefined): { readonly id: number; readonly place: number; readonly op: ListOp } | undefined {
    if (statement === undefined || statement < 0) return undefined;
    const { statements, transactions } = this.history;
    const id = transactions.id[statements.txn[statement]];
    const place = statements.index[statement] - 1;
    const op = this.list.transactions[id - 1]?.ops[place];
    return op && { id, place, op };
  }
}

function before(key: string, first: number, second: number): string {
  return `${first} ${second} ${key}`;
}

function orderCase(
  key: string,
  one: number,
  other: number,
  oneFirst: ListRefutationCase,
  otherFirst: ListRefutationCase,
): ListRefutationCase {
  return {
    kind: 'order',
    key,
    ways: [
      { first: one, second: other, follows: oneFirst },
      { first: other, second: one, follows: otherFirst },
    ],
  };
}

type BadRead = Extract<ListRefutationCase, { kind: 'read' }>['class'];

const BAD_READS: Readonly<Record<BadRead, true>> = {
  G1a: true,
  G1b: true,
  internal: true,
  fork: true,
  'duplicate-write': true,
  'thin-air': true,
};

function isBadRead(name: string): name is BadRead {
  return Object.hasOwn(BAD_READS, name);
}
