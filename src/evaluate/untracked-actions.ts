/**
 * Finds the row versions whose columns may have changed without an entry in their list. Only a foreign key's action makes
 * such a change (ON UPDATE CASCADE, SET NULL, SET DEFAULT; ON DELETE SET NULL, SET DEFAULT). The first change of a
 * version needs a parent row with the version's own key that is deleted or gets another key. So a version is as its own
 * write left it if the parent rows with its keys were never touched.
 *
 * ON DELETE follows the removal of a parent row, ON UPDATE a new key. A row may be gone in three cases: a delete of it
 * was seen, whatever became of the transaction; the final read did not see it; ON DELETE CASCADE may have reached it. A
 * row may have another key in three cases: two versions of it differ in the key; not every version of it is known; an
 * action may have changed the referenced columns. An action that left those columns alone has done nothing to the rows
 * that refer to it.
 *
 * No action changes a version that does not exist yet. So a version is also as written if all transactions that touched
 * the parent rows with its key had their last reply before its own write was sent. If some transaction that touched a row
 * is unknown, the action may happen at any time.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS } from '../../core/index.ts';
import type { ForeignKey, History, Image, Schema, Table, Value } from '../../core/index.ts';
import { ParentKeyChanges, changesColumns, columnsOfImage, keyOf } from './parent-key-changes.ts';
import type { ParentKeyChange, ChangedUntil } from './parent-key-changes.ts';

/** Tells whether an action may have changed a version of the table with these user columns. */
export type MayHaveChanged = (table: string, values: readonly Value[]) => boolean;

/** The changes of parent rows that an action may have followed (untracked-states.ts). */
export interface Touched {
  /** Returns the possible changes of the rows that the key's columns name. `since`: only changes after this time; absent: at any time. */
  readonly parentKeyChange: (table: Table, key: ForeignKey, values: Image | readonly Value[], since?: number) => ParentKeyChange;
  /** Returns when the statement was sent that wrote this version, given by its transaction's id and its number there. */
  readonly writtenAt: (txn: number, seq: number) => number;
  /** Returns every key, as text, that the parent rows with this key ever had; undefined if not all are known. */
  readonly keysOf: (table: Table, key: ForeignKey, values: readonly Value[]) => readonly Image[] | undefined;
  /** Tells whether a parent row may have got this key in place of another one. */
  readonly renamedTo: (table: Table, key: ForeignKey, values: readonly Value[]) => boolean;
}

interface KnownRow {
  readonly row: number;
  readonly images: Image[];
  readonly known: Set<string>;
  deleted: boolean;
  /** Time when all transactions that are known to have written or deleted it were over. */
  over: number;
  finals: number;
  /** The latest times at which it may have been deleted or given another key, as far as is known yet. */
  until: ChangedUntil;
}

export function mayHaveChanged(schema: Schema, { parentKeyChange }: Touched): MayHaveChanged {
  const byName = new Map(schema.tables.map((table) => [table.name, table]));
  return (name, values) => {
    const table = byName.get(name)!;
    return table.foreignKeys.some((key) => isUntracked(key) && changesColumns(key, parentKeyChange(table, key, values)));
  };
}

export function touchedRows(schema: Schema, history: History): Touched {
  const rows = knownRows(history);
  const tables = schema.tables.map((table) => ({
    table,
    rows: rows.filter(({ row }) => history.rows.table[row] === table.name),
    targets: schema.tables
      .flatMap(({ foreignKeys }) => foreignKeys)
      .filter((key) => key.table === table.name)
      .map((key) => key.references),
  }));
  const parentKeyChanges = new ParentKeyChanges(tablesNotFullySeen(history));
  findParentKeyChanges(parentKeyChanges, tables, rowsWithUnobservedWrites(history, rows, keepsKeys(schema)), finalReaders(history));
  /** Returns the images of the rows that ever had the referenced key; undefined if not all are known. */
  const imagesOfKey = (table: Table, key: ForeignKey, values: readonly Value[]): readonly (readonly Image[])[] | undefined => {
    const tuple = keyOf(table, key.columns, values);
    const other = tables.find((each) => each.table.name === key.table);
    if (other === undefined || tuple === undefined || parentKeyChanges.mayBeAny(key.table)) return undefined;
    return other.rows
      .filter(({ images }) => images.some((image) => keyOf(other.table, key.references, image) === tuple))
      .map(({ images }) => images.map((image) => columnsOfImage(other.table, key.references, image)));
  };
  return {
    parentKeyChange: (table, key, values, since) => parentKeyChanges.of(table, key, values, since),
    writtenAt: sendingTimes(history),
    keysOf: (table, key, values) => imagesOfKey(table, key, values)?.flat(),
    renamedTo: (table, key, values) =>
      imagesOfKey(table, key, values)?.some((keys) => new Set(keys.map((each) => JSON.stringify(each))).size > 1) !== false,
  };
}

