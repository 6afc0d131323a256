/**
 * The text forms of row ids, `r<txn>.<seq>_<n>`, and of write lists, `,<txn>.<seq>,<txn>.<seq>...`. A list is a window:
 * its front may be cut off, even inside an entry. So readers drop a first entry that does not begin with a comma.
 */

/** The length of a list in characters. An entry has at most 18, so at least 25 entries stay. */
export const LIST_WINDOW = 480;

export function rowId(txn: number, seq: number, n: number): string {
  return `${rowIdPrefix(txn, seq)}${n}`;
}

/** The row ids of one INSERT, without the number of the row. */
export function rowIdPrefix(txn: number, seq: number): string {
  return `r${txn}.${seq}_`;
}

export function listEntry(txn: number, seq: number): string {
  return `,${txn}.${seq}`;
}

/** The entry of every initial row. */
export const INITIAL_LIST: string = listEntry(0, 0);

/** The entry of the write that made the row. Undefined: the text is no row id of ours. */
export function parseRowId(rid: string): { readonly txn: number; readonly seq: number } | undefined {
  const match = /^r(\d+)\.(\d+)_\d+$/.exec(rid);
  return match ? { txn: Number(match[1]), seq: Number(match[2]) } : undefined;
}

/**
 * Calls `entry` for each complete entry of a list, oldest first. Adjacent repeats count once, since one statement may
 * append twice. Returns false if the text is no list, perhaps after calls for a prefix.
 */
export function readList(text: string, entry: (txn: number, seq: number) => void): boolean {
  let i = 0;
  if (text.charCodeAt(0) !== 44) {
    i = text.indexOf(',');
    if (i < 0) return false;
    if (!/^[\d.]*$/.test(text.slice(0, i))) return false;
  }
  let lastTxn = -1;
  let lastSeq = -1;
  while (i < text.length) {
    i++; // the comma
    let txn = 0;
    let digits = 0;
    let c = text.charCodeAt(i);
    for (; c >= 48 && c <= 57; c = text.charCodeAt(++i), digits++) txn = txn * 10 + c - 48;
    if (c !== 46 || digits === 0 || digits > 9) return false;
    let seq = 0;
    digits = 0;
    for (c = text.charCodeAt(++i); c >= 48 && c <= 57; c = text.charCodeAt(++i), digits++) seq = seq * 10 + c - 48;
    if (digits === 0 || digits > 9 || (i < text.length && c !== 44)) return false;
    if (txn !== lastTxn || seq !== lastSeq) entry(txn, seq);
    lastTxn = txn;
    lastSeq = seq;
  }
  return true;
}
