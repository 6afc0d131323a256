/**
 * HTML by a tagged template that escapes every value it is given; only what came out of the template itself goes in
 * unescaped. A hostile table name therefore cannot reach the page as markup, whoever writes the next section.
 */
import { visible } from '../text/visible.ts';

export interface Markup {
  readonly markup: string;
}

export type Part = Markup | readonly Markup[] | string | number | null | undefined | false;

const ENTITY: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

/** Attributes in templates are always quoted: the same escape serves text and attribute values. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += rendered(value) + (strings[index + 1] ?? '');
  return { markup: text };
}

function escaped(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (sign) => ENTITY[sign] ?? sign);
}

function rendered(value: Part): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  if ('markup' in value) return value.markup;
  return value.map((part) => part.markup).join('');
}

/** Text of ours (style, script) that must not be escaped. */
export function trusted(text: string): Markup {
  return { markup: text };
}
