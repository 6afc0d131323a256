/**
 * Every text of an element passes here, in an attribute or between tags, whoever writes the component: as `options.vnode` of
 * Preact, in the files and in the page. So no name of a database reaches a reader with characters that hide or turn text.
 */
import { Fragment } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { visible } from '../text/visible.ts';

/** `toText`: what is made of a text. Components get what they were given: their elements pass here in turn. */
export function showTexts(vnode: VNode, toText: (text: string) => string = visible): void {
  // in a browser Preact makes a text an element without a type, after its parent has passed here
  if (typeof vnode.type !== 'string' && vnode.type !== Fragment) return;
  const props = vnode.props as Record<string, unknown>;
  for (const name in props) {
    const value = props[name];
    if (name === 'children') props[name] = childTexts(value as ComponentChildren, toText);
    // the value of a field is what a user typed, and is sent as it is
    else if (typeof value === 'string' && name !== 'value') props[name] = toText(value);
  }
}

function childTexts(children: ComponentChildren, toText: (text: string) => string): ComponentChildren {
  if (typeof children === 'string') return toText(children);
  return Array.isArray(children) ? children.map((child: ComponentChildren) => childTexts(child, toText)) : children;
}
