/**
 * Renders components as the text of a file. No hostile name becomes markup, because the renderer escapes every text and
 * every attribute. It leaves `>`, `'` and the backtick as they are. So these pass the renderer as control characters,
 * which no visible text holds, and become entities afterwards.
 */
import { options } from 'preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { showTexts } from '../components/visible-texts.ts';
import { visible } from '../text/visible.ts';

const CROSSING = [
  { sign: '>', crosses: '\u0001', entity: '&gt;' },
  { sign: "'", crosses: '\u0002', entity: '&#39;' },
  { sign: '`', crosses: '\u0003', entity: '&#96;' },
] as const;

/**
 * Matches the end of a drawn element that holds nothing. A page has thousands of them. No text matches, since the
 * renderer escapes its `<`.
 */
const EMPTY = /><\/(?:circle|line|path|polygon|polyline|rect)>/g;

/** `view` makes the elements while a hook of Preact is set. The hook is restored afterwards. */
export function markup(view: () => VNode): string {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back where it was
  const before = options.vnode;
  options.vnode = (vnode) => showTexts(vnode, toCross);
  try {
    const text = renderToString(view()).replaceAll(EMPTY, '/>');
    return CROSSING.reduce((written, { crosses, entity }) => written.replaceAll(crosses, entity), text);
  } finally {
    if (before === undefined) delete options.vnode;
    else options.vnode = before;
  }
}

/** Matches printable ASCII without the three characters. Most texts match and need no change. */
const PLAIN = /^[\t\n -&(-=?-_a-~]*$/;

function toCross(text: string): string {
  if (PLAIN.test(text)) return text;
  return CROSSING.reduce((shown, { sign, crosses }) => shown.replaceAll(sign, crosses), visible(text));
}
