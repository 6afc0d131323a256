/**
 * Captured rows (CapturedRows of probe.ts) -> the versions that the statement wrote or removed. The affected count must
 * prove that the capture is complete and holds nothing else.
 *
 * A row may come several times (a join, an upsert that meets one row twice), and the last capture counts. If more rows were captured
 * than affected, some were not written. The result then names the rows that may have been written, which are read again.
 */
import { decodeJson, parsed, withoutRepeats } from './decode-observations.ts';
import type { Decoded } from './decode-observations.ts';
import type { QueryResult, ResultRow } from '../../dialect/index.ts';
import type { CapturedRows } from '../../program/index.ts';
import { MARK } from './show.ts';
import { LIST_WINDOW } from './write-list.ts';

export interface DecodedCapture extends Pick<Decoded, 'triples' | 'auxiliaryReads' | 'images'> {
  /** Why the written rows are not known. The triples may be the versions written or removed. */
  readonly inconclusive?: { readonly reason: string; readonly triples: readonly string[] };
}

/**
 * `answer`: JSON arrays with a comma after each, or null if the capture was too large. `probed`: the rows that a
 * SELECT ... FOR UPDATE before a REPLACE met.
 */
export function decodeCapture(
  captured: CapturedRows,
  { affected, changed: altered = affected }: Pick<QueryResult, 'affected' | 'changed'>,
  answer: string | null | undefined,
  probed: readonly string[] = [],
): DecodedCapture {
  const text = captured.silent ? '' : answer;
  if (text === null || text === undefined) return inconclusive({}, 'the capture was lost: too many rows for max_allowed_packet', []);
  const captures = capturesOf(text);
  const read = withoutRepeats(withoutOwn(captures.auxiliaryReads, captured.entry));
  const known = captured.auxiliaryReads !== false && read.length > 0 ? { auxiliaryReads: read } : {};
  if (!captured.own) return { ...known, triples: [] };
  const { entry = '', inserted } = captured;
  const capture: Capture = { captures, known, entry, affected };
  if (inserted === undefined) return changedRows(capture, altered);
  if (inserted.conflict === 'nothing') return insertedOrLeft(capture, inserted);
  if (inserted.conflict === 'replace') return replaced(capture, inserted, probed);
  return insertedOrUpdated(capture, inserted);
}

interface Capture {
  readonly captures: Captures;
  readonly known: Pick<Decoded, 'auxiliaryReads'>;
  readonly entry: string;
  readonly affected: number;
}
type Inserted = NonNullable<CapturedRows['inserted']>;

function changedRows({ captures: { rows }, known, entry, affected }: Capture, altered: number): DecodedCapture {
  // Each matched row is changed, because it gets an entry in its list. The counts differ only if the server dropped an
  // error.
  if (altered < affected) return inconclusive(known, `${affected} rows matched, ${altered} changed`, []);
  const written = versions(rows, [], entry);
  if (rows.size === affected) return { ...known, ...written };
  return inconclusive(known, `${affected} rows affected, ${rows.size} captured`, rows.size > affected ? written.triples : []);
}

/** The ids of the first `count` proposed rows, in the order of the statement. */
function proposedIds({ prefix }: Inserted, count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, (_, i) => `${prefix}${i}`);
}

function made({ captures: { rows }, entry }: Capture, { table }: Inserted, rids: readonly string[]): Pick<Decoded, 'triples' | 'images'> {
  const proposed = rids.map((rid) => [table, rid] as const);
  return versions(rows, proposed, entry);
}

/** The images of the inserted rows with these numbers, as the statement spells them. */
function stated({ images }: Inserted, numbers: readonly number[]): Pick<Decoded, 'images'> {
  return images === undefined || numbers.length === 0 ? {} : { images: numbers.map((n) => images[n]!) };
}

function insertedOrLeft(capture: Capture, inserted: Inserted): DecodedCapture {
  const { known, affected } = capture;
  if (affected === 0) return { ...known, triples: [] };
  const all = made(capture, inserted, proposedIds(inserted, inserted.rows ?? affected - capture.captures.changed.size));
  if (affected === inserted.rows) return { ...known, ...all };
  const reason = `${affected} rows inserted of ${inserted.rows ?? 'a query'}: which, is not known`;
  return inconclusive(known, reason, inserted.rows === undefined ? [] : all.triples);
}

