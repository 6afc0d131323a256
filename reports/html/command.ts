/** A command with its copy button. */
import { html, type Markup } from './markup.ts';

export function command(text: string, label: string): Markup {
  return html`<div class="file"><button type="button" class="copy" data-copy>Copy</button><pre class="replay" tabindex="0" aria-label="${label}"><code>${text}</code></pre></div>`;
}