interface KnownTable {
  readonly table: Table;
  readonly rows: readonly KnownRow[];
  /** The columns that foreign keys refer to. */
  readonly targets: readonly (readonly string[])[];
}

/** Repeats until nothing new follows: a row that an action reaches is deleted, or gets another key, in its turn. */
function findParentKeyChanges(
  parentKeyChanges: ParentKeyChanges,
  tables: readonly KnownTable[],
  missing: ReadonlySet<number>,
  finals: number,
): void {
  for (let again = true; again;) {
    again = false;
    for (const { table, rows, targets } of tables) {
      const referred = new Set(targets.flat());
      for (const each of rows) {
        const met = table.foreignKeys.flatMap((key) =>
          each.images.map((image) => ({ key, change: parentKeyChanges.of(table, key, image) })),
        );
        const taken = met.some(({ key, change }) => change.deleted && key.onDelete === 'cascade');
        // If a key is unknown, or an action may have changed it to an unknown one, the row may have had any key.
        const any =
          missing.has(each.row) ||
          met.some(({ key, change }) => changesColumns(key, change) && key.columns.some((column) => referred.has(column)));
        const lost = !each.deleted && each.finals !== finals;
        const keys = targets.map((columns) => new Set(each.images.map((image) => JSON.stringify(columnsOfImage(table, columns, image)))));
        const varies = keys.some(({ size }) => size > 1);
        const until: ChangedUntil = {
          deleted: lost || taken ? Number.POSITIVE_INFINITY : each.deleted ? each.over : Number.NaN,
          renamed: any ? Number.POSITIVE_INFINITY : varies ? each.over : Number.NaN,
        };
        if (any && parentKeyChanges.addAny(table.name)) again = true;
        if (Object.is(each.until.deleted, until.deleted) && Object.is(each.until.renamed, until.renamed)) continue;
        each.until = until;
        again = true;
        for (const columns of targets) parentKeyChanges.add(table, columns, each.images, until);
      }
    }
  }
}

/** Tells whether the key's action changes columns of the row that refers. */
export function isUntracked(key: ForeignKey): boolean {
  return changesColumns(key, { deleted: true, renamed: true });
}

function knownRows(history: History): readonly KnownRow[] {
  const { rows, observations, statements, entries, images } = history;
  const known = rows.rid.map((_, row): KnownRow => ({
    row,
    images: [],
    known: new Set(),
    deleted: false,
    over: Number.NEGATIVE_INFINITY,
    finals: 0,
    until: { deleted: Number.NaN, renamed: Number.NaN },
  }));
  const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
  for (const event of images) {
    for (const [i, rid] of event.rids.entries()) {
      const one = known[numberOf.get(rid) ?? NONE];
      one?.images.push(event.images[i] ?? []);
      one?.known.add('0.0');
    }
  }
  const over = lastReplies(history);
  let last = NONE;
  let place = 0;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    place = s === last ? place + 1 : 0;
    last = s;
    const one = known[observations.row[o]!]!;
    const entry = observations.start[o]! + observations.length[o]! - 1;
    const image = observations.image[o];
    if (observations.role[o] === ROLE.delete) one.deleted = true;
    if (observations.role[o] !== ROLE.read) one.over = Math.max(one.over, over[statements.txn[s]!]!);
    if (observations.role[o] === ROLE.write && image !== undefined) {
      one.images.push(image);
      one.known.add(`${entries.txn[entry]}.${entries.seq[entry]}`);
    }
    if (statements.kind[s] !== 'final' || statements.incomplete[s] === 1) continue;
    one.finals++;
    const shown = statements.result[s]?.[place];
    if (shown !== undefined) one.images.push(shown);
  }
  return known;
}