function replaced(capture: Capture, inserted: Inserted, probed: readonly string[]): DecodedCapture {
  const { known, affected } = capture;
  if (inserted.rows !== undefined && affected === inserted.rows + probed.length / 3) {
    const ids = proposedIds(inserted, inserted.rows);
    return { ...known, ...made(capture, inserted, ids), ...stated(inserted, [...ids.keys()]) };
  }
  return inconclusive(
    known,
    `${affected} rows affected by a REPLACE of ${inserted.rows ?? 'a query'}: the rows that it removed are not known`,
    [],
  );
}

/**
 * `affected` counts 1 for a new row and 2 for an updated one. A row that was met and left counts 0 or 1. An update is
 * never a no-op, because it adds an entry.
 */
function insertedOrUpdated(capture: Capture, inserted: Inserted): DecodedCapture {
  const { known, affected, captures } = capture;
  const { met, changed } = captures;
  const proposed = inserted.rows ?? affected - changed.size;
  const ids = proposedIds(inserted, proposed);
  const born = ids.filter((rid) => !met.has(rid));
  const updates = changed.size;
  const left = met.size - updates;
  const least = born.length + 2 * updates;
  if (born.length !== proposed - met.size || affected < least || affected > least + left) {
    return inconclusive(
      known,
      `${affected} rows affected, ${proposed} proposed, ${met.size} of them met a row and ${updates} updated it`,
      [],
    );
  }
  const numbers = ids.flatMap((rid, i) => (met.has(rid) ? [] : [i]));
  return { ...known, ...made(capture, inserted, born), ...(updates > 0 ? {} : stated(inserted, numbers)) };
}

interface Row {
  readonly table: string;
  readonly list: string;
  readonly image: ResultRow | undefined;
}

/** Removes versions with the statement's own entry. A statement may meet its own changes, but that is no read of a version. */
function withoutOwn(triples: readonly string[], entry: string | undefined): string[] {
  return triples.filter((_, i) => entry === undefined || !triples[i - (i % 3) + 2]!.endsWith(entry));
}

interface Captures {
  /** The last capture of each row, by row id. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The proposed rows that met a row and were not inserted, and those of them that changed it. */
  readonly met: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly auxiliaryReads: string[];
}

function capturesOf(text: string): Captures {
  const rows = new Map<string, Row>();
  const met = new Set<string>();
  const changed = new Set<string>();
  const auxiliaryReads: string[] = [];
  for (const each of parsed(`[${text}null]`)) {
    if (!Array.isArray(each)) continue;
    if (each[0] === MARK.beside) {
      decodeJson(each, auxiliaryReads, []);
      continue;
    }
    const [proposed, items] = each[0] === MARK.met ? [String(each[1]), each.slice(2)] : [undefined, each];
    const triples: string[] = [];
    const images: ResultRow[] = [];
    decodeJson(items, triples, images);
    const [table = '', rid, list = ''] = triples;
    // An outer join's missing side is no row.
    if (rid !== undefined) rows.set(rid, { table, list, image: images[0] });
    if (proposed !== undefined) met.add(proposed);
    if (proposed !== undefined && rid !== undefined) changed.add(proposed);
  }
  return { rows, met, changed, auxiliaryReads };
}

/** `born`: table and row id of each inserted row. If the same statement then updated one, it was captured. */
function versions(
  rows: ReadonlyMap<string, Row>,
  born: readonly (readonly [string, string])[],
  entry: string,
): Pick<Decoded, 'triples' | 'images'> {
  const triples = born.filter(([, rid]) => !rows.has(rid)).flatMap(([table, rid]) => [table, rid, entry]);
  const images: ResultRow[] = [];
  const unseen = triples.length;
  for (const [rid, { table, list, image }] of rows) {
    triples.push(table, rid, (list + entry).slice(-LIST_WINDOW));
    if (image !== undefined) images.push(image);
  }
  return { triples, ...(images.length > 0 && unseen === 0 && 3 * images.length === triples.length && { images }) };
}

function inconclusive(known: Pick<Decoded, 'auxiliaryReads'>, reason: string, triples: readonly string[]): DecodedCapture {
  return { ...known, triples: [], inconclusive: { reason, triples } };
}
