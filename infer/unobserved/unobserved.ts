/**
 * Marks the transactions of which something was not observed (core/unobserved.ts). Every dependency edge which holds
 * and was not drawn has a marked transaction at one of its ends. All edges among the unmarked transactions are
 * therefore drawn (docs/PREDICATES.md).
 *
 *   a statement whose rows are not all shown, was undone, or never replied: its transaction, whose reads may be missing
 *   a row whose versions or their order are not all known: its known writers, since every edge
 *     that rests on a row has one of its writers at an end
 *   a row that is gone by an unknown writer: every transaction that may have removed it, and its writers
 *   a foreign key's action that names no writer: every transaction that may have caused it
 *
 * predicates.ts marks what a statement looked for and did not find, through this class.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, sentKindsThat, unobservedBit } from '../../core/index.ts';
import type { Unobserved, UnobservedName, History, Reference } from '../../core/index.ts';
import { cascadingInto, uncertainTables } from '../versions/cascades.ts';
import type { Readings } from '../versions/readings.ts';
import { ENDING } from '../versions/chains.ts';
import type { RowChains } from '../versions/chains.ts';
import { imagesOf, keyOf } from '../versions/row-values.ts';
import type { VersionOrder } from '../versions/order.ts';
import { WRITE_OUTCOME } from '../versions/writers.ts';
import type { Writers } from '../versions/writers.ts';

export class UnobservedMarks {
  readonly bits: Uint32Array;
  readonly counts: Uint8Array;
  private readonly pairs = new Map<number, Map<number, UnobservedName>>();

  constructor(history: History, writers: Writers) {
    const { transactions, statements, round } = history;
    this.bits = new Uint32Array(transactions.count);
    this.counts = new Uint8Array(transactions.count);
    for (let t = 1; t < transactions.count; t++)
      if (transactions.session[t] < round.sessions && transactions.present[t] === 1 && writers.committed(t)) this.counts[t] = 1;
    // A transaction of unknown outcome that wrote may have committed, even if no other transaction read its writes.
    for (let s = 0; s < statements.count; s++) {
      const t = statements.txn[s];
      if (transactions.status[t] !== TXN_STATUS.unknown || writers.committed(t) || statements.seq[s] === NONE) continue;
      this.counts[t] = 1;
      this.mark(t, 'outcome');
    }
  }

  mark(txn: number, reason: UnobservedName): void {
    this.bits[txn] |= unobservedBit(reason);
  }

  /**
   * Records that a dependency between the two may be missing. One of them is marked in the end, unless one is marked
   * for another reason.
   */
  pair(reader: number, writer: number, reason: UnobservedName): void {
    if (this.counts[reader] === 0 || this.counts[writer] === 0) return;
    for (const [a, b, why] of [
      [reader, writer, reason],
      [writer, reader, 'changed unseen'],
    ] as const) {
      let of = this.pairs.get(a);
      if (of === undefined) this.pairs.set(a, (of = new Map()));
      if (!of.has(b)) of.set(b, why);
    }
  }

  markAll(reason: UnobservedName): void {
    for (let t = 1; t < this.bits.length; t++) if (this.counts[t] === 1) this.mark(t, reason);
  }

  /**
   * Marks one transaction of each pair that has no mark yet. Transactions that occur in most pairs are marked first.
   */
  finish(): Unobserved {
    const degree = new Int32Array(this.bits.length);
    const open = (t: number): number => [...(this.pairs.get(t)?.keys() ?? [])].filter((other) => this.bits[other] === 0).length;
    for (const t of this.pairs.keys()) if (this.bits[t] === 0) degree[t] = open(t);
    for (;;) {
      let most = 0;
      for (let t = 1; t < degree.length; t++) if (degree[t] > degree[most]) most = t;
      if (degree[most] === 0) break;
      const of = this.pairs.get(most)!;
      for (const [other, why] of of) {
        if (this.bits[other] !== 0) continue;
        degree[other]--;
        this.mark(most, why);
      }
      degree[most] = 0;
    }
    return { bits: this.bits, counts: this.counts };
  }
}

const READING = sentKindsThat('row reads');

/** Marks what was not seen of statements and of rows. */
export function markSeen(
  history: History,
  readings: Readings,
  order: VersionOrder,
  chains: RowChains,
  writers: Writers,
  marks: UnobservedMarks,
): void {
  if (!history.complete) marks.markAll('cut');
  markStatements(history, marks);
  markRows(history, readings, order, chains, writers, marks);
  markActions(history, readings, order, marks);
}

function markStatements({ statements, round }: History, marks: UnobservedMarks): void {
  for (let s = 0; s < statements.count; s++) {
    if (!READING.has(statements.kind[s])) continue;
    if (statements.status[s] === STATEMENT_STATUS.failed || statements.undone[s] === 1) marks.mark(statements.txn[s], 'taken back');
    else if (statements.status[s] !== STATEMENT_STATUS.ok || statements.incomplete[s] === 1 || statements.reads[s] !== 'exact')
      marks.mark(statements.txn[s], 'rows');
    else if (round.instrument !== 'exact' && statements.seq[s] !== NONE) marks.mark(statements.txn[s], 'rows'); // the paper's writes name nothing
  }
}

