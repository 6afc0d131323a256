/**
 * Makes the texts of every element visible, in attributes and between tags. It is `options.vnode` of Preact, both in
 * the files and in the page. So no database name reaches a reader with characters that hide or turn text.
 */
import { Fragment } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { visible } from '../text/visible.ts';

/**
 * `toText` converts each text. Components receive their texts unchanged, because the elements that they make pass here
 * in turn.
 */
export function showTexts(vnode: VNode, toText: (text: string) => string = visible): void {
  // Preact in a browser makes an element without a type of each text, after the text's parent has passed here.
  if (typeof vnode.type !== 'string' && vnode.type !== Fragment) return;
  const props = vnode.props as Record<string, unknown>;
  for (const name in props) {
    const value = props[name];
    if (name === 'children') props[name] = childTexts(value as ComponentChildren, toText);
    // The value of a field is what a user typed, and it is sent unchanged.
    else if (typeof value === 'string' && name !== 'value') props[name] = toText(value);
  }
}

function childTexts(children: ComponentChildren, toText: (text: string) => string): ComponentChildren {
  if (typeof children === 'string') return toText(children);
  return Array.isArray(children) ? children.map((child: ComponentChildren) => childTexts(child, toText)) : children;
}
