/**
 * A statement's result -> the row versions in it, as flat triples (table, row id, list), and the user's own rows. Null
 * ids are the missing side of a left join. A version that a join shows several times counts once. A write keeps all
 * that it returned, because their number is compared with the affected rows.
 */
import type { QueryResult, ResultRow } from '../../dialect/index.ts';
import { DatabaseError } from '../../base/index.ts';
import type { Probe } from '../../program/index.ts';
import { MARK } from './show.ts';

/** The beginning of the value that holds what was read beside the statement (ReadBeside of statement.ts). */
const BESIDE = `[${MARK.beside}`;

export interface Decoded {
  readonly triples: string[];
  /** Versions that a write read beside the rows that it wrote. Absent: none. */
  readonly auxiliaryReads?: string[];
  /** The number of the user's rows. Present only if the result has one more row, for the reads beside the statement. */
  readonly rows?: number;
  readonly userRows: readonly ResultRow[];
  /** Versions that a statement of the role `change` removed. Absent: none. */
  readonly removed?: string[];
  /** The user columns of each version, in the order of the triples. Present only if every version has them. */
  readonly images?: readonly ResultRow[];
}

export function decodeObservations(probe: Probe, result: QueryResult): Decoded {
  const { layout, userColumns } = probe;
  if (layout.kind === 'none') return { triples: [], userRows: userColumns === 0 ? [] : result.rows };
  const triples: string[] = [];
  const images: ResultRow[] = [];
  const auxiliaryReads: string[] = [];
  const ofReads = new Set<ResultRow>();
  const rows = result.rows;
  if (layout.kind === 'json') {
    for (const row of rows) {
      const value = row[userColumns];
      if (value?.startsWith(BESIDE)) ofReads.add(row);
      const written = { triples, images };
      if (probe.role !== 'read' && value?.startsWith(BESIDE)) decodeJson(parsed(value), auxiliaryReads, images, written);
      else decodeJson(parsed(value), triples, images);
    }
  } else {
    for (const row of rows) {
      for (const { table, rid, list } of layout.pairs) {
        const id = row[rid];
        if (typeof id === 'string') triples.push(table, id, row[list] ?? '');
      }
    }
  }
  const whole = images.length > 0 && 3 * images.length === triples.length;
  const changed = probe.role === 'change' ? partedBy(probe.entry ?? '', triples, whole ? images : []) : undefined;
  const own = changed ?? { triples, images };
  return {
    triples: probe.role === 'read' && (rows.length > 1 || ofReads.size > 0) ? withoutRepeats(triples) : own.triples,
    ...(changed !== undefined && changed.removed.length > 0 && { removed: changed.removed }),
    userRows: userColumns === 0 ? [] : rows.filter((row) => !ofReads.has(row)).map((row) => row.slice(0, userColumns)),
    ...(auxiliaryReads.length > 0 && { auxiliaryReads: withoutRepeats(auxiliaryReads) }),
    ...(ofReads.size > 0 && { rows: rows.length - ofReads.size }),
    ...(whole && own.images.length > 0 && (probe.role === 'write' || probe.role === 'change') && { images: own.images }),
  };
}

/** Splits the versions: written ones end with the entry and may have images, and the others were removed. */
function partedBy(
  entry: string,
  all: readonly string[],
  imagesOfAll: readonly ResultRow[],
): { readonly triples: string[]; readonly removed: string[]; readonly images: ResultRow[] } {
  const parted = { triples: [] as string[], removed: [] as string[], images: [] as ResultRow[] };
  for (let i = 0; i + 2 < all.length; i += 3) {
    const written = all[i + 2]!.endsWith(entry);
    (written ? parted.triples : parted.removed).push(all[i]!, all[i + 1]!, all[i + 2]!);
    const image = imagesOfAll[i / 3];
    if (written && image !== undefined) parted.images.push(image);
  }
  return parted;
}

/**
 * Appends the triples of one array. Strings come in threes, arrays nest freely, and an array that begins with '' is an
 * image. Instead, an array of `<row id> <list>` may follow a table, with null if an outer join found nothing. A version
 * that begins with false was filtered out. `written` receives the versions that parts of the statement wrote.
 */
export function decodeJson(
  outer: readonly unknown[],
  triples: string[],
  images: ResultRow[],
  written?: { readonly triples: string[]; readonly images: ResultRow[] },
): void {
  const open: { readonly items: readonly unknown[]; at: number }[] = [{ items: outer, at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { items } = top;
    if (top.at >= items.length) {
      open.pop();
      continue;
    }
    const item = items[top.at];
    if (typeof item === 'string') {
      const rid = items[top.at + 1];
      if (Array.isArray(rid)) {
        addOnceEach(item, rid, triples);
        top.at += 2;
        continue;
      }
      const list = items[top.at + 2];
      if (typeof rid === 'string') triples.push(item, rid, typeof list === 'string' ? list : '');
      else if (rid !== null) throw unreadable(JSON.stringify(outer));
      top.at += 3;
      continue;
    }
    top.at++;
    if (item === MARK.beside && items === outer && top.at === 1) continue;
    if (Array.isArray(item) && item[0] === MARK.image) images.push(item.slice(1) as ResultRow);
    else if (Array.isArray(item) && item[0] === MARK.beside) continue;
    else if (written && Array.isArray(item) && item[0] === MARK.written) decodeJson(item.slice(1), written.triples, written.images);
    else if (Array.isArray(item)) open.push({ items: item, at: 0 });
    else if (item !== null) throw unreadable(JSON.stringify(outer));
  }
}

function addOnceEach(table: string, versions: readonly unknown[], triples: string[]): void {
  for (const version of versions) {
    if (version === null) continue;
    const blank = typeof version === 'string' ? version.indexOf(' ') : -1;
    if (typeof version !== 'string' || blank < 0) throw unreadable(JSON.stringify(versions));
    triples.push(table, version.slice(0, blank), version.slice(blank + 1));
  }
}

export function parsed(value: string | null | undefined): readonly unknown[] {
  let array: unknown;
  try {
    array = JSON.parse(value ?? '');
  } catch {
    throw unreadable(value);
  }
  if (!Array.isArray(array)) throw unreadable(value);
  return array;
}

function unreadable(value: string | null | undefined): DatabaseError {
  return new DatabaseError(
    `the server returned ${JSON.stringify(value ?? null)?.slice(0, 200)} as iso_reads, expected a JSON array of table, row id and list`,
  );
}

export function withoutRepeats(triples: string[]): string[] {
  const seen = new Set<string>();
  let kept = 0;
  for (let i = 0; i + 2 < triples.length; i += 3) {
    const key = `${triples[i + 1]} ${triples[i + 2]}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (kept !== i) for (let k = 0; k < 3; k++) triples[kept + k] = triples[i + k]!;
    kept += 3;
  }
  triples.length = kept;
  return triples;
}