/** Returns the time of each transaction's last reply; infinity if a reply is missing or the outcome is unknown. */
function lastReplies({ statements, transactions }: History): Float64Array {
  const over = Float64Array.from(transactions.status, (status) =>
    status === TXN_STATUS.unknown ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
  );
  for (let s = 0; s < statements.count; s++) {
    const t = statements.txn[s]!;
    over[t] = Number.isNaN(statements.replyAt[s]) ? Number.POSITIVE_INFINITY : Math.max(over[t]!, statements.replyAt[s]!);
  }
  return over;
}

function sendingTimes({ statements, transactions }: History): Touched['writtenAt'] {
  const times = new Map<string, number>();
  for (let s = 0; s < statements.count; s++)
    if (statements.seq[s] !== NONE) times.set(`${transactions.id[statements.txn[s]!]}.${statements.seq[s]}`, statements.invokeAt[s]!);
  return (txn, seq) => times.get(`${txn}.${seq}`) ?? Number.NEGATIVE_INFINITY;
}

/** Returns the tables whose referenced keys no action can change. The final read shows these keys as they were written. */
function keepsKeys({ tables }: Schema): ReadonlySet<string> {
  const isChanged = ({ name, foreignKeys }: Table): boolean =>
    tables.some((other) =>
      other.foreignKeys.some(
        ({ table, references }) =>
          table === name && foreignKeys.some((key) => isUntracked(key) && key.columns.some((column) => references.includes(column))),
      ),
    );
  return new Set(tables.filter((table) => !isChanged(table)).map(({ name }) => name));
}

/**
 * Returns the rows with a version that a list names and no reply describes. For these tables, the final read describes
 * the last version.
 */
function rowsWithUnobservedWrites(
  { observations, entries, statements, rows: { table } }: History,
  rows: readonly KnownRow[],
  keeping: ReadonlySet<string>,
): ReadonlySet<number> {
  const last = (o: number): string => {
    const e = observations.start[o]! + observations.length[o]! - 1;
    return `${entries.txn[e]}.${entries.seq[e]}`;
  };
  for (let o = 0; o < observations.count; o++) {
    const [s, row] = [observations.statement[o]!, observations.row[o]!];
    if (statements.kind[s] === 'final' && statements.incomplete[s] === 0 && statements.result[s] !== undefined && keeping.has(table[row]!))
      rows[row]!.known.add(last(o));
  }
  const gaps = new Set<number>();
  for (let o = 0; o < observations.count; o++) {
    const row = observations.row[o]!;
    for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) {
      if (!rows[row]!.known.has(`${entries.txn[e]}.${entries.seq[e]}`)) gaps.add(row);
    }
  }
  return gaps;
}

function finalReaders({ statements }: History): number {
  const readers = new Set<number>();
  for (let s = 0; s < statements.count; s++)
    if (statements.kind[s] === 'final' && statements.status[s] === STATEMENT_STATUS.ok) readers.add(statements.txn[s]!);
  return readers.size;
}

/** Returns the tables with a write whose effect is not fully known. */
export function tablesNotFullySeen({ statements, transactions }: History): Set<string> {
  const tables = new Set<string>();
  for (let s = 0; s < statements.count; s++) {
    const named = statements.tables[s];
    if (named === undefined || statements.seq[s] === NONE) continue;
    const failed = statements.status[s] === STATEMENT_STATUS.failed && transactions.status[statements.txn[s]!] !== TXN_STATUS.unknown;
    if (statements.incomplete[s] === 1 || (statements.status[s] !== STATEMENT_STATUS.ok && !failed))
      for (const table of named) tables.add(table);
  }
  return tables;
}
