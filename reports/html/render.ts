/**
 * Components as the text of a file. A hostile name cannot reach it as markup, whoever writes the next component: the renderer
 * escapes every text and every attribute. It leaves `>`, `'` and backtick as they are, so these cross it as control
 * characters, which no visible text holds, and become entities behind it.
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

/** The end of a drawn element that holds nothing. A page has thousands. No text matches, since the renderer escapes its `<`. */
const EMPTY = /><\/(?:circle|line|path|polygon|polyline|rect)>/g;

/** `view` makes the elements: they are made under a hook of Preact, which is put back as it was. */
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

/** Printable ASCII without the three signs, as most texts are: nothing is to be done with it. */
const PLAIN = /^[\t\n -&(-=?-_a-~]*$/;

function toCross(text: string): string {
  if (PLAIN.test(text)) return text;
  return CROSSING.reduce((shown, { sign, crosses }) => shown.replaceAll(sign, crosses), visible(text));
}
