// Texts of elements: what would hide or turn them is shown, wherever it stands; what a user typed is left alone.
import { Fragment, h } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { expect, it } from 'vitest';
import { showTexts } from '../../../reports/in-page.ts';

const HOSTILE = 'a\u0000b\u202ec';
const SHOWN = 'a␀b[U+202E]c';

function propsOf(vnode: VNode<never>): Readonly<Record<string, unknown>> {
  showTexts(vnode as VNode);
  return vnode.props;
}

it('a text, an attribute, and texts in lists of any depth are shown', () => {
  const list: ComponentChildren = [HOSTILE, [HOSTILE, 7, null]];
  const { title, children } = propsOf(h('p', { title: HOSTILE }, list) as VNode<never>);
  expect(title).toBe(SHOWN);
  expect([children].flat(3)).toEqual([SHOWN, SHOWN, 7, null]);
  expect(list, 'the list of a component stays as it was').toEqual([HOSTILE, [HOSTILE, 7, null]]);
  expect(propsOf(h(Fragment, null, HOSTILE) as VNode<never>)['children']).toBe(SHOWN);
});

it('the value of a field is what was typed', () => {
  expect(propsOf(h('textarea', { value: HOSTILE }) as VNode<never>)['value']).toBe(HOSTILE);
});

it('a component gets what it was given', () => {
  const Component = (): null => null;
  expect(propsOf(h(Component, { title: HOSTILE } as never))['title']).toBe(HOSTILE);
});

it('an element that a browser makes of a text alone is left as it is', () => {
  const text = { type: null, props: SHOWN } as unknown as VNode<never>;
  expect(propsOf(text)).toBe(SHOWN);
});
