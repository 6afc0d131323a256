/**
 * Makes text from a database safe to look at. Names and values may hold control characters (a terminal would obey them),
 * line breaks where one line is meant, and bidirectional overrides (which change how text reads). Each becomes a visible
 * sign, everything else stays as it is. Quoting for HTML or markdown comes on top of this.
 */

/** Control characters except tab and newline, and the direction marks of Unicode (UAX 9). */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Shows invisible characters. Line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Does the same on one line. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** Cuts to a length, with an ellipsis that counts towards it, but never within a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Keeps the end, because the last entries of a write list are the important ones. */
export function clipFront(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(text.length - length + 1).replace(/^[\udc00-\udfff]/, '')}`;
}
