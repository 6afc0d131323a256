/** Text cells as an HTML table, head first; it scrolls by itself where it is wider than the page. */
import { html, type Markup } from './markup.ts';

export function htmlTable(rows: readonly (readonly string[])[], label: string): Markup {
  const [head = [], ...body] = rows;
  const cell = (text: string): Markup =>
    /^\d/.test(text) ? html`<td class="num${text === '0' ? ' zero' : ''}">${text}</td>` : html`<td>${text}</td>`;
  const isNumber = head.map((_, c) => body.length > 0 && body.every((row) => /^\d/.test(row[c] ?? '')));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${head.map((text, c) => html`<th${isNumber[c] === true ? html` class="num"` : null}>${text}</th>`)}</tr></thead><tbody>${body.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;
}
