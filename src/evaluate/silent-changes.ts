/**
 * Which row versions may have had columns changed without an entry in their list. Only a foreign key's action does that
 * (ON UPDATE CASCADE, SET NULL, SET DEFAULT; ON DELETE SET NULL, SET DEFAULT), and the first such change of a version needs
 * a row of the other table that has the very key that the version holds, and is deleted or given another one. So a
 * version whose keys belonged to rows that were never touched is as its own write left it.
 *
 * A row counts as touched if a delete of it was seen, by whatever became of the transaction; if the final read did not
 * see it; if its key differs between two versions; if not every version of it is known; if an action may have reached it
 * itself. Keys are compared loosely (case, accents, trailing blanks): what one collation takes for equal is equal here.
 *
 * No action changes what is not there yet: a version is as written, too, if all transactions that touched the rows with its
 * key had got their last reply when its own write was sent. Where it is not known who touched a row, that may be at any time.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, loosely, userColumnsOf } from '../../core/index.ts';
import type { ForeignKey, History, Image, Schema, Table, Value } from '../../core/index.ts';

/** May a version of the table that holds these user columns have been changed silently? */
export type MayHaveChanged = (table: string, values: readonly Value[]) => boolean;

/** What an action may have met: silent-states.ts. */
export interface Touched {
  /** May a row that the key's columns name have been deleted, or given another key? `since`: after this time; always, if it is not given. */
  readonly hit: (table: Table, key: ForeignKey, values: Image | readonly Value[], since?: number) => boolean;
  /** When the statement was sent that wrote this version, by its transaction's id and its number there. */
  readonly writtenAt: (txn: number, seq: number) => number;
  /** Of the other table's rows that ever had this key, every key that they ever had, as text; undefined where not all are known. */
  readonly keysOf: (table: Table, key: ForeignKey, values: readonly Value[]) => readonly Image[] | undefined;
  /** May a row of the other table have got this key from another one? */
  readonly renamedTo: (table: Table, key: ForeignKey, values: readonly Value[]) => boolean;
}

interface KnownRow {
  readonly row: number;
  readonly images: Image[];
  readonly known: Set<string>;
  deleted: boolean;
  /** When all who are known to have written or deleted it were over. */
  over: number;
  finals: number;
  /** Until when it may have been touched, once it is known that it was. */
  touched: number | undefined;
}

export function mayHaveChanged(schema: Schema, { hit }: Touched): MayHaveChanged {
  const byName = new Map(schema.tables.map((table) => [table.name, table]));
  return (name, values) => {
    const table = byName.get(name)!;
    return table.foreignKeys.some((key) => isSilent(key) && hit(table, key, values));
  };
}