function markRows(
  history: History,
  readings: Readings,
  order: VersionOrder,
  chains: RowChains,
  writers: Writers,
  marks: UnobservedMarks,
): void {
  const { rows } = history;
  for (let v = 0; v < order.count; v++) {
    if (chains.ending[order.row[v]] !== ENDING.proven && order.writeOutcome[v] === WRITE_OUTCOME.committed && order.txn[v] !== 0)
      marks.mark(order.txn[v], 'order');
  }
  const gone = new Set<string>();
  for (let row = 0; row < rows.count; row++) if (chains.ending[row] === ENDING.unseen) gone.add(rows.table[row]);
  if (gone.size === 0) return;
  const uncertain = uncertainTables(history);
  const removers = deletersByTable(history, readings);
  for (const table of gone) {
    const above = cascadingInto(table, history.round.references) ?? new Set(removers.keys());
    const may = [...above].flatMap((each) => [...(removers.get(each) ?? [])]);
    for (const txn of may) marks.mark(txn, 'end');
    // If no known transaction can have removed the row, nobody knows what else is missing.
    if (may.length === 0 && ![table, ...above].some((each) => uncertain.has(each))) marks.markAll('end');
  }

  function deletersByTable(
    { observations, statements }: History,
    { count, observation, role }: Readings,
  ): ReadonlyMap<string, ReadonlySet<number>> {
    const found = new Map<string, Set<number>>();
    for (let i = 0; i < count; i++) {
      if (role[i] !== ROLE.delete) continue;
      const table = rows.table[observations.row[observation[i]]];
      const txn = statements.txn[observations.statement[observation[i]]];
      const list = found.get(table);
      if (list === undefined) found.set(table, new Set([txn]));
      else list.add(txn);
    }
    return found;
  }
}

/** Marks deleters and changers of keys that an action may have followed, if something can have referred to the row. */
function markActions(history: History, readings: Readings, order: VersionOrder, marks: UnobservedMarks): void {
  const { observations, statements, rows, round } = history;
  const references = round.references ?? [];
  const untracked = references.filter((each) => clears(each) || each.onUpdate !== 'no action');
  if (untracked.length === 0) return;
  const images = imagesOf(history, order);
  const acted: { readonly txn: number; readonly reference: Reference; readonly key: string | undefined }[] = [];
  for (let i = 0; i < readings.count; i++) {
    const o = readings.observation[i];
    const end = readings.end[i] - 1;
    const deletes = readings.role[i] === ROLE.delete;
    if (readings.role[i] === ROLE.read || (!deletes && end - 1 < observations.start[o])) continue; // an insert changes no parent key
    const table = rows.table[observations.row[o]];
    const txn = statements.txn[observations.statement[o]];
    const [before, after] = [images.get(order.versionOf[deletes ? end : end - 1]), images.get(order.versionOf[end])];
    for (const reference of untracked) {
      if (reference.parent !== table || !(deletes ? clears(reference) : reference.onUpdate !== 'no action')) continue;
      const key = before && keyOf(before, reference.references);
      if (before !== undefined && key === undefined) continue; // nothing refers to NULL
      if (!deletes && key !== undefined && after !== undefined && keyOf(after, reference.references)?.exact === key.exact) continue;
      acted.push({ txn, reference, key: key?.loose });
    }
    // Rows that a cascade removed with the deleted row were referred to as well.
    if (deletes && references.some((each) => clears(each) && each.parent !== table && cascadingInto(each.parent, references)!.has(table)))
      marks.mark(txn, 'action');
  }
  // If an action gives a row another key, the images no longer show what refers to it.
  const moved = acted.some(
    ({ reference: { onDelete, onUpdate } }) => onDelete === 'set default' || onUpdate === 'cascade' || onUpdate === 'set default',
  );
  const held = new Map(untracked.map((reference) => [reference, heldKeys(history, order, images, reference)]));
  for (const { txn, reference, key } of acted) {
    const keys = held.get(reference);
    if (moved || key === undefined || keys === undefined || keys.has(key)) marks.mark(txn, 'action');
  }
}

function clears({ onDelete }: Reference): boolean {
  return onDelete === 'set null' || onDelete === 'set default';
}

/**
 * Returns the keys that rows of the table referred with, by their known versions. The result is undefined if one is not
 * known.
 */
function heldKeys(
  { rows }: History,
  order: VersionOrder,
  images: ReturnType<typeof imagesOf>,
  { table, columns }: Reference,
): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (let v = 0; v < order.count; v++) {
    if (rows.table[order.row[v]] !== table || order.dead[v] === 1 || order.writeOutcome[v] === WRITE_OUTCOME.aborted) continue;
    const image = images.get(v);
    if (image === undefined) return undefined;
    const key = keyOf(image, columns);
    if (key !== undefined) keys.add(key.loose);
  }
  return keys;
}
