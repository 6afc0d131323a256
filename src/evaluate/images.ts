/**
 * The user columns of each row version, from the initial rows, from the writes that returned their rows, and from the
 * final read. Two different images of one version mean that something changed the columns without an entry in the list (a
 * trigger). Then nothing is known of that row's columns at any time.
 *
 * Columns that a foreign key may change in this way are not compared, but the version is marked as altered. A version
 * that only the final read shows is marked too, if a foreign key has such columns. Nothing shows its columns at the time
 * of its write (ON UPDATE SET DEFAULT leaves a key that was never touched).
 */
import { NONE, ROLE, TXN_STATUS } from '../../core/index.ts';
import type { Column, ColumnType, History, Image, Value } from '../../core/index.ts';

export interface VersionImage {
  readonly row: number;
  /** The transaction's id, not its index. */
  readonly txn: number;
  readonly seq: number;
  readonly values: readonly Value[];
  /** A foreign key's action has changed a column without an entry in the list, or may have done so before any reply showed it. */
  readonly altered?: boolean;
  /** For an altered version: the values in the final read, if an earlier reply showed it as written. */
  readonly later?: readonly Value[];
  /** For an altered version: only the final read showed it. */
  readonly unwritten?: boolean;
}

export interface RowImages {
  readonly versions: readonly VersionImage[];
  /** Number of rows with two images of one version. */
  readonly contradicted: number;
}

/** `columns`: the table's user columns in order; `untracked`: those that can change without an entry in the list. */
export function rowImages(history: History, table: string, columns: readonly Column[], untracked: ReadonlySet<string>): RowImages {
  const { rows, observations, statements, transactions, entries } = history;
  const known = new Map<string, VersionImage>();
  const contradicted = new Set<number>();
  const altered = new Map<VersionImage, Pick<VersionImage, 'later' | 'unwritten'>>();
  const add = (row: number, txn: number, seq: number, image: Image, shown: 'as written' | 'at the end'): void => {
    const values = valuesOf(image, columns);
    if (values === undefined) return;
    const key = `${row} ${txn}.${seq}`;
    const before = known.get(key);
    if (before === undefined) {
      const version = { row, txn, seq, values };
      known.set(key, version);
      if (shown === 'at the end' && untracked.size > 0) altered.set(version, { unwritten: true });
    } else if (before.values.some((value, i) => value !== values[i] && !untracked.has(columns[i]!.name))) contradicted.add(row);
    else if (before.values.some((value, i) => value !== values[i]))
      altered.set(before, shown === 'at the end' && !altered.has(before) ? { later: values } : {});
  };

  const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
  for (const event of history.images) {
    if (event.table !== table) continue;
    event.rids.forEach((rid, i) => add(numberOf.get(rid) ?? NONE, 0, 0, event.images[i] ?? [], 'as written'));
  }
  let last = NONE;
  let place = 0;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    place = s === last ? place + 1 : 0;
    last = s;
    const row = observations.row[o]!;
    if (rows.table[row] !== table || transactions.status[statements.txn[s]!] === TXN_STATUS.aborted || statements.undone[s] === 1) continue;
    const entry = observations.start[o]! + observations.length[o]! - 1;
    const txn = entries.txn[entry]!;
    const seq = entries.seq[entry]!;
    const image = observations.image[o];
    if (image !== undefined && observations.role[o] === ROLE.write && txn === statements.txn[s] && seq === statements.seq[s])
      add(row, transactions.id[txn]!, seq, image, 'as written');
    // The final read returns the whole row as its result. A version that could not be read would shift the two against
    // each other.
    if (statements.kind[s] !== 'final' || statements.incomplete[s] === 1) continue;
    const shown = statements.result[s]?.[place];
    if (shown !== undefined) add(row, transactions.id[txn]!, seq, shown, 'at the end');
  }
  const versions = [...known.values()].filter(({ row }) => row !== NONE && !contradicted.has(row));
  return {
    versions: versions.map((each) => (altered.has(each) ? { ...each, altered: true, ...altered.get(each) } : each)),
    contradicted: contradicted.size,
  };
}

/** Undefined if a text is no value of its column. Then nothing is known. */
function valuesOf(image: Image, columns: readonly Column[]): readonly Value[] | undefined {
  if (image.length !== columns.length) return undefined;
  const values = columns.map(({ type }, i) => valueOfText(type, image[i] ?? null));
  return values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)) ? undefined : values;
}

/** Returns the value that a server's text stands for. A text that is no integer gives NaN. */
export function valueOfText(type: ColumnType, text: string | null): Value {
  if (text === null) return null;
  if (type.kind === 'boolean') return TRUTHS.has(text);
  return type.kind === 'integer' ? Number(text) : text;
}

/** The texts by which servers write true. */
export const TRUTHS: ReadonlySet<string> = new Set(['t', 'true', '1']);
