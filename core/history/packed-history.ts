/**
 * The form of a packed history: gzip in members of bounded size, so that it is read in constant memory. The header of
 * each member has one extra field (RFC 1952, 2.3.1.1) with the member's size in bytes. Other readers of gzip skip the
 * field. A plain file, the tail, holds the lines that are not yet packed. Its first line says at which byte of the
 * unpacked history it continues.
 */
import { HISTORY_FORMAT, HISTORY_VERSION } from './event.ts';

/** Sizes in bytes: a gzip header without fields, and our field (its length, two letters, the length of its value, the value). */
const HEADER = 10;
const FIELD = 2 + 2 + 2 + 4;
const FLAGS = 3;
const HAS_EXTRA = 4;
const LETTERS = [0x41, 0x6e] as const; // "An"

/** The number of bytes that `memberSize` needs. */
export const MEMBER_HEAD: number = HEADER + FIELD;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Adds the member's size to its header. `gzip` is one whole member without extra fields. */
export function sizedMember(gzip: Uint8Array): Uint8Array {
  const member = new Uint8Array(gzip.length + FIELD);
  member.set(gzip.subarray(0, HEADER));
  member[FLAGS] = HAS_EXTRA;
  const view = new DataView(member.buffer);
  view.setUint16(HEADER, FIELD - 2, true);
  member.set(LETTERS, HEADER + 2);
  view.setUint16(HEADER + 4, 4, true);
  view.setUint32(HEADER + 6, member.length, true);
  member.set(gzip.subarray(HEADER), HEADER + FIELD);
  return member;
}

/** The member's size in bytes. Undefined: it is no member of ours. */
export function memberSize(head: Uint8Array): number | undefined {
  if (head.length < MEMBER_HEAD || !isGzip(head) || head[FLAGS] !== HAS_EXTRA) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const ours =
    view.getUint16(HEADER, true) === FIELD - 2 &&
    head[HEADER + 2] === LETTERS[0] &&
    head[HEADER + 3] === LETTERS[1] &&
    view.getUint16(HEADER + 4, true) === 4;
  return ours ? view.getUint32(HEADER + 6, true) : undefined;
}

/** `history.ndjson.gz` -> `history.ndjson.tail`. */
export function tailOf(packed: string): string {
  return packed.replace(/(\.gz)?$/, '.tail');
}

export function tailLine(from: number): string {
  return `${JSON.stringify({ e: 'tail', format: HISTORY_FORMAT, version: HISTORY_VERSION, from })}\n`;
}

/** The byte of the unpacked history at which a tail with this first line continues. Undefined: it is no such line. */
export function tailStart(line: string): number | undefined {
  try {
    const { e, format, from } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return e === 'tail' && format === HISTORY_FORMAT && Number.isSafeInteger(from) ? (from as number) : undefined;
  } catch {
    return undefined;
  }
}
