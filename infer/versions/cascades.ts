/**
 * Finds the rows that ON DELETE CASCADE removed. No list names the writer of such a death: RETURNING shows the deleted
 * row and none of those that it took along. The death is certain where
 *
 *   - every version of the row up to the last is known, no final read saw the row, and no delete of it is known,
 *   - a later statement than the one that made the last version removed it: a statement that changes a row and removes it
 *     by its own cascade (MERGE, a WITH that writes) has one entry for both, and tells nothing,
 *   - a row that its foreign key named was deleted by a known statement of a committed transaction,
 *   - and nothing else can have removed it: no other row that it may have referred to is gone, and no statement whose rows
 *     are not all known wrote its table or one from which a cascade leads to it.
 *
 * The row then died by that statement. Rows that its death took along are found in the same way, round by round.
 */
import { NONE, STATEMENT_STATUS, TXN_STATUS } from '../../core/index.ts';
import type { Cascade, History, Image, Reference } from '../../core/index.ts';
import { ENDING } from './chains.ts';
import type { RowChains } from './chains.ts';
import { imagesOf, keyOf } from './row-values.ts';
import type { VersionOrder } from './order.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

export function findCascades(history: History, order: VersionOrder, chains: RowChains, writers: Writers): readonly Cascade[] {
  const { rows, round } = history;
  const cascading = (round.references ?? []).filter(({ onDelete }) => onDelete === 'cascade');
  const open: number[] = [];
  for (let row = 0; row < rows.count; row++) if (chains.ending[row] === ENDING.unseen) open.push(row);
  if (cascading.length === 0 || open.length === 0) return [];
  const images = imagesOf(history, order);
  const initial = initialImages(history);
  // An initial row that no statement ever saw was never changed.
  const imageOf = (row: number, last: number): Image | undefined => (last === NONE ? initial.get(row) : images.get(last));
  const uncertain = uncertainTables(history);
  const deaths = deadRows(history, order, writers);
  const found = new Map<number, Cascade>();
  for (let grew = true; grew;) {
    grew = false;
    for (const row of open) {
      if (found.has(row)) continue;
      const cascade = causeOf(row);
      if (cascade === undefined) continue;
      found.set(row, cascade);
      deaths.push({ row, statement: cascade.statement, last: chains.last[row] });
      grew = true;
    }
  }
  return [...found.values()];

  function causeOf(row: number): Cascade | undefined {
    const table = rows.table[row];
    const last = chains.last[row];
    const image = imageOf(row, last);
    if (image === undefined || uncertain.has(table)) return undefined;
    const writer = last === NONE ? NONE : writers.statement(order.txn[last], order.seq[last]);
    let certain: { readonly statement: number; readonly parent: number } | undefined;
    for (const reference of cascading) {
      if (reference.table !== table) continue;
      if (uncertain.has(reference.parent) || mayChange(reference, round.references!)) return undefined;
      const key = keyOf(image, reference.columns);
      if (key === undefined) continue;
      for (const death of deaths) {
        if (rows.table[death.row] !== reference.parent || isBefore(history.statements, death.statement, writer)) continue;
        const named = refersTo(key, imageOf(death.row, death.last), reference);
        if (named === 'no') continue;
        if (
          named === 'perhaps' ||
          (certain !== undefined && history.statements.txn[certain.statement] !== history.statements.txn[death.statement])
        )
          return undefined;
        if (certain === undefined || death.statement < certain.statement) certain = { statement: death.statement, parent: death.row };
      }
      // An unknown statement ended a row that it may have referred to, and may have removed it too.
      for (const other of open) {
        if (other === row || found.has(other) || rows.table[other] !== reference.parent) continue;
        if (refersTo(key, imageOf(other, chains.last[other]), reference) !== 'no') return undefined;
      }
    }
    if (certain === undefined || certain.statement === writer) return undefined;
    return { row, ...certain, lastTxn: last === NONE ? 0 : order.txn[last], lastSeq: last === NONE ? 0 : order.seq[last] };
  }
}

/** Compares two statements of one transaction. */
function isBefore({ txn }: History['statements'], s: number, other: number): boolean {
  return other !== NONE && s < other && txn[s] === txn[other];
}

function initialImages({ images, rows }: History): ReadonlyMap<number, Image> {
  const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
  return new Map(images.flatMap(({ rids, images: each }) => rids.map((rid, i) => [numberOf.get(rid) ?? NONE, each[i] ?? []] as const)));
}

/** A row whose death is known, with the statement that caused it and its last version. */
interface Death {
  readonly row: number;
  readonly statement: number;
  readonly last: number;
}

function deadRows(history: History, order: VersionOrder, writers: Writers): Death[] {
  const deaths: Death[] = [];
  for (let v = 0; v < order.count; v++) {
    if (order.dead[v] === 1 && order.writeOutcome[v] === WRITE_OUTCOME.committed)
      deaths.push({ row: order.row[v], statement: writers.statement(order.txn[v], order.seq[v]), last: order.prev[v] });
  }
  return deaths;
}

function refersTo(
  key: { readonly exact: string; readonly loose: string },
  image: Image | undefined,
  { references }: Reference,
): 'yes' | 'no' | 'perhaps' {
  if (image === undefined) return 'perhaps';
  const other = keyOf(image, references);
  if (other === undefined || other.loose !== key.loose) return 'no';
  return other.exact === key.exact ? 'yes' : 'perhaps';
}

/** Tells whether an action can give the child's or the parent's columns another value, which no image shows. */
function mayChange({ table, columns, parent, references }: Reference, all: readonly Reference[]): boolean {
  return all.some(
    (other) =>
      (other.onUpdate !== 'no action' || other.onDelete === 'set null' || other.onDelete === 'set default') &&
      ((other.table === table && other.columns.some((column) => columns.includes(column))) ||
        (other.table === parent && other.columns.some((column) => references.includes(column)))),
  );
}

/**
 * Returns the tables written by a statement whose rows or outcome are not all known, and the tables that triggers may
 * remove rows of.
 */
export function uncertainTables({ statements, transactions, round }: History): ReadonlySet<string> {
  const uncertain = new Set<string>(round.followed);
  for (let s = 0; s < statements.count; s++) {
    const named = statements.tables[s];
    if (named === undefined || statements.seq[s] === NONE || transactions.status[statements.txn[s]] === TXN_STATUS.aborted) continue;
    const known = statements.status[s] === STATEMENT_STATUS.ok ? statements.incomplete[s] === 0 : statements.undone[s] === 1;
    if (!known || transactions.status[statements.txn[s]] === TXN_STATUS.unknown) for (const table of named) uncertain.add(table);
  }
  return uncertain;
}

/**
 * Returns the tables from which a DELETE can reach the table's rows. The result is undefined if the foreign keys are
 * not known.
 */
export function cascadingInto(table: string, references: readonly Reference[] | undefined): ReadonlySet<string> | undefined {
  if (references === undefined) return undefined;
  const reached = new Set<string>();
  const open = [table];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { table: child, parent, onDelete } of references) {
      if (child !== next || onDelete !== 'cascade' || reached.has(parent)) continue;
      reached.add(parent);
      open.push(parent);
    }
  }
  return reached;
}