export function touchedRows(schema: Schema, history: History): Touched {
  const rows = knownRows(history);
  const finals = finalReaders(history);
  const tables = schema.tables.map((table) => ({
    table,
    rows: rows.filter(({ row }) => history.rows.table[row] === table.name),
    targets: schema.tables
      .flatMap(({ foreignKeys }) => foreignKeys)
      .filter((key) => key.table === table.name)
      .map((key) => key.references),
  }));
  const gone = new Map<string, number>(); // table, columns, key -> until when the rows that have it may have been touched
  const anything = tablesNotFullySeen(history);
  const missing = rowsWithGaps(history, rows, keepsKeys(schema));
  const hit: Touched['hit'] = (table, key, values, since = Number.NEGATIVE_INFINITY) => {
    const tuple = keyOf(table, key.columns, values);
    const name = `${key.table} ${key.references.join()} `;
    // A NULL may be what the action left: of an inserted row that returned nothing only the last state is known.
    if (tuple === undefined && (key.onDelete === 'set null' || key.onUpdate === 'set null'))
      return anything.has(key.table) || [...gone].some(([each, until]) => each.startsWith(name) && until >= since);
    return tuple !== undefined && (anything.has(key.table) || (gone.get(`${name}${tuple}`) ?? Number.NaN) >= since);
  };

  for (let again = true; again;) {
    again = false;
    for (const { table, rows: own, targets } of tables) {
      const acting = table.foreignKeys.filter((key) => key.onDelete !== 'no action' || key.onUpdate !== 'no action');
      for (const each of own) {
        const varies = targets.some((columns) => new Set(each.images.map((image) => keyOf(table, columns, image))).size > 1);
        const reached = acting.filter((key) => each.images.some((image) => hit(table, key, image)));
        const lost = !each.deleted && each.finals !== finals;
        if (!each.deleted && !lost && !missing.has(each.row) && !varies && reached.length === 0) continue;
        const until = lost || missing.has(each.row) || reached.length > 0 ? Number.POSITIVE_INFINITY : each.over;
        // A key that is not known, or that an action may have changed to one that is not, may be any.
        const any =
          missing.has(each.row) || reached.some((key) => targets.some((columns) => key.columns.some((column) => columns.includes(column))));
        if (each.touched === until && (!any || anything.has(table.name))) continue;
        each.touched = until;
        again = true;
        if (any) anything.add(table.name);
        for (const key of targets.flatMap((columns) => each.images.map((image) => `${columns.join()} ${keyOf(table, columns, image)}`)))
          gone.set(`${table.name} ${key}`, Math.max(until, gone.get(`${table.name} ${key}`) ?? until));
      }
    }
  }
  /** The images of the rows that ever had the key that is referred to; undefined where not all are known. */
  const imagesOfKey = (table: Table, key: ForeignKey, values: readonly Value[]): readonly (readonly Image[])[] | undefined => {
    const tuple = keyOf(table, key.columns, values);
    const other = tables.find((each) => each.table.name === key.table);
    if (other === undefined || tuple === undefined || anything.has(key.table)) return undefined;
    return other.rows
      .filter(({ images }) => images.some((image) => keyOf(other.table, key.references, image) === tuple))
      .map(({ images }) => images.map((image) => columnsOfImage(other.table, key.references, image)));
  };
  return {
    hit,
    writtenAt: sendingTimes(history),
    keysOf: (table, key, values) => imagesOfKey(table, key, values)?.flat(),
    renamedTo: (table, key, values) =>
      imagesOfKey(table, key, values)?.some((keys) => new Set(keys.map((each) => JSON.stringify(each))).size > 1) !== false,
  };
}

/** Does its action change columns of the row that refers? */
export function isSilent({ onDelete, onUpdate }: ForeignKey): boolean {
  return onUpdate !== 'no action' || onDelete === 'set null' || onDelete === 'set default';
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
    touched: undefined,
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

/** Per transaction its last reply; infinity where one is missing, or it is not known how it ended. */
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

/** Tables whose keys, as far as somebody refers to them, no action can change: what the final read shows of them is as it was written. */
function keepsKeys({ tables }: Schema): ReadonlySet<string> {
  const isChanged = ({ name, foreignKeys }: Table): boolean =>
    tables.some((other) =>
      other.foreignKeys.some(
        ({ table, references }) =>
          table === name && foreignKeys.some((key) => isSilent(key) && key.columns.some((column) => references.includes(column))),
      ),
    );
  return new Set(tables.filter((table) => !isChanged(table)).map(({ name }) => name));
}

/** Rows of which a list names a version that nobody's reply described; the final read describes the last one of those tables. */
function rowsWithGaps(
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

/** Tables with a write whose effect is not known in full. */
function tablesNotFullySeen({ statements, transactions }: History): Set<string> {
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

function columnsOfImage<T extends Value>(table: Table, columns: readonly string[], values: readonly (T | null)[]): readonly (T | null)[] {
  const users = userColumnsOf(table);
  return columns.map((column) => values[users.findIndex(({ name }) => name === column)] ?? null);
}

/** Undefined where a column is NULL: then it refers to nothing. */
function keyOf(table: Table, columns: readonly string[], values: Image | readonly Value[]): string | undefined {
  const parts = columnsOfImage<boolean | number | string>(table, columns, values);
  return parts.includes(null) ? undefined : JSON.stringify(parts.map((part) => loosely(part!)));
}
