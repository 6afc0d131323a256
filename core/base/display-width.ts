/**
 * The number of terminal columns that a text takes. Names and values are the user's, in any script. Chinese, Japanese
 * and Korean characters and emoji take two columns (Unicode's UAX 11, wide and fullwidth), combining marks none. If
 * terminals differ (emoji sequences), the larger number counts: a line may end early, but never overflows.
 */

/** Wide and fullwidth characters, by block. Unassigned code points within a block count as wide too. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d37f}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|[\u{1f300}-\u{1faff}]/u;
/** Characters without a width. U+FE0F is left out: it turns the character before it into an emoji and may make it wide. */
const NONE = /[\p{Mn}\p{Me}\u200b-\u200d\u2060](?<!\ufe0f)/u;
const PLAIN = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += columnsOf(sign);
  return width;
}

function columnsOf(sign: string): number {
  if (PLAIN.test(sign)) return 1;
  if (WIDE.test(sign)) return 2;
  return NONE.test(sign) ? 0 : 1;
}

/** Cuts a text to this number of columns, including the ellipsis. */
export function clipColumns(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let room = columns - 1;
  for (const sign of text) {
    room -= columnsOf(sign);
    if (room < 0) break;
    kept += sign;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export function padColumns(text: string, columns: number, side: 'start' | 'end'): string {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  return side === 'start' ? space + text : text + space;
}
